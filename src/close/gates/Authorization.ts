import { showAmount } from "../../domain/Amount.ts"
import type { AssetId } from "../../domain/Asset.ts"
import { blocker } from "../../domain/Blocker.ts"
import type { Blocker, Gate } from "../situation/Gate.ts"
import { holdingsIn, poolPayouts } from "../situation/Holdings.ts"

/** A balance on a trustline that is not fully authorised can only be freed by the issuer; so can what a pool would pay onto one. */
export const authorization: Gate = ({ input, ledgerState }) => {
  const holdings = holdingsIn(ledgerState, input.source)
  if (holdings === null) return []
  const awaited = new Map<AssetId, string>(
    holdings.poolShares.flatMap((held) =>
      poolPayouts(held).filter(({ amount }) => amount > 0n).map(({ asset }) => [asset, held.poolId] as const)
    )
  )
  return holdings.trustlines.flatMap((trustline): ReadonlyArray<Blocker> => {
    if (trustline.authorized) return []
    if (trustline.balance > 0n) {
      const message = `The issuer does not authorise the account to move its ${
        showAmount(trustline.balance)
      } ${trustline.asset}. Only the issuer can free it.`
      return [{ failure: null, shown: blocker("trustline_deauthorized", message, trustline.asset) }]
    }
    const pool = awaited.get(trustline.asset)
    if (pool === undefined) return []
    const message = `The pool ${pool} would pay ${trustline.asset} into a trustline that the issuer does not authorise to send.`
    return [{ failure: null, shown: blocker("trustline_deauthorized", message, trustline.asset) }]
  })
}
