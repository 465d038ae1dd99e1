import { assert, it } from "@effect/vitest"
import { AuthRevocableFlag, Keypair, Operation } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { addressOf, strkeyOf } from "../../../src/ledger/soroban/Values.ts"
import { AuthorizationGranted } from "../../../src/sandbox/events/AuthorizationGranted.ts"
import { AuthorizationRevoked } from "../../../src/sandbox/events/AuthorizationRevoked.ts"
import { addLiquidity, pairOf, PairsMarket, transferToken } from "../../../src/sandbox/scenarios/PairsMarket.ts"
import { fund, perform } from "../../../src/sandbox/scenarios/Scenario.ts"
import { deployToken, mintToken, turnToken } from "../../../src/sandbox/scenarios/Tokens.ts"
import { laterLedger, serviceOver } from "../../sandbox/contracts/ProtocolsServed.ts"
import { isThorough } from "../../support/Thorough.ts"
import { answersTo, echo, pointOf, withAnswer } from "../support/Answering.ts"
import { offered, plan, refusal, submit } from "../support/Client.ts"
import { accountOf, heldOf, lumensOf } from "../support/LedgerView.ts"
import { Service } from "../support/Service.ts"
import { signed } from "../support/Signing.ts"
import { tokensService } from "./tokens/support/DeclaredTokens.ts"

const STROOPS = 10_000_000n

/** Two accounts without a trustline to USDC, whose issuer may freeze it. A stranger gives each shares of its pair with lumens. */
const Gifted = Effect.gen(function*() {
  const market = yield* PairsMarket
  const { issuer, pairs, provider } = market
  yield* perform("the issuer may revoke", { as: issuer, operations: [Operation.setOptions({ setFlags: AuthRevocableFlag })] })
  const [taker, leaver, destination] = [Keypair.random(), Keypair.random(), Keypair.random()]
  yield* fund("100", taker, leaver, destination)
  for (const one of [taker, leaver]) {
    const shares = { token: pairs.lumensUsdc, amount: 100n * STROOPS }
    yield* transferToken("a stranger gives shares", provider, shares, addressOf(one.publicKey()))
  }
  return { ...market, taker, leaver, destination }
})

it.scopedLive(
  "shares that a stranger gave, which pay what can be frozen, are not left unasked; frozen after the exit, the plan says so and all of it is still there",
  () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const { destination, leaver, pairs, taker, usdc } = yield* on(Gifted)
      yield* laterLedger
      const requestOf = (source: Keypair) => ({ source: source.publicKey(), destination: destination.publicKey() })
      const id = `position:amm_2:${strkeyOf(pairs.lumensUsdc)}:shares`
      const [request, other] = [requestOf(taker), requestOf(leaver)]

      const asked = yield* plan(request)
      assert.deepStrictEqual([asked.status, asked.blockers], ["needs_decisions", []])
      const point = pointOf(asked, id)
      assert.deepInclude(point, { required: true, answered: false, default: null })
      assert.match(point.options[0]?.note ?? "", /^It pays USDC:\w+, whose issuer may freeze or claw back the payout and so block/)
      assert.notInclude(asked.steps.map(({ type }) => type), "EXIT_POSITIONS")
      const without = answersTo(asked).filter((answer) => answer.id !== id)
      assert.deepInclude(yield* refusal("next", { ...request, decisions: without }), {
        code: "needs_decisions",
        details: { missing: [id] }
      })

      // Left behind by name, it costs nothing and delays nothing.
      const given = answersTo(yield* plan(other), "acknowledge_forfeit")
      const merge = yield* offered({ ...other, decisions: given })
      assert.include(merge.covers, "MERGE")
      assert.strictEqual((yield* submit(yield* signed(merge, leaver))).status, "success")

      const wanted = withAnswer(without, echo(point, "exit"))
      const later = answersTo(yield* plan({ ...request, decisions: wanted }), "convert_to_native")
      const decisions = [...wanted, ...later.filter((answer) => !wanted.some((one) => one.id === answer.id))]
      for (const type of ["change_trust", "invoke_contract"] as const) {
        const offer = yield* offered({ ...request, decisions })
        assert.deepStrictEqual(offer.intent.operations.map((operation) => operation.type), [type])
        assert.strictEqual((yield* submit(yield* signed(offer, taker))).status, "success")
        yield* laterLedger
      }
      const paid = (yield* heldOf(taker, usdc)) ?? 0n
      assert.isAbove(Number(paid), 30 * 10_000_000)

      const subject = { holder: request.source, asset: `USDC:${usdc.getIssuer()}` } as const
      yield* on(new AuthorizationRevoked(subject).happen())
      yield* laterLedger
      const frozen = yield* plan({ ...request, decisions })
      assert.strictEqual(frozen.status, "blocked")
      assert.deepStrictEqual(frozen.blockers.map(({ reason, subject: about }) => [reason, about]), [
        ["trustline_deauthorized", subject.asset]
      ])
      assert.strictEqual((yield* refusal("next", { ...request, decisions })).status, 422)
      assert.strictEqual(yield* heldOf(taker, usdc), paid)

      yield* on(new AuthorizationGranted(subject).happen())
      yield* laterLedger
      const before = yield* lumensOf(destination)
      const last = yield* offered({ ...request, decisions })
      assert.deepStrictEqual(last.covers, ["HANDLE_ASSETS", "REMOVE_TRUSTLINES", "MERGE"])
      assert.strictEqual((yield* submit(yield* signed(last, taker))).status, "success")
      assert.isNull(yield* accountOf(taker))
      // A hundred lumens, and about 316 with as much again in USDC.
      assert.approximately(Number(((yield* lumensOf(destination)) - before) / STROOPS), 730, 15)
    }).pipe(Effect.provide(serviceOver(["amm_2"]))),
  120_000
)

/** A pair that someone makes of lumens and a token whose balances only its getter reports. */
const BookPair = (maker: Keypair, { tokens }: Effect.Effect.Success<typeof Gifted>) =>
  Effect.gen(function*() {
    const { on } = yield* Service
    const token = yield* on(deployToken({ family: "book" }))
    yield* on(mintToken(token, maker.publicKey(), 1_000n * STROOPS))
    const own = addressOf(token)
    const side = { amount: 20n * STROOPS }
    yield* on(addLiquidity("someone makes a pair", maker, { token: own, ...side }, { token: tokens.lumens, ...side }))
    return { token, pair: yield* on(pairOf(own, tokens.lumens)) }
  })

/** The same by a stranger. The getter fails now, or never answers. */
const SilentPair = (market: Effect.Effect.Success<typeof Gifted>, how: "Fails" | "NeverEnds" = "Fails") =>
  Effect.gen(function*() {
    const { on } = yield* Service
    const { pair, token } = yield* BookPair(market.provider, market)
    yield* on(turnToken(token, [{ _tag: how, functions: ["balance"] }]))
    return pair
  })

it.scopedLive(
  "shares of pairs whose tokens report no balance are gifts: given up by name, or left as what came later",
  () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const market = yield* on(Gifted)
      const { destination, pairs, provider, taker } = market
      const request = { source: taker.publicKey(), destination: destination.publicKey() }
      const [first, second] = [yield* SilentPair(market), yield* SilentPair(market)]
      const given = (pair: typeof first) =>
        Effect.zipRight(
          on(transferToken("a stranger gives a share", provider, { token: pair, amount: 1n }, addressOf(taker.publicKey()))),
          laterLedger
        )
      yield* given(first)

      const asked = yield* plan(request)
      assert.deepStrictEqual([asked.status, asked.blockers], ["needs_decisions", []])
      const point = pointOf(asked, `position:amm_2:${strkeyOf(first)}:shares`)
      assert.deepInclude(point, { required: true, answered: false, default: null })
      assert.deepStrictEqual(point.options.map(({ id }) => id), ["exit", "acknowledge_forfeit"])
      assert.notInclude(asked.warnings.map(({ code }) => code), "position_too_small")
      const named = withAnswer(
        answersTo(asked),
        echo(pointOf(asked, `position:amm_2:${strkeyOf(pairs.lumensUsdc)}:shares`), "acknowledge_forfeit")
      )
      const decisions = [...withAnswer(named, echo(point, "acknowledge_forfeit")), echo(pointOf(asked, "later"), "leave_what_came_later")]
      assert.include((yield* offered({ ...request, decisions })).covers, "MERGE")

      yield* given(second)
      const ready = yield* plan({ ...request, decisions })
      assert.deepStrictEqual([ready.status, ready.blockers], ["ready", []])
      // The token of the pair came later too: that the account holds none of it is not known.
      assert.deepStrictEqual(
        ready.warnings.filter(({ code }) => code === "came_later").map(({ subject }) => subject),
        [`position:amm_2:${strkeyOf(second)}:shares`, "tokens"]
      )
      const merge = yield* offered({ ...request, decisions })
      assert.include(merge.covers, "MERGE")
      assert.strictEqual((yield* submit(yield* signed(merge, taker))).status, "success")
    }).pipe(Effect.provide(tokensService(["amm_2"]))),
  120_000
)

it.scopedLive.runIf(isThorough)(
  "shares of many pairs whose tokens never report a balance delay no plan beyond its deadline, nor hide how the account's own pair is left",
  () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const market = yield* on(Gifted)
      const { destination, provider, taker } = market
      const given = yield* Effect.replicateEffect(SilentPair(market, "NeverEnds"), 40)
      const { pair: own } = yield* BookPair(taker, market)
      for (const token of given) {
        yield* on(transferToken("a stranger gives a share", provider, { token, amount: 1n }, addressOf(taker.publicKey())))
      }
      yield* laterLedger
      const id = `position:amm_2:${strkeyOf(own)}:shares`
      const request = { source: taker.publicKey(), destination: destination.publicKey() }
      const asked = yield* plan({ ...request, decisions: [{ id, choice: "exit" }] })
      // Its own pair comes last in the factory's list, and its exit is read first: the call is built, and simulated.
      const [why] = asked.blockers.filter(({ subject }) => subject === id)
      assert.match(why?.message ?? "", /it would pay 0 C/)
      const together = pointOf(asked, "positions:amm_2").options.find(({ id }) => id === "acknowledge_forfeit")
      assert.sameMembers(
        [...(together?.params?.ids ?? [])],
        [market.pairs.lumensUsdc, ...given].map((pair) => `position:amm_2:${strkeyOf(pair)}:shares`)
      )
      // With lend_1, which is not deployed, the account's own history is read.
    }).pipe(Effect.provide(tokensService(["amm_2", "lend_1"]))),
  180_000
)
