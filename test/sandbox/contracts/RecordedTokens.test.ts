import { assert, it } from "@effect/vitest"
import { Operation, StrKey, TransactionBuilder, xdr } from "@stellar/stellar-sdk"
import { Effect, Schema } from "effect"
import { AccountFlag, newAccount, withFields } from "../../../src/ledger/entries/Account.ts"
import { newEntry } from "../../../src/ledger/entries/LedgerEntry.ts"
import { ttlEntry } from "../../../src/ledger/soroban/Life.ts"
import { codeEntries } from "../../../src/sandbox/contracts/Deployment.ts"
import { sourceAccount } from "../../../src/sandbox/network/UnsignedTransaction.ts"
import { type Call, readRecording, type RecordedState } from "../../ledger/soroban/Recording.ts"
import { post, startWithClients } from "../Clients.ts"

const recording = readRecording("tokens")
const { accounts, contracts, network: { passphrase }, states } = recording
const far = 62_000_000

const account = (address: string, flags = 0): xdr.LedgerEntry => {
  const id = xdr.PublicKey.publicKeyTypeEd25519(StrKey.decodeEd25519PublicKey(address))
  return newEntry(xdr.LedgerEntryData.account(withFields(newAccount(id, 1_000_000_000n, 0n), { flags })))
}

/** Entries that a recording omits: issuers, spenders, and code, which models replace. */
const surroundings = (): ReadonlyArray<xdr.LedgerEntry> => [
  account(accounts["issuer"] ?? assert.fail("no issuer")),
  account(accounts["strictIssuer"] ?? assert.fail("no issuer"), AccountFlag.authRequired),
  account(accounts["spenderAccount"] ?? assert.fail("no spender")),
  ...Object.values(contracts).flatMap(({ wasmHash }) => (wasmHash === "stellarAsset" ? [] : codeEntries(wasmHash, far)))
]

const entriesOf = ({ entries }: RecordedState): ReadonlyArray<xdr.LedgerEntry> =>
  entries.flatMap(({ key, liveUntilLedgerSeq, xdr: data }) => [
    newEntry(xdr.LedgerEntryData.fromXdr(data, "base64")),
    ...(liveUntilLedgerSeq === undefined ? [] : [ttlEntry(xdr.LedgerKey.fromXdr(key, "base64"), liveUntilLedgerSeq)])
  ])

/** Entries of a recorded state and of those before it: each state records only its own. */
const entriesUpTo = (name: string): ReadonlyArray<xdr.LedgerEntry> => {
  const names = Object.keys(states)
  return Object.values(states).slice(0, names.indexOf(name) + 1).flatMap(entriesOf)
}

const Simulated = Schema.parseJson(Schema.Struct({
  result: Schema.Struct({
    error: Schema.optional(Schema.String),
    events: Schema.optional(Schema.Array(Schema.String)),
    results: Schema.optional(Schema.Array(Schema.Struct({ xdr: Schema.String, auth: Schema.Array(Schema.String) }))),
    stateChanges: Schema.optional(
      Schema.Array(Schema.Struct({ type: Schema.String, key: Schema.String, after: Schema.NullOr(Schema.String) }))
    )
  })
}))

const dataOf = (entry: string | null): string | null =>
  entry === null ? null : xdr.LedgerEntry.fromXdr(entry, "base64").data.toXdr("base64")

/** The contract events among a simulation's diagnostic events. */
const eventsIn = (notes: ReadonlyArray<string> = []): ReadonlyArray<string> =>
  notes.map((note) => xdr.DiagnosticEvent.fromXdr(note, "base64")).filter(({ event }) => event.type.name === "contract")
    .map(({ event }) => event.toXdr("base64"))

/** The reliable part of the RPC's answer, for the recorded code and for the model. */
const told = (answer: typeof Simulated.Type): object => {
  const { error, events, results: [first] = [], stateChanges = [] } = answer.result
  return error === undefined
    ? {
      value: first?.xdr,
      auth: first?.auth,
      events: eventsIn(events),
      changes: stateChanges.map(({ after, key, type }) => [type, key, dataOf(after)])
    }
    : { error: error.split("\n")[0] }
}

const recorded = ({ auth, errorCode, events, ok, result, stateChanges = [] }: Call): object =>
  ok
    ? { value: result, auth, events, changes: stateChanges.map(({ after, key, type }) => [type, key, dataOf(after)]) }
    : { error: `HostError: ${errorCode}` }

const exact = recording.calls.filter(({ stateExact }) => stateExact)

it.scopedLive.each(Object.keys(states).filter((name) => exact.some(({ state }) => state === name)))(
  "calls of tokens in the recorded state %s answer over the RPC what the real code answered",
  (name) =>
    Effect.gen(function*() {
      const state = states[name] ?? assert.fail(`no state ${name}`)
      const { network, rpcUrl } = yield* startWithClients({ passphrase, deploysAssetContracts: false })
      yield* network.closeLedger({ ledgers: state.ledger - 2 })
      yield* network.amend((ledger) => ledger.set([...surroundings(), ...entriesUpTo(name)]))
      const chain = yield* network.snapshot
      assert.strictEqual(chain.state.header.ledgerSeq, state.ledger)
      for (const call of exact.filter((one) => one.state === name)) {
        const operation = Operation.invokeContractFunction({
          contract: call.contract,
          function: call.function,
          args: call.args.map((arg) => xdr.ScVal.fromXdr(arg, "base64"))
        })
        const transaction = new TransactionBuilder(sourceAccount(chain, call.source), { fee: "100", networkPassphrase: passphrase })
          .addOperation(operation).setTimeout(0).build()
        const params = { transaction: transaction.toEnvelope().toXdr("base64") }
        const { text } = yield* post(rpcUrl, JSON.stringify({ jsonrpc: "2.0", id: 1, method: "simulateTransaction", params }))
        assert.deepStrictEqual(told(Schema.decodeSync(Simulated)(text)), recorded(call), call.name)
      }
    })
)

it("there are such calls of every kind", () => {
  assert.includeMembers(exact.map((call) => call.function), ["approve", "transfer"])
  assert.isAbove(exact.length, 5)
})
