import { assert, it } from "@effect/vitest"
import { Cause, Effect, Exit } from "effect"
import { closedWithPositions, type PositionsOutcome } from "./PositionsClose.ts"
import { shapeOf } from "./PositionsShape.ts"

/** Events that must occur among the accounts of a run, and their signs in an outcome. */
const KINDS: Readonly<Record<string, (outcome: PositionsOutcome) => boolean>> = {
  "closed without a word": ({ blocked }) => blocked.length === 0,
  "blocked until what lacked was given": ({ blocked }) => blocked.length > 0,
  "bought what a debt lacked": ({ choices }) => choices.includes("buy_repay_asset_then_exit"),
  "waited for a deposit": ({ covered }) => covered.some((each) => each.includes("(backstop withdraw)")),
  "left a vault": ({ covered }) => covered.some((each) => each.includes("(pay_debt)")),
  "set a debt off against supply": ({ covered }) => covered.some((each) => each.includes("(submit_with_allowance)")),
  "left a pool of amm_1": ({ covered }) => covered.some((each) => each.includes("(withdraw)")),
  "left a range": ({ covered }) => covered.some((each) => each.includes("(withdraw_position)")),
  "claimed what a gauge pays": ({ covered }) => covered.some((each) => each.includes("(gauges_claim)")),
  "left a pair": ({ covered }) => covered.some((each) => each.includes("(remove_liquidity)")),
  "took a stake out": ({ covered }) => covered.some((each) => each.includes("(unbond)")),
  "sold a contract token": ({ covered, tokenChoices }) =>
    tokenChoices.includes("convert_to_native") && covered.some((each) => each.startsWith("HANDLE_TOKENS(swap")),
  "sent a contract token away": ({ covered }) => covered.includes("HANDLE_TOKENS(transfer)"),
  "left a contract token by its name": ({ tokenChoices }) => tokenChoices.includes("acknowledge_residue"),
  "ended an allowance": ({ covered }) => covered.includes("REVOKE_ALLOWANCES(approve)")
}

const shown = (value: unknown): string => JSON.stringify(value, (_, part: unknown) => (typeof part === "bigint" ? part.toString() : part))

/**
 * One test for each seed: an account with the drawn positions and contract tokens closes as promised, with nothing left behind. Or it has a
 * blocker that its own remedy removes. A failure names the seed; `POSITIONS_SEEDS=<seed> npm run test:deep -- Positions` replays it.
 */
export const closesWithPositions = (seeds: ReadonlyArray<number>, kinds: ReadonlyArray<string> = Object.keys(KINDS)): void => {
  const outcomes: Array<PositionsOutcome> = []
  for (const seed of seeds) {
    it(`seed ${seed}`, async () => {
      const exit = await Effect.runPromiseExit(closedWithPositions(seed))
      if (Exit.isFailure(exit)) assert.fail(`seed ${seed}, ${shown(shapeOf(seed))}: ${Cause.pretty(exit.cause)}`)
      outcomes.push(exit.value)
    }, 180_000)
  }
  it("and everything that is to happen did", () => {
    for (const kind of kinds) assert.isTrue(outcomes.some((outcome) => KINDS[kind]?.(outcome) === true), `nobody ${kind}`)
  })
}
