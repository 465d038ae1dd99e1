import { assert, it } from "@effect/vitest"
import { AuthRevocableFlag, Keypair, Operation } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { addressOf, strkeyOf } from "../../../src/ledger/soroban/Values.ts"
import { AuthorizationGranted } from "../../../src/sandbox/events/AuthorizationGranted.ts"
import { AuthorizationRevoked } from "../../../src/sandbox/events/AuthorizationRevoked.ts"
import { PairsMarket, transferToken } from "../../../src/sandbox/scenarios/PairsMarket.ts"
import { fund, perform } from "../../../src/sandbox/scenarios/Scenario.ts"
import { laterLedger, serviceOver } from "../../sandbox/contracts/ProtocolsServed.ts"
import { answersTo, echo, pointOf, withAnswer } from "../support/Answering.ts"
import { offered, plan, refusal, submit } from "../support/Client.ts"
import { accountOf, heldOf, lumensOf } from "../support/LedgerView.ts"
import { Service } from "../support/Service.ts"
import { signed } from "../support/Signing.ts"

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
