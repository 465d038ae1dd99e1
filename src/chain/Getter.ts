import { Account, Operation, TransactionBuilder } from "@stellar/stellar-sdk"
import type { xdr } from "@stellar/stellar-sdk"
import { type Duration, Effect } from "effect"
import type { ContractAddress } from "../domain/Address.ts"
import { xdrBase64 } from "../xdr/XdrBytes.ts"
import type { ChainFailure } from "./ChainFailure.ts"
import type { SimulationAnswer } from "./contract-rpc/SimulationAnswer.ts"
import type { ContractRpc } from "./ContractRpc.ts"
import { answerIn, currentPin } from "./Pin.ts"

/** A function of a contract that is only simulated: anything it would write is discarded. */
export interface Getter {
  readonly contract: ContractAddress
  readonly function: string
  readonly args: ReadonlyArray<xdr.ScVal>
}

/** Names a getter call: equal for the same contract, function and arguments at any origin, and for nothing else. */
export const getterText = ({ args, contract, function: name }: Getter): string => [contract, name, ...args.map(xdrBase64)].join(" ")

/** The outcome of a getter call. */
export type GetterAnswer =
  | { readonly _tag: "Returned"; readonly value: xdr.ScVal }
  /** The call fails on the queried ledger. */
  | { readonly _tag: "Failed"; readonly reason: string }

/** No one's account: a simulation does not look for it. */
const nobody = "GAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAWHF"

const envelopeOf = ({ args, contract, function: name }: Getter): string =>
  // The passphrase goes into signatures only.
  new TransactionBuilder(new Account(nobody, "0"), { fee: "100", networkPassphrase: "never signed" })
    .addOperation(Operation.invokeContractFunction({ contract, function: name, args: [...args] }))
    .setTimeout(0)
    .build()
    .toEnvelope()
    .toXdr("base64")

/** What simulates calls. */
type Simulator = Pick<ContractRpc["Type"], "simulateTransaction">

const answerOf = (answer: SimulationAnswer): GetterAnswer =>
  answer._tag === "Failed" ? { _tag: "Failed", reason: answer.error } : { _tag: "Returned", value: answer.result }

/** What a contract says, and on which ledger. */
export interface DatedAnswer {
  readonly answer: GetterAnswer
  readonly ledger: number
}

/**
 * As `askGetter`, with the ledger that the answer is of.
 *
 * @param brief how long the answer is waited for once it was requested; left out: as for every other answer
 */
export const askDated = (rpc: Simulator, getter: Getter, brief?: Duration.Duration): Effect.Effect<DatedAnswer, ChainFailure> =>
  Effect.map(
    Effect.suspend(() => rpc.simulateTransaction(envelopeOf(getter), 0, brief)),
    (told) => ({ answer: answerOf(told), ledger: told.latestLedger })
  )

/** Asks a contract on the newest ledger of the endpoint that answers (`simulateTransaction`), regardless of what it said before. */
export const askGetter = (rpc: Simulator, getter: Getter): Effect.Effect<GetterAnswer, ChainFailure> =>
  Effect.map(askDated(rpc, getter), ({ answer }) => answer)

/**
 * As `askDated`, unless the request has an answer of the newest ledger that it has met: there the answer would be the same.
 *
 * @param limits `origin`: the name of the origin that is queried; left out: the endpoint that the request keeps to. `brief`: as of `askDated`
 */
export const askGetterOnce = (
  rpc: Simulator,
  getter: Getter,
  { brief, origin = "" }: { readonly origin?: string; readonly brief?: Duration.Duration } = {}
): Effect.Effect<DatedAnswer, ChainFailure> =>
  Effect.flatMap(currentPin, (pin) => {
    const envelope = envelopeOf(getter)
    const text = `${origin} ${envelope}`
    const known = answerIn(pin, text)
    const told = known === null
      ? Effect.tap(rpc.simulateTransaction(envelope, 0, brief), (answer) => Effect.sync(() => pin?.answers.set(text, answer)))
      : Effect.succeed(known)
    return Effect.map(told, (answer): DatedAnswer => ({ answer: answerOf(answer), ledger: answer.latestLedger }))
  })
