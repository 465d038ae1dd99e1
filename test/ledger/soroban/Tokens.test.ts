import { assert, describe, it } from "@effect/vitest"
import { StrKey, xdr } from "@stellar/stellar-sdk"
import { applyTransaction } from "../../../src/ledger/Apply.ts"
import { AccountFlag, newAccount, withFields } from "../../../src/ledger/entries/Account.ts"
import { newEntry } from "../../../src/ledger/entries/LedgerEntry.ts"
import type { Header } from "../../../src/ledger/Header.ts"
import { LedgerState } from "../../../src/ledger/LedgerState.ts"
import { ttlEntry } from "../../../src/ledger/soroban/Life.ts"
import { type SimulatedCall, simulateInvocation } from "../../../src/ledger/soroban/Simulation.ts"
import { addressOf } from "../../../src/ledger/soroban/Values.ts"
import { sandboxContracts } from "../../../src/sandbox/contracts/All.ts"
import { codeEntries } from "../../../src/sandbox/contracts/Deployment.ts"
import { accountKey, keyOf } from "../../../src/xdr/LedgerKeys.ts"
import { type Call, readRecording, type RecordedState, scVal } from "./Recording.ts"
import { recording as recordingAgreements } from "./support/ContractWorld.ts"
import { operationOf } from "./support/Operations.ts"

const recording = readRecording("tokens")
const { accounts, contracts, network } = recording
const far = 70_000_000

const accountId = (address: string) => xdr.PublicKey.publicKeyTypeEd25519(StrKey.decodeEd25519PublicKey(address))

const account = (address: string, flags = 0): xdr.LedgerEntry =>
  newEntry(xdr.LedgerEntryData.account(withFields(newAccount(accountId(address), 1_000_000_000n, 0n), { flags })))

const headerOf = ({ closeTime, ledger }: { readonly closeTime: string; readonly ledger: number }): Header => ({
  ledgerVersion: 28,
  ledgerSeq: ledger,
  closeTime: BigInt(closeTime),
  baseFee: 100,
  baseReserve: 5_000_000,
  idPool: 0n,
  flags: 0
})

/** Entries of a recorded state; contract entries get a lifetime. */
const entriesOf = ({ entries }: RecordedState): ReadonlyArray<xdr.LedgerEntry> =>
  entries.flatMap(({ key, liveUntilLedgerSeq, xdr: data }) => [
    newEntry(xdr.LedgerEntryData.fromXdr(data, "base64")),
    ...(liveUntilLedgerSeq === undefined ? [] : [ttlEntry(xdr.LedgerKey.fromXdr(key, "base64"), liveUntilLedgerSeq)])
  ])

/** Entries that the recording omits: issuers, other accounts, and code, which a model replaces. */
const surroundings = (): LedgerState => {
  const codes = Object.values(contracts).flatMap(({ wasmHash }) => (wasmHash === "stellarAsset" ? [] : codeEntries(wasmHash, far)))
  const { issuer, spenderAccount, strictIssuer } = accounts
  assert(issuer !== undefined && strictIssuer !== undefined && spenderAccount !== undefined)
  const people = [account(issuer), account(strictIssuer, AccountFlag.authRequired), account(spenderAccount)]
  return LedgerState.make(headerOf({ ledger: 1, closeTime: "0" }), [...people, ...codes])
}

const simulate = (state: LedgerState, call: Pick<Call, "contract" | "function" | "source"> & { readonly args: ReadonlyArray<xdr.ScVal> }) =>
  simulateInvocation(state, operationOf(addressOf(call.contract), call.function, call.args), accountId(call.source), {
    networkPassphrase: network.passphrase,
    contracts: sandboxContracts,
    authorization: recordingAgreements
  })

/** Applies the simulated call as a transaction in a later ledger: "ok", or the error of the call. */
const enforce = (state: LedgerState, call: Call, { auth, estimate }: SimulatedCall, header: Partial<Header>) => {
  const source = state.get(accountKey(call.source))
  assert(source?.data.type === "account")
  const body = xdr.OperationBody.invokeHostFunction(operationOf(addressOf(call.contract), call.function, call.args.map(scVal), auth))
  const tx = new xdr.Transaction({
    sourceAccount: xdr.MuxedAccount.keyTypeEd25519(StrKey.decodeEd25519PublicKey(call.source)),
    fee: Number(estimate.minResourceFee) + 100,
    seqNum: source.data.account.seqNum + 1n,
    cond: xdr.Preconditions.precondNone(),
    memo: xdr.Memo.memoNone(),
    operations: [new xdr.Operation({ sourceAccount: null, body })],
    ext: xdr.TransactionExt.sorobanData(estimate.data)
  })
  const envelope = xdr.TransactionEnvelope.envelopeTypeTx(new xdr.TransactionV1Envelope({ tx, signatures: [] }))
  return applyTransaction(state.at(header), envelope, {
    networkPassphrase: network.passphrase,
    signatures: "assume",
    contracts: sandboxContracts
  })
}

const outcomeOf = ({ receipt, result }: ReturnType<typeof enforce>): string => {
  if (result.result.type === "txSuccess") return "ok"
  const error = receipt?.diagnosticEvents.at(-1)?.event.body.v0.topics[1]
  assert(error?.type === "scvError" && error.error.type === "sceContract", JSON.stringify(result.toJson()))
  return `error invoke Error(Contract, #${error.error.contractCode})`
}

const json = (value: { toJson: () => unknown }): string => JSON.stringify(value.toJson())

const dataOf = (entry: string | null): string => entry === null ? "nothing" : json(xdr.LedgerEntry.fromXdr(entry, "base64").data)

const assertAgrees = (call: Call, simulated: SimulatedCall): void => {
  assert.strictEqual(simulated.returnValue.toXdr("base64"), call.result)
  assert.deepStrictEqual(simulated.auth.map((entry) => entry.toXdr("base64")), call.auth)
  assert.deepStrictEqual(simulated.events.map((event) => event.toXdr("base64")), call.events)
  const recorded = xdr.SorobanTransactionData.fromXdr(call.transactionData ?? "", "base64").resources
  const { resources } = simulated.estimate.data
  assert.deepStrictEqual(resources.footprint.readOnly.map(json), recorded.footprint.readOnly.map(json))
  assert.deepStrictEqual(resources.footprint.readWrite.map(json), recorded.footprint.readWrite.map(json))
  assert.strictEqual(resources.diskReadBytes > 0, recorded.diskReadBytes > 0)
  assert.strictEqual(resources.writeBytes, recorded.writeBytes)
  assert.deepStrictEqual(
    simulated.changes.map(({ after, before, key }) => [
      json(key),
      before === undefined ? "nothing" : json(before.data),
      after === undefined ? "nothing" : json(after.data)
    ]),
    call.stateChanges?.map(({ after, before, key }) => [json(xdr.LedgerKey.fromXdr(key, "base64")), dataOf(before), dataOf(after)])
  )
}

/** The host's note on a failed call: the call, or the error with its contract and its text, without figures. */
const noteOf = ({ event, inSuccessfulContractCall }: xdr.DiagnosticEvent) => {
  const { data, topics } = event.body.v0
  const isError = topics[0]?.type === "scvSymbol" && String(topics[0].sym) === "error"
  const words = data.type === "scvVec" ? data.vec?.[0] : data
  const said = words?.type === "scvString" ? String(words.str) : ""
  return {
    inSuccessfulContractCall,
    contract: event.contractId?.toXdr("base64") ?? null,
    topics: topics.map(json),
    data: isError ? said : json(data)
  }
}

/** The recorded notes: after the first error the host only reports its unwinding, and it has no note for an argument of a wrong type. */
const notesOf = ({ contract, errorCode, events = [] }: Call) => {
  const [called, raised] = events.map((event) => noteOf(xdr.DiagnosticEvent.fromXdr(event, "base64")))
  assert(called !== undefined && errorCode !== undefined)
  if (raised !== undefined) return [called, raised]
  assert.strictEqual(errorCode, "Error(Value, UnexpectedType)")
  const at = addressOf(contract)
  assert(at.type === "scAddressTypeContract")
  const error = xdr.ScVal.scvError(xdr.ScError.sceValue(xdr.ScErrorCode.scecUnexpectedType))
  return [called, {
    ...called,
    contract: at.contractId.toXdr("base64"),
    topics: [json(xdr.ScVal.scvSymbol("error")), json(error)],
    data: ""
  }]
}

/** The ledger after a simulated call, without a fee. */
const after = (state: LedgerState, { changes }: SimulatedCall): LedgerState =>
  changes.reduce(
    (next, { after: entry, key }) =>
      entry === undefined ? next.delete([key]) : next.set([entry, ...(key.type === "contractData" ? [ttlEntry(keyOf(entry), far)] : [])]),
    state
  )

describe("recorded tokens", () => {
  let running = surroundings()
  const reached = new Map<string, LedgerState>()
  for (const [name, state] of Object.entries(recording.states)) {
    running = running.set(entriesOf(state)).at(headerOf(state))
    reached.set(name, running)
  }
  const stateNamed = (name: string): LedgerState => reached.get(name) ?? assert.fail(`no state ${name}`)

  describe("what getters answer", () => {
    for (const [name, { expected }] of Object.entries(recording.states)) {
      it(name, () => {
        const facts = Object.values(expected).map(({ error, getter, xdr: value }) => {
          const [, token, fn, list] = /^(\w+)\.(\w+)\((.*)\)$/.exec(getter) ?? assert.fail(getter)
          const addresses = (list ?? "").split(", ").filter((each) => each !== "").map((who) =>
            contracts[who]?.address ?? accounts[who] ?? recording.user
          )
          const call = {
            contract: contracts[token ?? ""]?.address ?? "",
            function: fn ?? "",
            source: recording.user,
            args: addresses.map((each) => xdr.ScVal.scvAddress(addressOf(each)))
          }
          const simulated = simulate(stateNamed(name), call)
          return {
            getter,
            got: simulated._tag === "SimulatedCall" ? simulated.returnValue.toXdr("base64") : simulated.error.code,
            wanted: value ?? error
          }
        })
        for (const { getter, got, wanted } of facts) assert.strictEqual(got, wanted, getter)
        assert.isAbove(facts.length, 30)
      })
    }
  })

  describe("calls, in the order they were recorded", () => {
    let ledger = stateNamed("held")
    for (const call of recording.calls) {
      it(call.name, () => {
        const base = call.stateExact ? stateNamed(call.state) : ledger
        const state = base.at(headerOf(call))
        const simulated = simulate(state, { ...call, args: call.args.map(scVal) })
        if (simulated._tag === "FailedCall") {
          assert.isFalse(call.ok, simulated.error.message)
          assert.strictEqual(simulated.error.code, call.errorCode)
          assert.deepStrictEqual(simulated.diagnosticEvents.map(noteOf), notesOf(call))
          ledger = base
          return
        }
        assert.isTrue(call.ok, `should fail with ${call.errorCode}`)
        assertAgrees(call, simulated)
        for (const { ledgers, outcome, seconds } of [{ ledgers: 0, seconds: 0, outcome: "ok" }, ...(call.enforcedLater ?? [])]) {
          const later = { ledgerSeq: call.ledger + ledgers, closeTime: BigInt(call.closeTime) + BigInt(seconds) }
          const applied = enforce(state, call, simulated, later)
          assert.strictEqual(outcomeOf(applied), outcome, `${ledgers} ledgers later`)
          if (outcome !== "ok") continue
          assert.deepStrictEqual(applied.receipt?.events.map((event) => event.toXdr("base64")), call.events)
        }
        ledger = after(state, simulated)
      })
    }
  })
})
