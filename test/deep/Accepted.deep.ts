import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { Service } from "../close/support/Service.ts"
import { layer } from "../support/Layered.ts"
import { acceptedMarkets } from "./support/accept/AcceptedMarkets.ts"
import { acceptedStories } from "./support/accept/AcceptedStories.ts"

/** `ACCEPTED_SEEDS`: one seed, or the first and the last of some ("400-450"). `ACCEPTED_MARKETS`: how many markets. */
const [first = 1, last = first] = (process.env["ACCEPTED_SEEDS"] ?? "1-100").split("-").map(Number)

describe("closes by an acceptance, with a claimable balance, a token and shares from strangers in every ledger", () => {
  acceptedStories(Array.from({ length: last - first + 1 }, (_, at) => first + at))
})

layer(Service.layer(), { excludeTestServices: true })("of random holdings in a random market, closed by an acceptance", (it) => {
  it.effect(
    "hundreds ask nothing that has a recommended option, and bring what was accepted or are refused below it",
    () =>
      Effect.gen(function*() {
        const outcomes: ReadonlyMap<string, number> = yield* acceptedMarkets(Number(process.env["ACCEPTED_MARKETS"] ?? 400))
        for (const end of ["closed", "below the accepted amount"]) assert.isAbove(outcomes.get(end) ?? 0, 0, end)
      }),
    1_500_000
  )
})
