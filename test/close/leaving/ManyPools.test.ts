import { assert, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { asked, laterLedger, lendingService, pursued } from "../../sandbox/contracts/ProtocolsServed.ts"
import { jumping } from "../../support/JumpingClock.ts"
import { isThorough } from "../../support/Thorough.ts"
import { answersTo } from "../support/Answering.ts"
import { offered, submit } from "../support/Client.ts"
import { accountOf, heldOf } from "../support/LedgerView.ts"
import { signed } from "../support/Signing.ts"
import { LendingToMany } from "./support/ManyPools.ts"

const EXIT = "EXIT_POSITIONS"
const STROOPS = 10_000_000n
/** More than one transaction could have operations. */
const POOLS = 300

/** On a clock that stands still during work. These tests check no deadlines, so a busy machine changes nothing. */
const unhurried = Layer.provideMerge(lendingService, jumping)

it.scopedLive.runIf(isThorough)("an account in five pools leaves one after the other, and closes", () =>
  Effect.gen(function*() {
    const held = yield* asked(LendingToMany(5))
    assert.strictEqual(held.plan.estimate.transactionCount, 6)
    assert.deepStrictEqual((yield* pursued(held)).covered, [
      ...Array.from({ length: 5 }, () => EXIT),
      "HANDLE_ASSETS+REMOVE_TRUSTLINES+MERGE"
    ])
    assert.isNull(yield* accountOf(held.source))
  }).pipe(Effect.provide(unhurried)), 120_000)

it.scopedLive.runIf(isThorough)(`an account in ${POOLS} pools is planned to its end, and leaves the first`, () =>
  Effect.gen(function*() {
    const held = yield* asked(LendingToMany(POOLS))
    assert.strictEqual(held.plan.estimate.transactionCount, POOLS + 1)
    assert.strictEqual(held.plan.decisionPoints.filter(({ type }) => type === "position").length, POOLS)
    const before = (yield* heldOf(held.source, held.usdc)) ?? 0n
    const transaction = yield* offered({ ...held.request, decisions: answersTo(held.plan, "return_to_issuer") })
    yield* submit(yield* signed(transaction, held.source))
    yield* laterLedger
    // The lent amount and a few units of interest.
    const paid = ((yield* heldOf(held.source, held.usdc)) ?? 0n) - before
    assert.isTrue(paid >= 200n * STROOPS && paid < 200n * STROOPS + 100n, `${paid}`)
  }).pipe(Effect.provide(unhurried)), 120_000)
