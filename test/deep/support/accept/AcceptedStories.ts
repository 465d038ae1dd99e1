import { assert, it } from "@effect/vitest"
import { Asset, Operation } from "@stellar/stellar-sdk"
import { Cause, Effect, Exit } from "effect"
import { perform } from "../../../../src/sandbox/scenarios/Scenario.ts"
import { plan } from "../../../close/support/Client.ts"
import { Service } from "../../../close/support/Service.ts"
import { campaignService } from "../campaign/CampaignService.ts"
import { answerTo } from "../campaign/CarefulCaller.ts"
import { setStage, type Stage } from "../campaign/Stage.ts"
import { storyOf } from "../campaign/Story.ts"
import { give } from "../campaign/Strangers.ts"
import { acceptedRequest, closeByAcceptance, type Owner } from "./Accepted.ts"

/** The gifts of a stranger in every ledger. */
const everyKind = ["a claimable balance", "a new token", "shares of a new pair"] as const

/** Every third story empties the books after the first build, so that its sales there have no buyer. */
const fallsIn = (seed: number): boolean => seed % 3 === 0

/** The issuer of USDC sells into every bid for it. */
const emptyBooks = ({ market: { issuer, usdc } }: Stage) =>
  perform("the books are emptied", {
    as: issuer,
    operations: [Operation.manageSellOffer({ selling: usdc, buying: Asset.native(), amount: "100000", price: "0.0001" })]
  })

/**
 * Plays the account of a story on a network of its own. The owner accepts the plan's recommendations. From then on strangers give a
 * claimable balance, a token and shares in every ledger.
 */
const accepted = (seed: number) => {
  const story = storyOf(seed)
  return Effect.gen(function*() {
    const { on, sandbox } = yield* Service
    const stage = yield* on(setStage(story))
    const passed = sandbox.closeLedger({ advanceSeconds: 5 })
    yield* passed
    const owner: Owner = { ...stage, answer: (point) => answerTo({ ...stage, later: false }, point) }
    const { request } = (yield* acceptedRequest(owner)) ?? assert.fail("the account is blocked")
    const given = Effect.forEach(everyKind, (gift) => Effect.zipRight(on(give(stage, gift)), passed), { discard: true })
    assert.strictEqual((yield* plan(request)).status, "ready")
    const told = `seed ${seed}`
    const { end } = yield* closeByAcceptance(owner, request, {
      falls: fallsIn(seed),
      before: (turn) => Effect.orDie(fallsIn(seed) && turn === 1 ? Effect.zipRight(given, on(emptyBooks(stage))) : given),
      after: () => Effect.orDie(Effect.zipRight(on(give(stage, "a claimable balance")), passed))
    }, told)
    return end
  }).pipe(
    Effect.provide(campaignService("amm_2", ...(story.own.rewarded === null ? [] : ["amm_1" as const]))),
    Effect.scoped
  )
}

/** One test for each seed: the only questions are those without a recommended option, and at least the accepted amount arrives. */
export const acceptedStories = (seeds: ReadonlyArray<number>): void => {
  for (const seed of seeds) {
    it(`seed ${seed}`, async () => {
      const exit = await Effect.runPromiseExit(accepted(seed))
      if (Exit.isFailure(exit)) assert.fail(`seed ${seed}, ${JSON.stringify(storyOf(seed))}: ${Cause.pretty(exit.cause)}`)
    }, 180_000)
  }
}
