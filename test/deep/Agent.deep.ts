import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { served } from "../client/support/Closes.ts"
import { agent, closedByAgent, type Json } from "../close/support/Agent.ts"
import { accountOf, lumensOf } from "../close/support/LedgerView.ts"
import { Service } from "../close/support/Service.ts"

/** Effects of options in the owner's order of preference. */
const preferred = ["consents", "exits", "buys_and_exits", "sells", "claims", "leaves_behind", "destroys"]

const chosen = ({ id, options }: Json): Json => {
  const rank = ({ effect }: Json) => preferred.indexOf(effect)
  const [option] = options.filter(({ effect, needs }: Json) => preferred.includes(effect) && needs.length === 0).toSorted(
    (one: Json, other: Json) => rank(one) - rank(other)
  )
  assert.isDefined(option, id)
  return { id, choice: option.id, ...(option.params === undefined ? {} : { params: option.params }) }
}

/** Rewards are given up where the plan offers it: they grow with every ledger. */
const withoutRewards = ({ id, options }: Json): Json => {
  const option = options.find(({ effect }: Json) => effect === "gives_up_rewards")
  return option === undefined ? null : { id, choice: option.id, ...(option.params === undefined ? {} : { params: option.params }) }
}

describe("an agent that knows only tools/list", () => {
  it.live("closes the richest account while ledgers close, and gives up rewards that grow meanwhile", () =>
    served(
      true,
      Effect.gen(function*() {
        const service = yield* Service
        const { destination, source } = service.prepared.at(-1) ?? assert.fail("no account is prepared")
        const before = yield* lumensOf(destination)
        const client = yield* agent
        const asked: Array<Json> = []
        const goal = { network: "testnet", address: source.publicKey(), source: source.publicKey(), destination: destination.publicKey() }
        const { count } = yield* closedByAgent(
          client,
          {
            insists: withoutRewards,
            choose: chosen,
            agrees: (loss) => asked.push(loss) > 0
          },
          source,
          goal
        )
        assert.strictEqual(yield* accountOf(source), null)
        assert.isTrue((yield* lumensOf(destination)) > before)
        assert.isAbove(count, 5)
        assert.isAtLeast(new Set(asked.map(({ id }) => id)).size, 3)
        for (const { choice } of asked) assert.strictEqual(choice, "exit_without_rewards")
        // A loss needs another confirmation only where it changed by more than one per cent.
        assert.isAtMost(asked.length, 6)
      })
    ), 600_000)
})
