import { assert } from "@effect/vitest"
import { Asset, Claimant, Keypair, Operation } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { showAmount } from "../../src/domain/Amount.ts"
import { fund, perform } from "../../src/sandbox/scenarios/Scenario.ts"
import { layer } from "../support/Layered.ts"
import { isThorough } from "../support/Thorough.ts"
import { Pair } from "./support/Accounts.ts"
import { acknowledges } from "./support/Answering.ts"
import { plan, refusal } from "./support/Client.ts"
import { closeThrough } from "./support/CloseLoop.ts"
import { Service } from "./support/Service.ts"

const bytesOf = (envelope: string): number => Buffer.from(envelope, "base64").length

const several = <A>(count: number, make: (index: number) => A): ReadonlyArray<A> => Array.from({ length: count }, (_, index) => make(index))

/** Many offers, data entries, balances to return to their issuer, and claims. */
const Crowded = Effect.gen(function*() {
  const { destination, source } = yield* Pair("200")
  const issuer = Keypair.random()
  yield* fund("200", issuer)
  const assets = several(30, (index) => new Asset(`LONGASSET${index}`, issuer.publicKey()))
  const [first = Asset.native()] = assets
  yield* perform("trustlines", { as: source, operations: assets.map((asset) => Operation.changeTrust({ asset })) })
  yield* perform("balances", {
    as: issuer,
    operations: assets.map((asset) => Operation.payment({ asset, amount: "5", destination: source.publicKey() }))
  })
  yield* perform("claims", {
    as: issuer,
    operations: several(
      70,
      () => Operation.createClaimableBalance({ asset: first, amount: "1", claimants: [new Claimant(source.publicKey())] })
    )
  })
  yield* perform("offers", {
    as: source,
    operations: assets.map((asset) => Operation.manageSellOffer({ selling: asset, buying: Asset.native(), amount: "1", price: "9" }))
  })
  yield* perform("data", {
    as: source,
    operations: several(30, (index) => Operation.manageData({ name: `${index} `.padEnd(64, "n"), value: "1" }))
  })
  return { source, destination }
})

/** An account that sponsors many data entries. Their owner has no lumens for the reserves. */
const Sponsoring = Effect.gen(function*() {
  const { destination, source } = yield* Pair("200")
  const owner = Keypair.random()
  yield* fund("1.5", owner)
  const names = several(45, (index) => `${index} `.padEnd(64, "n"))
  yield* perform("sponsored entries", {
    as: source,
    signedBy: [source, owner],
    operations: [
      Operation.beginSponsoringFutureReserves({ sponsoredId: owner.publicKey() }),
      ...names.map((name) => Operation.manageData({ source: owner.publicKey(), name, value: "1" })),
      Operation.endSponsoringFutureReserves({ source: owner.publicKey() })
    ]
  })
  return { source, destination }
})

layer(Service.layer(), { excludeTestServices: true })("a close in small envelopes", (it) => {
  it.effect.runIf(isThorough)(
    "has no envelope above 5,000 bytes with its signature, and brings what it brings in large ones",
    () =>
      Effect.gen(function*() {
        const { on } = yield* Service
        const { destination, source } = yield* on(Crowded)
        const wished = ["i_control_this_address", "claim", "return_to_issuer"]
        const request = { source: source.publicKey(), destination: destination.publicKey() }
        const decisions = [acknowledges(destination.publicKey())]
        const [large, small] = [yield* plan({ ...request, decisions }), yield* plan({ ...request, decisions, smallEnvelopes: true })]
        assert.notProperty(large.transactions[0], "envelopeBytes")
        assert.strictEqual(small.planHash.slice(0, 32), large.planHash.slice(0, 32))
        const changed = yield* refusal("next", { ...request, decisions, planHash: small.planHash })
        assert.deepInclude(changed, { status: 409, code: "plan_changed" })
        assert.notInclude(JSON.stringify(changed.details["changes"]), "facts")
        const { envelopes, plan: ready, received, rounds } = yield* closeThrough({
          source,
          destination,
          wished,
          asked: { smallEnvelopes: true }
        })
        assert.isAbove(rounds.length, 4)
        assert.strictEqual(ready.estimate.transactionCount, rounds.length)
        assert.deepStrictEqual<ReadonlyArray<number | null>>(
          rounds.map(({ remaining }) => remaining.transactions),
          several(rounds.length, (at) => rounds.length - 1 - at)
        )
        assert.deepStrictEqual(ready.transactions.map(({ reason }) => reason ?? null), [
          ...several(rounds.length - 1, () => "op_batch"),
          null
        ])
        assert.deepStrictEqual(envelopes.map(bytesOf), ready.transactions.map(({ envelopeBytes }) => envelopeBytes ?? 0))
        for (const envelope of envelopes) assert.isAtMost(bytesOf(envelope), 5_000)
        // All but the last are nearly full.
        for (const envelope of envelopes.slice(0, -1)) assert.isAbove(bytesOf(envelope), 4_000)
        assert.strictEqual(showAmount(received), ready.estimate.receivedLumens)
        assert.notInclude(ready.warnings.map(({ code }) => code), "envelope_large")
      }),
    120_000
  )

  it.effect("tops an owner up part by part, by the same amount in all", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const { destination, source } = yield* on(Sponsoring)
      const wished = ["i_control_this_address", "top_up_then_revoke"]
      const { envelopes, plan: ready, received, rounds } = yield* closeThrough({
        source,
        destination,
        wished,
        asked: { smallEnvelopes: true }
      })
      assert.lengthOf(rounds, 2)
      for (const envelope of envelopes) assert.isAtMost(bytesOf(envelope), 5_000)
      const paid = rounds.flatMap(({ transactions }) => transactions[0]?.intent.operations ?? []).flatMap((one) =>
        one.type === "payment" ? [Number(one.amount)] : []
      )
      assert.lengthOf(paid, 2)
      // 45 entries of half a lumen each; the owner had half a lumen beyond its reserve.
      assert.strictEqual(paid[0]! + paid[1]!, 22)
      assert.strictEqual(showAmount(received), ready.estimate.receivedLumens)
    }), 120_000)
})
