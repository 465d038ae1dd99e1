import { assert, describe, it } from "@effect/vitest"
import { Asset, AuthRevocableFlag, type Keypair, Operation } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { poolV2Hash } from "../../../src/sandbox/contracts/lend1/LendingPool.ts"
import { perform } from "../../../src/sandbox/scenarios/Scenario.ts"
import { advanced, asked, laterLedger, lendingService, pursued, serviceOver } from "../../sandbox/contracts/ProtocolsServed.ts"
import { LendingRewards } from "../../support/scenarios/LendingRewards.ts"
import { isThorough } from "../../support/Thorough.ts"
import { answersTo, echo, positionIn } from "../support/Answering.ts"
import { offered, plan, type PlanBody, refusal } from "../support/Client.ts"
import { accountOf, offersOf } from "../support/LedgerView.ts"
import { rentAt } from "../support/Rent.ts"
import { Service } from "../support/Service.ts"
import { signed } from "../support/Signing.ts"
import { callsIn } from "./support/CalledIn.ts"
import { closing } from "./support/Earners.ts"
import { LendsSinceNow } from "./support/Emissions.ts"
import { failing } from "./support/Failing.ts"

/** An account that has earned less than a thousandth of a BLND so far. */
const Little = asked(LendsSinceNow(1n))

interface Market {
  readonly lender: Keypair
  readonly blnd: Asset
}

/** Removes every offer from the markets. */
const marketsClosed = ({ blnd, lender }: Market) =>
  Effect.gen(function*() {
    const { on } = yield* Service
    const ids = yield* offersOf(lender)
    yield* on(perform("the lender leaves all markets", {
      as: lender,
      operations: ids.map((id) =>
        Operation.manageSellOffer({ selling: blnd, buying: Asset.native(), amount: "0", price: "1", offerId: id.toString() })
      )
    }))
  })

/** Leaves only the lender as a buyer of BLND, at this many lumens for one. */
const bids = (market: Market, price: string) =>
  Effect.gen(function*() {
    const { on } = yield* Service
    yield* marketsClosed(market)
    const { blnd, lender } = market
    yield* on(perform("the lender bids for BLND", {
      as: lender,
      operations: [
        Operation.manageBuyOffer({ selling: Asset.native(), buying: blnd, buyAmount: (100_000 / Number(price)).toFixed(7), price })
      ]
    }))
    yield* laterLedger
  })

const exitNote = (planned: PlanBody): string => positionIn(planned).options.find(({ id }) => id === "exit")?.note ?? ""

const warned = ({ warnings }: PlanBody, code: string): ReadonlyArray<string> =>
  warnings.filter((one) => one.code === code).map(({ message }) => message)

describe("rewards", () => {
  it.scopedLive("of little of a dear token are claimed: they are judged by what they are worth", () =>
    Effect.gen(function*() {
      const held = yield* Little
      yield* bids(held, "10000000")
      const worthy = yield* plan(held.request)
      assert.deepStrictEqual([callsIn(worthy), warned(worthy, "rewards_too_small")], [["submit", "claim"], []])
      assert.include(exitNote(worthy), "The account gets back everything held there")
      const { left, names } = yield* closing({ ...held, plan: worthy }, 5)
      assert.deepStrictEqual([names, left], [["submit", "claim"], 0n])
    }).pipe(Effect.provide(lendingService)))

  it.scopedLive("of little worth are left behind and named in the exit's own note, and no price changes the plan's hash", () =>
    Effect.gen(function*() {
      const held = yield* Little
      assert.deepStrictEqual(callsIn(held.plan), ["submit"])
      assert.match(
        exitNote(held.plan),
        /^Given up: rewards of 0\.000\d{4} BLND:\w+ \(the claim costs more than it brings\)\. The account gets back everything else /
      )
      assert.match(
        warned(held.plan, "rewards_too_small").join(),
        /^Rewards of 0\.000\d{4} BLND:\w+ in lend_1, \w+, are given up: the claim costs/
      )
      assert.isFalse(held.plan.decisionPoints.some(({ id }) => id.startsWith("asset:BLND")), "nothing is asked about what does not come")
      yield* advanced(held)
      const cheap = yield* plan(held.request)
      assert.deepStrictEqual(callsIn(cheap), [])
      yield* bids(held, "10000000")
      const dear = yield* plan(held.request)
      assert.deepStrictEqual([callsIn(dear), dear.planHash], [["claim"], cheap.planHash])
      const { left, names } = yield* closing({ ...held, plan: dear }, 5)
      assert.deepStrictEqual([names, left], [["claim"], 0n])
    }).pipe(Effect.provide(lendingService)))

  it.scopedLive.runIf(isThorough)(
    "that stop being worth a claim while they are decided on leave the answers and the hash as they are",
    () =>
      Effect.gen(function*() {
        const held = yield* Little
        yield* bids(held, "10000000")
        const decisions = answersTo(yield* plan(held.request))
        const dear = yield* plan({ ...held.request, decisions })
        assert.include(dear.decisionPoints.map(({ id }) => id), `asset:BLND-${held.issuer.publicKey()}`)
        yield* bids(held, "1")
        // A plan uses market facts that a build learned.
        assert.deepStrictEqual((yield* offered({ ...held.request, decisions })).covers, ["EXIT_POSITIONS"])
        const cheap = yield* plan({ ...held.request, decisions })
        assert.deepStrictEqual([callsIn(dear), callsIn(cheap)], [["submit", "claim"], ["submit"]])
        assert.deepStrictEqual([cheap.planHash, cheap.unusedDecisions], [dear.planHash, []])
      }).pipe(Effect.provide(lendingService))
  )

  it.scopedLive.runIf(isThorough)("that nobody buys are claimed once", () =>
    Effect.gen(function*() {
      const held = yield* Little
      yield* marketsClosed(held)
      const { left, names } = yield* closing({ ...held, plan: yield* plan(held.request) }, 5)
      assert.deepStrictEqual([names, left], [["submit", "claim"], 0n])
    }).pipe(Effect.provide(lendingService)))

  it.scopedLive("that nobody buys stay behind where their trustline would have to be added for an issuer who may revoke it", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const held = yield* Little
      yield* marketsClosed(held)
      yield* on(perform("the issuer may freeze BLND", {
        as: held.issuer,
        operations: [Operation.setOptions({ setFlags: AuthRevocableFlag })]
      }))
      yield* laterLedger
      const given = yield* plan(held.request)
      assert.deepStrictEqual(callsIn(given), ["submit"])
      assert.match(exitNote(given), /^Given up: rewards of 0\.000\d{4} BLND:\w+ \(no known buyer\)/)
      // A holder of some BLND risks nothing by more of it.
      yield* on(perform("the account trusts BLND", { as: held.source, operations: [Operation.changeTrust({ asset: held.blnd })] }))
      yield* laterLedger
      assert.deepStrictEqual(callsIn(yield* plan(held.request)), ["submit", "claim"])
    }).pipe(Effect.provide(lendingService)))

  it.scopedLive("whose claim costs more than they bring, which is a lumen or more, are asked about", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const scene = yield* on(LendingRewards)
      const held = { ...scene, request: { source: scene.source.publicKey(), destination: scene.destination.publicKey() } }
      yield* bids(held, "0.006")
      // With its trustline the claim can be simulated, and is simulated before the exit.
      yield* advanced(held)
      yield* on(rentAt(2_500n, 2_000_000n))
      yield* laterLedger
      const told = yield* plan(held.request)
      const point = positionIn(told)
      assert.deepInclude(point, { required: true, answered: false, default: null }, exitNote(told))
      assert.match(exitNote(told), /^Claiming rewards worth 1\.\d{7} lumens costs [234]\.\d{7}\. exit_without_rewards gives them up\. /)
      const others = answersTo(told).filter(({ id }) => id !== point.id)
      const missing = yield* refusal("next", { ...held.request, decisions: others })
      assert.deepStrictEqual([missing.code, missing.details["missing"]], ["needs_decisions", [point.id]])
      const claiming = yield* plan({ ...held.request, decisions: [...others, echo(point, "exit")] })
      assert.deepStrictEqual([callsIn(claiming), positionIn(claiming).answered], [["submit", "claim"], true])
      const giving = yield* plan({ ...held.request, decisions: [...others, echo(point, "exit_without_rewards")] })
      assert.deepStrictEqual([callsIn(giving), giving.status], [["submit"], "ready"])
    }).pipe(Effect.provide(lendingService)))

  it.scopedLive.runIf(isThorough)("whose claim the ledger refused twice can be given up by name", () => {
    const pools = failing(poolV2Hash)
    return Effect.gen(function*() {
      const held = yield* Little
      yield* marketsClosed(held)
      for (const _ of ["line", "position"]) yield* advanced(held)
      const decisions = answersTo(yield* plan(held.request))
      for (const _ of ["once", "twice"]) {
        const claim = yield* offered({ ...held.request, decisions })
        pools.fail("claim", 1, 1)
        assert.strictEqual((yield* refusal("submit", { signedXdr: yield* signed(claim, held.source) })).code, "transaction_failed")
        yield* laterLedger
      }
      const stuck = positionIn(yield* plan({ ...held.request, decisions }))
      assert.deepInclude(stuck, { required: true, answered: false, default: null })
      assert.include(stuck.options.map(({ id }) => id), "exit_without_rewards")
      yield* pursued(held, "exit_without_rewards")
      assert.isNull(yield* accountOf(held.source))
    }).pipe(Effect.provide(serviceOver(["lend_1"], { contracts: pools.contracts })))
  })
})
