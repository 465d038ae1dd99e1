import { parseAmount } from "../../../../src/domain/Amount.ts"
import type { LedgerState } from "../../../../src/ledger/LedgerState.ts"
import { addressOf, addressVal, asI128, asU128 } from "../../../../src/ledger/soroban/Values.ts"
import type { Answer } from "../../../close/support/Client.ts"
import { answer } from "../positions/PositionsHeld.ts"
import type { Played } from "./PlayedClose.ts"
import type { Stage, Thing } from "./Stage.ts"

/** Base units of a reward that are worth less than the claim of them. */
const speck = 1_000_000n

/** The remainder of a thing on a ledger, from its contract. */
export const leftOf = (state: LedgerState, { source }: Stage, { contract, fn }: Thing, passphrase: string): bigint => {
  const left = answer(state, source, contract, fn, [addressVal(addressOf(source.publicKey()))], passphrase)
  if (left === null) throw new Error(`${fn} has no answer`)
  return left.type === "scvU128" ? asU128(left) : asI128(left)
}

const givesUp = ({ choice }: Answer): boolean => /^(acknowledge_forfeit|acknowledge_residue|forfeit)$/.test(choice)

/** Whether answers gave something up: by its id, or as a gift by a grouped or later point. */
const isGivenUp = ({ cameAt, id, isOwn }: Thing, answers: ReadonlyArray<Answer>): boolean => {
  if (answers.some((one) => one.id === id && givesUp(one))) return true
  if (isOwn) return false
  const group = id.startsWith("token:") ? /^tokens:others$/ : /^positions:/
  return answers.some((one) => (group.test(one.id) && givesUp(one)) || (one.id === "later" && (one.params?.ledger ?? Infinity) < cameAt))
}

/** A stranger's gifts of the same kind that are not judged: they may have arrived after the withdrawal. */
const givenBeside = ({ things }: Stage, held: ReadonlyArray<Thing>, { id, isOwn }: Thing): bigint =>
  things.filter((one) => !one.isOwn && one.id === id && (isOwn || !held.includes(one))).reduce((sum, { amount }) => sum + amount, 0n)

/** Effects of a close without the owner's agreement; empty: none. */
export const faultsOf = (played: Played, stage: Stage, { held, passphrase, received, state }: {
  readonly passphrase: string
  /** Things held at the first plan; only these are judged. */
  readonly held: ReadonlyArray<Thing>
  /** Stroops. */
  readonly received: bigint
  /** The ledger at its end. */
  readonly state: LedgerState
}): ReadonlyArray<string> => {
  if (played.end !== "merged") return [`the close is ${played.end}`]
  const warned = played.plan?.warnings.map(({ subject }) => subject) ?? []
  const left = held.flatMap((one) => {
    const amount = leftOf(state, stage, one, passphrase)
    const most = givenBeside(stage, held, one)
    const isNothing = amount <= (one.fn === "balance" ? most : speck)
    return isNothing || isGivenUp(one, played.answers) || (!one.isOwn && warned.includes(one.id))
      ? []
      : [`${amount} of ${one.isOwn ? "the owner's" : "a given"} ${one.id} (${one.fn}) stay behind unasked`]
  })
  const promised = parseAmount(played.plan?.estimate.minReceivedLumens ?? "") ?? 0n
  const short = promised - received - played.failedFees
  return [...left, ...(short > 0n ? [`${received} stroops were received, ${played.failedFees} failed, ${promised} promised`] : [])]
}
