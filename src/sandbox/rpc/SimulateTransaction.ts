import { xdr } from "@stellar/stellar-sdk"
import { Effect, Schema } from "effect"
import {
  type RestoredSimulation,
  simulateAfterRestore,
  simulateExtension,
  simulateRestore
} from "../../ledger/soroban/FootprintSimulation.ts"
import type { Estimate } from "../../ledger/soroban/SimulatedResources.ts"
import { type SimulatedCall, simulateInvocation, type SimulationOptions } from "../../ledger/soroban/Simulation.ts"
import { xdrBase64 } from "../../xdr/XdrBytes.ts"
import { publicKeyOf } from "../AssetName.ts"
import { Network } from "../Network.ts"
import type { Chain } from "../network/Chain.ts"
import { plainAddress } from "../network/TransactionFacts.ts"
import { rpcMethod, xdrFormat } from "./RpcMethod.ts"
import { ServerLimits } from "./ServerLimits.ts"

const Params = Schema.Struct({
  transaction: Schema.String,
  resourceConfig: Schema.optional(
    Schema.NullOr(Schema.Struct({ instructionLeeway: Schema.optional(Schema.NonNegativeInt) }))
  ),
  authMode: Schema.optional(Schema.NullOr(Schema.String)),
  useUpgradedAuth: Schema.optional(Schema.NullOr(Schema.Boolean)),
  ...xdrFormat
})
type Params = typeof Params.Type

const authModes = ["enforce", "record", "record_allow_nonroot"]

/** What is wrong with the request or the call: an answer as any other, with the reason in it. */
interface SimulationError {
  readonly error: string
  readonly events?: ReadonlyArray<string>
}

interface SimulationRequest {
  readonly source: xdr.PublicKey
  readonly body: xdr.OperationBody
  readonly footprint: xdr.LedgerFootprint | undefined
}

/**
 * `simulateTransaction`: runs the one operation of a transaction on the latest ledger, as of that ledger, and answers
 * what it would need. Errors of any kind are part of the answer. A call that loops without end is never answered.
 */
export const simulateTransaction = rpcMethod(
  "simulateTransaction",
  Params,
  Effect.fnUntraced(function*(params) {
    const network = yield* Network
    const chain = yield* network.snapshot
    const { restoresManually } = yield* ServerLimits
    const answer = yield* Effect.sync(() => {
      const read = readTransaction(params)
      return "error" in read ? read : simulate(chain, read, params, { ...network, restoresManually })
    })
    if (answer === endless) return yield* Effect.never
    return { ...answer, latestLedger: chain.history.latest.sequence }
  })
)

/** In place of an answer: the call never ends, and no bound is set to how long it is run. */
const endless = {}

const envelopeIn = (text: string): xdr.TransactionEnvelope | undefined => {
  try {
    return xdr.TransactionEnvelope.fromXdr(text, "base64")
  } catch {
    return undefined
  }
}

const readTransaction = ({ transaction }: Params): SimulationRequest | SimulationError => {
  const envelope = envelopeIn(transaction)
  if (envelope === undefined) return { error: "Could not unmarshal transaction" }
  const tx = innerTransaction(envelope)
  const [operation] = tx.operations
  if (operation === undefined || tx.operations.length !== 1) return { error: "Transaction contains more than one operation" }
  if (tx.memo.type !== "memoNone") {
    return { error: "Transaction contains a memo. Soroban transactions do not support memos." }
  }
  const footprint = "sorobanData" in tx.ext ? tx.ext.sorobanData.resources.footprint : undefined
  return { source: operation.sourceAccount === null ? tx.source : sourceOf(operation.sourceAccount), body: operation.body, footprint }
}

const sourceOf = (account: xdr.MuxedAccount): xdr.PublicKey => publicKeyOf(plainAddress(account))

const innerTransaction = (envelope: xdr.TransactionEnvelope) => {
  switch (envelope.type) {
    case "envelopeTypeTxV0": {
      const { ext, memo, operations, sourceAccountEd25519 } = envelope.v0.tx
      return { ext, memo, operations, source: xdr.PublicKey.publicKeyTypeEd25519(sourceAccountEd25519) }
    }
    case "envelopeTypeTx":
      return { ...envelope.v1.tx, source: sourceOf(envelope.v1.tx.sourceAccount) }
    case "envelopeTypeTxFeeBump": {
      const { tx } = envelope.feeBump.tx.innerTx.v1
      return { ...tx, source: sourceOf(tx.sourceAccount) }
    }
  }
}

const needsFootprint =
  "To perform a SimulateTransaction for ExtendFootprintTtl or RestoreFootprint operations, SorobanTransactionData must be provided"

const simulate = (
  { state }: Chain,
  { body, footprint, source }: SimulationRequest,
  params: Params,
  network: Simulator
): object => {
  switch (body.type) {
    case "invokeHostFunction":
      return simulateCall(state, { operation: body.invokeHostFunctionOp, source }, params, network)
    case "extendFootprintTtl": {
      if (footprint === undefined) return { error: needsFootprint }
      const { extension, restore } = simulateExtension(state, footprint.readOnly, body.extendFootprintTtlOp.extendTo)
      return "error" in extension
        ? extension
        : { ...shown(extension), ...(restore === undefined ? {} : { restorePreamble: shown(restore) }) }
    }
    case "restoreFootprint": {
      if (footprint === undefined) return { error: needsFootprint }
      const restore = simulateRestore(state, footprint.readWrite)
      return "error" in restore ? restore : shown(restore)
    }
    default:
      return { error: `Transaction contains unsupported operation type: ${body.type}` }
  }
}

interface Simulator extends Pick<typeof Network.Service, "contracts" | "passphrase"> {
  readonly restoresManually: boolean
}

interface Call {
  readonly operation: xdr.InvokeHostFunctionOp
  readonly source: xdr.PublicKey
}

/** How the agreements of a call come about: as asked for, else held to those it carries or recorded where it has none. */
const authorizationOf = (params: Params, hasAuth: boolean): SimulationOptions["authorization"] | SimulationError => {
  const asked = params.authMode ?? ""
  if (asked !== "" && !authModes.includes(asked)) {
    return { error: `optional 'authMode' must be one of ${authModes.join(",")} when included` }
  }
  if (hasAuth && asked.startsWith("record")) return { error: `cannot set authMode to '${asked}' with an auth footprint` }
  return asked === "enforce" || (asked === "" && hasAuth)
    ? { _tag: "Enforce" }
    : { _tag: "Record", allowNonRoot: asked === "record_allow_nonroot", coversAddress: params.useUpgradedAuth === true }
}

const simulateCall = (
  state: Chain["state"],
  { operation, source }: Call,
  params: Params,
  { contracts, passphrase, restoresManually }: Simulator
): object => {
  const authorization = authorizationOf(params, operation.auth.length > 0)
  if ("error" in authorization) return authorization
  const options: SimulationOptions = {
    networkPassphrase: passphrase,
    contracts,
    authorization,
    instructionLeeway: params.resourceConfig?.instructionLeeway ?? 0
  }
  const { restore, simulated }: RestoredSimulation = restoresManually
    ? simulateAfterRestore(state, operation, source, options)
    : { simulated: simulateInvocation(state, operation, source, options) }
  if (simulated._tag === "FailedCall" && simulated.isEndless) return endless
  const events = simulated.diagnosticEvents.map(xdrBase64)
  return simulated._tag === "FailedCall"
    ? { error: `HostError: ${simulated.error.code}\nDebugInfo not available\n`, events }
    : {
      ...shown(simulated.estimate),
      events,
      results: [resultOf(simulated)],
      stateChanges: changesOf(simulated),
      ...(restore === undefined ? {} : { restorePreamble: shown(restore) })
    }
}

const shown = ({ data, minResourceFee }: Estimate) => ({
  transactionData: xdrBase64(data),
  minResourceFee: minResourceFee.toString()
})

const resultOf = ({ auth, returnValue }: SimulatedCall) => ({
  auth: auth.map(xdrBase64),
  xdr: xdrBase64(returnValue)
})

const changeOf = (before: object | undefined, after: object | undefined): "created" | "deleted" | "updated" => {
  if (before === undefined) return "created"
  return after === undefined ? "deleted" : "updated"
}

const changesOf = ({ changes }: SimulatedCall) =>
  changes.map(({ after, before, key }) => ({
    type: changeOf(before, after),
    key: xdrBase64(key),
    before: before === undefined ? null : xdrBase64(before),
    after: after === undefined ? null : xdrBase64(after)
  }))
