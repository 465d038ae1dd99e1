import { assert } from "@effect/vitest"
import type { PlanBody } from "./Client.ts"

type Point = PlanBody["decisionPoints"][number]

const losing = new Set(["destroys", "leaves_behind", "gives_up_rewards", "pays_others"])
const givingUp = new Set(["destroys", "leaves_behind"])

/** Choices with a loss that may be unknown: it is not there yet, or cannot be read. */
const mayBeUnknown = new Set(["leave_what_came_later", "i_accept_unread_claims", "i_accept_unread_positions"])

/** Without a ledger API no source lists the assets that an account issued. */
const isUnlisted = ({ kind, ...about }: Point["about"]): boolean => kind === "issuer" && "count" in about && about.count === 0

const isUnreadable = ({ params }: Point["options"][number]): boolean => params?.unreadable === true

/**
 * Checks that every option states its effect and its loss. Options that give something up come last, and are never recommended nor taken as
 * a default.
 */
export const ownsUp = ({ decisionPoints }: Pick<PlanBody, "decisionPoints">): void => {
  for (const { about, default: usual, id, options, type } of decisionPoints) {
    assert.strictEqual(about.kind, type, id)
    for (const option of options) {
      const where = `${id} ${option.id}`
      assert.strictEqual(option.loses !== undefined, losing.has(option.effect), where)
      if (!losing.has(option.effect)) continue
      assert.notStrictEqual(option.recommended, true, where)
      assert.notStrictEqual(usual, option.id, where)
      // Unreadable tokens may be the only ones.
      if (id === "tokens:others") continue
      if (mayBeUnknown.has(option.id) || isUnlisted(about)) assert.isEmpty(option.loses, where)
      else if (option.effect !== "gives_up_rewards" && !isUnreadable(option)) assert.isNotEmpty(option.loses, where)
    }
    const last = options.map(({ effect }) => givingUp.has(effect))
    assert.deepStrictEqual(last, last.toSorted((a, b) => Number(a) - Number(b)), id)
    assert.isAtMost(options.filter(({ recommended = false }) => recommended).length, 1, id)
  }
}
