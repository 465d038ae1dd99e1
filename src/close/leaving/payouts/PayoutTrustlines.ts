import type { AccountAddress } from "../../../domain/Address.ts"
import { largestAmount, type Stroops, stroops } from "../../../domain/Amount.ts"
import { type AssetId, issued, native } from "../../../domain/Asset.ts"
import { blocker } from "../../../domain/Blocker.ts"
import { PayoutTrustlineMissing } from "../../../domain/failure/Planning.ts"
import type { LedgerState } from "../../../ledger/LedgerState.ts"
import type { ContractCall } from "../../../operations/ContractCall.ts"
import { accountFlags } from "../../../stellar/Flags.ts"
import { accountKey } from "../../../xdr/LedgerKeys.ts"
import { type AtomicGroup, atomicGroup, operationsOf, type PlannedStep } from "../../situation/AtomicGroup.ts"
import type { Blocker } from "../../situation/Gate.ts"
import { trustlineIn } from "../../situation/Holdings.ts"
import { mayTakeBack } from "../../situation/IssuerPower.ts"
import { waysPastRewards } from "../../situation/LiftingAnswers.ts"
import type { PlannedExit } from "../../situation/PlannedExit.ts"
import { codeOf } from "../../situation/SpokenAmount.ts"
import type { TokenAssets } from "../../situation/TokenAssets.ts"
import { mayGiveUpRewards } from "../../situation/UnclaimedRewards.ts"
import type { Workbench } from "../../situation/Workbench.ts"

/** The most a trustline can hold. */
const most = stroops(largestAmount)

/** A unit of any asset, stroops. */
const one = 1_0000000n

/**
 * The limit of a trustline that awaits so much: what an exit pays moves until it is made, so it is as large as can be; where the issuer may
 * freeze or take back what arrives, no more than twice that and a unit, so that no gift of it finds room.
 */
const limitFor = (ledgerState: LedgerState, account: AccountAddress, asset: AssetId, awaited: bigint): Stroops => {
  if (!mayTakeBack(ledgerState, account, asset)) return most
  const held = trustlineIn(ledgerState, account, asset)
  const limit = (held?.balance ?? 0n) + (held?.buyingLiabilities ?? 0n) + 2n * awaited + one
  return limit < most ? stroops(limit) : most
}

/** Whether so much of an asset can arrive on the account's trustline; lumens and what the account issued itself need none. */
export const hasRoom = (ledgerState: LedgerState, account: AccountAddress, asset: AssetId, amount: bigint): boolean => {
  if (asset === native || issued(asset)?.issuer === account) return true
  const trustline = trustlineIn(ledgerState, account, asset)
  return trustline !== null && trustline.authorized && trustline.limit - trustline.balance - trustline.buyingLiabilities >= amount
}

/** Adds the trustline that an exit will pay into, or raises its limit. */
const trustlineStep = (ledgerState: LedgerState, account: AccountAddress, asset: AssetId, awaited: bigint): PlannedStep => ({
  type: "ADD_TRUSTLINE",
  title: trustlineIn(ledgerState, account, asset) === null
    ? `Add a trustline to ${codeOf(asset)}`
    : `Raise the limit of the trustline to ${codeOf(asset)}`,
  description: "A position pays into it. A later step removes it again.",
  asset,
  operations: [{ type: "change_trust", source: account, asset, limit: limitFor(ledgerState, account, asset, awaited) }]
})

/** The trustlines that payouts lack, each a group of its own. */
export const trustlineGroups = (
  ledgerState: LedgerState,
  account: AccountAddress,
  payouts: ReadonlyMap<AssetId, bigint>
): ReadonlyArray<AtomicGroup> =>
  [...payouts].filter(([asset, amount]) => !hasRoom(ledgerState, account, asset, amount)).map(([asset, amount]) =>
    atomicGroup([trustlineStep(ledgerState, account, asset, amount)])
  )

/** Stroops of reserve that such groups take: a trustline that only gets a higher limit has its own already. */
export const reserveOf = (ledgerState: LedgerState, account: AccountAddress, groups: ReadonlyArray<AtomicGroup>): bigint => {
  const assets = groups.flatMap(({ steps }) => steps.flatMap(({ asset }) => asset ?? []))
  return BigInt(assets.filter((asset) => trustlineIn(ledgerState, account, asset) === null).length * ledgerState.header.baseReserve)
}

/** Assets that calls pay, all together, and that cannot arrive on the present trustlines. */
export const lackingTrustlines = (
  ledgerState: LedgerState,
  account: AccountAddress,
  assets: TokenAssets,
  calls: ReadonlyArray<ContractCall>
): ReadonlyArray<AssetId> => {
  const sums = new Map<AssetId, bigint>()
  for (const { expected, token } of calls.flatMap(({ payouts }) => payouts)) {
    const asset = assets.get(token)
    if (asset !== undefined) sums.set(asset, (sums.get(asset) ?? 0n) + expected)
  }
  return [...sums].filter(([asset, amount]) => !hasRoom(ledgerState, account, asset, amount)).map(([asset]) => asset)
}

/** The ledger with a trustline that so much more of an asset can arrive on, added or raised where it must be; null: it cannot be. */
export const withRoom = (bench: Workbench, account: AccountAddress, asset: AssetId, amount: bigint): Workbench | null => {
  const operations = operationsOf(trustlineGroups(bench.state, account, new Map([[asset, amount]])))
  return operations.length === 0 ? bench : bench.attempt(operations).after
}

const missing = (asset: AssetId, message: string, one: PlannedExit): Blocker => ({
  failure: new PayoutTrustlineMissing({ asset }),
  shown: blocker(
    "payout_trustline_missing",
    mayGiveUpRewards(one) ? `${message} If only rewards are affected, exit_without_rewards exits without them.` : message,
    asset
  ),
  liftedBy: waysPastRewards(one)
})

/** What an exit pays onto a trustline that cannot be added, because so many stroops lack for its reserve and those added with it. */
export const trustlineUnaffordable = (asset: AssetId, one: PlannedExit, lacking: bigint): Blocker => ({
  ...missing(asset, `An exit pays ${asset}, and the account has too few lumens to add its trustline.`, one),
  lacksLumens: lacking
})

/** Why the trustline that an exit pays into cannot be made usable, regardless of what the account can afford; null: it can. */
export const trustlineProblem = (ledgerState: LedgerState, account: AccountAddress, asset: AssetId, one: PlannedExit): Blocker | null => {
  const trustline = trustlineIn(ledgerState, account, asset)
  if (trustline?.authorized === false) {
    return missing(asset, `The issuer of ${asset} does not authorise the trustline that the exit would pay into.`, one)
  }
  const issuer = ledgerState.get(accountKey(issued(asset)?.issuer ?? ""))?.data
  if (issuer?.type !== "account") {
    return missing(asset, `The issuer of ${asset} does not exist or was not found, so no trustline for the payout can be added.`, one)
  }
  // A trustline that is authorised stays so when its limit is raised.
  return trustline !== null || (issuer.account.flags & accountFlags.authRequired) === 0
    ? null
    : missing(asset, `The issuer of ${asset} must authorise a trustline before an exit can pay it.`, one)
}
