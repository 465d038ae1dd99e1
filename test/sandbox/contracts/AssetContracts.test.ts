import { assert, it } from "@effect/vitest"
import { Asset, Claimant, Contract, type Keypair, Operation, rpc, scValToNative, TransactionBuilder, xdr } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { addressOf, addressVal, contractAddress, i128, strkeyOf } from "../../../src/ledger/soroban/Values.ts"
import { FundedPair } from "../../../src/sandbox/scenarios/FundedPair.ts"
import { perform } from "../../../src/sandbox/scenarios/Scenario.ts"
import { sendToken } from "../../../src/sandbox/scenarios/Tokens.ts"
import { startWithClients } from "../Clients.ts"

const start = Effect.gen(function*() {
  const sandbox = yield* startWithClients()
  const { destination, source } = yield* sandbox.on(FundedPair)
  const { contractRpc, passphrase } = sandbox
  const simulate = Effect.fnUntraced(function*(contract: Contract, fn: string, ...args: ReadonlyArray<xdr.ScVal>) {
    const account = yield* Effect.promise(() => contractRpc.getAccount(source.publicKey()))
    const transaction = new TransactionBuilder(account, { fee: "100", networkPassphrase: passphrase })
      .addOperation(contract.call(fn, ...args))
      .setTimeout(300)
      .build()
    return yield* Effect.promise(() => contractRpc.simulateTransaction(transaction))
  })
  const answer = (...call: Parameters<typeof simulate>) =>
    Effect.map(
      simulate(...call),
      (simulated) =>
        rpc.Api.isSimulationSuccess(simulated)
          ? scValToNative(simulated.result?.retval ?? assert.fail("no value"))
          : assert.fail(JSON.stringify(simulated))
    )
  return { ...sandbox, source, destination, simulate, answer }
})

const party = (keys: Keypair): xdr.ScVal => addressVal(addressOf(keys.publicKey()))

it.scopedLive("lumens have their contract from the first ledger on, and the SDK's clients read and move them by it", () =>
  Effect.gen(function*() {
    const { answer, contractRpc, destination, on, passphrase, simulate, source } = yield* start
    const lumens = new Contract(Asset.native().contractId(passphrase))
    assert.deepStrictEqual(
      yield* Effect.all([
        answer(lumens, "decimals"),
        answer(lumens, "symbol"),
        answer(lumens, "name"),
        answer(lumens, "balance", party(source))
      ]),
      [7, "native", "native", 1_000_000_000n]
    )
    const transfer = yield* simulate(lumens, "transfer", party(source), party(destination), i128(5n))
    assert(rpc.Api.isSimulationSuccess(transfer))
    assert.deepStrictEqual(transfer.result?.auth.map(({ credentials }) => credentials.type), ["sorobanCredentialsSourceAccount"])
    const vault = strkeyOf(contractAddress(new xdr.ContractId(new Uint8Array(32).fill(3))))
    yield* on(sendToken(lumens.contractId(), source, vault, 7n))
    const held = yield* Effect.promise(() => contractRpc.getAssetBalance(vault, Asset.native(), passphrase))
    assert.deepStrictEqual([held.balanceEntry?.amount, held.balanceEntry?.authorized], ["7", true])
    const instance = yield* Effect.promise(() => contractRpc.getContractInstance(lumens.contractId()))
    assert.strictEqual(instance.executable.type, "contractExecutableStellarAsset")
  }))

it.scopedLive("an issued asset has its contract as soon as somebody trusts it or may claim it", () =>
  Effect.gen(function*() {
    const { answer, contractRpc, destination, on, passphrase, simulate, source } = yield* start
    const [usd, eur] = [new Asset("USD", source.publicKey()), new Asset("EURCOIN", source.publicKey())]
    const contractOf = (asset: Asset) => new Contract(asset.contractId(passphrase))
    const absent = yield* simulate(contractOf(usd), "symbol")
    assert(rpc.Api.isSimulationError(absent) && absent.error.startsWith("HostError: Error(Storage, MissingValue)"))

    yield* on(perform("an account trusts", { as: destination, operations: [Operation.changeTrust({ asset: usd })] }))
    yield* on(perform("the issuer pays and leaves some to be claimed", {
      as: source,
      operations: [
        Operation.payment({ destination: destination.publicKey(), asset: usd, amount: "12.5" }),
        Operation.createClaimableBalance({ asset: eur, amount: "1", claimants: [new Claimant(destination.publicKey())] })
      ]
    }))
    assert.strictEqual(yield* answer(contractOf(eur), "symbol"), "EURCOIN")
    assert.strictEqual(yield* answer(contractOf(usd), "name"), `USD:${source.publicKey()}`)
    assert.strictEqual(yield* answer(contractOf(usd), "balance", party(destination)), 125_000_000n)
    const held = yield* Effect.promise(() => contractRpc.getAssetBalance(destination.publicKey(), usd, passphrase))
    assert.strictEqual(held.balanceEntry?.amount, "125000000")
  }))
