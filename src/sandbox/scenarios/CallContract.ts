import { authorizeEntry, type Keypair, Operation, type xdr } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { addressOf, addressVal, strkeyOf } from "../../ledger/soroban/Values.ts"
import { Network } from "../Network.ts"
import { resourcesOf, simulateNext } from "../network/CallSimulation.ts"
import { perform, ScenarioFailed } from "./Scenario.ts"

/** An account as an argument of a call. */
export const accountVal = (account: Keypair): xdr.ScVal => addressVal(addressOf(account.publicKey()))

/** A call of a contract by an account. */
export interface ContractCall {
  readonly as: Keypair
  readonly contract: xdr.ScAddress
  readonly fn: string
  readonly args: ReadonlyArray<xdr.ScVal>
  /** Who sends the transaction and pays for it, where that is someone else: the account only agrees to the call. */
  readonly sentBy?: Keypair
}

/** The account of a call, and who sends its transaction. */
export type Caller = Required<Pick<ContractCall, "as" | "sentBy">>

const simulated = Effect.fnUntraced(function*(step: string, { args, as, contract, fn, sentBy = as }: ContractCall) {
  const network = yield* Network
  const outcome = simulateNext(yield* network.snapshot, { source: sentBy.publicKey(), contract, fn, args }, network)
  if (outcome._tag === "FailedCall") return yield* new ScenarioFailed({ step, reason: outcome.error.message })
  return outcome
})

/** Calls a contract in a transaction of its own, signed by the account, and gives what the call answered when simulated. */
export const callContract = Effect.fnUntraced(function*(step: string, call: ContractCall) {
  const outcome = yield* simulated(step, call)
  const { args, as, contract, fn, sentBy = as } = call
  const { passphrase, snapshot } = yield* Network
  const until = (yield* snapshot).state.header.ledgerSeq + 100
  const auth = yield* Effect.forEach(
    outcome.auth,
    (entry) => (sentBy === as ? Effect.succeed(entry) : Effect.promise(() => authorizeEntry(entry, as, until, passphrase)))
  )
  yield* perform(step, {
    as: sentBy,
    operations: [
      Operation.invokeContractFunction({ contract: strkeyOf(contract), function: fn, args: [...args], auth: [...auth] })
    ],
    resources: resourcesOf(outcome)
  })
  return outcome.returnValue
})

/** What a function of a contract answers, asked by the root account without a transaction. */
export const readContract = Effect.fnUntraced(function*(contract: xdr.ScAddress, fn: string, args: ReadonlyArray<xdr.ScVal>) {
  const { root } = yield* Network
  return (yield* simulated(`${fn} is asked`, { as: root, contract, fn, args })).returnValue
})
