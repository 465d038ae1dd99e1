import type { AccountAddress } from "../../domain/Address.ts"
import { stroops } from "../../domain/Amount.ts"
import { type AssetId, issued } from "../../domain/Asset.ts"
import type { State } from "../../ledger/State.ts"
import { lineIn } from "../Holdings.ts"
import { type Task, type Unit, unit } from "../Unit.ts"

/** The most a trustline can hold: what an exit pays moves until it is made, so its line is not measured. */
const most = stroops(9223372036854775807n)

/** Whether so much of an asset can arrive on the account's line. */
export const hasRoom = (world: State, account: AccountAddress, asset: AssetId, amount: bigint): boolean => {
  if (issued(asset)?.issuer === account) return true
  const line = lineIn(world, account, asset)
  return line !== null && line.authorized && line.limit - line.balance - line.buyingLiabilities >= amount
}

/** Adds the line that an exit will pay into, or raises its limit. */
const line = (world: State, account: AccountAddress, asset: AssetId): Task => ({
  type: "ADD_TRUSTLINE",
  title: lineIn(world, account, asset) === null ? `Add a trustline to ${asset}` : `Raise the limit of the trustline to ${asset}`,
  description: "A position pays into it; it goes again with the rest of the account.",
  asset,
  operations: [{ type: "change_trust", source: account, asset, limit: most }]
})

/** The lines that payouts lack, each a unit of its own. */
export const lineUnits = (world: State, account: AccountAddress, payouts: ReadonlyMap<AssetId, bigint>): ReadonlyArray<Unit> =>
  [...payouts].filter(([asset, amount]) => !hasRoom(world, account, asset, amount)).map(([asset]) => unit([line(world, account, asset)]))
