import { BigInt as Big, Effect } from "effect"
import type { ChainFailure } from "../../../chain/ChainFailure.ts"
import type { ContractAddress } from "../../../domain/Address.ts"
import type { HeldPosition, TokenDebt } from "../../../protocols/ProtocolRegistry.ts"
import { neededFor, netOf } from "../../situation/Moved.ts"
import { isForfeited, type PlannedExit } from "../../situation/PlannedExit.ts"
import { type ExitFacts, usableUntil } from "./ExitFacts.ts"
import { type ExitSources, isShort, readExit } from "./ReadExit.ts"

/** The longest time from building a call to its being applied, seconds. */
const longestCall = 600n

/** What earlier exits take of a token, base units. `now`: as things stand; `most`: with what they still lack, until it has arrived. */
interface TokenUse {
  readonly now: bigint
  readonly most: bigint
}

const noUse: TokenUse = { now: 0n, most: 0n }

/**
 * How much of a token an exit takes. A debt that is short of the token takes the whole balance. `later`: the same exit at the latest time
 * it may be applied.
 */
const useOf = ({ exit }: PlannedExit, later: PlannedExit["exit"], { amount, token }: TokenDebt, left: ExitFacts["spendable"]): TokenUse => {
  if (exit._tag === "Calls") {
    return { now: -netOf(exit.calls, token), most: later._tag === "Calls" ? -netOf(later.calls, token) : neededFor(exit.calls, token) }
  }
  if (exit._tag !== "Refused" || exit.refusal._tag !== "RepayAssetShort") return noUse
  const all = token === exit.refusal.token ? left(token) : amount
  return { now: all, most: all }
}

/** Whether leaving one position pays what another owes. */
const feeds = (one: HeldPosition, other: HeldPosition): boolean => other.owes.some(({ token }) => one.pays.includes(token))

/** Positions in the order of leaving them. One that pays a token goes before a debt in it. */
const inOrder = <A extends { readonly position: HeldPosition }>(exits: ReadonlyArray<A>): ReadonlyArray<A> => {
  const left = [...exits]
  const ordered: Array<A> = []
  while (left.length > 0) {
    // In a circle of debts no one is free to go first: then the first goes.
    const at = Math.max(0, left.findIndex((one) => left.every((other) => other === one || !feeds(other.position, one.position))))
    ordered.push(...left.splice(at, 1))
  }
  return ordered
}

/**
 * The exits in turn: each can spend only what those before it leave. One that becomes short reports its shortage as it will be when the
 * debts before it have grown and are paid, so that what is bought then is enough.
 */
export const exitsInTurn = (
  sources: ExitSources,
  exits: ReadonlyArray<PlannedExit>
): Effect.Effect<ReadonlyArray<PlannedExit>, ChainFailure> => {
  const { facts, protocols, question } = sources
  const taken = new Map<ContractAddress, TokenUse>()
  const left = (which: keyof TokenUse) => (token: ContractAddress): bigint =>
    Big.max(facts.spendable(token) - (taken.get(token) ?? noUse)[which], 0n)
  const again = (one: PlannedExit, which: keyof TokenUse) =>
    readExit(
      { ...sources, facts: { ...facts, contextOf: (each) => ({ ...facts.contextOf(each), spendable: left(which) }) } },
      one.position
    )
  const isShared = (one: PlannedExit): boolean =>
    one.position.owes.some(({ token }) =>
      exits.some((other) => other.id !== one.id && other.position.owes.some((owed) => owed.token === token))
    )
  /** The exit at the latest time it may be applied. The same exit where no other owes the token. */
  const grown = (one: PlannedExit): Effect.Effect<PlannedExit["exit"], ChainFailure> =>
    one.exit._tag !== "Calls" || !isShared(one) ? Effect.succeed(one.exit) : protocols.exit(
      { ...facts.at, closeTime: usableUntil(question) + longestCall },
      one.position,
      { ...facts.contextOf(one), spendable: left("now") }
    )
  const settled = (one: PlannedExit): Effect.Effect<PlannedExit, ChainFailure> => {
    if (!one.position.owes.some(({ token }) => taken.has(token))) return Effect.succeed(one)
    return Effect.flatMap(again(one, "now"), (now) => (isShort(now) ? again(one, "most") : Effect.succeed(now)))
  }
  const take = (one: PlannedExit, later: PlannedExit["exit"]): void => {
    for (const owed of isForfeited(one) ? [] : one.position.owes) {
      const before = taken.get(owed.token) ?? noUse
      const more = useOf(one, later, owed, left("most"))
      taken.set(owed.token, { now: before.now + Big.max(more.now, 0n), most: before.most + more.most })
    }
  }
  return Effect.forEach(inOrder(exits), (one) => Effect.tap(settled(one), (now) => Effect.map(grown(now), (later) => take(now, later))))
}
