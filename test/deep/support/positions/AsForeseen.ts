import { assert } from "@effect/vitest"
import { strkeyOf } from "../../../../src/ledger/soroban/Values.ts"
import { amm1ContractsAt } from "../../../../src/sandbox/scenarios/Amm1Contracts.ts"
import { contractOf, functionOf } from "../../../close/leaving/support/CalledIn.ts"
import { heldInPools } from "./PoolsHeld.ts"
import type { Taken } from "./PositionsClient.ts"
import type { PositionsScene } from "./PositionsScene.ts"

/** Base units of a reward of amm_1 up to which nothing is claimed. */
export const SPECK = 100_000n

const accruing = [amm1ContractsAt.constantProduct, amm1ContractsAt.concentrated].map(strkeyOf)

/** A transaction by its kinds; of a contract call also the contract and the function. */
interface Move {
  readonly covers: ReadonlyArray<string>
  readonly contract: string
  readonly name: string
}

/** A claim of the rewards that accrued until a position of amm_1 was left. */
interface LastClaim extends Move {
  /** Whether earlier rewards were claimed before. */
  readonly isSecond: boolean
}

const cameAbout = ({ offer: { covers, intent: { operations } } }: Taken): Move => {
  // Steps name the exit calls; a sale through contracts takes the best route at its time.
  const isExit = covers.includes("EXIT_POSITIONS")
  const [call] = operations.flatMap((one) => (isExit && one.type === "invoke_contract" ? [one] : []))
  return { covers, contract: call?.contract ?? "", name: call?.function ?? "" }
}

/** A move of a plan. */
interface Foreseen extends Move {
  /** The call only frees lumens. An earlier call may leave enough of them, because a part of its declared fee is refunded. */
  readonly isForLumens: boolean
}

/** Each call has a step of its own, in the order of the transactions. */
const foreseenBy = ({ plan: { steps, transactions } }: Taken): ReadonlyArray<Foreseen> => {
  const calls = steps.filter(({ type }) => type === "EXIT_POSITIONS")
  return transactions.map(({ covers, reason }) => {
    const call = covers.includes("EXIT_POSITIONS") ? calls.shift() : undefined
    const [contract, name] = call === undefined ? ["", ""] : [contractOf(call), functionOf(call)]
    return { covers, contract, name, isForLumens: reason === "frees_lumens" }
  })
}

/** Assets that a plan sells through contracts: before that another sale may move the pools, so that their books pay more. */
const soldThroughContracts = ({ plan: { steps } }: Taken): number =>
  steps.filter(({ title, type }) => type === "HANDLE_TOKENS" && title.includes(" through contracts for ")).length

const isClaim = ({ contract, name }: Move): boolean => accruing.includes(contract) && name.endsWith("claim")

/** Claims after the exit calls of a position; and all other moves. */
const apart = (moves: ReadonlyArray<Move>): readonly [last: ReadonlyArray<LastClaim>, others: ReadonlyArray<Move>] => {
  const last: Array<LastClaim> = []
  const others: Array<Move> = []
  moves.forEach((move, at) => {
    const before = moves.slice(0, at)
    const isLast = isClaim(move) && before.some(({ contract, name }) => contract === move.contract && name.startsWith("withdraw"))
    if (!isLast) return others.push(move)
    return last.push({ ...move, isSecond: before.some(({ contract, name }) => contract === move.contract && name === move.name) })
  })
  return [last, others]
}

const named = ({ contract, name }: Move): string => `${name} of ${contract}`

const inOrder = (covers: ReadonlyArray<string>): string => covers.toSorted().join("+")

/** All rewards that a contract of amm_1 owes the account on the ledger before a transaction. */
const owedAt = ({ before }: Taken, { pools, source }: PositionsScene, passphrase: string, contract: string): bigint =>
  heldInPools(before, source, pools, passphrase).filter((one) => one.contract === contract && one.what === "rewards").reduce(
    (sum, { amount }) => sum + amount,
    0n
  )

const isTokenMove = ({ covers }: Move): boolean => covers.join() === "HANDLE_TOKENS"

/** Moves without the first of those that repeat the one before them. */
const withoutRepeats = <One extends Move>(moves: ReadonlyArray<One>, most: number): ReadonlyArray<One> => {
  let left = most
  return moves.filter((move, at) => {
    const before = moves[at - 1]
    const isRepeat = left > 0 && before !== undefined && isTokenMove(move) && isTokenMove(before)
    if (isRepeat) left -= 1
    return !isRepeat
  })
}

const calling: ReadonlySet<string> = new Set(["EXIT_POSITIONS", "HANDLE_TOKENS", "REVOKE_ALLOWANCES", "RESTORE_ENTRIES"])

/** Transactions without a call. */
const classic = (moves: ReadonlyArray<Move>): number => moves.filter(({ covers }) => !covers.some((type) => calling.has(type))).length

/** Moves without the last of those that only free lumens. */
const withoutFreeing = (moves: ReadonlyArray<Foreseen>, most: number): ReadonlyArray<Foreseen> => {
  let left = most
  return moves.toReversed().filter(({ isForLumens }) => !isForLumens || left-- <= 0).toReversed()
}

/**
 * Checks that a fully verified plan comes true, with four exceptions. A token that takes less than it says, or reports more, may need one
 * more call. An asset that is sold through contracts may need one call less. Lumens need no freeing where enough came back. A claim after a
 * position of amm_1 was left is known only then, because rewards accrue until then. An unforeseen claim pays more than a speck, and only
 * the rewards since the plan and a speck. The last transaction then also handles the token, possibly at another index.
 */
export const assertAsForeseen = (taken: ReadonlyArray<Taken>, scene: PositionsScene, passphrase: string): void => {
  const [first] = taken
  if (first === undefined) return
  const [moves, all] = [taken.map(cameAbout), foreseenBy(first)]
  const tokenMoves = (some: ReadonlyArray<Move>): number => some.filter(isTokenMove).length
  const fewer = withoutRepeats(all, Math.min(soldThroughContracts(first), tokenMoves(all) - tokenMoves(moves)))
  const expected = withoutFreeing(fewer, classic(fewer) - classic(moves))
  const takeLess = scene.tokens.held.filter(({ shape }) => shape.turn === "takes less" || shape.turn === "tells of more").length
  const surplus = tokenMoves(moves) - tokenMoves(expected)
  const [cameLast, came] = apart(withoutRepeats(moves, Math.min(takeLess, surplus)))
  const [foreseenLast, foreseen] = apart(expected)
  const told = `after ${JSON.stringify(all)} came ${JSON.stringify(moves)}`
  const isSame = fewer.length === all.length && cameLast.map(named).join() === foreseenLast.map(named).join()
  const shown = ({ covers }: Move): string => (isSame ? covers.join("+") : inOrder(covers))
  assert.deepStrictEqual(came.map(named), foreseen.map(named), told)
  if (expected.length === fewer.length) assert.deepStrictEqual(came.map(shown), foreseen.map(shown), told)
  for (const claim of cameLast.filter((one) => !foreseenLast.some((other) => named(other) === named(one)))) {
    const at = taken.findLast((one) => named(cameAbout(one)) === named(claim)) ?? assert.fail(told)
    assert.isTrue(owedAt(at, scene, passphrase, claim.contract) > SPECK, told)
    assert.isTrue(claim.isSecond || owedAt(first, scene, passphrase, claim.contract) <= SPECK, told)
  }
}
