import { assert, it } from "@effect/vitest"
import { AuthRequiredFlag, Operation } from "@stellar/stellar-sdk"
import { Effect, type Schema } from "effect"
import type { AccountState } from "../../../src/domain/Account.ts"
import { POOL_V2_HASH } from "../../../src/sandbox/contracts/lend1/LendingPool.ts"
import type { Network } from "../../../src/sandbox/Network.ts"
import { LendingRewards } from "../../../src/sandbox/scenarios/LendingRewards.ts"
import { perform, type ScenarioFailed } from "../../../src/sandbox/scenarios/Scenario.ts"
import { advanced, asked, lendingService, pursued, serviceOver } from "../../sandbox/contracts/ProtocolsServed.ts"
import { answersTo, echo, positionIn } from "../support/Answering.ts"
import { type Answer, type NextBody, type Offered, offered, plan, type PlanBody, refusal, submit } from "../support/Client.ts"
import { accountOf } from "../support/LedgerView.ts"
import { Service } from "../support/Service.ts"
import { signed } from "../support/Signing.ts"
import { Backs, Lends, LendsSinceNow, OwesRewards, SpendsRewards, unpaid } from "./support/Emissions.ts"
import { failing } from "./support/Failing.ts"

const EXIT = "EXIT_POSITIONS"
const REST = "HANDLE_ASSETS+REMOVE_TRUSTLINES+MERGE"
const DECLINE = "exit_without_rewards"
const BUY = "buy_repay_asset_then_exit"

/** The largest amount that is not worth a claim, base units of the reward token. */
const SPECK = 1_000_000n

const functionsOf = ({ intent: { operations } }: Offered) =>
  operations.flatMap((one) => (one.type === "invoke_contract" ? [one.function] : []))

const read = (address: string) =>
  Effect.flatMap(
    Service,
    ({ call }) => Effect.map(call<Schema.Schema.Encoded<typeof AccountState>>("GET", `/testnet/account/${address}`), ({ body }) => body)
  )

const passing = (seconds: number) => Effect.flatMap(Service, ({ sandbox }) => sandbox.closeLedger({ advanceSeconds: seconds }))

type Pursued = Parameters<typeof advanced>[0]

interface Held extends Pursued {
  /** The newest. */
  readonly plan: PlanBody
  readonly blnd: { readonly getCode: () => string; readonly getIssuer: () => string | undefined }
}

interface Planned {
  readonly planned: PlanBody
  readonly decisions: ReadonlyArray<Answer>
}

/** Answers as the owner would: what is required with its first option, and what is wished where it is offered. */
const answered = (
  request: Held["request"],
  first: PlanBody,
  wished: ReadonlyArray<string>,
  spend: string
): Effect.Effect<Planned, never, Service> =>
  Effect.gen(function*() {
    const chosen = first.decisionPoints.flatMap((point) => {
      const option = wished.find((wish) => point.options.some(({ id }) => id === wish))
      if (point.type !== "position" || option === undefined) return []
      return [echo(point, option, option === BUY ? { spendAsset: spend } : {})]
    })
    const others = (planned: PlanBody) => answersTo(planned).filter(({ id }) => !chosen.some((one) => one.id === id))
    const second = yield* plan({ ...request, decisions: [...others(first), ...chosen] })
    return { planned: second, decisions: [...others(second), ...chosen] }
  })

/** What is asked for by the answers given before; null: they no longer hold, or it is to be waited. */
const going = (request: Held["request"], decisions: ReadonlyArray<Answer>) =>
  Effect.gen(function*() {
    const { call } = yield* Service
    const { body, status } = yield* call<NextBody>("POST", "/v1/testnet/close/transactions", {
      ...request,
      decisions,
      validForSeconds: 1_800
    })
    if (status !== 200) return null
    assert.lengthOf(body.transactions, 1)
    return body.transactions[0] ?? null
  })

/** What is called, in order, by an owner whose signers take so many seconds for every transaction. */
const closing = (held: Held, seconds: number, ...wished: ReadonlyArray<string>) =>
  Effect.gen(function*() {
    const { sandbox } = yield* Service
    const names: Array<string> = []
    let left = 0n
    let given: ReadonlyArray<Answer> | null = null
    const spend = `${held.blnd.getCode()}:${held.blnd.getIssuer()}`
    while ((yield* accountOf(held.source)) !== null) {
      let transaction: Offered | null = given === null ? null : yield* going(held.request, given)
      if (transaction === null) {
        const { decisions, planned }: Planned = yield* answered(
          held.request,
          given === null ? held.plan : yield* plan(held.request),
          wished,
          spend
        )
        given = decisions
        assert.deepStrictEqual(planned.blockers, [], `${names.join()}`)
        if (planned.estimate.waitUntil !== null && planned.steps.every(({ type }) => type !== EXIT)) {
          const { state } = yield* sandbox.snapshot
          yield* passing(Date.parse(planned.estimate.waitUntil) / 1000 - Number(state.header.closeTime))
          continue
        }
        transaction = yield* offered({ ...held.request, decisions, validForSeconds: 1_800 })
      }
      const envelope = yield* signed(transaction, held.source)
      yield* passing(seconds)
      assert.strictEqual((yield* submit(envelope)).status, "success", names.join())
      names.push(...functionsOf(transaction))
      left = unpaid((yield* sandbox.snapshot).state, held.source)
      yield* passing(5)
      assert.isBelow(names.length, 20, names.join())
    }
    return { names, left }
  })

it.scopedLive("rewards are claimed once and whole, after the position was left, into a line that was there before", () =>
  Effect.gen(function*() {
    const held = yield* asked(LendingRewards)
    assert.deepStrictEqual(held.plan.execution.transactions.map(({ covers }) => covers.join("+")), ["ADD_TRUSTLINE", EXIT, EXIT, REST])
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
    // Days later somebody else's service asks again.
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

it.scopedLive("rewards that are too little for a claim can be given up by name, and are named where they are not", () =>
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
  }).pipe(Effect.provide(lendingService)))

it.scopedLive("a claim that needs a line which cannot be had is told before the position is left", () =>
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
  }).pipe(Effect.provide(lendingService)))

it.scopedLive("a claim that would fail is told before the position is left, and can be given up", () => {
  const pools = failing(POOL_V2_HASH)
  return Effect.gen(function*() {
    const held = yield* asked(LendingRewards)
    // The line is there, so the claim can be simulated.
    yield* advanced(held)
    pools.fail("claim", 77)
    const blocked = yield* plan(held.request)
    const { id, options } = positionIn(blocked)
    assert.deepStrictEqual(blocked.blockers.map(({ reason, subject }) => `${reason} ${subject}`), [`position_locked ${id}`])
    assert.match(
      blocked.blockers[0]?.message ?? "",
      /^Its rewards could not be claimed once it is left\. The call fails.*exit_without_rewards leaves without them/
    )
    assert.deepStrictEqual(options.map((option) => option.id), ["exit", DECLINE])
    assert.strictEqual((yield* refusal("next", { ...held.request, decisions: answersTo(blocked) })).code, "simulation_failed")
    assert.deepStrictEqual((yield* pursued(held, DECLINE)).covered, [EXIT, "REMOVE_TRUSTLINES+HANDLE_ASSETS+MERGE"])
  }).pipe(Effect.provide(serviceOver(["lend_1"], { contracts: pools.contracts })))
})

/** Thousandths of what a week emits, of which a supplier of 200 in 50,200 gets 0.000659 BLND a ledger at a thousand of them. */
const suppliers = [["0.001", 1_517n], ["0.01", 15_170n], ["0.1", 151_700n], ["1", 1_517_000n], ["10", 15_170_000n]] as const

for (const [rate, thousandths] of suppliers) {
  for (
    const [seconds, what, scenario] of [[5, "has just begun to", LendsSinceNow], [1_700, "does so for days", Lends], [
      1_700,
      "has just begun to",
      LendsSinceNow
    ]] as const
  ) {
    it.scopedLive(`whoever earns ${rate} BLND a ledger, ${what} and signs in ${seconds} s, gets everything once, and the close ends`, () =>
      Effect.gen(function*() {
        const { left, names } = yield* closing(yield* asked(scenario(thousandths)), seconds)
        assert.match(names.join(), /^submit(,claim)?$/)
        assert.isTrue(left <= SPECK, `${left} left by ${names.join()}`)
      }).pipe(Effect.provide(lendingService)))
  }
}

type Earner = Effect.Effect<Omit<Held, "plan" | "request"> & { readonly destination: Held["source"] }, ScenarioFailed, Network>

const first: ReadonlyArray<
  readonly [what: string, scenario: (thousandths: bigint) => Earner, wished: ReadonlyArray<string>, expected: RegExp]
> = [
  ["owes the reward token", OwesRewards, [], /^claim,submit(,claim)?$/],
  ["spends the reward token on its debt", SpendsRewards, [BUY], /^claim,submit(,claim)?$/],
  ["backs the pool", Backs, [], /^claim,queue_withdrawal(,claim,queue_withdrawal)*(,exit_pool|,withdraw)*$/]
]

for (const [what, scenario, wished, expected] of first) {
  for (const [thousandths, seconds] of [[1_000n, 5], [1_000n, 1_700], [50_000n, 1_700]] as const) {
    it.scopedLive(`one who ${what} claims first, at ${thousandths} thousandths and ${seconds} s a signature, and the close ends`, () =>
      Effect.gen(function*() {
        const held = yield* asked(scenario(thousandths))
        const { left, names } = yield* closing(held, seconds, ...wished)
        assert.match(names.join(), expected)
        assert.isTrue(left <= SPECK, `${left} left by ${names.join()}`)
      }).pipe(Effect.provide(lendingService)))
  }
}
