import { assert } from "@effect/vitest"
import { Asset, Claimant, Operation, StrKey } from "@stellar/stellar-sdk"
import { Effect, FastCheck } from "effect"
import { showAmount } from "../../../../src/domain/Amount.ts"
import { perform } from "../../../../src/sandbox/scenarios/Scenario.ts"
import { chosenFor } from "../../../close/support/Answering.ts"
import { plan } from "../../../close/support/Client.ts"
import { aWorld, build } from "../../../close/support/RandomMarket.ts"
import { Service } from "../../../close/support/Service.ts"
import { acceptedRequest, closeByAcceptance, type Owner } from "./Accepted.ts"

const aCase = FastCheck.record({
  world: aWorld,
  claims: FastCheck.array(
    FastCheck.record({ asset: FastCheck.nat(3), amount: FastCheck.integer({ min: 1, max: 900_000_000 }) }),
    { maxLength: 4 }
  ),
  /** The build at which the market maker leaves, or pays a tenth less; null: prices stay. */
  falls: FastCheck.option(
    FastCheck.record({ at: FastCheck.nat(1), how: FastCheck.constantFrom("leaves" as const, "pays less" as const) }),
    {
      nil: null
    }
  ),
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

/** The market maker removes the offers, or raises all prices by a tenth. */
const fall = ({ maker }: Built, how: "leaves" | "pays less") =>
  Effect.gen(function*() {
    const { on, sandbox } = yield* Service
    const { state } = yield* sandbox.snapshot
    for (const { data } of state.entries()) {
      if (data.type !== "offer" || StrKey.encodeEd25519PublicKey(data.offer.sellerId.ed25519.value) !== maker.publicKey()) continue
      const { amount, buying, offerId, price: { d, n }, selling } = data.offer
      yield* on(perform("an offer changes", {
        as: maker,
        operations: [Operation.manageSellOffer({
          selling: Asset.fromOperation(selling),
          buying: Asset.fromOperation(buying),
          amount: how === "leaves" ? "0" : showAmount(amount),
          price: { n: n * 11, d: d * 10 },
          offerId: offerId.toString()
        })]
      }))
    }
  })

/** Closes the account of one case; returns the outcome. */
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
      falls: one.falls !== null,
      before: (turn) =>
        Effect.orDie(Effect.zipRight(
          on(given(scene, [{ asset: 3, amount: 1 }, { asset: 0, amount: 7 }])),
          turn === one.falls?.at ? fall(scene, one.falls.how) : Effect.void
        )),
      after: () => Effect.orDie(on(given(scene, [{ asset: 3, amount: 1 }])))
    }, told)
    if (one.falls === null) assert.deepStrictEqual([shown.status, end], ["ready", "closed"], told)
    return end
  })

/**
 * Closes this many random accounts in random markets by the acceptance of their plans. A stranger gives claims before and after each build.
 */
export const acceptedMarkets = (count: number, seed?: number) =>
  Effect.gen(function*() {
    const outcomes = new Map<string, number>()
    for (const one of FastCheck.sample(aCase, { numRuns: count, ...(seed === undefined ? {} : { seed }) })) {
      const end = yield* closed(one)
      outcomes.set(end, (outcomes.get(end) ?? 0) + 1)
    }
    return outcomes
  })
