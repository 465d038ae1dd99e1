import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { asked, laterLedger, lendingService, pursued } from "../../sandbox/contracts/ProtocolsServed.ts"
import { emissionsFor } from "../../support/scenarios/LendingEmissions.ts"
import { LendingSupply } from "../../support/scenarios/LendingSupply.ts"
import { answersTo } from "../support/Answering.ts"
import { offered, refusal } from "../support/Client.ts"
import { accountOf, lumensOf } from "../support/LedgerView.ts"
import { Service } from "../support/Service.ts"
import { signed } from "../support/Signing.ts"

/** The host's error for the only transaction of the newest ledger. */
const hostError = Effect.gen(function*() {
  const { sandbox } = yield* Service
  const { history } = yield* sandbox.snapshot
  const meta = history.latest.transactions[0]?.meta
  const error = meta?.type === "v4" ? meta.v4.diagnosticEvents.at(-1)?.event.body.v0.topics[1] : undefined
  if (error?.type !== "scvError" || error.error.type === "sceContract") return null
  return `${error.error.type} ${error.error.code.name}`
})

it.scopedLive("a call that the ledger refuses, because others changed the pool meanwhile, costs its fee and is built again", () =>
  Effect.gen(function*() {
    const { on } = yield* Service
    const held = yield* asked(LendingSupply)
    const offer = yield* offered({ ...held.request, decisions: answersTo(held.plan) })
    assert.deepStrictEqual(offer.covers, ["EXIT_POSITIONS"])
    // From now on a withdrawal also pays rewards: the call reads and writes entries that its simulation never touched.
    yield* on(emissionsFor(0, held.assets))
    const before = { sequence: (yield* accountOf(held.source))?.seqNum ?? 0n, lumens: yield* lumensOf(held.source) }
    const refused = yield* refusal("submit", { signedXdr: yield* signed(offer, held.source) })
    assert.deepStrictEqual([refused.status, refused.code, refused.details["operationResultCodes"]], [422, "transaction_failed", [
      "op_trapped"
    ]])
    assert.strictEqual(yield* hostError, "sceStorage scecExceededLimit")
    assert.strictEqual((yield* accountOf(held.source))?.seqNum, before.sequence + 1n)
    assert.isBelow(Number(yield* lumensOf(held.source)), Number(before.lumens))
    yield* laterLedger
    const { covered, unlocksAt } = yield* pursued(held)
    assert.isNull(unlocksAt)
    assert.include(covered, "EXIT_POSITIONS")
    assert.isNull(yield* accountOf(held.source))
  }).pipe(Effect.provide(lendingService)))
