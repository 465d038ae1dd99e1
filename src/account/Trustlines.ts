import type { xdr } from "@stellar/stellar-sdk"
import type { Trustline } from "../domain/Account.ts"
import { stroops } from "../domain/Amount.ts"
import { issued } from "../domain/Asset.ts"
import { assetIdOf, trustlineAssetOf } from "../stellar/Assets.ts"
import { trustlineFlags } from "../stellar/Flags.ts"
import { trustlineKey } from "../xdr/LedgerKeys.ts"
import type { Listing } from "./Listing.ts"

export const trustlineKeys = ({ account, address }: Listing): ReadonlyArray<xdr.LedgerKey> =>
  (account?.trustlines ?? []).map(({ asset }) => trustlineKey(address, trustlineAssetOf(asset)))

/** Lines to issued assets; pool shares are another kind. */
export const trustlines = (entries: ReadonlyArray<xdr.LedgerEntry>): ReadonlyArray<Trustline> =>
  entries.flatMap(({ data }) => {
    if (data.type !== "trustline") return []
    const { asset, balance, flags } = data.trustLine
    const id = assetIdOf(asset)
    const parts = id === null ? null : issued(id)
    if (parts === null) return []
    return [
      {
        asset: parts.id,
        balance: stroops(balance),
        authorized: (flags & trustlineFlags.authorized) !== 0,
        issuer: parts.issuer,
        code: parts.code
      }
    ]
  })
