import { assert, describe, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import type { TopicEvent } from "../../src/chain/contract-rpc/EventSearch.ts"
import { emptyLog, type EventLog, mergedLogs, withPage } from "../../src/tokens/EventLog.ts"
import { anyContract } from "../support/Addresses.ts"
import { newAccount, transferred } from "./support/EventNode.ts"

const [owner, stranger] = [newAccount(), newAccount()]
const tokens = [anyContract(), anyContract()] as const

/** Five base units of a token that come to the owner in a ledger, or go from it. */
const moved = (token: (typeof tokens)[number], ledger: number, isComing: boolean): TopicEvent => {
  const { data, topics } = transferred(ledger, token, isComing ? stranger : owner, isComing ? owner : stranger)
  return {
    contract: token,
    id: `${ledger}`.padStart(9, "0"),
    ledger,
    topics: topics.map((one) => one.toXdr("base64")),
    data: data?.toXdr("base64") ?? ""
  }
}

const event = fc.record({ token: fc.constantFrom(...tokens), ledger: fc.integer({ min: 1, max: 3 }), isComing: fc.boolean() })
  .map(({ isComing, ledger, token }) => moved(token, ledger, isComing))

const logOf = (events: ReadonlyArray<TopicEvent>): EventLog =>
  withPage(emptyLog, owner, events.toSorted((one, other) => one.ledger - other.ledger), { from: 1, to: 4 })

/** What came and went, without the ids of events, which are each origin's own. */
const movesIn = (logs: ReadonlyArray<EventLog>) =>
  tokens.map((token) =>
    [1, 2, 3].map((ledger) => {
      const { came = 0n, went = 0n } = mergedLogs(logs, logs).moves.get(token)?.get(ledger) ?? {}
      return [came, went]
    })
  )

describe("what several origins report to have moved", () => {
  it("is the same in whichever order they are taken", () => {
    fc.assert(
      fc.property(fc.array(fc.array(event, { maxLength: 4 }).map(logOf), { minLength: 1, maxLength: 3 }), (logs) => {
        assert.deepStrictEqual(movesIn(logs), movesIn(logs.toReversed()))
      }),
      { numRuns: 200, seed: 7 }
    )
  })

  it("went where any of them says so, and came where all do", () => {
    const [token, other] = tokens
    const logs = [logOf([moved(token, 2, true)]), logOf([moved(token, 1, false), moved(token, 2, true), moved(other, 3, true)])]
    assert.deepStrictEqual(movesIn(logs), [[[0n, 5n], [5n, 0n], [0n, 0n]], [[0n, 0n], [0n, 0n], [0n, 0n]]])
  })
})
