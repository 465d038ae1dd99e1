import { assert } from "@effect/vitest"
import { Asset, Claimant, Operation } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { perform } from "../../src/sandbox/scenarios/Scenario.ts"
import { layer } from "../support/Layered.ts"
import { Buyer, HolderWithMarket, Issued, Pair } from "./support/Accounts.ts"
import { answersTo } from "./support/Answering.ts"
import { next, offered, plan } from "./support/Client.ts"
import { closeThrough } from "./support/CloseLoop.ts"
import { Service } from "./support/Service.ts"

layer(Service.layer(), { excludeTestServices: true })("the amounts of a close", (it) => {
  it.effect("stand in its steps, and in the built transaction without what comes and goes again", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const { asset, destination, issuer, source } = yield* on(HolderWithMarket())
      yield* on(perform("something to claim", {
        as: issuer,
        operations: [Operation.createClaimableBalance({ asset, amount: "20", claimants: [new Claimant(source.publicKey())] })]
      }))
      const id = `USD:${issuer.publicKey()}`
      const usd = (amount: string, lumens: string) => ({ asset: id, symbol: "USD", amount, lumens })
      const xlm = (amount: string) => ({ asset: "native", symbol: "XLM", amount, lumens: amount })
      const request = { source: source.publicKey(), destination: destination.publicKey() }
      const decisions = answersTo(yield* plan(request), "claim")
      const { estimate, steps } = yield* plan({ ...request, decisions })
      const received = estimate.receivedLumens ?? assert.fail("nothing is received")
      assert.deepStrictEqual(steps.map(({ pays, takes, title, type }) => [type, title, pays, takes]), [
        ["CLAIM_BALANCES", "Claim 20 USD", [usd("20.0000000", "10.0000000")], []],
        ["HANDLE_ASSETS", "Sell 120 USD for at least 59.7 XLM", [xlm("60.0000000")], [usd("120.0000000", "60.0000000")]],
        ["REMOVE_TRUSTLINES", "Remove the trustline to USD", [], []],
        ["MERGE", `Merge the account: ${received.replace(/0+$/, "")} XLM go to ${request.destination}`, [], [xlm(received)]]
      ])

      const { intent } = yield* offered({ ...request, decisions })
      assert.strictEqual(intent.summary, steps.map(({ title }) => title).join("; "))
      // A claimed balance is sold at once, and the merge takes all lumens.
      const own = (Number(received) - 60).toFixed(7)
      assert.deepStrictEqual(intent.expects, { pays: [], takes: [usd("100.0000000", "50.0000000"), xlm(own)] })
    }))

  it.effect("are told together where steps are", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const { destination, issuer, source, usd } = yield* on(Effect.gen(function*() {
        const pair = yield* Pair("1000")
        const { asset: usd, issuer } = yield* Issued("USD", [pair.source, "0"])
        yield* Buyer(usd, "5000", "2")
        for (let at = 0; at < 60; at++) {
          yield* perform("something to claim", {
            as: issuer,
            operations: [
              Operation.createClaimableBalance({ asset: usd, amount: "0.5", claimants: [new Claimant(pair.source.publicKey())] })
            ]
          })
        }
        return { ...pair, issuer, usd }
      }))
      assert.strictEqual(usd.getIssuer(), issuer.publicKey())
      const request = { source: source.publicKey(), destination: destination.publicKey() }
      const { steps } = yield* plan({ ...request, decisions: answersTo(yield* plan(request), "claim") })
      assert.deepInclude(steps[0], {
        title: "Claim 60 balances of 30 USD",
        entryCount: 60,
        pays: [{ asset: `USD:${usd.getIssuer()}`, symbol: "USD", amount: "30.0000000", lumens: "15.0000000" }]
      })
    }))

  it.effect("of many assets are summed in what a person signs, and what is given away is told apart", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const pair = yield* on(Effect.gen(function*() {
        const pair = yield* Pair("1000")
        for (let at = 0; at < 6; at++) {
          const { asset } = yield* Issued(`A${at}`, [pair.source, "100"])
          if (at < 4) yield* Buyer(asset, "5000", "2")
        }
        return pair
      }))
      const request = { source: pair.source.publicKey(), destination: pair.destination.publicKey() }
      const decisions = answersTo(yield* plan(request))
      const { remaining, transactions: [offer] } = yield* next({ ...request, decisions })
      assert.deepStrictEqual(remaining, { steps: 0, transactions: 0, requiresAnotherCall: false })
      const told = offer?.intent.summary.split("; ") ?? []
      assert.sameMembers(told.slice(0, -1), [
        "Sell 4 assets for about 200 XLM",
        "Remove 6 trustlines",
        "Return 100 A4 and 100 A5 to their issuers"
      ])
      assert.match(told.at(-1) ?? "", new RegExp(`^Merge the account: 1199\\.\\d+ XLM go to ${request.destination}$`))
      assert.deepStrictEqual(offer?.intent.expects.takes.map(({ lumens }) => lumens).filter((lumens) => lumens === null), [null, null])
      yield* closeThrough({ ...pair, decisions })
    }))

  it.effect("of lumens in a pool are told with its name", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const { asset, destination, source } = yield* on(HolderWithMarket())
      yield* on(perform("an offer", {
        as: source,
        operations: [Operation.manageSellOffer({ selling: asset, buying: Asset.native(), amount: "7.5", price: "100" })]
      }))
      const { steps } = yield* plan({ source: source.publicKey(), destination: destination.publicKey() })
      assert.deepInclude(steps[0], { type: "CANCEL_OFFERS", title: "Cancel the offer of 7.5 USD for XLM", pays: [], takes: [] })
      assert.match(steps[1]?.title ?? "", /^Undecided, planned as if: sell 100 USD for at least 49\.75 XLM$/)
    }))
})
