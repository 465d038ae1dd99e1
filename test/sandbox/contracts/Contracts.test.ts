import { assert, it } from "@effect/vitest"
import {
  Account,
  Address,
  Asset,
  authorizeEntry,
  Contract,
  type Keypair,
  nativeToScVal,
  Operation,
  rpc,
  scValToNative,
  SorobanDataBuilder,
  type Transaction,
  TransactionBuilder,
  xdr
} from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { lumen } from "../../../src/ledger/Asset.ts"
import type { LedgerState } from "../../../src/ledger/LedgerState.ts"
import { durabilityOf, ttlEntry } from "../../../src/ledger/soroban/Life.ts"
import { addressOf, i128, u32 } from "../../../src/ledger/soroban/Values.ts"
import { contractEntries, dataEntries } from "../../../src/sandbox/contracts/Deployment.ts"
import { exampleTokenHash, exampleTokenTraits } from "../../../src/sandbox/contracts/ExampleToken.ts"
import { tokenBalanceKey, tokenStorage } from "../../../src/sandbox/contracts/Token.ts"
import type { SandboxOptions } from "../../../src/sandbox/Sandbox.ts"
import { FundedPair } from "../../../src/sandbox/scenarios/FundedPair.ts"
import { keyOf } from "../../../src/xdr/LedgerKeys.ts"
import { startWithClients } from "../Clients.ts"

const startOn = Effect.fnUntraced(function*(options: SandboxOptions) {
  const sandbox = yield* startWithClients(options)
  const { destination, source } = yield* sandbox.on(FundedPair)
  const { contractRpc, passphrase } = sandbox

  const build = (from: Keypair, ...operations: ReadonlyArray<xdr.Operation>) =>
    Effect.map(Effect.promise(() => contractRpc.getAccount(from.publicKey())), (account) => {
      const builder = new TransactionBuilder(account, { fee: "100", networkPassphrase: passphrase })
      for (const operation of operations) builder.addOperation(operation)
      return builder.setTimeout(300).build()
    })

  /** Simulates, assembles, signs, submits and waits. */
  const send = Effect.fnUntraced(function*(from: Keypair, operation: xdr.Operation) {
    const transaction = yield* build(from, operation)
    const prepared = yield* Effect.promise(() => contractRpc.prepareTransaction(transaction))
    return yield* submit(prepared, from)
  })

  const submit = Effect.fnUntraced(function*(transaction: Transaction, from: Keypair) {
    transaction.sign(from)
    const sent = yield* Effect.promise(() => contractRpc.sendTransaction(transaction))
    assert.strictEqual(sent.status, "PENDING", JSON.stringify(sent))
    return yield* Effect.promise(() => contractRpc.pollTransaction(sent.hash))
  })

  const simulate = Effect.fnUntraced(function*(from: Keypair, operation: xdr.Operation) {
    const transaction = yield* build(from, operation)
    return yield* Effect.promise(() => contractRpc.simulateTransaction(transaction))
  })
  const balance = (of: Keypair) => Effect.map(Effect.promise(() => contractRpc.getAccountEntry(of.publicKey())), (entry) => entry.balance)

  return { ...sandbox, source, destination, build, send, submit, simulate, balance }
})

const start = startOn({})

/** On a network without deployed asset contracts. */
const startUndeployed = startOn({ deploysAssetContracts: false })

const address = (pair: Keypair): xdr.ScVal => new Address(pair.publicKey()).toScVal()

const amount = (value: bigint): xdr.ScVal => nativeToScVal(value, { type: "i128" })

const lumens = (passphrase: string): Contract => new Contract(Asset.native().contractId(passphrase))

const token = new Contract(Address.contract(Buffer.alloc(32, 7)).toString())

/** A token with a balance for every holder. */
const issueToken = (state: LedgerState, holders: ReadonlyArray<Keypair>, liveUntil = state.header.ledgerSeq + 100_000): LedgerState => {
  const contract = addressOf(token.contractId())
  const admin = addressOf(holders[0]?.publicKey() ?? assert.fail("no holder"))
  const storage = tokenStorage(exampleTokenTraits, { admin, decimals: 6, name: nativeToScVal("Token"), symbol: nativeToScVal("TKN") })
  return state.set([
    ...contractEntries(contract, exampleTokenHash, storage, state.header.ledgerSeq + 100_000),
    ...holders.flatMap((holder) =>
      dataEntries(contract, [tokenBalanceKey(addressOf(holder.publicKey())), i128(1_000n)], "persistent", liveUntil)
    )
  ])
}

const succeeded = (simulation: rpc.Api.SimulateTransactionResponse): rpc.Api.SimulateTransactionSuccessResponse =>
  rpc.Api.isSimulationSuccess(simulation) ? simulation : assert.fail(JSON.stringify(simulation))

const settled = (outcome: rpc.Api.GetTransactionResponse): rpc.Api.GetSuccessfulTransactionResponse =>
  outcome.status === rpc.Api.GetTransactionStatus.SUCCESS ? outcome : assert.fail(JSON.stringify(outcome))

it.scopedLive("deploys the contract of the native asset and pays with it", () =>
  Effect.gen(function*() {
    const { balance, contractRpc, destination, passphrase, send, source } = yield* startUndeployed
    const deployed = settled(
      yield* send(source, Operation.createStellarAssetContract({ asset: Asset.native() }))
    )
    const contract = lumens(passphrase)
    assert.strictEqual(scValToNative(deployed.returnValue ?? assert.fail("no value")), contract.contractId())
    const instance = yield* Effect.promise(() => contractRpc.getContractData(contract, xdr.ScVal.scvLedgerKeyContractInstance()))
    assert.strictEqual(instance.val.type, "contractData")
    assert.isAbove(instance.liveUntilLedgerSeq ?? 0, instance.lastModifiedLedgerSeq ?? 0)

    const [before, receiver] = [yield* balance(source), yield* balance(destination)]
    const paid = settled(yield* send(source, contract.call("transfer", address(source), address(destination), amount(5n * lumen))))
    assert.strictEqual(yield* balance(destination), receiver + 5n * lumen)
    const charged = BigInt(paid.resultXdr.feeCharged)
    assert.strictEqual(yield* balance(source), before - 5n * lumen - charged)
    const bid = BigInt(paid.envelopeXdr.type === "envelopeTypeTx" ? paid.envelopeXdr.v1.tx.fee : assert.fail("a fee bump"))
    assert.isBelow(Number(charged), Number(bid), "what is left of the resource fee comes back")

    const { events } = yield* Effect.promise(() =>
      contractRpc.getEvents({
        startLedger: paid.ledger,
        filters: [{
          type: "contract",
          contractIds: [contract.contractId()],
          topics: [[nativeToScVal("transfer", { type: "symbol" }).toXdr("base64"), address(source).toXdr("base64"), "**"]]
        }]
      })
    )
    const [event] = events.filter(({ txHash }) => txHash === paid.txHash)
    assert.deepStrictEqual(event?.topic.map(scValToNative), ["transfer", source.publicKey(), destination.publicKey(), "native"])
    assert.strictEqual(scValToNative(event?.value ?? assert.fail("no event")), 5n * lumen)
  }))

it.scopedLive("tells in the answer why a call would fail", () =>
  Effect.gen(function*() {
    const { destination, passphrase, send, simulate, source } = yield* startUndeployed
    const contract = lumens(passphrase)
    const missing = yield* simulate(source, contract.call("decimals"))
    assert(rpc.Api.isSimulationError(missing))
    assert.match(missing.error, /^HostError: Error\(Storage, MissingValue\)/)
    yield* send(source, Operation.createStellarAssetContract({ asset: Asset.native() }))
    const poor = yield* simulate(source, contract.call("transfer", address(source), address(destination), amount(10n ** 15n)))
    assert(rpc.Api.isSimulationError(poor))
    assert.match(poor.error, /^HostError: Error\(Contract, #10\)/)
    assert.isNotEmpty(poor.events)
    const read = succeeded(yield* simulate(source, contract.call("name")))
    assert.strictEqual(scValToNative(read.result?.retval ?? assert.fail("no value")), "native")
    assert.deepStrictEqual(read.result?.auth, [])
  }))

it.scopedLive("refuses what is no single contract operation", () =>
  Effect.gen(function*() {
    const { build, contractRpc, destination, passphrase, source } = yield* start
    const payment = Operation.payment({ destination: destination.publicKey(), asset: Asset.native(), amount: "1" })
    const call = lumens(passphrase).call("decimals")
    const [two, classic] = [yield* build(source, call, payment), yield* build(source, payment)]
    const answers = yield* Effect.forEach([two, classic], (each) => Effect.promise(() => contractRpc._simulateTransaction(each)))
    assert.deepStrictEqual(answers.map(({ error }) => error), [
      "Transaction contains more than one operation",
      "Transaction contains unsupported operation type: payment"
    ])
    const bare = new TransactionBuilder(new Account(source.publicKey(), "0"), { fee: "100", networkPassphrase: passphrase })
      .addOperation(Operation.restoreFootprint({}))
      .setTimeout(0)
      .build()
    const lacking = yield* Effect.promise(() => contractRpc._simulateTransaction(bare))
    assert.match(lacking.error ?? "", /SorobanTransactionData must be provided/)
  }))

it.scopedLive("records and enforces the agreement of somebody else", () =>
  Effect.gen(function*() {
    const { build, contractRpc, destination, network, passphrase, source, submit } = yield* start
    yield* network.amend((state) => issueToken(state, [source, destination]))
    const moved = token.call("transfer", address(destination), address(source), amount(250n))
    for (const useUpgradedAuth of [true, false]) {
      const transaction = yield* build(source, moved)
      const simulated = succeeded(
        yield* Effect.promise(() => contractRpc.simulateTransaction(transaction, undefined, undefined, useUpgradedAuth))
      )
      const [entry] = simulated.result?.auth ?? []
      assert(entry !== undefined)
      assert.strictEqual(
        entry.credentials.type,
        useUpgradedAuth ? "sorobanCredentialsAddressV2" : "sorobanCredentialsAddress"
      )
      const { sequence } = yield* Effect.promise(() => contractRpc.getLatestLedger())
      const signed = yield* Effect.promise(() => authorizeEntry(entry, destination, sequence + 100, passphrase))
      const assembled = rpc.assembleTransaction(transaction, simulated).build()
      const [operation] = assembled.operations
      assert(operation?.type === "invokeHostFunction")
      const careless = yield* build(source, Operation.invokeHostFunction({ func: operation.func, auth: [entry] }))
      const unsigned = yield* submit(rpc.assembleTransaction(careless, simulated).build(), source)
      assert.strictEqual(unsigned.status, rpc.Api.GetTransactionStatus.FAILED)
      const again = yield* build(source, Operation.invokeHostFunction({ func: operation.func, auth: [signed] }))
      const enforced = succeeded(yield* Effect.promise(() => contractRpc.simulateTransaction(again)))
      const done = yield* submit(rpc.assembleTransaction(again, enforced).build(), source)
      settled(done)
      const replayed = yield* build(source, Operation.invokeHostFunction({ func: operation.func, auth: [signed] }))
      const refused = yield* Effect.promise(() => contractRpc.simulateTransaction(replayed))
      assert(rpc.Api.isSimulationError(refused))
      assert.match(refused.error, /Error\(Auth, ExistingValue\)/)
    }
    const held = yield* Effect.promise(() => contractRpc.getContractData(token, tokenBalanceKey(addressOf(source.publicKey()))))
    assert(held.val.type === "contractData")
    assert.strictEqual(scValToNative(held.val.contractData.val), 1_500n)
  }))

/** Lets every archivable contract entry expire. */
const archive = (state: LedgerState): LedgerState =>
  state.set(
    Array.from(state.entries()).flatMap((entry) =>
      entry.data.type !== "ttl" && durabilityOf(keyOf(entry)) === "persistent" && entry.data.type === "contractData" &&
        entry.data.contractData.key.type === "scvVec"
        ? [ttlEntry(keyOf(entry), state.header.ledgerSeq - 1)]
        : []
    )
  )

it.scopedLive("brings archived entries back within the call that needs them", () =>
  Effect.gen(function*() {
    const { contractRpc, destination, network, send, simulate, source } = yield* start
    yield* network.amend((state) => issueToken(state, [source, destination]))
    yield* network.amend(archive)
    const key = tokenBalanceKey(addressOf(source.publicKey()))
    const archived = yield* Effect.promise(() => contractRpc.getContractData(token, key))
    assert.strictEqual(archived.liveUntilLedgerSeq, 0)

    const moved = token.call("transfer", address(source), address(destination), amount(1n))
    const simulated = succeeded(yield* simulate(source, moved))
    const data = simulated.transactionData.build()
    assert.strictEqual(data.ext.type, "resourceExt")
    assert.deepStrictEqual(data.ext.type === "resourceExt" ? data.ext.resourceExt.archivedSorobanEntries : [], [0, 1])
    settled(yield* send(source, moved))
    const live = yield* Effect.promise(() => contractRpc.getContractData(token, key))
    assert.isAbove(live.liveUntilLedgerSeq ?? 0, live.lastModifiedLedgerSeq ?? 0)
  }))

it.scopedLive("restores and extends by operations of their own", () =>
  Effect.gen(function*() {
    const { contractRpc, network, passphrase, source, submit } = yield* start
    yield* network.amend((state) => issueToken(state, [source]))
    yield* network.amend(archive)
    const balanceKey = tokenBalanceKey(addressOf(source.publicKey()))
    const ledgerKey = xdr.LedgerKey.contractData(
      new xdr.LedgerKeyContractData({
        contract: addressOf(token.contractId()),
        key: balanceKey,
        durability: xdr.ContractDataDurability.persistent
      })
    )
    const withFootprint = (operation: xdr.Operation, data: xdr.SorobanTransactionData) =>
      Effect.map(Effect.promise(() => contractRpc.getAccount(source.publicKey())), (account) =>
        new TransactionBuilder(account, { fee: "100", networkPassphrase: passphrase })
          .addOperation(operation)
          .setSorobanData(data)
          .setTimeout(300)
          .build())
    const extend = Operation.extendFootprintTtl({ extendTo: 200_000 })
    const readOnly = new SorobanDataBuilder().setReadOnly([ledgerKey]).build()
    const early = yield* withFootprint(extend, readOnly)
    const preamble = yield* Effect.promise(() =>
      contractRpc._simulateTransaction(early)
    )
    assert.isDefined(preamble.restorePreamble, "an archived entry must be restored before it is extended")

    const restore = yield* withFootprint(Operation.restoreFootprint({}), new SorobanDataBuilder().setReadWrite([ledgerKey]).build())
    settled(yield* submit(yield* Effect.promise(() => contractRpc.prepareTransaction(restore)), source))
    const restored = yield* Effect.promise(() => contractRpc.getContractData(token, balanceKey))
    const { sequence } = yield* Effect.promise(() => contractRpc.getLatestLedger())
    assert.strictEqual(restored.liveUntilLedgerSeq, sequence + 120_960 - 1)

    const longer = yield* withFootprint(extend, readOnly)
    settled(yield* submit(yield* Effect.promise(() => contractRpc.prepareTransaction(longer)), source))
    const extended = yield* Effect.promise(() => contractRpc.getContractData(token, balanceKey))
    assert.strictEqual(extended.liveUntilLedgerSeq, sequence + 1 + 200_000)
  }))

it.scopedLive("keeps an approval until the ledger it names", () =>
  Effect.gen(function*() {
    const { contractRpc, destination, network, send, simulate, source } = yield* start
    yield* network.amend((state) => issueToken(state, [source]))
    const { sequence } = yield* Effect.promise(() => contractRpc.getLatestLedger())
    settled(yield* send(source, token.call("approve", address(source), address(destination), amount(40n), u32(sequence + 5))))
    const allowance = Effect.map(
      simulate(source, token.call("allowance", address(source), address(destination))),
      (simulated) => scValToNative(succeeded(simulated).result?.retval ?? assert.fail("no value"))
    )
    assert.strictEqual(yield* allowance, 40n)
    settled(yield* send(destination, token.call("transfer_from", address(destination), address(source), address(destination), amount(15n))))
    assert.strictEqual(yield* allowance, 25n)
    yield* Effect.forEach([1, 2, 3, 4], () => network.closeLedger())
    assert.strictEqual(yield* allowance, 0n)
  }))
