import { assert } from "@effect/vitest"
import { Effect, FastCheck } from "effect"
import { showAmount } from "../../src/domain/Amount.ts"
import { layer } from "../support/Layered.ts"
import { isThorough } from "../support/Thorough.ts"
import { answersTo } from "./support/Answering.ts"
import { plan } from "./support/Client.ts"
import { closeThrough } from "./support/CloseLoop.ts"
import { aWorld, build, type World } from "./support/RandomMarket.ts"
import { Service } from "./support/Service.ts"

/**
 * A dust sale over two other assets. It is quoted after the sales of both, which move the market in its favour. The first transaction has
 * none of the three, because the payout of a share has to be read first.
 */
const quotedBehindOthers: World = {
  held: ["16.2478075", "199.9999987", "0.0000017"],
  makerOffers: [{ selling: 0, buying: 2, amount: "204.0919122", price: { n: 2962, d: 2995 } }],
  ownOffers: [],
  pools: [
    { a: 2, b: 1, x: "47.8317582", y: "181.6680670", share: true },
    { a: 1, b: 0, x: "179.4251436", y: "102.0138726", share: false },
    { a: 1, b: 3, x: "91.7670952", y: "91.4403914", share: false }
  ],
  data: 0
}

layer(Service.layer(), { excludeTestServices: true })("of random holdings in a random market", (it) => {
  it.effect("every close comes to its end and brings what was planned, to the stroop", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      for (const world of [quotedBehindOthers, ...FastCheck.sample(aWorld, isThorough ? 200 : 2)]) {
        const { destination, source } = yield* on(build(world))
        const told = JSON.stringify(world)
        const request = { source: source.publicKey(), destination: destination.publicKey() }
        const decisions = answersTo(yield* plan(request), "convert_to_native")
        const ready = yield* plan({ ...request, decisions })
        assert.strictEqual(ready.status, "ready", told)
        assert.strictEqual(ready.projection.status, "verified", `${told} ${JSON.stringify(ready.projection)}`)
        const closed = yield* Effect.catchAllCause(closeThrough({ source, destination, decisions }), (cause) =>
          Effect.dieMessage(`${told} ${cause.toString()}`))
        assert.strictEqual(showAmount(closed.received), ready.estimate.receivedLumens, told)
        assert.isTrue(BigInt((ready.estimate.minReceivedLumens ?? "").replace(".", "")) <= closed.received, told)
        assert.strictEqual(closed.rounds.length, ready.estimate.transactionCount, told)
      }
    }))
})
