import { assert } from "@effect/vitest"
import { Asset, Claimant, Keypair, Operation, type xdr } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { fund, perform } from "../../src/sandbox/scenarios/Scenario.ts"
import { layer } from "../support/Layered.ts"
import { isThorough } from "../support/Thorough.ts"
import { Buyer, Issued, Pair } from "./support/Accounts.ts"
import { acknowledges, answersTo, echo, pointOf } from "./support/Answering.ts"
import { offered, plan, refusal, submit } from "./support/Client.ts"
import { closeThrough } from "./support/CloseLoop.ts"
import { accountOf } from "./support/LedgerView.ts"
import { Service } from "./support/Service.ts"
import { signed } from "./support/Signing.ts"

const inHundreds = (as: Keypair, operations: ReadonlyArray<xdr.Operation>) =>
  Effect.forEach(
    Array.from({ length: Math.ceil(operations.length / 100) }, (_, at) => operations.slice(at * 100, at * 100 + 100)),
    (some) => perform("a hundred of them", { as, operations: some }),
    { discard: true }
  )

const gift = (to: Keypair, asset: Asset, amount = "1") =>
  Operation.createClaimableBalance({ asset, amount, claimants: [new Claimant(to.publicKey())] })

const many = <A>(count: number, make: (at: number) => A): ReadonlyArray<A> => Array.from({ length: count }, (_, at) => make(at))

const idOf = (asset: Asset) => `${asset.getCode()}-${asset.getIssuer()}`

layer(Service.layer(), { excludeTestServices: true })("more than a thousand claimable balances", (it) => {
  it.effect.runIf(isThorough)(
    "are asked about by asset where they are lumens, held or bought, all others at once, and the close comes to its end",
    () =>
      Effect.gen(function*() {
        const { on } = yield* Service
        const { destination, source } = yield* on(Pair("200"))
        const spammer = Keypair.random()
        yield* on(fund("2000", spammer))
        const { asset: held, issuer } = yield* on(Issued("HELD", [source, "10"]))
        const bought = new Asset("BOUGHT", issuer.publicKey())
        yield* on(Buyer(bought, "500", "2"))
        yield* on(perform("worth something", { as: issuer, operations: [gift(source, bought, "8"), gift(source, held, "5")] }))
        const dust = many(20, (at) => new Asset(`D${at}`, spammer.publicKey()))
        yield* on(inHundreds(spammer, [
          ...many(700, () => gift(source, Asset.native(), "0.0000001")),
          ...dust.flatMap((asset, at) => (at < 8 ? many(40, () => gift(source, asset)) : [gift(source, asset, "1000")]))
        ]))
        const request = { source: source.publicKey(), destination: destination.publicKey() }
        const asked = yield* plan(request)
        const claims = asked.decisionPoints.filter(({ type }) => type === "claims")
        assert.sameMembers(claims.map(({ id }) => id), ["claims:others", "claims:native", `claims:${idOf(held)}`, `claims:${idOf(bought)}`])
        const others = pointOf(asked, "claims:others")
        assert.match(others.subject, /^332 claimable balances of 20 assets .*(1000\.0000000 D\d+:G\w+(, |$)){10}$/)
        assert.deepStrictEqual(others.options, [{ ...others.options[0]!, id: "forfeit", params: { maxCount: 1664 }, needs: [] }])
        const decisions = answersTo(asked, "claim", "add_trustline_then_claim", "convert_to_native", "return_to_issuer")
        const fewer = decisions.map((answer) => (answer.id === "claims:others" ? echo(others, "forfeit", { maxCount: 331 }) : answer))
        assert.deepInclude(yield* refusal("next", { ...request, decisions: fewer }), { status: 409, code: "plan_changed" })
        const { plan: ready, rounds } = yield* closeThrough({ source, destination, decisions })
        assert.strictEqual(rounds.length, ready.estimate.transactionCount)
        // The last calls see fewer than a thousand: the answers still cover them.
        assert.isTrue(rounds.every(({ unusedDecisions }) => !unusedDecisions.includes("claims:others")))
        const claimed = rounds.flatMap(({ transactions }) => transactions.flatMap(({ intent }) => intent.operations)).filter(({ type }) =>
          type === "claim_claimable_balance"
        )
        assert.lengthOf(claimed, 702)
        const told = ready.steps.filter(({ type }) => type === "CLAIM_BALANCES")
        assert.deepStrictEqual(
          told.map((
            { affectedAsset, affectedEntries, affectedEntry, entryCount, operationCount }
          ) => [affectedAsset, entryCount, operationCount, affectedEntries?.length, affectedEntry !== undefined]),
          [
            ["native", 700, 700, 5, false],
            [`HELD:${issuer.publicKey()}`, undefined, 1, undefined, true],
            [`BOUGHT:${issuer.publicKey()}`, undefined, 1, undefined, true]
          ]
        )
      }),
    240_000
  )

  it.effect("among the others can be claimed by name", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const { destination, source } = yield* on(Pair("200"))
      const spammer = Keypair.random()
      yield* on(fund("2000", spammer))
      const dust = many(21, (at) => new Asset(`D${at}`, spammer.publicKey()))
      yield* on(inHundreds(spammer, dust.flatMap((asset) => many(50, () => gift(source, asset)))))
      const request = { source: source.publicKey(), destination: destination.publicKey() }
      const asked = yield* plan(request)
      const mine = dust[7]!
      const named = { id: `claims:${idOf(mine)}`, choice: "add_trustline_then_claim" }
      const again = yield* plan({ ...request, decisions: [named] })
      assert.match(pointOf(again, "claims:others").subject, /^1000 claimable balances of 20 assets/)
      assert.isTrue(pointOf(again, named.id).answered)
      const decisions = [...answersTo(asked, "forfeit"), named, echo(pointOf(again, `asset:${idOf(mine)}`), "return_to_issuer")]
      const { intent } = yield* offered({ ...request, decisions })
      assert.strictEqual(intent.operations.filter(({ type }) => type === "claim_claimable_balance").length, 50)
      // A later claim with a buyer is a decision point of its own: the answer about all others does not cover it.
      const { asset: wanted, issuer } = yield* on(Issued("WANTED"))
      yield* on(Buyer(wanted, "500", "2"))
      yield* on(perform("worth something", { as: issuer, operations: [gift(source, wanted, "8")] }))
      const refused = yield* refusal("next", { ...request, decisions })
      assert.deepInclude(refused, { status: 422, code: "needs_decisions" })
      assert.include(refused.details["missing"], `claims:${idOf(wanted)}`)
    }), 240_000)
})

layer(Service.layer(), { excludeTestServices: true })("a claimable balance in every ledger of a close", (it) => {
  const Endless = (count: number) =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const { destination, source } = yield* on(Pair("200"))
      const stranger = Keypair.random()
      yield* on(fund("1000", stranger))
      yield* on(inHundreds(source, many(count, (at) => Operation.manageData({ name: `entry ${at}`, value: "1" }))))
      const request = { source: source.publicKey(), destination: destination.publicKey() }
      let gifts = 0
      const give = (amount = "0.0000001") =>
        Effect.suspend(() =>
          on(
            perform("a gift", {
              as: stranger,
              operations: [gift(source, gifts++ % 2 === 0 ? Asset.native() : new Asset(`G${gifts}`, stranger.publicKey()), amount)]
            })
          )
        )
      return { destination, give, request, source }
    })

  it.effect("asks a new question each time, and is left behind by one answer, so that the account closes", () =>
    Effect.gen(function*() {
      const { destination, give, request, source } = yield* Endless(250)
      yield* give()
      const asked = yield* plan(request)
      const named = answersTo(asked, "claim")
      yield* give()
      assert.deepInclude(yield* refusal("next", { ...request, decisions: named }), { status: 422, code: "needs_decisions" })
      const decisions = [...named, echo(pointOf(asked, "later"), "leave_what_came_later")]
      const seen = yield* plan({ ...request, decisions })
      assert.strictEqual(seen.status, "ready")
      assert.deepInclude(seen.warnings.filter(({ code }) => code === "came_later").map(({ subject }) => subject), "claimable_balances")
      let planHash: string | null = seen.planHash
      for (let calls = 0; (yield* accountOf(source)) !== null; calls++) {
        assert.isBelow(calls, 4)
        yield* give()
        const transaction = yield* offered({ ...request, decisions, ...(planHash === null ? {} : { planHash }) })
        assert.isAtMost(transaction.intent.operations.filter(({ type }) => type === "claim_claimable_balance").length, 1)
        yield* give()
        yield* submit(yield* signed(transaction, source))
        planHash = null
      }
      assert.isNotNull(yield* accountOf(destination))
    }), 60_000)

  it.effect("is left behind by an answer that lists four thousand ids of what was seen, and no more", () =>
    Effect.gen(function*() {
      const { request } = yield* Endless(1)
      const { ledger } = pointOf(yield* plan(request), "later").options[0]?.params ?? {}
      const leaving = (count: number) => {
        const had = Array.from({ length: count }, (_, at) => `claim:${at.toString(16).padStart(72, "0")}`)
        return { ...request, decisions: [{ id: "later", choice: "leave_what_came_later", params: { ledger: ledger ?? 0, had } }] }
      }
      const told = yield* plan(leaving(4000))
      assert.lengthOf(pointOf(told, "later").options[0]?.params?.had ?? [], 4000)
      assert.deepInclude(yield* refusal("plan", leaving(4001)), { status: 400, code: "invalid_decisions" })
      const odd = { ...leaving(0).decisions[0]!, params: { ledger: ledger ?? 0, had: ["offer:1"] } }
      assert.deepInclude(yield* refusal("plan", { ...request, decisions: [odd] }), { status: 400, code: "invalid_decisions" })
    }))

  it.effect("is asked about nevertheless where an answer names it, or where it is worth more than the answer lets go", () =>
    Effect.gen(function*() {
      const { give, request } = yield* Endless(1)
      const later = pointOf(yield* plan(request), "later")
      yield* give("5")
      const leaving = { ...request, decisions: [acknowledges(request.destination), echo(later, "leave_what_came_later")] }
      const claims = ({ decisionPoints }: Effect.Effect.Success<ReturnType<typeof plan>>) =>
        decisionPoints.filter(({ type }) => type === "claim")
      assert.lengthOf(claims(yield* plan(leaving)), 0)
      const worth = (maxLumensEach: string) => ({
        ...request,
        decisions: [acknowledges(request.destination), echo(later, "leave_what_came_later", { maxLumensEach })]
      })
      assert.lengthOf(claims(yield* plan(worth("5"))), 0)
      const [point, ...more] = claims(yield* plan(worth("4.9999999")))
      assert.lengthOf(more, 0)
      assert.lengthOf(claims(yield* plan({ ...leaving, decisions: [...leaving.decisions, echo(point!, "claim")] })), 1)
    }))
})
