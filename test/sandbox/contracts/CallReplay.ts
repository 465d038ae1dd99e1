import { assert } from "@effect/vitest"
import { StrKey, xdr } from "@stellar/stellar-sdk"
import { Schema } from "effect"
import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { applyTransaction } from "../../../src/ledger/Apply.ts"
import { newAccount } from "../../../src/ledger/entries/Account.ts"
import { newEntry } from "../../../src/ledger/entries/LedgerEntry.ts"
import type { Header } from "../../../src/ledger/Header.ts"
import { LedgerState } from "../../../src/ledger/LedgerState.ts"
import { ttlEntry } from "../../../src/ledger/soroban/Life.ts"
import { type SimulatedCall, simulateInvocation } from "../../../src/ledger/soroban/Simulation.ts"
import { addressOf, u64 } from "../../../src/ledger/soroban/Values.ts"
import { sandboxContracts } from "../../../src/sandbox/contracts/All.ts"
import { codeEntries, contractEntries, dataEntries } from "../../../src/sandbox/contracts/Deployment.ts"
import { oracleStorage, priceKey, priceOracleHash, priceTimeKey, priceVal } from "../../../src/sandbox/contracts/lend1/PriceOracle.ts"
import { accountKey, keyOf } from "../../../src/xdr/LedgerKeys.ts"
import { Recording } from "../../ledger/soroban/Recording.ts"

/** Fields that the recording's own schema omits and these tests read: results of later runs, notes, decoded facts. */
const Further = Schema.Struct({
  states: Schema.Record({
    key: Schema.String,
    value: Schema.Struct({
      expected: Schema.Record({ key: Schema.String, value: Schema.Struct({ value: Schema.optional(Schema.Unknown) }) })
    })
  }),
  calls: Schema.Array(
    Schema.Struct({
      note: Schema.optional(Schema.String),
      enforcedLater: Schema.optional(
        Schema.Array(
          Schema.Struct({
            result: Schema.optional(Schema.String),
            withReadOnlyDataMovedToReadWrite: Schema.optional(Schema.Struct({ outcome: Schema.String }))
          })
        )
      )
    })
  )
})

/** A transfer in a dry run, in order. */
const Transfer = Schema.Struct({ token: Schema.String, direction: Schema.Literal("in", "out"), amount: Schema.String })
export type Transfer = typeof Transfer.Type
const Transfers = Schema.Array(Transfer)

const far = 70_000_000
const priceDecimals = 7

export type ReplayedCall = Recording["calls"][number] & { readonly note: string | undefined; readonly later: ReadonlyArray<Later> }

interface Later {
  readonly ledgers: number
  readonly seconds: number
  readonly outcome: string
  /** Base64 of the result, where it differs. */
  readonly result: string | undefined
  /** The outcome when the call could also write the contract data that it read. */
  readonly widened: string | undefined
}

export interface Invocation {
  readonly contract: string
  readonly function: string
  readonly source: string
  readonly args: ReadonlyArray<xdr.ScVal>
}

export const readReplayed = (name: string) => {
  const text = readFileSync(fileURLToPath(new URL(`../../recorded/${name}.json`, import.meta.url)), "utf8")
  const recording = Schema.decodeUnknownSync(Schema.parseJson(Recording))(text)
  const further = Schema.decodeUnknownSync(Schema.parseJson(Further))(text)
  return {
    ...recording,
    calls: recording.calls.map((call, at): ReplayedCall => ({
      ...call,
      note: further.calls[at]?.note,
      later: (call.enforcedLater ?? []).map((later, index) => {
        const told = further.calls[at]?.enforcedLater?.[index]
        return { ...later, result: told?.result, widened: told?.withReadOnlyDataMovedToReadWrite?.outcome }
      })
    })),
    valueOf: (state: string, fact: string): unknown => further.states[state]?.expected[fact]?.value,
    transfersOf: (state: string, fact: string) => Schema.decodeUnknownSync(Transfers)(further.states[state]?.expected[fact]?.value)
  }
}

export type ReplayedRecording = ReturnType<typeof readReplayed>

export const accountId = (address: string) => xdr.PublicKey.publicKeyTypeEd25519(StrKey.decodeEd25519PublicKey(address))

export const headerOf = ({ closeTime, ledger }: { readonly closeTime: string; readonly ledger: number }): Header => ({
  ledgerVersion: 28,
  ledgerSeq: ledger,
  closeTime: BigInt(closeTime),
  baseFee: 100,
  baseReserve: 5_000_000,
  idPool: 0n,
  flags: 0
})

const addressNamed = ({ accounts, contracts }: ReplayedRecording, name: string): string =>
  contracts[name]?.address ?? accounts[name] ?? assert.fail(`nobody is called ${name}`)

/** The oracle's prices in a state, by the results of its getters; the oracle's entries were not recorded. */
const oracleEntries = (recording: ReplayedRecording, state: string): ReadonlyArray<xdr.LedgerEntry> => {
  if (recording.contracts.oracle === undefined) return []
  const tokens = ["xlm", "usdc", "eurc"]
  const prices = tokens.map((token) => {
    const fact = recording.states[state]?.expected[`oracle.lastprice(${token})`]
    return fact?.xdr === undefined ? undefined : xdr.ScVal.fromXdr(fact.xdr, "base64")
  })
  const oracle = addressOf(addressNamed(recording, "oracle"))
  const fields = (price: xdr.ScVal) => (price.type === "scvMap" ? (price.map ?? []) : []).map(({ val }) => val)
  return [
    ...contractEntries(
      oracle,
      priceOracleHash,
      oracleStorage(tokens.map((token) => addressOf(addressNamed(recording, token))), priceDecimals),
      far
    ),
    ...dataEntries(oracle, [priceTimeKey, u64(0n)], "temporary", far),
    ...prices.flatMap((price, index) => {
      const [amount] = price === undefined ? [] : fields(price)
      return amount?.type === "scvI128" ? dataEntries(oracle, [priceKey(index, 0n), priceVal(amount.i128.lo)], "temporary", far) : []
    })
  ]
}

export const codes = ({ contracts }: ReplayedRecording): ReadonlyArray<xdr.LedgerEntry> =>
  Object.values(contracts).flatMap(({ wasmHash }) => (wasmHash === "stellarAsset" ? [] : codeEntries(wasmHash, far)))

/** A recorded state as a ledger, with entries that the recording omits: other accounts, code, the oracle. */
export const ledgerOf = (recording: ReplayedRecording, name: string): LedgerState => {
  const state = recording.states[name] ?? assert.fail(`no state ${name}`)
  const others = Object.values(recording.accounts).map((address) =>
    newEntry(xdr.LedgerEntryData.account(newAccount(accountId(address), 1_000_000_000n, 0n)))
  )
  return LedgerState.make(headerOf(state), [
    ...others,
    ...codes(recording),
    ...oracleEntries(recording, name),
    ...state.entries.flatMap(({ key, liveUntilLedgerSeq, xdr: data }) => [
      newEntry(xdr.LedgerEntryData.fromXdr(data, "base64")),
      ...(liveUntilLedgerSeq === undefined ? [] : [ttlEntry(xdr.LedgerKey.fromXdr(key, "base64"), liveUntilLedgerSeq)])
    ])
  ])
}

export const withLife = (entry: xdr.LedgerEntry): ReadonlyArray<xdr.LedgerEntry> =>
  entry.data.type === "contractData" ? [entry, ttlEntry(keyOf(entry), far)] : [entry]

/**
 * The ledger on which a call was recorded. After other events since its state, the entries that the call changed have their recorded
 * `before`. Entries that it only read come from the next state.
 */
export const ledgerBefore = (recording: ReplayedRecording, call: ReplayedCall): LedgerState => {
  const base = ledgerOf(recording, call.state).at(headerOf(call))
  if (call.stateExact) return base
  const trustline = /^the (\w+) trustline of the state was removed/.exec(call.note ?? "")?.[1]
  if (trustline !== undefined) return base.delete(linesOf(base, trustline))
  const names = Object.keys(recording.states)
  const next = names[names.indexOf(call.state) + 1]
  const later = next === undefined ? base : ledgerOf(recording, next)
  const { readOnly } = xdr.SorobanTransactionData.fromXdr(call.transactionData ?? "", "base64").resources.footprint
  return base
    .set(readOnly.flatMap((key) => later.get(key) ?? []).flatMap(withLife))
    .set((call.stateChanges ?? []).flatMap(({ before }) => (before === null ? [] : withLife(xdr.LedgerEntry.fromXdr(before, "base64")))))
}

export const linesOf = (state: LedgerState, code: string): ReadonlyArray<xdr.LedgerKey> =>
  Array.from(state.entries()).flatMap((entry) =>
    entry.data.type === "trustline" && JSON.stringify(entry.data.trustLine.asset.toJson()).includes(`"${code}"`) ? [keyOf(entry)] : []
  )

const operationOf = (invocation: Invocation, auth: ReadonlyArray<xdr.SorobanAuthorizationEntry> = []) =>
  new xdr.InvokeHostFunctionOp({
    hostFunction: xdr.HostFunction.hostFunctionTypeInvokeContract(
      new xdr.InvokeContractArgs({
        contractAddress: addressOf(invocation.contract),
        functionName: invocation.function,
        args: [...invocation.args]
      })
    ),
    auth: [...auth]
  })

/** `nonces`: of the recorded authorizations, in turn. */
export const simulate = (recording: ReplayedRecording, state: LedgerState, invocation: Invocation, nonces: ReadonlyArray<bigint> = []) => {
  const left = [...nonces]
  return simulateInvocation(state, operationOf(invocation), accountId(invocation.source), {
    networkPassphrase: recording.network.passphrase,
    contracts: sandboxContracts,
    authorization: { _tag: "Record", allowNonRoot: false, coversAddress: false },
    ...(nonces.length === 0 ? {} : { nonce: () => left.shift() ?? assert.fail("no nonce left") })
  })
}

/** The resources of a simulated call with write access to all contract data that it reads, except instances and code. */
export const widened = (simulated: SimulatedCall): SimulatedCall => {
  const { data } = simulated.estimate
  const { footprint } = data.resources
  const isData = (key: xdr.LedgerKey): boolean =>
    key.type === "contractData" && key.contractData.key.type !== "scvLedgerKeyContractInstance"
  const resources = new xdr.SorobanResources({
    instructions: data.resources.instructions,
    diskReadBytes: data.resources.diskReadBytes,
    writeBytes: data.resources.writeBytes + 10_000,
    footprint: new xdr.LedgerFootprint({
      readOnly: footprint.readOnly.filter((key) => !isData(key)),
      readWrite: [...footprint.readWrite, ...footprint.readOnly.filter(isData)]
    })
  })
  const resourceFee = data.resourceFee * 2n
  const wider = new xdr.SorobanTransactionData({ ext: data.ext, resources, resourceFee })
  return { ...simulated, estimate: { ...simulated.estimate, data: wider, minResourceFee: resourceFee } }
}

/** Applies a simulated call as a transaction some ledgers later. */
export const enforce = (
  recording: ReplayedRecording,
  state: LedgerState,
  call: ReplayedCall,
  invocation: Invocation,
  simulated: SimulatedCall,
  later: Pick<Later, "ledgers" | "seconds">
) => {
  const source = state.get(accountKey(call.source))
  assert(source?.data.type === "account")
  const tx = new xdr.Transaction({
    sourceAccount: xdr.MuxedAccount.keyTypeEd25519(StrKey.decodeEd25519PublicKey(call.source)),
    fee: Number(simulated.estimate.minResourceFee) + 100,
    seqNum: source.data.account.seqNum + 1n,
    cond: xdr.Preconditions.precondNone(),
    memo: xdr.Memo.memoNone(),
    operations: [
      new xdr.Operation({ sourceAccount: null, body: xdr.OperationBody.invokeHostFunction(operationOf(invocation, simulated.auth)) })
    ],
    ext: xdr.TransactionExt.sorobanData(simulated.estimate.data)
  })
  const envelope = xdr.TransactionEnvelope.envelopeTypeTx(new xdr.TransactionV1Envelope({ tx, signatures: [] }))
  const at = { ledgerSeq: call.ledger + later.ledgers, closeTime: BigInt(call.closeTime) + BigInt(later.seconds) }
  const applied = applyTransaction(state.at(at), envelope, {
    networkPassphrase: recording.network.passphrase,
    signatures: "assume",
    contracts: sandboxContracts
  })
  return { outcome: outcomeOf(applied), result: applied.receipt?.toMeta().returnValue?.toXdr("base64") }
}

const outcomeOf = ({ receipt, result }: ReturnType<typeof applyTransaction>): string => {
  if (result.result.type === "txSuccess") return "ok"
  const error = receipt?.diagnosticEvents.at(-1)?.event.body.v0.topics[1]
  assert(error?.type === "scvError", JSON.stringify(result.toJson()))
  if (error.error.type === "sceContract") return `error invoke Error(Contract, #${error.error.contractCode})`
  return `error invoke Error(${error.error.type.slice("sce".length)}, ${error.error.code.name.slice("scec".length)})`
}
