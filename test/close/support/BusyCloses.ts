import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { lumen } from "../../../src/ledger/Asset.ts"
import { submitRequests } from "../../../src/sandbox/scenarios/LendingMarket.ts"
import { LendingDebt } from "../../support/scenarios/LendingDebt.ts"
import { LendingSupply } from "../../support/scenarios/LendingSupply.ts"
import { answersTo } from "./Answering.ts"
import { offered, plan } from "./Client.ts"
import { Service } from "./Service.ts"
import { Sources } from "./Sources.ts"

/** A part of a longer row of closes, and a callback with their count. */
interface Part {
  readonly first?: number
  readonly made?: (count: number) => Effect.Effect<void>
}

/**
 * Closes this many accounts over two contract RPCs while a stranger uses the pool in every ledger. One RPC is a ledger behind for a moment.
 * Each close gets its transaction, so none meets a contradiction.
 */
export const busyCloses = (count: number, { first: begun = 0, made = () => Effect.void }: Part = {}) =>
  Effect.gen(function*() {
    const { on, sandbox } = yield* Service
    const [first, second] = yield* Sources
    const close = Effect.fnUntraced(function*(round: number) {
      const held = yield* on(round % 4 < 2 ? LendingSupply : LendingDebt)
      yield* sandbox.closeLedger({ advanceSeconds: 5 })
      const request = { source: held.source.publicKey(), destination: held.destination.publicKey() }
      const decisions = answersTo(yield* plan(request), "convert_to_native")
      const late = round % 2 === 0 ? first : second
      const offer = yield* late!.stuckFor(
        3,
        Effect.zipRight(
          on(submitRequests("the lender goes on", held.lender, ["supply", held.usdc, BigInt(1 + round % 9) * lumen])),
          offered({ ...request, decisions })
        )
      )
      assert.deepStrictEqual(offer.covers, ["EXIT_POSITIONS"])
    })
    for (let round = begun; round < begun + count; round++) {
      yield* Effect.catchAllDefect(close(round), (defect) =>
        Effect.die(new Error(`the close of round ${round} failed, after ${round - begun} of ${count}`, { cause: defect })))
      yield* made(round + 1)
    }
  })
