import { assert, it } from "@effect/vitest"
import { Cause, Effect, Exit } from "effect"
import { plan } from "../../../close/support/Client.ts"
import { lumensOf } from "../../../close/support/LedgerView.ts"
import { Service } from "../../../close/support/Service.ts"
import { recomputedSoFar, recomputesReceipts } from "../../../support/ReceiptOracle.ts"
import { campaignService } from "./CampaignService.ts"
import { faultsOf } from "./Judgement.ts"
import { played } from "./PlayedClose.ts"
import { setStage, teacher } from "./Stage.ts"
import { type Story, storyOf } from "./Story.ts"

/** Plays a story on a network of its own; returns the faults of the close and its course. */
export const judged = (story: Story) =>
  Effect.gen(function*() {
    const { on, passphrase, sandbox } = yield* Service
    const stage = yield* on(setStage(story))
    if (story.taught) {
      const other = yield* on(teacher())
      yield* sandbox.closeLedger({ advanceSeconds: 5 })
      yield* plan({ source: other.source.publicKey(), destination: other.destination.publicKey() })
    }
    yield* sandbox.closeLedger({ advanceSeconds: 5 })
    const before = yield* lumensOf(stage.destination)
    const held = [...stage.things]
    const outcome = yield* played(story, stage)
    const received = (yield* lumensOf(stage.destination)) - before
    const { state } = yield* sandbox.snapshot
    return { faults: faultsOf(outcome, stage, { held, passphrase, received, state }), outcome }
  }).pipe(
    Effect.provide(campaignService("amm_2", ...(story.own.rewarded === null ? [] : ["amm_1" as const]))),
    Effect.scoped
  )

/**
 * One test for each seed: a careful caller closes the account of its story, and residue and proceeds are as agreed. A failure names the
 * seed; `CAMPAIGN_SEEDS=<seed> npm run test:deep -- Campaign` replays it.
 */
export const campaignOf = (seeds: ReadonlyArray<number>): void => {
  for (const seed of seeds) {
    it(`seed ${seed}`, async () => {
      const story = storyOf(seed)
      const exit = await Effect.runPromiseExit(judged(story))
      if (Exit.isFailure(exit)) assert.fail(`seed ${seed}, ${JSON.stringify(story)}: ${Cause.pretty(exit.cause)}`)
      const { faults, outcome } = exit.value
      if (faults.length > 0) assert.fail(`seed ${seed}: ${faults.join("; ")}. ${JSON.stringify(story)}: ${outcome.course.join("; ")}`)
    }, 120_000)
  }
  it.runIf(recomputesReceipts)("the receipts of all their transactions are what the ledger's answers say", () => {
    console.log(`${recomputedSoFar.count} transactions were recomputed`)
    assert.isAtLeast(recomputedSoFar.count, seeds.length)
  })
}
