import { assert, it as plain } from "@effect/vitest"
import { Asset, Claimant, Keypair, Operation } from "@stellar/stellar-sdk"
import { Effect, type Schema } from "effect"
import type { AccountState } from "../../src/domain/Account.ts"
import { DecisionType } from "../../src/domain/Decision.ts"
import { DecisionAbout } from "../../src/domain/DecisionAbout.ts"
import { fund, perform } from "../../src/sandbox/scenarios/Scenario.ts"
import { layer } from "../support/Layered.ts"
import { isThorough } from "../support/Thorough.ts"
import { Buyer, Pair } from "./support/Accounts.ts"
import { pointOf } from "./support/Answering.ts"
import { plan, type PlanBody } from "./support/Client.ts"
import { Service } from "./support/Service.ts"
import { sourcesService } from "./support/Sources.ts"

type About = PlanBody["decisionPoints"][number]["about"]

const labels = { lend_1: "Blend", amm_1: "Aquarius", amm_2: "Soroswap", amm_3: "Phoenix", cdp_1: "FxDAO" }

const ofKind = <Kind extends About["kind"]>({ decisionPoints }: PlanBody, kind: Kind) =>
  decisionPoints.flatMap(({ about, id }) => (about.kind === kind ? [{ id, about: about as Extract<About, { kind: Kind }> }] : []))

plain("every type of decision point is described by a kind of its own", () => {
  assert.sameMembers(DecisionAbout.members.map(({ fields }) => String(fields.kind.literals[0])), [...DecisionType.literals])
})

layer(sourcesService(1, {}, "everything"), { excludeTestServices: true, timeout: 120_000 })("the richest account", (it) => {
  it.effect.runIf(isThorough)(
    "is asked about each position by its label and what leaving it pays, under the id that the account read gives",
    () =>
      Effect.gen(function*() {
        const { call, prepared } = yield* Service
        const { destination, source } = prepared.at(-1) ?? assert.fail("no account with positions is prepared")
        const asked = yield* plan({ source: source.publicKey(), destination: destination.publicKey() })
        const positions = ofKind(asked, "position")
        assert.isAtLeast(positions.length, 10)
        assert.deepStrictEqual(Object.fromEntries(positions.map(({ about }) => [about.protocol, about.label])), labels)
        for (const { about, id } of positions) {
          assert.strictEqual(id, `position:${about.protocol}:${about.contract}:${about.key}`)
          assert.isNotEmpty(about.holds, id)
          for (const { amount, asset, symbol, token } of about.holds) {
            assert.strictEqual(asset === undefined, token !== undefined, id)
            assert.isAbove(Number(amount), 0, id)
            if (asset !== undefined) assert.strictEqual(symbol, asset === "native" ? "XLM" : asset.split(":")[0])
          }
        }
        // Most holdings have a quote, because the assets that positions pay have decision points.
        const quoted = positions.filter(({ about }) => about.holds.every(({ lumens }) => lumens !== null))
        assert.isAtLeast(quoted.length, positions.length / 2)

        const { body } = yield* call<Schema.Schema.Encoded<typeof AccountState>>("GET", `/testnet/account/${source.publicKey()}`)
        const shown = body.defiPositions.positions
        assert.isNotEmpty(shown)
        for (const { positionId, protocol } of shown) {
          assert.deepStrictEqual(positions.flatMap(({ about, id }) => (id === positionId ? [about.protocol] : [])), [protocol])
        }
        assert.sameMembers([...new Set(shown.map(({ positionId }) => positionId))], positions.map(({ id }) => id))

        const [pool] = ofKind(asked, "pool")
        assert.lengthOf(pool?.about.holds ?? [], 2)
        const [allowance] = ofKind(asked, "allowance")
        assert.deepInclude(allowance?.about, { amount: "5000000" })
        const [token] = ofKind(asked, "token")
        assert.strictEqual(token?.about.amount, pointOf(asked, token?.id ?? "").options[0]?.params?.amount)
        assert.isString(token?.about.symbol)
      }),
    120_000
  )
})

layer(Service.layer(), { excludeTestServices: true })("what decision points are about", (it) => {
  it.effect("stands in fields: destination, asset, claim, sponsorship, what comes later", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const { destination, source } = yield* on(Pair())
      const { source: ward } = yield* on(Pair())
      const issuer = Keypair.random()
      yield* on(fund("100", issuer))
      const asset = new Asset("GIFT", issuer.publicKey())
      yield* on(Buyer(asset, "1000", "2"))
      const until = 4_000_000_000
      yield* on(
        perform("balances to claim", {
          as: issuer,
          operations: [
            Operation.createClaimableBalance({ asset, amount: "12", claimants: [new Claimant(source.publicKey())] }),
            Operation.createClaimableBalance({
              asset: Asset.native(),
              amount: "3",
              claimants: [new Claimant(source.publicKey(), Claimant.predicateBeforeAbsoluteTime(until.toString()))]
            })
          ]
        })
      )
      yield* on(
        perform("a sponsored line", {
          as: source,
          signedBy: [source, ward],
          operations: [
            Operation.beginSponsoringFutureReserves({ sponsoredId: ward.publicKey() }),
            Operation.changeTrust({ asset, source: ward.publicKey() }),
            Operation.endSponsoringFutureReserves({ source: ward.publicKey() })
          ]
        })
      )
      const gift = `GIFT:${issuer.publicKey()}`
      const asked = yield* plan({ source: source.publicKey(), destination: destination.publicKey() })
      assert.deepStrictEqual(ofKind(asked, "destination").map(({ about }) => about.address), [destination.publicKey()])
      assert.deepStrictEqual(ofKind(asked, "asset").map(({ about }) => about), [{ kind: "asset", asset: gift, amount: "12.0000000" }])
      assert.deepStrictEqual(ofKind(asked, "later").map(({ about }) => about.ledger), [asked.snapshot.ledger])
      assert.sameDeepMembers(
        ofKind(asked, "claim").map(({ about: { balanceId, ...about }, id }) => ({ ...about, isNamed: id === `claim:${balanceId}` })),
        [
          { kind: "claim", asset: gift, amount: "12.0000000", from: null, until: null, isNamed: true },
          { kind: "claim", asset: "native", amount: "3.0000000", from: null, until: "2096-10-02T07:06:40.000Z", isNamed: true }
        ]
      )
      assert.deepStrictEqual(ofKind(asked, "sponsorship").map(({ about }) => about), [{
        kind: "sponsorship",
        entry: `trustline:${ward.publicKey()}:GIFT-${issuer.publicKey()}`,
        owner: ward.publicKey(),
        reserveLumens: "0.5000000"
      }])
      const forfeits = asked.decisionPoints.flatMap(({ about, options }) =>
        about.kind === "claim" ? options.flatMap(({ id, loses = [] }) => (id === "forfeit" ? loses : [])) : []
      )
      // Twelve are sold for six lumens.
      assert.sameDeepMembers(forfeits.map(({ amount, lumens, symbol }) => [symbol, amount, lumens]), [["GIFT", "12.0000000", "6.0000000"], [
        "XLM",
        "3.0000000",
        "3.0000000"
      ]])
      const unnamed = yield* plan({ source: source.publicKey() })
      assert.deepStrictEqual(ofKind(unnamed, "destination").map(({ about }) => about.address), [null])
    }))
})
