import { BigInt as Big, Effect } from "effect"
import type { ChainFailure } from "../../../chain/ChainFailure.ts"
import type { ContractAddress } from "../../../domain/Address.ts"
import type { HeldPosition, Owed } from "../../../protocols/ProtocolRegistry.ts"
import { isForfeited, type PlannedExit } from "../../situation/Exits.ts"
import { neededFor, netOf } from "../../situation/TokenMoves.ts"
import { exitOf, type ExitSources, isShort } from "./OneExit.ts"
import { type Surroundings, usableUntil } from "./Surroundings.ts"

/** The longest time from building a call to its being applied, seconds. */
const longestCall = 600n

/** What exits before another one leave less of a token, base units: as it stands now, and with what they ask for beyond it until it is known. */
interface Taken {
  readonly now: bigint
  readonly most: bigint
}

const nothingTaken: Taken = { now: 0n, most: 0n }

/** A debt that lacks some of a token takes all there is. `later`: the same exit as it will be when what others lack has arrived. */
const takenOf = ({ exit }: PlannedExit, later: PlannedExit["exit"], { amount, token }: Owed, left: Surroundings["spendable"]): Taken => {
  if (exit._tag === "Calls") {
    return { now: -netOf(exit.calls, token), most: later._tag === "Calls" ? -netOf(later.calls, token) : neededFor(exit.calls, token) }
  }
  if (exit._tag !== "Refused" || exit.refusal._tag !== "RepayAssetShort") return nothingTaken
  const all = token === exit.refusal.token ? left(token) : amount
  return { now: all, most: all }
}

/** Whether leaving one position pays what another owes. */
const feeds = (one: HeldPosition, other: HeldPosition): boolean => other.owes.some(({ token }) => one.pays.includes(token))

/** Positions in the order of leaving them: whatever pays a token that a debt needs goes before that debt; else as they come. */
const inOrder = <A extends { readonly position: HeldPosition }>(exits: ReadonlyArray<A>): ReadonlyArray<A> => {
  const left = [...exits]
  const ordered: Array<A> = []
  while (left.length > 0) {
    // In a circle of debts nobody is free to go first: then the first goes.
    const at = Math.max(0, left.findIndex((one) => left.every((other) => other === one || !feeds(other.position, one.position))))
    ordered.push(...left.splice(at, 1))
  }
  return ordered
}

/**
 * Each in its turn: what those before it take is not there for it. Where that makes it short, it is told what it lacks when their
 * debts have grown until what lacks has arrived and they are paid, so that what is brought or bought is still enough then.
 */
export const inTurn = (
  sources: ExitSources,
  exits: ReadonlyArray<PlannedExit>
): Effect.Effect<ReadonlyArray<PlannedExit>, ChainFailure> => {
  const { around, protocols, question } = sources
  const taken = new Map<ContractAddress, Taken>()
  const left = (which: keyof Taken) => (token: ContractAddress): bigint =>
    Big.max(around.spendable(token) - (taken.get(token) ?? nothingTaken)[which], 0n)
  const again = (one: PlannedExit, which: keyof Taken) =>
    exitOf(
      { ...sources, around: { ...around, contextOf: (each) => ({ ...around.contextOf(each), spendable: left(which) }) } },
      one.position
    )
  const isShared = (one: PlannedExit): boolean =>
    one.position.owes.some(({ token }) =>
      exits.some((other) => other.id !== one.id && other.position.owes.some((owed) => owed.token === token))
    )
  /** As it is when it is left at the latest; where nobody owes the same, as it is. */
  const grown = (one: PlannedExit): Effect.Effect<PlannedExit["exit"], ChainFailure> =>
    one.exit._tag !== "Calls" || !isShared(one) ? Effect.succeed(one.exit) : protocols.exit(
      { ...around.at, closeTime: usableUntil(question) + longestCall },
      one.position,
      { ...around.contextOf(one), spendable: left("now") }
    )
  const settled = (one: PlannedExit): Effect.Effect<PlannedExit, ChainFailure> => {
    if (!one.position.owes.some(({ token }) => taken.has(token))) return Effect.succeed(one)
    return Effect.flatMap(again(one, "now"), (now) => (isShort(now) ? again(one, "most") : Effect.succeed(now)))
  }
  const take = (one: PlannedExit, later: PlannedExit["exit"]): void => {
    for (const owed of isForfeited(one) ? [] : one.position.owes) {
      const before = taken.get(owed.token) ?? nothingTaken
      const more = takenOf(one, later, owed, left("most"))
      taken.set(owed.token, { now: before.now + Big.max(more.now, 0n), most: before.most + more.most })
    }
  }
  return Effect.forEach(inOrder(exits), (one) => Effect.tap(settled(one), (now) => Effect.map(grown(now), (later) => take(now, later))))
}
