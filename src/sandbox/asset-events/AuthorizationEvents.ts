import type { xdr } from "@stellar/stellar-sdk"
import { sameAccount } from "../../ledger/AccountId.ts"
import { assetId, sameAsset } from "../../ledger/Asset.ts"
import { isAuthorized } from "../../ledger/entries/Trustline.ts"
import type { EntryChange } from "../network/EntryChanges.ts"
import type { AssetEvents } from "./AssetEvents.ts"
import { accountParty, balanceParty, poolParty } from "./Party.ts"
import { reserveChanges } from "./ReserveChange.ts"

/** Pool shares that a revocation turned into claimable balances; what a pool gives back to the issuer is burnt. */
const redeemed = (events: AssetEvents, holder: xdr.PublicKey, turns: ReadonlyArray<EntryChange>) => {
  const balances = turns.flatMap(({ after, before }) =>
    before === undefined && after?.type === "claimableBalance" ? [after.claimableBalance] : []
  )
  return reserveChanges(turns).flatMap(({ gained, poolId }) =>
    gained
      .filter(([, amount]) => amount < 0n)
      .map(([asset, amount]) => {
        const at = balances.findIndex((one) => sameAsset(one.asset, asset) && one.amount === -amount)
        const [balance] = at < 0 ? [] : balances.splice(at, 1)
        const to = balance === undefined ? accountParty(holder) : balanceParty(balance.balanceId)
        return events.moved({ asset, from: poolParty(poolId), to, amount: -amount })
      })
  )
}

const lineOf = (data: EntryChange["before"], holder: xdr.PublicKey, asset: xdr.Asset): xdr.TrustLineEntry | undefined =>
  data?.type === "trustline" && sameAccount(data.trustLine.accountId, holder) && assetId(data.trustLine.asset) === assetId(asset)
    ? data.trustLine
    : undefined

/** What an issuer's change of a trustline's flags emits: the authorization given or taken, and what that set free. */
export const authorizationEvents = (
  events: AssetEvents,
  holder: xdr.PublicKey,
  asset: xdr.Asset,
  turns: ReadonlyArray<EntryChange>
): ReadonlyArray<xdr.ContractEvent> => {
  const changed = turns.flatMap(({ after, before }) => {
    const [earlier, later] = [lineOf(before, holder, asset), lineOf(after, holder, asset)]
    return earlier === undefined || later === undefined || isAuthorized(earlier) === isAuthorized(later)
      ? []
      : [events.authorized(asset, holder, isAuthorized(later))]
  })
  return [...redeemed(events, holder, turns), ...changed]
}
