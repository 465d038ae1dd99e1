import { assert, describe, it } from "@effect/vitest"
import { watchHealth } from "../../src/close/mediator/WatchHealth.ts"
import type { TransactionHash } from "../../src/domain/Ledger.ts"

const hash = "ab".repeat(32) as TransactionHash

const restart = (network: string) => `look at its transactions, set ${network}_MEDIATOR_CHECKED_UNTIL to the newest of them, and restart`

describe("the health of the watch over a mediator", () => {
  it("is not spoken of while it goes well", () => {
    assert.isNull(watchHealth(null, null, "testnet"))
  })

  it("names the transaction that pauses the mediator, and how that ends", () => {
    assert.deepStrictEqual(watchHealth({ rule: "own_transaction", hash }, null, "testnet"), {
      status: "down",
      message: `paused: transaction ${hash} breaks the rule own_transaction; ${restart("TESTNET")}`
    })
  })

  it("names what the account itself shows", () => {
    assert.deepStrictEqual(watchHealth({ rule: "lumens_missing", hash: null }, null, "mainnet"), {
      status: "down",
      message: `paused: its account breaks the rule lumens_missing; ${restart("MAINNET")}`
    })
  })

  it("tells for how long nothing could be read, where no alarm is worse", () => {
    assert.deepStrictEqual(watchHealth(null, 21, "testnet"), {
      status: "up",
      message: "its transactions have been unwatched for 21 seconds: the ledger API or the contract RPC fails"
    })
    assert.strictEqual(watchHealth({ rule: "lumens_missing", hash: null }, 21, "testnet")?.status, "down")
  })
})
