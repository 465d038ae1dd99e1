import type { xdr } from "@stellar/stellar-sdk"
import { heldAsset, native } from "../../ledger/Asset.ts"
import type { LedgerState } from "../../ledger/LedgerState.ts"
import { indexOf } from "../LedgerIndex.ts"

/** What an account holds, lumens last and pool shares left out: they trade nowhere. Nothing for a missing account. */
export const heldAssets = (
  state: LedgerState,
  account: string
): ReadonlyArray<{ readonly asset: xdr.Asset; readonly balance: bigint }> => {
  const index = indexOf(state)
  const entry = index.accounts.get(account)
  if (entry === undefined) return []
  return [
    ...(index.trustlines.get(account) ?? []).flatMap(({ body }) =>
      body.asset.type === "assetTypePoolShare" ? [] : [{ asset: heldAsset(body.asset), balance: body.balance }]
    ),
    { asset: native, balance: entry.body.balance }
  ]
}
