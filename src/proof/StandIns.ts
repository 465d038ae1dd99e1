import { HttpClientRequest } from "@effect/platform"
import { Array as Arr, Redacted } from "effect"
import type { NetworkAddress } from "../chain/NetworkSettings.ts"
import type { RpcHeader } from "../chain/RpcHeaders.ts"

/** An address that stands for an endpoint. The one of the endpoint may hold a key, and is no business of those who read a file. */
export interface StandIn {
  readonly shown: URL
  readonly real: URL
  readonly header?: RpcHeader
}

/** Of one kind, numbered by their origins and among those of their origin: endpoints of one operator stay together. */
const ofKind = <Urls extends ReadonlyArray<URL>>(kind: string, urls: Urls): Arr.ReadonlyArray.With<Urls, StandIn> => {
  const origins = [...new Set(urls.map(({ origin }) => origin))]
  return Arr.map(urls, (real, place) => ({
    real,
    shown: new URL(`https://${kind}-${origins.indexOf(real.origin) + 1}.invalid/${place + 1}`)
  }))
}

/** The stand-ins of all endpoints of a network. */
export interface NetworkStandIns {
  readonly rpc: Arr.NonEmptyReadonlyArray<StandIn>
  readonly ledgerApi: ReadonlyArray<StandIn>
  readonly explorer: StandIn | null
}

export const standInsOf = ({ ledgerApiUrls, rpcHeaders, rpcUrls }: NetworkAddress, explorer: URL | null): NetworkStandIns => ({
  rpc: Arr.map(ofKind("rpc", rpcUrls), (one) => {
    const header = rpcHeaders?.get(one.real)
    return header === undefined ? one : { ...one, header }
  }),
  ledgerApi: ofKind("ledger-api", ledgerApiUrls),
  explorer: explorer === null ? null : { shown: new URL("https://explorer.invalid/1"), real: explorer }
})

const isAt = ({ shown }: StandIn, { origin, pathname }: URL): boolean =>
  origin === shown.origin && (pathname === shown.pathname || pathname.startsWith(`${shown.pathname}/`))

/** The same request at the endpoint itself; null where no endpoint has that stand-in. */
export const atEndpoint = (
  standIns: ReadonlyArray<StandIn>,
  request: HttpClientRequest.HttpClientRequest,
  asked: URL
): HttpClientRequest.HttpClientRequest | null => {
  const found = standIns.find((one) => isAt(one, asked))
  if (found === undefined) return null
  const url = new URL(found.real)
  const path = asked.pathname.slice(found.shown.pathname.length)
  if (path !== "") url.pathname = `${url.pathname.replace(/\/+$/, "")}${path}`
  for (const [name, value] of asked.searchParams) url.searchParams.set(name, value)
  const there = HttpClientRequest.setUrl(request, url)
  return found.header === undefined ? there : HttpClientRequest.setHeader(there, found.header.name, Redacted.value(found.header.value))
}
