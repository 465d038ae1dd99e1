import { assert, describe, it } from "@effect/vitest"
import { StrKey, xdr } from "@stellar/stellar-sdk"
import { applyTransaction } from "../../../src/ledger/Apply.ts"
import { newAccount } from "../../../src/ledger/entries/Account.ts"
import { newEntry } from "../../../src/ledger/entries/LedgerEntry.ts"
import type { Header } from "../../../src/ledger/Header.ts"
import { LedgerState } from "../../../src/ledger/LedgerState.ts"
import { ttlEntry } from "../../../src/ledger/soroban/Life.ts"
import { type SimulatedCall, simulateInvocation } from "../../../src/ledger/soroban/Simulation.ts"
import { addressOf, addressVal, bool, symbol, u128, u32, variant } from "../../../src/ledger/soroban/Values.ts"
import { sandboxContracts } from "../../../src/sandbox/contracts/All.ts"
import { contractEntries, dataEntries } from "../../../src/sandbox/contracts/Deployment.ts"
import { priceOracleHash, priceStorage } from "../../../src/sandbox/contracts/vaults/CollateralOracle.ts"
import { vaultsHash } from "../../../src/sandbox/contracts/vaults/Vaults.ts"
import { accountKey, keyOf } from "../../../src/xdr/LedgerKeys.ts"
import { type Call, readRecording, type RecordedState, scVal } from "../../ledger/soroban/Recording.ts"

const recording = readRecording("cdp_1")
const { accounts, network } = recording
const far = 70_000_000

const contract = (name: string): string => recording.contracts[name]?.address ?? assert.fail(`no contract ${name}`)

const someone = (name: string): string => accounts[name] ?? assert.fail(`no account ${name}`)

const accountId = (address: string) => xdr.PublicKey.publicKeyTypeEd25519(StrKey.decodeEd25519PublicKey(address))

const headerOf = ({ closeTime, ledger }: { readonly closeTime: string; readonly ledger: number }): Header => ({
  ledgerVersion: 28,
  ledgerSeq: ledger,
  closeTime: BigInt(closeTime),
  baseFee: 100,
  baseReserve: 5_000_000,
  idPool: 0n,
  flags: 0
})

const entriesOf = ({ entries }: RecordedState): ReadonlyArray<xdr.LedgerEntry> =>
  entries.flatMap(({ key, liveUntilLedgerSeq, xdr: data }) => [
    newEntry(xdr.LedgerEntryData.fromXdr(data, "base64")),
    ...(liveUntilLedgerSeq === undefined ? [] : [ttlEntry(xdr.LedgerKey.fromXdr(key, "base64"), liveUntilLedgerSeq)])
  ])

/** The treasury before a call: recorded states omit other accounts. */
const treasuryBefore = ({ stateChanges }: Call): ReadonlyArray<xdr.LedgerEntry> =>
  (stateChanges ?? []).flatMap(({ before }) => {
    const entry = before === null ? null : xdr.LedgerEntry.fromXdr(before, "base64")
    return entry?.data.type === "account" && sameAccount(entry.data.account.accountId, someone("treasury")) ? [entry] : []
  })

const sameAccount = (id: xdr.PublicKey, address: string): boolean => id.toXdr("base64") === accountId(address).toXdr("base64")

const account = (address: string): xdr.LedgerEntry =>
  newEntry(xdr.LedgerEntryData.account(newAccount(accountId(address), 1_000_000_000n, 0n)))

const oracleId = addressOf(contract("oracle"))

/** The oracle with a price for every denomination, of the time of the recording's first ledger. */
const oracle = (price = 10_000_000n): ReadonlyArray<xdr.LedgerEntry> => [
  ...contractEntries(oracleId, priceOracleHash, [], far),
  ...["USD", "EUR"].flatMap((denomination) =>
    priceStorage(variant("Other", symbol(denomination)), price, BigInt(recording.states["none"]?.closeTime ?? "0"))
      .flatMap(([key, value, durability]) => dataEntries(oracleId, [key, value], durability, far))
  )
]

/** A recorded state only, plus the entries that it omits: code, the oracle, and other accounts. */
const stateNamed = (name: string): LedgerState => {
  const state = recording.states[name] ?? assert.fail(`no state ${name}`)
  const code = contractEntries(addressOf(contract("vaults")), vaultsHash, [], far)
  return LedgerState.make(headerOf(state), [
    account(someone("issuer")),
    account(someone("treasury")),
    ...code,
    ...oracle(),
    ...entriesOf(state)
  ])
}

type Asked = Pick<Call, "contract" | "function" | "source"> & { readonly args: ReadonlyArray<xdr.ScVal> }

const operationOf = (call: Asked, auth: ReadonlyArray<xdr.SorobanAuthorizationEntry> = []) =>
  new xdr.InvokeHostFunctionOp({
    hostFunction: xdr.HostFunction.hostFunctionTypeInvokeContract(
      new xdr.InvokeContractArgs({ contractAddress: addressOf(call.contract), functionName: call.function, args: [...call.args] })
    ),
    auth: [...auth]
  })

const simulate = (state: LedgerState, call: Asked) =>
  simulateInvocation(state, operationOf(call), accountId(call.source), {
    networkPassphrase: network.passphrase,
    contracts: sandboxContracts,
    authorization: { _tag: "Record", allowNonRoot: false, coversAddress: false }
  })

const enforce = (state: LedgerState, call: Asked, { auth, estimate }: SimulatedCall, header: Partial<Header>) => {
  const source = state.get(accountKey(call.source))
  assert(source?.data.type === "account")
  const tx = new xdr.Transaction({
    sourceAccount: xdr.MuxedAccount.keyTypeEd25519(StrKey.decodeEd25519PublicKey(call.source)),
    fee: Number(estimate.minResourceFee) + 100,
    seqNum: source.data.account.seqNum + 1n,
    cond: xdr.Preconditions.precondNone(),
    memo: xdr.Memo.memoNone(),
    operations: [new xdr.Operation({ sourceAccount: null, body: xdr.OperationBody.invokeHostFunction(operationOf(call, auth)) })],
    ext: xdr.TransactionExt.sorobanData(estimate.data)
  })
  return applyTransaction(state.at(header), xdr.TransactionEnvelope.envelopeTypeTx(new xdr.TransactionV1Envelope({ tx, signatures: [] })), {
    networkPassphrase: network.passphrase,
    signatures: "assume",
    contracts: sandboxContracts
  })
}

const json = (value: { toJson: () => unknown }): string => JSON.stringify(value.toJson())

const dataOf = (entry: string | null): string => (entry === null ? "nothing" : json(xdr.LedgerEntry.fromXdr(entry, "base64").data))

const changesOf = ({ changes }: SimulatedCall) =>
  changes.map(({ after, before, key }) => [
    json(key),
    before === undefined ? "nothing" : json(before.data),
    after === undefined ? "nothing" : json(after.data)
  ])

const assertAgrees = (call: Call, simulated: SimulatedCall): void => {
  assert.strictEqual(simulated.returnValue.toXdr("base64"), call.result)
  assert.deepStrictEqual(simulated.auth.map((entry) => entry.toXdr("base64")), call.auth)
  assert.deepStrictEqual(simulated.events.map((event) => event.toXdr("base64")), call.events)
  const recorded = xdr.SorobanTransactionData.fromXdr(call.transactionData ?? "", "base64").resources.footprint
  const { footprint } = simulated.estimate.data.resources
  assert.deepStrictEqual(footprint.readOnly.map(json), recorded.readOnly.map(json))
  assert.deepStrictEqual(footprint.readWrite.map(json), recorded.readWrite.map(json))
  assert.deepStrictEqual(
    changesOf(simulated),
    call.stateChanges?.map(({ after, before, key }) => [json(xdr.LedgerKey.fromXdr(key, "base64")), dataOf(before), dataOf(after)])
  )
}

/** The ledger after a simulated call, without a fee. */
const after = (state: LedgerState, { changes }: SimulatedCall): LedgerState =>
  changes.reduce(
    (next, { after: entry, key }) =>
      entry === undefined ? next.delete([key]) : next.set([entry, ...(key.type === "contractData" ? [ttlEntry(keyOf(entry), far)] : [])]),
    state
  )

describe("the recorded vaults contract", () => {
  describe("what its getters answer", () => {
    const denominations = { USD: symbol("USD"), EUR: symbol("EUR"), GBP: symbol("GBP") }
    const asked = (getter: string): Asked | null => {
      const [, name, list = ""] = /^vaults\.(\w+)\((.*)\)$/.exec(getter) ?? []
      if (name === undefined) return null
      const args = list.replace("[\"None\"]", "None").split(", ").filter((each) => each !== "").map((each) => {
        if (each === "user") return addressVal(addressOf(recording.user))
        if (each === "None") return variant("None")
        if (each === "10") return u32(10)
        if (each === "false") return bool(false)
        return Object.entries(denominations).find(([denomination]) => denomination === each)?.[1] ?? assert.fail(getter)
      })
      return { contract: contract("vaults"), function: name, source: recording.user, args }
    }

    for (const [name, { expected }] of Object.entries(recording.states)) {
      it(name, () => {
        let compared = 0
        for (const { error, getter, xdr: value } of Object.values(expected)) {
          const call = asked(getter)
          if (call === null) continue
          const simulated = simulate(stateNamed(name), call)
          const got = simulated._tag === "SimulatedCall" ? simulated.returnValue.toXdr("base64") : simulated.error.code
          assert.strictEqual(got, value ?? error, getter)
          compared += 1
        }
        assert.isAtLeast(compared, 11)
      })
    }
  })

  describe("calls, in the order they were recorded", () => {
    for (const call of recording.calls) {
      it(call.name, () => {
        assert.isTrue(call.stateExact)
        const state = stateNamed(call.state).set(treasuryBefore(call)).at(headerOf(call))
        const asked = { ...call, args: call.args.map(scVal) }
        const simulated = simulate(state, asked)
        if (simulated._tag === "FailedCall") {
          assert.isFalse(call.ok, simulated.error.message)
          assert.strictEqual(simulated.error.code, call.errorCode)
          return
        }
        assert.isTrue(call.ok, `should fail with ${call.errorCode}`)
        assertAgrees(call, simulated)
        for (const { ledgers, outcome, seconds } of [{ ledgers: 0, seconds: 0, outcome: "ok" }, ...(call.enforcedLater ?? [])]) {
          const later = { ledgerSeq: call.ledger + ledgers, closeTime: BigInt(call.closeTime) + BigInt(seconds) }
          const applied = enforce(state, asked, simulated, later)
          assert.strictEqual(applied.result.result.type === "txSuccess" ? "ok" : json(applied.result), outcome, `${ledgers} ledgers later`)
          assert.deepStrictEqual(applied.receipt?.events.map((event) => event.toXdr("base64")), call.events)
        }
      })
    }
  })

  it("an exit leads from each recorded state to the next", () => {
    for (
      const [name, next] of [["exit 1: pay_debt USD in full, prev_key = the vault below", "usdClosed"], [
        "exit 2: pay_debt EUR in full, lowest vault, prev_key None",
        "emptied"
      ]] as const
    ) {
      const call = recording.calls.find((one) => one.name === name) ?? assert.fail(name)
      const state = stateNamed(call.state)
      const simulated = simulate(state, { ...call, args: call.args.map(scVal) })
      assert(simulated._tag === "SimulatedCall")
      assert.deepStrictEqual(vaultEntriesOf(after(state, simulated)), vaultEntriesOf(stateNamed(next)))
    }
  })

  it("opening the two vaults leads from the first recorded state to the second", () => {
    let state = stateNamed("none")
    const low = variant("Some", scVal(lowestOf("none")))
    const opened = [[low, 1_200_000_000n, 36_000_000_000n, "USD"], [variant("None"), 1_000_000_000n, 25_000_000_000n, "EUR"]] as const
    for (const [prev, debt, collateral, denomination] of opened) {
      const simulated = simulate(state, {
        contract: contract("vaults"),
        function: "new_vault",
        source: recording.user,
        args: [prev, addressVal(addressOf(recording.user)), u128(debt), u128(collateral), symbol(denomination)]
      })
      assert(simulated._tag === "SimulatedCall", simulated._tag === "FailedCall" ? simulated.error.message : "")
      state = after(state, simulated)
    }
    assert.deepStrictEqual(vaultEntriesOf(state), vaultEntriesOf(stateNamed("open")))
  })
})

/** The key of the lowest vault of USD in a recorded state. */
const lowestOf = (name: string): string => {
  const fact = recording.states[name]?.expected["vaults.info(USD)"]?.xdr ?? assert.fail("no info")
  const info = scVal(fact)
  assert(info.type === "scvMap")
  const lowest = info.map?.find(({ key }) => key.type === "scvSymbol" && String(key.sym) === "lowest_key")?.val
  return lowest?.type === "scvVec" ? lowest.vec?.[1]?.toXdr("base64") ?? assert.fail("none") : assert.fail("no lowest key")
}

/** All data of the vaults contract, and its balances. */
const vaultEntriesOf = (state: LedgerState): ReadonlyArray<string> =>
  [...state.entries()]
    .filter(({ data }) =>
      data.type === "contractData" &&
      (xdrOf(data.contractData.contract) === xdrOf(addressOf(contract("vaults"))) ||
        xdrOf(data.contractData.contract) === xdrOf(addressOf(contract("xlm"))))
    )
    .map(({ data }) => json(data))
    .toSorted()

const xdrOf = (address: xdr.ScAddress): string => address.toXdr("base64")
