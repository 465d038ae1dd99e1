import { authorizeEntry, type Keypair, Operation, xdr } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { type SimulatedCall, simulateInvocation } from "../../ledger/soroban/Simulation.ts"
import { addressOf, addressVal, strkeyOf } from "../../ledger/soroban/Values.ts"
import { Network } from "../Network.ts"
import { perform, ScenarioFailed } from "./Scenario.ts"

/** Instructions declared beyond those simulated: a later ledger may have more to bring forward. */
const LEEWAY = 20_000_000

/** An account as an argument of a call. */
export const accountVal = (account: Keypair): xdr.ScVal => addressVal(addressOf(account.publicKey()))

/** A call of a contract by an account. */
export interface ContractCall {
  readonly as: Keypair
  readonly contract: xdr.ScAddress
  readonly fn: string
  readonly args: ReadonlyArray<xdr.ScVal>
  /** Who sends the transaction and pays for it, where that is somebody else: the account only agrees to the call. */
  readonly sentBy?: Keypair
}

/** Simulates as of a ledger a second later: what a call brings forward in time is to be written then, if not already now. */
const simulated = Effect.fn("Scenario.simulate")(function*(step: string, { args, as, contract, fn, sentBy = as }: ContractCall) {
  const { contracts, passphrase, snapshot } = yield* Network
  const { state } = yield* snapshot
  const { closeTime, ledgerSeq } = state.header
  const invocation = new xdr.InvokeContractArgs({ contractAddress: contract, functionName: fn, args: [...args] })
  const operation = new xdr.InvokeHostFunctionOp({ hostFunction: xdr.HostFunction.hostFunctionTypeInvokeContract(invocation), auth: [] })
  const source = xdr.PublicKey.publicKeyTypeEd25519(sentBy.rawPublicKey())
  const outcome = simulateInvocation(state.at({ ledgerSeq: ledgerSeq + 1, closeTime: closeTime + 1n }), operation, source, {
    networkPassphrase: passphrase,
    contracts,
    authorization: { kind: "record", allowNonRoot: false, coversAddress: false },
    instructionLeeway: LEEWAY
  })
  if (outcome.kind === "failure") return yield* new ScenarioFailed({ step, reason: outcome.error.message })
  return outcome
})

/** Twice the fee that was simulated, which comes back as far as it is not used. */
const resourcesOf = ({ estimate: { data } }: SimulatedCall): xdr.SorobanTransactionData =>
  new xdr.SorobanTransactionData({ ext: data.ext, resources: data.resources, resourceFee: data.resourceFee * 2n })

/** Calls a contract in a transaction of its own, signed by the account, and gives what the call answered when simulated. */
export const callContract = Effect.fn("Scenario.call")(function*(step: string, call: ContractCall) {
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
export const readContract = Effect.fn("Scenario.read")(function*(contract: xdr.ScAddress, fn: string, args: ReadonlyArray<xdr.ScVal>) {
  const { root } = yield* Network
  return (yield* simulated(`${fn} is asked`, { as: root, contract, fn, args })).returnValue
})
