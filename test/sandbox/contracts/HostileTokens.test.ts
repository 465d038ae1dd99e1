import { assert, describe, it } from "@effect/vitest"
import { Contract, Keypair, rpc, scValToNative, TransactionBuilder, xdr } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { addressOf, addressVal, i128, u32 } from "../../../src/ledger/soroban/Values.ts"
import { tokenBalanceKey } from "../../../src/sandbox/contracts/Token.ts"
import type { Behaviour } from "../../../src/sandbox/contracts/tokens/Behaviour.ts"
import type { NewToken } from "../../../src/sandbox/contracts/tokens/NewToken.ts"
import { tokenFamilies, type TokenFamilyName } from "../../../src/sandbox/contracts/tokens/TokenFamily.ts"
import { FundedPair } from "../../../src/sandbox/scenarios/FundedPair.ts"
import { deployToken, mintToken, sendToken, turnToken } from "../../../src/sandbox/scenarios/Tokens.ts"
import { startWithClients } from "../Clients.ts"

const party = (keys: Keypair): xdr.ScVal => addressVal(addressOf(keys.publicKey()))

/** A token of which an account has 1000 base units, and simulations of its functions. */
const start = Effect.fnUntraced(function*(asked: NewToken) {
  const sandbox = yield* startWithClients()
  const { contractRpc, on, passphrase } = sandbox
  const { destination, source } = yield* on(FundedPair)
  const token = yield* on(deployToken(asked))
  const simulateOf = Effect.fnUntraced(function*(contract: string, fn: string, ...args: ReadonlyArray<xdr.ScVal>) {
    const account = yield* Effect.promise(() => contractRpc.getAccount(source.publicKey()))
    const transaction = new TransactionBuilder(account, { fee: "100", networkPassphrase: passphrase })
      .addOperation(new Contract(contract).call(fn, ...args))
      .setTimeout(300)
      .build()
    return yield* Effect.promise(() => contractRpc.simulateTransaction(transaction))
  })
  const simulate = (fn: string, ...args: ReadonlyArray<xdr.ScVal>) => simulateOf(token, fn, ...args)
  const value = (fn: string, ...args: ReadonlyArray<xdr.ScVal>) => Effect.map(simulate(fn, ...args), valueOf)
  const transfer = (amount: bigint) => simulate("transfer", party(source), party(destination), i128(amount))
  return { ...sandbox, source, destination, token, simulate, simulateOf, value, transfer }
})

const valueOf = (simulated: rpc.Api.SimulateTransactionResponse): xdr.ScVal =>
  rpc.Api.isSimulationSuccess(simulated) ? (simulated.result?.retval ?? assert.fail("no value")) : assert.fail(JSON.stringify(simulated))

const errorOf = (simulated: rpc.Api.SimulateTransactionResponse): string =>
  rpc.Api.isSimulationError(simulated) ? (simulated.error.split("\n")[0] ?? "") : assert.fail("it did not fail")

const authOf = (simulated: rpc.Api.SimulateTransactionResponse): ReadonlyArray<xdr.SorobanAuthorizationEntry> =>
  rpc.Api.isSimulationSuccess(simulated) ? (simulated.result?.auth ?? []) : assert.fail(JSON.stringify(simulated))

/** A token of the given behaviours of which the account has 1000 base units. */
const holding = Effect.fnUntraced(function*(family: TokenFamilyName, ...behaviours: ReadonlyArray<Behaviour>) {
  const scene = yield* start({ family })
  yield* scene.on(mintToken(scene.token, scene.source.publicKey(), 1_000n))
  yield* scene.on(turnToken(scene.token, behaviours))
  return scene
})

const families = Object.keys(tokenFamilies) as ReadonlyArray<TokenFamilyName>

describe.each(families)("a hostile token of the family %s", (family) => {
  it.scopedLive("fails", () =>
    Effect.gen(function*() {
      const { simulate, source, transfer } = yield* holding(family, { _tag: "Fails", functions: ["balance"] }, {
        _tag: "Fails",
        functions: ["transfer"],
        code: 77
      })
      assert.match(errorOf(yield* simulate("balance", party(source))), /Error\(WasmVm, InvalidAction\)/)
      assert.match(errorOf(yield* transfer(1n)), /Error\(Contract, #77\)/)
      assert(rpc.Api.isSimulationSuccess(yield* simulate("approve", party(source), party(source), i128(0n), u32(0))))
    }))

  it.scopedLive("never ends", () =>
    Effect.gen(function*() {
      const { on, simulate, source, token, value } = yield* holding(family, { _tag: "NeverEnds", functions: ["balance"] })
      const waited = yield* Effect.raceFirst(
        Effect.as(simulate("balance", party(source)), "answered"),
        Effect.delay(Effect.succeed("waited"), "300 millis")
      )
      assert.strictEqual(waited, "waited")
      assert.strictEqual(scValToNative(yield* value("decimals")), 7)
      const failed = yield* Effect.flip(
        on(
          mintToken(token, token, 1n).pipe(
            Effect.zipRight(turnToken(token, [{ _tag: "NeverEnds", functions: ["mint"] }])),
            Effect.zipRight(mintToken(token, token, 1n))
          )
        )
      )
      assert.match(failed.message, /Budget, ExceededLimit/)
    }))

  it.scopedLive("answers another balance at each call", () =>
    Effect.gen(function*() {
      const { source, value } = yield* holding(family, { _tag: "AnswersAnew", functions: ["balance", "symbol"] })
      const balances = yield* Effect.replicateEffect(Effect.map(value("balance", party(source)), scValToNative), 3)
      assert.strictEqual(new Set(balances).size, 3)
      const symbols = yield* Effect.replicateEffect(Effect.map(value("symbol"), scValToNative), 3)
      assert.strictEqual(new Set(symbols).size, 3)
    }))

  it.scopedLive("takes a fee on transfer", () =>
    Effect.gen(function*() {
      const { destination, on, source, token, transfer, value } = yield* holding(family, { _tag: "TakesFee", basisPoints: 1_000 })
      const [agreement] = authOf(yield* transfer(100n))
      assert.strictEqual(agreement?.rootInvocation.subInvocations.length, 0)
      yield* on(sendToken(token, source, destination.publicKey(), 100n))
      const balances = yield* Effect.all([
        value("balance", party(source)),
        value("balance", party(destination)),
        value("balance", addressVal(addressOf(token)))
      ])
      assert.deepStrictEqual(balances.map(scValToNative), [900n, 90n, 10n])
    }))

  it.scopedLive("moves more than it says", () =>
    Effect.gen(function*() {
      const { destination, on, source, token, value } = yield* holding(family, { _tag: "MovesMore", extra: 7n })
      yield* on(sendToken(token, source, destination.publicKey(), 100n))
      assert.deepStrictEqual([yield* value("balance", party(source)), yield* value("balance", party(destination))].map(scValToNative), [
        893n,
        107n
      ])
    }))

  it.scopedLive("says it moved, and moves nothing", () =>
    Effect.gen(function*() {
      const { destination, on, source, token, transfer, value } = yield* holding(family, { _tag: "Ignores", functions: ["transfer"] })
      const simulated = yield* transfer(100n)
      assert.strictEqual(authOf(simulated).length, 1)
      yield* on(sendToken(token, source, destination.publicKey(), 100n))
      assert.deepStrictEqual([yield* value("balance", party(source)), yield* value("balance", party(destination))].map(scValToNative), [
        1_000n,
        0n
      ])
    }))

  it.scopedLive("has another token of the caller's move along", () =>
    Effect.gen(function*() {
      const { destination, on, source, token, transfer, value } = yield* holding(family)
      const bait = yield* on(deployToken({ family }))
      yield* on(mintToken(bait, source.publicKey(), 50n))
      yield* on(turnToken(token, [
        { _tag: "CallsOther", functions: ["transfer"], contract: bait, function: "transfer", party: destination.publicKey(), amount: 50n }
      ]))
      const [agreement, ...more] = authOf(yield* transfer(1n))
      assert.deepStrictEqual(more, [])
      const [inner] = agreement?.rootInvocation.subInvocations ?? []
      assert(inner?.function.type === "sorobanAuthorizedFunctionTypeContractFn")
      assert.deepStrictEqual(inner.function.contractFn.contractAddress, addressOf(bait))
      assert.deepStrictEqual(inner.function.contractFn.args, [party(source), party(destination), i128(50n)])
      assert.strictEqual(scValToNative(yield* value("balance", party(source))), 1_000n)
    }))

  it.scopedLive("is not let in again", () =>
    Effect.gen(function*() {
      const { transfer } = yield* holding(family, { _tag: "Reenters", functions: ["transfer"] })
      assert.match(errorOf(yield* transfer(1n)), /Error\(Context, InvalidAction\)/)
    }))

  it.scopedLive("tells of approvals that never were, of anybody's", () =>
    Effect.gen(function*() {
      const scene = yield* holding(family)
      const { contractRpc, destination, network, on, source, token } = scene
      yield* on(turnToken(token, [
        {
          _tag: "Pretends",
          functions: ["transfer"],
          kind: "approve",
          from: destination.publicKey(),
          to: source.publicKey(),
          amount: 5n,
          times: 20
        }
      ]))
      yield* on(sendToken(token, source, source.publicKey(), 1n))
      const { sequence } = (yield* network.snapshot).history.latest
      const { events } = yield* Effect.promise(() =>
        contractRpc.getEvents({ startLedger: sequence, filters: [{ type: "contract", contractIds: [token] }] })
      )
      const approvals = events.map(({ topic }) => topic.map(scValToNative)).filter(([kind]) => kind === "approve")
      assert.deepStrictEqual(approvals, Array.from({ length: 20 }, () => ["approve", destination.publicKey(), source.publicKey()]))
    }))
})

it.scopedLive("a token says absurd things of itself, in its instance and by its functions", () =>
  Effect.gen(function*() {
    const long = yield* start({ behaviours: [{ _tag: "AnswersText", function: "symbol", text: "ab", times: 100_000 }], weight: 60_000 })
    assert.strictEqual(scValToNative(yield* long.value("symbol")).length, 200_000)
    const instance = yield* Effect.promise(() => long.contractRpc.getContractData(long.token, xdr.ScVal.scvLedgerKeyContractInstance()))
    assert.isAbove(instance.val.toXdr().length, 60_000)

    const odd = yield* start({
      symbol: "\u0000\u001b[2J\u202e\u{1f600}",
      name: { xdr: u32(1).toXdr("base64") },
      decimals: 4_294_967_295,
      behaviours: [{ _tag: "Answers", function: "balance", value: i128(-5n).toXdr("base64") }]
    })
    const answers = yield* Effect.all([
      odd.value("symbol"),
      odd.value("name"),
      odd.value("decimals"),
      odd.value("balance", party(odd.source))
    ])
    assert.deepStrictEqual(answers.map(scValToNative), ["\u0000\u001b[2J\u202e\u{1f600}", 1, 4_294_967_295, -5n])
    const negative = yield* start({ decimals: { xdr: xdr.ScVal.scvI32(-3).toXdr("base64") } })
    assert.deepStrictEqual(yield* negative.value("decimals"), xdr.ScVal.scvI32(-3))
  }))

it.scopedLive("a token keeps in its entries what its functions do not say", () =>
  Effect.gen(function*() {
    const holder = Keypair.random()
    const [key, odd] = [tokenBalanceKey(addressOf(holder.publicKey())), xdr.ScVal.scvString("a lot")]
    const entry = (value: xdr.ScVal) => [{ key: key.toXdr("base64"), value: value.toXdr("base64"), durability: "persistent" as const }]
    const { contractRpc, on, simulate, token, value } = yield* start({
      behaviours: [{ _tag: "Answers", function: "balance", value: i128(1n).toXdr("base64") }],
      entries: entry(i128(10n ** 30n))
    })
    const kept = yield* Effect.promise(() => contractRpc.getContractData(token, key))
    assert.strictEqual(kept.val.type === "contractData" ? scValToNative(kept.val.contractData.val) : null, 10n ** 30n)
    assert.strictEqual(scValToNative(yield* value("balance", party(holder))), 1n)
    yield* on(turnToken(token, []))
    assert.strictEqual(scValToNative(yield* value("balance", party(holder))), 10n ** 30n)
    const text = yield* on(deployToken({ entries: entry(odd) }))
    const told = yield* Effect.promise(() => contractRpc.getContractData(text, key))
    assert.deepStrictEqual(told.val.type === "contractData" ? told.val.contractData.val : null, odd)
    assert(rpc.Api.isSimulationSuccess(yield* simulate("decimals")))
  }))

it.scopedLive("anybody may be given tokens, asked or not", () =>
  Effect.gen(function*() {
    const { destination, on, token, value } = yield* start({})
    yield* on(mintToken(token, destination.publicKey(), 3n))
    assert.strictEqual(scValToNative(yield* value("balance", party(destination))), 3n)
  }))
