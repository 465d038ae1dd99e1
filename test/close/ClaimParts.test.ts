import { assert } from "@effect/vitest"
import { Asset, AuthClawbackEnabledFlag, AuthRevocableFlag, Claimant, Keypair, Operation } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { showAmount } from "../../src/domain/Amount.ts"
import { fund, perform } from "../../src/sandbox/scenarios/Scenario.ts"
import { layer } from "../support/Layered.ts"
import { Buyer, Issued, Pair } from "./support/Accounts.ts"
import { answersTo, echo, pointOf } from "./support/Answering.ts"
import { next, type Offered, offered, plan, refusal, submit } from "./support/Client.ts"
import { closeThrough } from "./support/CloseLoop.ts"
import { accountOf, heldOf } from "./support/LedgerView.ts"
import { Service } from "./support/Service.ts"
import { signed } from "./support/Signing.ts"

const largest = "922337203685.4775807"

/** This many balances of an asset for the account to claim, each of this amount. */
const Gifts = (to: Keypair, asset: Asset, giver: Keypair, count: number, amount = "1") =>
  Effect.forEach(Array.from({ length: Math.ceil(count / 100) }, (_, at) => Math.min(100, count - at * 100)), (some) =>
    perform("gifts", {
      as: giver,
      operations: Array.from({ length: some }, () =>
        Operation.createClaimableBalance({ asset, amount, claimants: [new Claimant(to.publicKey())] }))
    }), { discard: true })

const Revocable = (flags = AuthRevocableFlag) =>
  Effect.gen(function*() {
    const issuer = Keypair.random()
    yield* fund("1000", issuer)
    yield* perform("the issuer may take back", {
      as: issuer,
      operations: [Operation.setOptions({ setFlags: flags as typeof AuthRevocableFlag })]
    })
    return { issuer, asset: new Asset("TRAP", issuer.publicKey()) }
  })

const DataEntries = (of: Keypair, count: number) =>
  perform("data entries", {
    as: of,
    operations: Array.from({ length: count }, (_, at) => Operation.manageData({ name: `entry ${at}`, value: "1" }))
  })

/** The operations on an asset in a transaction, and the amount of it that stays behind. */
const concerning = ({ intent }: Offered, asset: Asset) => {
  const id = `${asset.getCode()}:${asset.getIssuer()}`
  return intent.operations.flatMap((operation) => {
    if (operation.type === "change_trust" && operation.asset === id) return [`line ${operation.limit}`]
    if (operation.type === "claim_claimable_balance") return ["claim"]
    if (operation.type === "payment" && operation.asset === id) return [`pay ${operation.amount}`]
    return operation.type === "path_payment_strict_send" && operation.sendAsset === id ? [`sell ${operation.sendAmount}`] : []
  })
}

layer(Service.layer(), { excludeTestServices: true })("a gift by an issuer that may take it back", (it) => {
  for (
    const [what, data, gifts] of [["behind 97 data entries", 97, 1], ["of 130 balances", 0, 130], [
      "of 30 balances behind 80 data entries",
      80,
      30
    ]] as const
  ) {
    it.effect(`cannot lock the account: ${what}`, () =>
      Effect.gen(function*() {
        const { on } = yield* Service
        const { destination, source } = yield* on(Pair("200"))
        const { asset, issuer } = yield* on(Revocable())
        if (data > 0) yield* on(DataEntries(source, data))
        yield* on(Gifts(source, asset, issuer, gifts))
        const request = { source: source.publicKey(), destination: destination.publicKey() }
        const decisions = answersTo(yield* plan(request), "i_control_this_address", "add_trustline_then_claim", "return_to_issuer")
        let claimed = 0
        for (let more = true; more;) {
          const { remaining, transactions: [transaction] } = yield* next({ ...request, decisions })
          const seen = concerning(transaction!, asset)
          const brought = seen.filter((one) => one === "claim").length
          claimed += brought
          if (brought > 0) {
            const amount = `${brought}.0000000`
            assert.deepStrictEqual(seen.filter((one) => one !== "claim"), [`line ${amount}`, `pay ${amount}`, "line 0.0000000"])
          }
          yield* submit(yield* signed(transaction!, source))
          assert.isNull(yield* heldOf(source, asset), "no line of it stays between two transactions")
          more = remaining.requiresAnotherCall
        }
        assert.strictEqual(claimed, gifts)
        assert.isNull(yield* accountOf(source))
      }), 60_000)
  }

  it.effect("is never recommended, and its note says why; what nobody can take back is", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const { destination, source } = yield* on(Pair())
      const honest = Keypair.random()
      yield* on(fund("100", honest))
      const { asset, issuer } = yield* on(Revocable())
      const { asset: clawed, issuer: clawer } = yield* on(Revocable(AuthRevocableFlag | AuthClawbackEnabledFlag))
      const free = new Asset("FREE", honest.publicKey())
      for (const [gift, giver] of [[asset, issuer], [clawed, clawer], [free, honest], [Asset.native(), honest]] as const) {
        yield* on(Gifts(source, gift, giver, 1))
      }
      yield* on(
        perform("no longer, but what it gave before stays so", {
          as: clawer,
          operations: [Operation.setOptions({ clearFlags: AuthClawbackEnabledFlag })]
        })
      )
      yield* on(perform("nor this", { as: clawer, operations: [Operation.setOptions({ clearFlags: AuthRevocableFlag })] }))
      const { decisionPoints } = yield* plan({ source: source.publicKey(), destination: destination.publicKey() })
      const claims = decisionPoints.filter(({ type }) => type === "claim").map(({ options: [claim], subject }) => [
        [asset, clawed, free].find((one) => subject.endsWith(one.getIssuer() ?? ""))?.getIssuer() ?? "native",
        claim?.recommended,
        claim?.note?.includes("Its issuer can freeze or claw back")
      ])
      assert.sameDeepMembers(claims, [
        [asset.getIssuer(), false, true],
        [clawed.getIssuer(), false, true],
        [free.getIssuer(), true, false],
        ["native", true, false]
      ])
    }))
})

layer(Service.layer(), { excludeTestServices: true })("claims in parts", (it) => {
  it.effect("are sold at the price of the worst part or better, each part in proportion to what was agreed", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const { destination, source } = yield* on(Pair("200"))
      const { asset, issuer } = yield* on(Issued("USD", [source, "10"]))
      yield* on(Buyer(asset, "60", "2"))
      const { maker } = yield* on(Buyer(asset, "500", "4"))
      yield* on(
        perform("reserves of the gifts", {
          as: maker,
          operations: [Operation.payment({ destination: issuer.publicKey(), asset: Asset.native(), amount: "1000" })]
        })
      )
      yield* on(Gifts(source, asset, issuer, 200))
      const request = { source: source.publicKey(), destination: destination.publicKey() }
      const point = pointOf(yield* plan(request), `asset:USD-${issuer.publicKey()}`)
      assert.include(point.subject, "210.0000000")
      const convert = point.options.find(({ id }) => id === "convert_to_native")
      assert.strictEqual(convert?.params?.amount, "210.0000000")
      // The last part is sold at a quarter of a lumen each, less half a percent.
      assert.strictEqual(convert?.params?.minReceive, "52.2375000")
      assert.isAbove(Number(convert?.quote?.receive), 75)
      const { plan: ready, received, rounds } = yield* closeThrough({
        source,
        destination,
        wished: ["i_control_this_address", "claim", "convert_to_native"]
      })
      assert.isAbove(rounds.length, 2)
      assert.strictEqual(showAmount(received), ready.estimate.receivedLumens)
    }), 60_000)

  // A tail of 3 units brings nothing at a tenth of a lumen; one of 13 or 247 units loses much of its price to rounding.
  for (const [count, amount] of [[100, "0.0000001"], [110, "0.0000001"], [110, "0.0000019"]] as const) {
    it.effect(`of dust leave the sale of the whole holding as it is: ${count} of ${amount}`, () =>
      Effect.gen(function*() {
        const { on } = yield* Service
        const { destination, source } = yield* on(Pair("200"))
        const { asset, issuer } = yield* on(Issued("USD", [source, "10000"]))
        const { maker } = yield* on(Buyer(asset, "2000", "10"))
        yield* on(
          perform("reserves of the gifts", {
            as: maker,
            operations: [Operation.payment({ destination: issuer.publicKey(), asset: Asset.native(), amount: "500" })]
          })
        )
        yield* on(Gifts(source, asset, issuer, count, amount))
        const request = { source: source.publicKey(), destination: destination.publicKey() }
        const asked = yield* plan(request)
        const point = pointOf(asked, `asset:USD-${issuer.publicKey()}`)
        const convert = point.options.find(({ id }) => id === "convert_to_native")
        assert.isTrue(convert?.recommended, JSON.stringify(point.options))
        // A thousand lumens less half a percent; the dust adds a few stroops.
        assert.match(convert?.params?.minReceive ?? "", /^99[45]\.[09]/)
        assert.isAbove(Number(convert?.params?.minReceive), 994.9999)
        // What may be given away is not unbounded for the dust.
        assert.isBelow(Number(point.options.find(({ id }) => id === "return_to_issuer")?.params?.maxAmount), 10_111)
        const { received, rounds } = yield* closeThrough({
          source,
          destination,
          wished: ["i_control_this_address", "claim", "convert_to_native"]
        })
        assert.isAbove(Number(showAmount(received)), 1_000)
        assert.isNull(yield* accountOf(source))
        assert.isAbove(rounds.length, 0)
      }), 60_000)
  }

  it.effect("hold what is given away to the whole, not to each part", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const { destination, source } = yield* on(Pair("200"))
      const issuer = Keypair.random()
      yield* on(fund("1000", issuer))
      const asset = new Asset("MANY", issuer.publicKey())
      yield* on(Gifts(source, asset, issuer, 150))
      const request = { source: source.publicKey(), destination: destination.publicKey() }
      const asked = yield* plan(request)
      const burn = pointOf(asked, `asset:MANY-${issuer.publicKey()}`)
      const others = answersTo(asked, "add_trustline_then_claim").filter(({ id }) => id !== burn.id)
      const short = yield* refusal("next", { ...request, decisions: [...others, echo(burn, "return_to_issuer", { maxAmount: "149" })] })
      assert.deepInclude(short, { status: 409, code: "plan_changed" })
      yield* offered({ ...request, decisions: [...others, echo(burn, "return_to_issuer", { maxAmount: "150" })] })
    }), 60_000)

  it.effect("of more than one entry of the ledger can hold are planned, built and closed, and every sum is accepted when echoed", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const { destination, source } = yield* on(Pair())
      const issuer = Keypair.random()
      yield* on(fund("100", issuer))
      const asset = new Asset("HUGE", issuer.publicKey())
      yield* on(Gifts(source, asset, issuer, 2, largest))
      const { plan: ready, rounds } = yield* closeThrough({
        source,
        destination,
        wished: ["i_control_this_address", "add_trustline_then_claim", "return_to_issuer"]
      })
      const limits = rounds.flatMap(({ transactions }) => transactions.flatMap((one) => concerning(one, asset)))
      assert.deepStrictEqual(limits, [
        `line ${largest}`,
        "claim",
        `pay ${largest}`,
        "line 0.0000000",
        `line ${largest}`,
        "claim",
        `pay ${largest}`,
        "line 0.0000000"
      ])
      assert.strictEqual(pointOf(ready, `asset:HUGE-${issuer.publicKey()}`).subject, `1844674407370.9551614 HUGE:${issuer.publicKey()}`)
    }))

  it.effect("come after what fills the line has left it", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const { destination, source } = yield* on(Pair())
      const { asset, issuer } = yield* on(Issued("FULL", [source, largest]))
      yield* on(Gifts(source, asset, issuer, 1, "5"))
      const { rounds } = yield* closeThrough({ source, destination, wished: ["i_control_this_address", "claim", "return_to_issuer"] })
      assert.deepStrictEqual(rounds.flatMap(({ transactions }) => transactions.flatMap((one) => concerning(one, asset))), [
        `pay ${largest}`,
        "line 0.0000000",
        "line 5.0000000",
        "claim",
        "pay 5.0000000",
        "line 0.0000000"
      ])
    }))

  it.effect("raise the limit of a line for exactly what they bring", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const { destination, source } = yield* on(Pair())
      const { asset, issuer } = yield* on(Issued("USD", [source, "10"]))
      yield* on(perform("a narrow line", { as: source, operations: [Operation.changeTrust({ asset, limit: "11" })] }))
      yield* on(Gifts(source, asset, issuer, 3, "2"))
      const { rounds } = yield* closeThrough({ source, destination, wished: ["i_control_this_address", "claim", "return_to_issuer"] })
      assert.deepStrictEqual(concerning(rounds[0]!.transactions[0]!, asset), [
        "line 16.0000000",
        "claim",
        "claim",
        "claim",
        "pay 16.0000000",
        "line 0.0000000"
      ])
    }))
})
