import { assert, it } from "@effect/vitest"
import {
  Address,
  Asset,
  Contract,
  type Keypair,
  nativeToScVal,
  Operation,
  rpc,
  scValToNative,
  SorobanDataBuilder,
  TransactionBuilder,
  xdr
} from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { Network } from "../../src/sandbox/Network.ts"
import { sourceAccount } from "../../src/sandbox/network/UnsignedTransaction.ts"
import { FundedPair } from "../../src/sandbox/scenarios/FundedPair.ts"
import { accountKey } from "../../src/xdr/LedgerKeys.ts"
import { startWithClients } from "./Clients.ts"

const resourceFee = 5_000_000n

/** A signed contract transaction with the given footprint and more than enough resources. */
const contractTransaction = (
  keys: Keypair,
  operation: xdr.Operation,
  readOnly: Array<xdr.LedgerKey>,
  readWrite: Array<xdr.LedgerKey>
) =>
  Effect.gen(function*() {
    const { passphrase, snapshot } = yield* Network
    const data = new SorobanDataBuilder()
      .setReadOnly(readOnly)
      .setReadWrite(readWrite)
      .setResources(10_000_000, 10_000, 10_000)
      .setResourceFee(resourceFee)
      .build()
    const transaction = new TransactionBuilder(sourceAccount(yield* snapshot, keys.publicKey()), {
      fee: "100",
      networkPassphrase: passphrase
    })
      .addOperation(operation)
      .setSorobanData(data)
      .setTimeout(0)
      .build()
    transaction.sign(keys)
    return transaction
  })

it.scopedLive("a contract transaction shows what it returned and emitted, and what it got back of its fee", () =>
  Effect.gen(function*() {
    const { contractRpc, on, passphrase } = yield* startWithClients({ deploysAssetContracts: false })
    const { destination, source } = yield* on(FundedPair)
    const [from, to] = [source.publicKey(), destination.publicKey()]
    const native = Asset.native().contractId(passphrase)
    const instance = new Contract(native).getFootprint()
    const created = yield* on(contractTransaction(source, Operation.createStellarAssetContract({ asset: Asset.native() }), [], [instance]))
    yield* Effect.promise(() => contractRpc.sendTransaction(created))
    const args = [new Address(from).toScVal(), new Address(to).toScVal(), nativeToScVal(5n, { type: "i128" })]
    const invocation = new xdr.SorobanAuthorizedInvocation({
      function: xdr.SorobanAuthorizedFunction.sorobanAuthorizedFunctionTypeContractFn(
        new xdr.InvokeContractArgs({ contractAddress: new Address(native).toScAddress(), functionName: "transfer", args })
      ),
      subInvocations: []
    })
    const credentials = xdr.SorobanCredentials.sorobanCredentialsSourceAccount()
    const transfer = Operation.invokeContractFunction({
      contract: native,
      function: "transfer",
      args,
      auth: [new xdr.SorobanAuthorizationEntry({ credentials, rootInvocation: invocation })]
    })
    const before = yield* Effect.promise(() => contractRpc.getAccountEntry(to))
    const moved = yield* on(contractTransaction(source, transfer, [instance], [accountKey(from), accountKey(to)]))
    const sent = yield* Effect.promise(() => contractRpc.sendTransaction(moved))
    assert.strictEqual(sent.status, "PENDING")
    const found = yield* Effect.promise(() => contractRpc.getTransaction(sent.hash))
    assert(found.status === rpc.Api.GetTransactionStatus.SUCCESS)
    assert(found.resultMetaXdr.type === "v4")
    assert.strictEqual(found.returnValue?.type, "scvVoid")
    assert.isNotNull(found.resultMetaXdr.v4.sorobanMeta)
    const after = yield* Effect.promise(() => contractRpc.getAccountEntry(to))
    assert.strictEqual(after.balance, before.balance + 5n)

    const { events } = yield* Effect.promise(() => contractRpc.getEvents({ startLedger: found.ledger, filters: [] }))
    const shown = events.map(({ topic, value }) => [...topic.map((each) => scValToNative(each)), scValToNative(value)])
    assert.deepStrictEqual(shown.map(([name]) => name), ["fee", "transfer", "fee"])
    assert.deepStrictEqual(shown[1], ["transfer", from, to, "native", 5n])
    const [charged, refunded] = [shown[0]?.at(-1), shown[2]?.at(-1)]
    assert.strictEqual(charged, resourceFee + 100n)
    assert.isTrue(refunded < 0n)
    assert.strictEqual(found.resultXdr.feeCharged, charged + refunded)
    assert.deepStrictEqual(events.map(({ transactionIndex }) => transactionIndex), [0, 1, 0xfffff])
    const stats = yield* Effect.promise(() => contractRpc.getFeeStats())
    assert.strictEqual(stats.sorobanInclusionFee.max, "100")
  }))
