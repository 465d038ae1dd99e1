import { assert, describe, it } from "@effect/vitest"
import { Asset, Keypair, Operation } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { addressOf, strkeyOf } from "../../../../src/ledger/soroban/Values.ts"
import { addLiquidity, PairsMarket } from "../../../../src/sandbox/scenarios/PairsMarket.ts"
import { fund, perform } from "../../../../src/sandbox/scenarios/Scenario.ts"
import { deployToken, mintToken } from "../../../../src/sandbox/scenarios/Tokens.ts"
import { laterLedger } from "../../../sandbox/contracts/ProtocolsServed.ts"
import { acknowledges, echo, pointOf } from "../../support/Answering.ts"
import { type Answer, offered, plan, refusal } from "../../support/Client.ts"
import { Service } from "../../support/Service.ts"
import { signed } from "../../support/Signing.ts"
import { tokensService } from "./support/DeclaredTokens.ts"
import { held, step, turns } from "./support/Holder.ts"

const units = 1_000_000_000n

/** An account with a token of its own, and a market in which strangers can pair it with any token. */
const scene = Effect.gen(function*() {
  const { on } = yield* Service
  const { provider, tokens } = yield* on(PairsMarket)
  const [source, destination] = [Keypair.random(), Keypair.random()]
  yield* on(fund("100", source, destination))
  const made = Effect.gen(function*() {
    const contract = yield* on(deployToken())
    yield* on(mintToken(contract, provider.publicKey(), 10n ** 15n))
    return contract
  })
  const token = yield* made
  yield* on(mintToken(token, source.publicKey(), units))
  const side = (contract: string, amount: bigint) => ({ token: addressOf(contract), amount })
  /** A path through a stranger's token that pays roughly this many lumens. */
  const way = (lumens: bigint) =>
    Effect.gen(function*() {
      const middle = yield* made
      yield* on(addLiquidity("a pair in", provider, side(token, 10n ** 12n), side(middle, 10n ** 12n)))
      yield* on(
        addLiquidity("a pair out", provider, side(middle, 10n ** 12n), { token: tokens.lumens, amount: lumens * 10_000_000_000n })
      )
      yield* laterLedger
      return middle
    })
  const direct = Effect.zipRight(
    on(addLiquidity("an honest pair", provider, side(token, 10n ** 12n), { token: tokens.lumens, amount: 10n * 10_000_000_000n })),
    laterLedger
  )
  const own = acknowledges(destination.publicKey())
  const request = { source: source.publicKey(), destination: destination.publicKey() }
  const id = `token:${token}`
  const offer = (decisions: ReadonlyArray<Answer> = []) =>
    Effect.map(plan({ ...request, decisions: [own, ...decisions] }), (asked) => {
      const point = pointOf(asked, id)
      return { point, sale: point.options.find((option) => option.id === "convert_to_native") ?? assert.fail(JSON.stringify(point)) }
    })
  /** The sale is built. Its route, through a token that only then becomes a trap, fails on the ledger. */
  const failsBy = (middle: string, decisions: ReadonlyArray<Answer>) =>
    Effect.gen(function*() {
      const transaction = yield* offered({ ...request, decisions: [own, ...decisions] })
      yield* turns(middle, { _tag: "Fails", functions: ["transfer"] })
      const refused = yield* refusal("submit", { signedXdr: yield* signed(transaction, source) })
      assert.strictEqual(refused.code, "transaction_failed")
      yield* turns(middle)
    })
  return { destination, direct, failsBy, id, offer, own, request, source, token, tokens, way }
})

describe("a stranger's route that promises most", () => {
  it.scopedLive("is not offered where a route without unlisted tokens pays", () =>
    Effect.gen(function*() {
      const { direct, offer, own, request, source, token, way } = yield* scene
      yield* direct
      const stranger = yield* way(400n)
      const { point, sale } = yield* offer()
      assert.deepStrictEqual([sale.quote?.path, sale.recommended], [[], true])
      assert.isBelow(Number(sale.quote?.receive), 20)
      // A caller who names the stranger's price does not get it.
      const { body: { path } } = yield* Effect.flatMap(Service, ({ call }) =>
        call<{ readonly path: { readonly path: ReadonlyArray<string> } }>("GET", `/testnet/paths?fromAsset=${token}&amount=1000`))
      assert.notInclude(path.path, stranger)
      yield* step({ ...request, decisions: [own, echo(point, "convert_to_native", { minReceive: "1" })] }, source)
      assert.strictEqual(yield* held(token, source), 0n)
    }).pipe(Effect.provide(tokensService(["amm_2"]))), 60_000)

  it.scopedLive("is never recommended, is named, and after two failures the next one is offered and built", () =>
    Effect.gen(function*() {
      const { failsBy, offer, own, request, source, token, tokens, way } = yield* scene
      const honest = yield* way(10n)
      const stranger = yield* way(400n)
      const first = yield* offer()
      assert.deepStrictEqual([first.sale.quote?.path, first.sale.recommended ?? false], [[stranger], false])
      assert.include(first.sale.note ?? "", `It goes through ${stranger}, which no token list names`)
      const lured = [echo(first.point, "convert_to_native")]
      yield* failsBy(stranger, lured)
      assert.deepStrictEqual((yield* offer()).sale.quote?.path, [stranger])
      yield* failsBy(stranger, lured)
      // Another transaction of the account succeeds in between: the failed route stays remembered.
      const stroop = Operation.payment({ destination: source.publicKey(), asset: Asset.native(), amount: "0.0000001" })
      yield* Effect.flatMap(Service, ({ on }) => on(perform("it pays itself", { as: source, operations: [stroop] })))
      yield* laterLedger
      const second = yield* offer()
      assert.deepStrictEqual([second.sale.quote?.path, second.sale.recommended ?? false], [[honest], false])
      assert.isBelow(Number(second.sale.quote?.receive), 20)
      // The stranger's price is no longer available.
      assert.strictEqual((yield* refusal("next", { ...request, decisions: [own, ...lured] })).code, "quote_drifted")
      const decisions = [own, echo(first.point, "convert_to_native", { minReceive: "1" })]
      const { transactions: [sale] } = yield* step({ ...request, decisions }, source)
      assert.include(JSON.stringify(sale?.intent.operations), honest)
      assert.notInclude(JSON.stringify(sale?.intent.operations), stranger)
      assert.strictEqual(yield* held(token, source), 0n)
      assert.include(JSON.stringify(sale?.intent.operations), strkeyOf(tokens.lumens))
    }).pipe(Effect.provide(tokensService(["amm_2"]))), 60_000)

  it.scopedLive(
    "that already fails when it is tried is not offered, and whoever agreed to its price is told why",
    () =>
      Effect.gen(function*() {
        const { offer, own, request, source, token, way } = yield* scene
        const honest = yield* way(10n)
        const stranger = yield* way(400n)
        const { point, sale } = yield* offer()
        assert.deepStrictEqual(sale.quote?.path, [stranger])
        for (const behaviour of [{ _tag: "Fails", functions: ["transfer"] }, { _tag: "TakesFee", basisPoints: 1_000 }] as const) {
          yield* turns(stranger, behaviour)
          const tried = yield* offer()
          assert.deepStrictEqual(tried.sale.quote?.path, [honest])
          const lured = echo(point, "convert_to_native")
          const told = yield* offer([lured])
          assert.deepStrictEqual([told.point.answered, told.sale.quote?.path], [false, [honest]])
          const refused = yield* refusal("next", { ...request, decisions: [own, lured] })
          assert.include(["simulation_failed", "token_unsafe"], refused.code)
        }
        yield* step({ ...request, decisions: [own, echo(point, "convert_to_native", { minReceive: "1" })] }, source)
        assert.strictEqual(yield* held(token, source), 0n)
      }).pipe(Effect.provide(tokensService(["amm_2"]))),
    60_000
  )

  it.scopedLive("is offered again, with a note, where no other pays", () =>
    Effect.gen(function*() {
      const { failsBy, offer, own, request, source, token, way } = yield* scene
      const only = yield* way(10n)
      const first = yield* offer()
      const answer = [echo(first.point, "convert_to_native")]
      yield* failsBy(only, answer)
      yield* failsBy(only, answer)
      const undecided = yield* offer()
      assert.deepStrictEqual([undecided.sale.quote?.path, undecided.sale.recommended ?? false], [[only], false])
      assert.match(undecided.sale.note ?? "", /The last 2 sales by this path failed on the ledger \(op_trapped\)/)
      const insisted = yield* offer(answer)
      assert.isFalse(insisted.point.answered)
      assert.match(insisted.sale.note ?? "", /^The last 2 sales by this path failed/)
      assert.strictEqual((yield* refusal("next", { ...request, decisions: [own, ...answer] })).code, "needs_decisions")
      yield* step({ ...request, decisions: [own, echo(undecided.point, "convert_to_native")] }, source)
      assert.strictEqual(yield* held(token, source), 0n)
    }).pipe(Effect.provide(tokensService(["amm_2"]))), 60_000)
})
