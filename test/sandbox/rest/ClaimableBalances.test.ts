import { assert, it } from "@effect/vitest"
import { Asset, Claimant, Keypair, Operation, type xdr } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { fund, perform } from "../../../src/sandbox/scenarios/Scenario.ts"
import { showTime } from "../../../src/sandbox/ShowTime.ts"
import { get, startWithClients } from "../Clients.ts"

const { predicateAnd, predicateBeforeAbsoluteTime, predicateBeforeRelativeTime, predicateNot, predicateOr, predicateUnconditional } =
  Claimant

it.scopedLive("every kind of predicate is shown as the ledger keeps it: relative times have become absolute", () =>
  Effect.gen(function*() {
    const { ledgerApi, network, on } = yield* startWithClients()
    const [creator, claimant] = [Keypair.random(), Keypair.random()]
    yield* on(fund("100", creator, claimant))
    const absolute = { abs_before: "2100-01-01T00:00:00Z", abs_before_epoch: "4102444800" }
    const until = () => predicateBeforeAbsoluteTime("4102444800")
    const kinds: ReadonlyArray<readonly [() => xdr.ClaimPredicate, (created: bigint) => object]> = [
      [predicateUnconditional, () => ({ unconditional: true })],
      [until, () => absolute],
      [() => predicateNot(until()), () => ({ not: absolute })],
      [() => predicateAnd(until(), predicateUnconditional()), () => ({ and: [absolute, { unconditional: true }] })],
      [() => predicateOr(predicateNot(until()), until()), () => ({ or: [{ not: absolute }, absolute] })],
      [
        () => predicateBeforeRelativeTime("3600"),
        (created) => ({ abs_before: showTime(created + 3600n), abs_before_epoch: (created + 3600n).toString() })
      ],
      [
        () => predicateBeforeRelativeTime("9223372036854775807"),
        () => ({ abs_before: showTime(9223372036854775807n), abs_before_epoch: "9223372036854775807" })
      ]
    ]
    for (const [predicate, shown] of kinds) {
      const { closeTime, ledger } = yield* on(perform("create", {
        as: creator,
        operations: [
          Operation.createClaimableBalance({
            asset: Asset.native(),
            amount: "1",
            claimants: [new Claimant(claimant.publicKey(), predicate())]
          })
        ]
      }))
      const { records } = yield* Effect.promise(() =>
        ledgerApi.claimableBalances().claimant(claimant.publicKey()).order("desc").limit(1).call()
      )
      assert.strictEqual(records[0]?.last_modified_ledger, ledger)
      assert.deepStrictEqual(records[0]?.claimants[0]?.predicate, shown(closeTime))
    }
    const { records } = yield* Effect.promise(() => ledgerApi.claimableBalances().claimant(claimant.publicKey()).limit(200).call())
    const outcomes: Array<string> = []
    for (const { id } of records) {
      const claimed = yield* network.enact(claimant.publicKey(), [Operation.claimClaimableBalance({ balanceId: id })])
      outcomes.push(claimed.successful ? "claimed" : "refused")
    }
    assert.deepStrictEqual(outcomes, ["claimed", "claimed", "refused", "claimed", "claimed", "claimed", "claimed"])
    assert.lengthOf((yield* Effect.promise(() => ledgerApi.claimableBalances().claimant(claimant.publicKey()).call())).records, 1)
  }))

it.scopedLive("a balance shows its asset, its clawback flag and all who may claim it, and lists by each of them", () =>
  Effect.gen(function*() {
    const { ledgerApi, ledgerApiUrl, on } = yield* startWithClients()
    const [issuer, one, two] = [Keypair.random(), Keypair.random(), Keypair.random()]
    yield* on(fund("100", issuer, one, two))
    const asset = new Asset("LONGCODE", issuer.publicKey())
    yield* on(perform("create", {
      as: issuer,
      operations: [
        Operation.setOptions({ setFlags: 2 }),
        Operation.setOptions({ setFlags: 8 }),
        Operation.createClaimableBalance({
          asset,
          amount: "922337203685.4775807",
          claimants: [new Claimant(one.publicKey()), new Claimant(two.publicKey())]
        })
      ]
    }))
    const lists = [
      ledgerApi.claimableBalances().claimant(one.publicKey()),
      ledgerApi.claimableBalances().claimant(two.publicKey()),
      ledgerApi.claimableBalances().asset(asset),
      ledgerApi.claimableBalances().sponsor(issuer.publicKey())
    ]
    const ids = yield* Effect.forEach(
      lists,
      (list) => Effect.map(Effect.promise(() => list.call()), ({ records }) => records.map(({ id }) => id))
    )
    assert.lengthOf(ids[0] ?? [], 1)
    assert.isTrue(ids.every((each) => each.join() === ids[0]?.join()))
    const shown = JSON.parse((yield* get(`${ledgerApiUrl}/claimable_balances/${ids[0]?.[0]}`)).text)
    assert.deepStrictEqual(
      [shown.amount, shown.asset, shown.flags, shown.claimants.map((claimant: { destination: string }) => claimant.destination).toSorted()],
      ["922337203685.4775807", `LONGCODE:${issuer.publicKey()}`, { clawback_enabled: true }, [one.publicKey(), two.publicKey()].toSorted()]
    )
    const none = yield* Effect.promise(() => ledgerApi.claimableBalances().claimant(issuer.publicKey()).call())
    assert.deepStrictEqual(none.records, [])
  }))
