import { assert, it } from "@effect/vitest"
import { AuthRequiredFlag, Operation } from "@stellar/stellar-sdk"
import { Effect, type Schema } from "effect"
import type { AccountState } from "../../../src/domain/Account.ts"
import { poolV2Hash } from "../../../src/sandbox/contracts/lend1/LendingPool.ts"
import { perform } from "../../../src/sandbox/scenarios/Scenario.ts"
import { advanced, asked, lendingService, pursued, serviceOver } from "../../sandbox/contracts/ProtocolsServed.ts"
import { LendingRewards } from "../../support/scenarios/LendingRewards.ts"
import { firstOf, isThorough } from "../../support/Thorough.ts"
import { answersTo, echo, positionIn } from "../support/Answering.ts"
import { offered, plan, refusal } from "../support/Client.ts"
import { Service } from "../support/Service.ts"
import { allNeedy, claimsFirst, claimsLast, closing, functionsOf, passing, SPECK, suppliers } from "./support/Earners.ts"
import { LendsSinceNow } from "./support/Emissions.ts"
import { failing } from "./support/Failing.ts"

const EXIT = "EXIT_POSITIONS"
const REST = "HANDLE_ASSETS+REMOVE_TRUSTLINES+MERGE"
const DECLINE = "exit_without_rewards"

const read = (address: string) =>
  Effect.flatMap(
    Service,
    ({ call }) => Effect.map(call<Schema.Schema.Encoded<typeof AccountState>>("GET", `/testnet/account/${address}`), ({ body }) => body)
  )

it.scopedLive("rewards are claimed once and whole, after the position was left, into a line that was there before", () =>
  Effect.gen(function*() {
    const held = yield* asked(LendingRewards)
    assert.deepStrictEqual(held.plan.transactions.map(({ covers }) => covers.join("+")), ["ADD_TRUSTLINE", EXIT, EXIT, REST])
    assert.include(held.plan.decisionPoints.map(({ id }) => id), `asset:BLND-${held.issuer.publicKey()}`)
    const line = yield* advanced(held)
    assert.deepStrictEqual(line._tag === "Offered" ? line.offer.covers : line, ["ADD_TRUSTLINE"])
    const { left, names } = yield* closing({ ...held, plan: yield* plan(held.request) }, 1_700)
    assert.deepStrictEqual([names, left], [["submit", "claim"], 0n])
  }).pipe(Effect.provide(lendingService)))

it.scopedLive("a close that stops between the exit and the claim goes on with the same question, row and gate", () =>
  Effect.gen(function*() {
    const held = yield* asked(LendingRewards)
    const { id } = positionIn(held.plan)
    yield* advanced(held)
    yield* advanced(held)
    // Days later another instance plans.
    yield* passing(3 * 86_400)
    const { defiPositions } = yield* read(held.request.source)
    assert.deepStrictEqual(
      defiPositions.positions.map((row) => [row.positionType, row.positionType === "supply" ? row.bTokenAmount : null]),
      [["supply", "0"]]
    )
    assert.match(defiPositions.positions[0]?.display?.detail ?? "", /^Rewards to claim in the pool as a whole: 2\d\d\.\d{7} BLND\.$/)
    const left = yield* plan(held.request)
    assert.strictEqual(positionIn(left).id, id)
    assert.deepStrictEqual(positionIn(left).options.map((option) => option.id), ["exit", DECLINE])
    const next = yield* offered({ ...held.request, decisions: answersTo(left) })
    assert.deepStrictEqual([next.covers, functionsOf(next)], [[EXIT], ["claim"]])
    const given = echo(positionIn(left), DECLINE)
    const without = { ...held.request, decisions: [...answersTo(left), given] }
    assert.include((yield* offered(without)).covers, "MERGE")
    assert.match(
      (yield* plan(without)).warnings.find(({ code }) => code === "forfeit_acknowledged")?.message ?? "",
      /are given up, as decided/
    )
    assert.deepStrictEqual((yield* pursued(held)).covered, [EXIT, REST])
  }).pipe(Effect.provide(lendingService)))

it.scopedLive.runIf(isThorough)(
  "rewards that are too little for a claim can be given up by name, and are named where they are not",
  () =>
    Effect.gen(function*() {
      // A thousandth of a BLND an hour.
      const held = yield* asked(LendsSinceNow(1n))
      assert.include(positionIn(held.plan).options.map(({ id }) => id), DECLINE)
      assert.match(held.plan.warnings.find(({ code }) => code === "rewards_too_small")?.message ?? "", /^Rewards of 0\.000\d{4} BLND/)
      const declined = yield* plan({ ...held.request, decisions: [...answersTo(held.plan), echo(positionIn(held.plan), DECLINE)] })
      assert.match(declined.warnings.find(({ code }) => code === "forfeit_acknowledged")?.message ?? "", /are given up, as decided/)
      const { left, names } = yield* closing(held, 5)
      assert.deepStrictEqual(names, ["submit"])
      assert.isTrue(left > 0n && left <= SPECK, `${left}`)
    }).pipe(Effect.provide(lendingService))
)

it.scopedLive.runIf(isThorough)(
  "a claim that needs a line which cannot be had is told before the position is left",
  () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const held = yield* asked(LendingRewards)
      yield* on(
        perform("the issuer asks to be asked", { as: held.issuer, operations: [Operation.setOptions({ setFlags: AuthRequiredFlag })] })
      )
      const blocked = yield* plan(held.request)
      assert.deepStrictEqual(blocked.blockers.map(({ reason, subject }) => `${reason} ${subject}`), [
        `payout_trustline_missing BLND:${held.issuer.publicKey()}`
      ])
      assert.strictEqual((yield* refusal("next", { ...held.request, decisions: answersTo(blocked) })).code, "payout_trustline_missing")
      assert.deepStrictEqual((yield* pursued(held, DECLINE)).covered, [EXIT, REST])
    }).pipe(Effect.provide(lendingService))
)

it.scopedLive("a claim that would fail is told before the position is left, and can be given up", () => {
  const pools = failing(poolV2Hash)
  return Effect.gen(function*() {
    const held = yield* asked(LendingRewards)
    // The trustline exists, so the claim can be simulated.
    yield* advanced(held)
    pools.fail("claim", 77)
    const blocked = yield* plan(held.request)
    const { id, options } = positionIn(blocked)
    assert.deepStrictEqual(blocked.blockers.map(({ reason, subject }) => `${reason} ${subject}`), [`position_locked ${id}`])
    assert.match(
      blocked.blockers[0]?.message ?? "",
      /^Its rewards could not be claimed after the exit\. The call fails.*exit_without_rewards exits without them/
    )
    assert.deepStrictEqual(options.map((option) => option.id), ["exit", DECLINE])
    assert.strictEqual((yield* refusal("next", { ...held.request, decisions: answersTo(blocked) })).code, "simulation_failed")
    assert.deepStrictEqual((yield* pursued(held, DECLINE)).covered, [EXIT, "REMOVE_TRUSTLINES+HANDLE_ASSETS+MERGE"])
  }).pipe(Effect.provide(serviceOver(["lend_1"], { contracts: pools.contracts })))
})

/**
 * The suppliers at the border and the fastest earner. A fast signer earns too little for a claim up to 0.01 BLND a ledger, and enough from
 * 0.1 on. A slow signer always earns enough. `npm run test:deep` runs all of them.
 */
const telling = suppliers.filter(({ rate, scenario, seconds }) =>
  (rate === "10" && scenario === LendsSinceNow) || (seconds === 5 && (rate === "0.01" || rate === "0.1"))
)

for (const one of firstOf(1, telling)) {
  const { rate, seconds, what } = one
  it.scopedLive(`whoever earns ${rate} BLND a ledger, ${what} and signs in ${seconds} s, gets everything once, and the close ends`, () =>
    claimsLast(one))
}

/** Slow signers take more rounds of the same; `npm run test:deep` runs those too. */
for (const one of firstOf(1, allNeedy.filter(({ seconds }) => seconds === 5))) {
  const { seconds, thousandths, what } = one
  it.scopedLive(`one who ${what} claims first, at ${thousandths} thousandths and ${seconds} s a signature, and the close ends`, () =>
    claimsFirst(one))
}
