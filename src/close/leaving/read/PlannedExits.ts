import { Effect } from "effect"
import type { ChainFailure } from "../../../chain/ChainFailure.ts"
import type { LedgerEntries } from "../../../chain/LedgerEntries.ts"
import type { ContractAddress } from "../../../domain/Address.ts"
import { largestAmount } from "../../../domain/Amount.ts"
import type { ContractCall } from "../../../operations/ContractCall.ts"
import type { HeldPosition } from "../../../protocols/ProtocolRegistry.ts"
import { largestUnits } from "../../situation/BaseUnits.ts"
import type { Exits } from "../../situation/Exits.ts"
import { callsOf, type PlannedExit } from "../../situation/PlannedExit.ts"
import { readTokenAssets, type TokenAssets } from "../../situation/TokenAssets.ts"
import { isNamedByOwnCalls } from "../payouts/OwnPosition.ts"
import { exitsInTurn } from "./ExitsInTurn.ts"
import { type ExitSources, isShort, readExit } from "./ReadExit.ts"

const isPossible = (assets: TokenAssets, token: ContractAddress, units: bigint): boolean =>
  units >= 0n && units <= (assets.has(token) ? largestAmount : largestUnits)

const amountsOf = ({ holds, payouts }: ContractCall): ReadonlyArray<readonly [ContractAddress, bigint]> => [
  ...payouts.map(({ expected, token }) => [token, expected] as const),
  ...holds.map(({ amount, token }) => [token, amount] as const)
]

const amountsIn = ({ exit, foreseen }: PlannedExit): ReadonlyArray<readonly [ContractAddress, bigint]> => {
  const calls = [...(exit._tag === "Calls" ? exit.calls : []), ...foreseen].flatMap(amountsOf)
  const short = exit._tag === "Refused" && exit.refusal._tag === "RepayAssetShort" ? exit.refusal : null
  return short === null ? calls : [...calls, [short.token, short.needed], [short.token, short.held]]
}

/**
 * The exit, refused as undecodable where an amount is impossible for its token. Such an amount comes from a source that made up entries, or
 * from a broken contract.
 */
const withSaneAmounts = (assets: TokenAssets) => (one: PlannedExit): PlannedExit =>
  amountsIn(one).every(([token, units]) => isPossible(assets, token, units)) ? one : {
    ...one,
    foreseen: [],
    exit: {
      _tag: "Refused",
      refusal: { _tag: "Undecodable", contract: one.position.contract, reason: "it holds an amount that its token cannot have" }
    }
  }

/** Base units of a token, more than any debt. */
const plenty = 1n << 100n

/**
 * The tokens that leaving these positions may take or pay. Those that are owed come first: gifts are no debts, so their tokens cannot use up
 * the time for the balances that repay.
 */
export const tokensOf = (positions: ReadonlyArray<Pick<HeldPosition, "pays" | "owes" | "rewards">>): ReadonlyArray<ContractAddress> => [
  ...new Set([
    ...positions.flatMap(({ owes }) => owes.map(({ token }) => token)),
    ...positions.flatMap(({ pays, rewards = [] }) => [...pays, ...rewards.map(({ token }) => token)])
  ])
]

/** The tokens that calls of these exits move, and that no position names. */
export const furtherTokens = (
  positions: ReadonlyArray<HeldPosition>,
  exits: ReadonlyArray<Pick<PlannedExit, "exit" | "foreseen">>
): ReadonlyArray<ContractAddress> => {
  const named = new Set(tokensOf(positions))
  const called = exits.flatMap((one) => callsOf(one)).flatMap(({ holds, payouts }) => [...payouts, ...holds].map(({ token }) => token))
  return [...new Set(called)].filter((token) => !named.has(token))
}

/** The exit, with the calls that follow once its shortage is over. */
const withForeseenCalls =
  ({ facts: { at, contextOf }, protocols }: ExitSources) => (one: PlannedExit): Effect.Effect<PlannedExit, ChainFailure> =>
    !isShort(one) ? Effect.succeed(one) : Effect.map(
      protocols.exit(at, one.position, { ...contextOf(one), spendable: () => plenty }),
      (exit) => ({ ...one, foreseen: exit._tag === "Calls" ? exit.calls : [] })
    )

/** Positions with those first that the account's own calls named: gifts cannot use up the time for their questions. */
const ownFirst = ({ question: { snapshot } }: ExitSources, positions: ReadonlyArray<HeldPosition>): ReadonlyArray<HeldPosition> => {
  const isOwn = (position: HeldPosition) => isNamedByOwnCalls(snapshot, { position })
  return [...positions.filter(isOwn), ...positions.filter((position) => !isOwn(position))]
}

/** The exits of all positions in turn, with the assets behind every token they move (`getLedgerEntries`). */
export const plannedExits = (
  sources: ExitSources,
  entries: LedgerEntries["Type"],
  passphrase: string,
  positions: ReadonlyArray<HeldPosition>
): Effect.Effect<Pick<Exits, "assets" | "planned">, ChainFailure> =>
  Effect.gen(function*() {
    const inTurn = ownFirst(sources, positions)
    const read = yield* Effect.forEach(inTurn, (position) => readExit(sources, position), { batching: true, concurrency: "unbounded" })
    const exitOf = new Map(inTurn.map((position, at) => [position, read[at]] as const))
    const now = positions.flatMap((position) => exitOf.get(position) ?? [])
    const exits = yield* Effect.forEach(yield* exitsInTurn(sources, now), withForeseenCalls(sources), {
      batching: true,
      concurrency: "unbounded"
    })
    const more = yield* readTokenAssets(entries, passphrase, furtherTokens(positions, exits))
    const assets = new Map([...sources.facts.assets, ...more])
    return { planned: exits.map(withSaneAmounts(assets)), assets }
  })
