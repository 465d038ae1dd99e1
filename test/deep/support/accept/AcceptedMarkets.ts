import { assert } from "@effect/vitest"
import { Asset, Claimant, Operation } from "@stellar/stellar-sdk"
import { Effect, FastCheck } from "effect"
import { showAmount } from "../../../../src/domain/Amount.ts"
import { perform } from "../../../../src/sandbox/scenarios/Scenario.ts"
import { chosenFor } from "../../../close/support/Answering.ts"
import { plan } from "../../../close/support/Client.ts"
import { offersOf } from "../../../close/support/LedgerView.ts"
import { aWorld, build } from "../../../close/support/RandomMarket.ts"
import { Service } from "../../../close/support/Service.ts"
import { acceptedRequest, closeByAcceptance, type Owner } from "./Accepted.ts"

const aCase = FastCheck.record({
  world: aWorld,
  claims: FastCheck.array(
    FastCheck.record({ asset: FastCheck.nat(3), amount: FastCheck.integer({ min: 1, max: 900_000_000 }) }),
    { maxLength: 4 }
  ),
  /** Who makes the market leaves with this build; null: prices stay. */
  leaves: FastCheck.option(FastCheck.nat(1), { nil: null }),
  slippageBps: FastCheck.constantFrom(50, 50, 1, 700)
})

type Case = typeof aCase extends FastCheck.Arbitrary<infer A> ? A : never
type Built = Effect.Effect.Success<ReturnType<typeof build>>

const given = ({ assets, maker, source }: Built, claims: ReadonlyArray<{ readonly asset: number; readonly amount: number }>) =>
  claims.length === 0 ? Effect.void : perform("claims are given", {
    as: maker,
    operations: claims.map(({ amount, asset }) =>
      Operation.createClaimableBalance({
        asset: assets[asset] ?? Asset.native(),
        amount: showAmount(BigInt(amount)),
        claimants: [new Claimant(source.publicKey())]
      })
    )
  })

/** Whoever makes the market takes the offers back. */
const leave = ({ maker }: Built) =>
  Effect.gen(function*() {
    const { on } = yield* Service
    const rich = Asset.native()
    for (const offer of yield* offersOf(maker)) {
      yield* on(perform("an offer goes", {
        as: maker,
        operations: [
          Operation.manageSellOffer({
            selling: rich,
            buying: new Asset("GONE", maker.publicKey()),
            amount: "0",
            price: "1",
            offerId: String(offer)
          })
        ]
      }))
    }
  })

/** Closes the account of one case; what came of it. */
const closed = (one: Case) =>
  Effect.gen(function*() {
    const { on } = yield* Service
    const scene = yield* on(build(one.world))
    yield* on(given(scene, one.claims))
    const told = JSON.stringify(one)
    const owner: Owner = {
      ...scene,
      answer: (point) => chosenFor(point, "i_control_this_address", "return_to_issuer", "convert_to_native")
    }
    const accepted = yield* acceptedRequest(owner)
    if (accepted === null) return "blocked"
    const request = { ...accepted.request, maxSlippageBps: one.slippageBps }
    const shown = yield* plan(request)
    const { end } = yield* closeByAcceptance(owner, request, {
      falls: one.leaves !== null,
      before: (turn) =>
        Effect.orDie(Effect.zipRight(
          on(given(scene, [{ asset: 3, amount: 1 }, { asset: 0, amount: 7 }])),
          turn === one.leaves ? leave(scene) : Effect.void
        )),
      after: () => Effect.orDie(on(given(scene, [{ asset: 3, amount: 1 }])))
    }, told)
    if (one.leaves === null) assert.deepStrictEqual([shown.status, end], ["ready", "closed"], told)
    return end
  })

/** So many random accounts in random markets: each is closed by what its plan lets accept, while a stranger gives claims before and after each build. */
export const acceptedMarkets = (count: number, seed?: number) =>
  Effect.gen(function*() {
    const outcomes = new Map<string, number>()
    for (const one of FastCheck.sample(aCase, { numRuns: count, ...(seed === undefined ? {} : { seed }) })) {
      const end = yield* closed(one)
      outcomes.set(end, (outcomes.get(end) ?? 0) + 1)
    }
    return outcomes
  })
