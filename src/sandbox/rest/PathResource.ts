import { HttpServerResponse } from "@effect/platform"
import type { xdr } from "@stellar/stellar-sdk"
import { assetParts, canonicalAsset } from "../AssetName.ts"
import { showAmount } from "../DecimalAmount.ts"
import type { Route } from "../PathSearch.ts"

const routesAnAsset = 5

/** How many assets may be named or held where a list of them is requested. */
export const maxAssets = 15

const prefixed = (prefix: string, asset: xdr.Asset) =>
  Object.fromEntries(Object.entries(assetParts(asset)).map(([name, value]) => [`${prefix}_${name}`, value]))

const pathRecord = ({ destination, destinationAmount, interior, source, sourceAmount }: Route) => ({
  ...prefixed("source", source),
  source_amount: showAmount(sourceAmount),
  ...prefixed("destination", destination),
  destination_amount: showAmount(destinationAmount),
  path: interior.map(assetParts)
})

/** The best routes of each asset, best first, in order of the asset; a page without links. */
export const pathPage = (
  routes: ReadonlyArray<Route>,
  by: (route: Route) => xdr.Asset,
  isBetter: (left: Route, right: Route) => boolean
) => {
  const groups = new Map<string, ReadonlyArray<Route>>()
  for (const route of routes) {
    const name = canonicalAsset(by(route))
    groups.set(name, [...(groups.get(name) ?? []), route])
  }
  const better = (left: Route, right: Route): number => {
    if (isBetter(left, right)) return -1
    return isBetter(right, left) ? 1 : left.interior.length - right.interior.length
  }
  return HttpServerResponse.unsafeJson({
    _embedded: {
      records: [...groups]
        .toSorted(([left], [right]) => (left < right ? -1 : 1))
        .flatMap(([, group]) => group.toSorted(better).slice(0, routesAnAsset))
        .map(pathRecord)
    }
  })
}
