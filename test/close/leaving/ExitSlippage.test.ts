import { assert } from "@effect/vitest"
import { Asset, type Keypair, Operation } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { perform } from "../../../src/sandbox/scenarios/Scenario.ts"
import { layer } from "../../support/Layered.ts"
import { acceptOf } from "../support/Accepting.ts"
import { acknowledges, answersTo } from "../support/Answering.ts"
import { next, plan, type PlanBody, refusal } from "../support/Client.ts"
import { offersOf } from "../support/LedgerView.ts"
import { Service } from "../support/Service.ts"
import { laterLedger, ToyHolder, toyService } from "./support/ToyService.ts"

/** Sets the price of the only buyer: units of the asset for a lumen. */
const requote = (maker: Keypair, asset: Asset, price: string) =>
  Effect.gen(function*() {
    const { on } = yield* Service
    const offers = yield* offersOf(maker)
    yield* on(perform("the buyer changes its offer", {
      as: maker,
      operations: offers.slice(0, 1).map((offerId) =>
        Operation.manageSellOffer({ selling: Asset.native(), buying: asset, amount: "5000", price, offerId: String(offerId) })
      )
    }))
    yield* laterLedger
  })

/** A position of 100 units beside 10 that are held, with a buyer at 20 lumens each. */
const holderIn = (pool: number) =>
  Effect.gen(function*() {
    const { on } = yield* Service
    const held = yield* on(ToyHolder({ pool }))
    yield* requote(held.maker, held.asset, "0.05")
    return { ...held, request: { source: held.source.publicKey(), destination: held.destination.publicKey() } }
  })

const leastOf = ({ estimate: { minReceivedLumens } }: PlanBody): number => Number(minReceivedLumens)

layer(toyService, { excludeTestServices: true })("the slippage of an exit", (it) => {
  it.effect("lowers what a plan promises as much as what the exit may pay less, and no less than a hundredth", () =>
    Effect.gen(function*() {
      const { request } = yield* holderIn(31)
      // The sale keeps the floor and the slippage of its own answer.
      const decisions = answersTo(yield* plan(request), "convert_to_native")
      const promised = (maxSlippageBps: number) => Effect.map(plan({ ...request, maxSlippageBps, decisions }), leastOf)
      const [usual, hundredth, fifth] = [yield* promised(50), yield* promised(100), yield* promised(2_000)]
      assert.strictEqual(usual, hundredth)
      // 19 of 100 units at 20 lumens each, less half a per cent.
      assert.approximately(usual - fifth, 19 * 20 * 0.995, 0.001)
    }))

  it.effect("that would put an accepted amount out of reach is refused before the exit, which cannot be taken back", () =>
    Effect.gen(function*() {
      const { asset, maker, request } = yield* holderIn(32)
      const asked = { ...request, maxSlippageBps: 2_000, decisions: [acknowledges(request.destination)] }
      const accepting = { ...asked, accept: acceptOf(yield* plan(asked)) }
      assert.deepStrictEqual((yield* next(accepting)).transactions[0]?.covers, ["EXIT_POSITIONS"])
      // At the quotes of now the close still brings what was accepted. It would not where the exit paid a fifth less.
      yield* requote(maker, asset, "0.07")
      const { code, details } = yield* refusal("next", accepting)
      assert.strictEqual(code, "below_accepted_minimum")
      assert.isBelow(Number(details["current"]), Number(accepting.accept.minReceivedLumens))
      assert.strictEqual((yield* plan(accepting)).status, "ready")
    }))
})
