import { assert, it } from "@effect/vitest"
import { Asset, Operation } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { lumen } from "../../../src/ledger/Asset.ts"
import { submitRequests } from "../../../src/sandbox/scenarios/LendingMarket.ts"
import { LendingNewcomer } from "../../../src/sandbox/scenarios/LendingNewcomer.ts"
import { perform } from "../../../src/sandbox/scenarios/Scenario.ts"
import { asked, laterLedger, lendingService } from "../../sandbox/contracts/ProtocolsServed.ts"
import { Buyer, Issued } from "../support/Accounts.ts"
import { answersTo } from "../support/Answering.ts"
import { offered, refusal, submit } from "../support/Client.ts"
import { offersOf } from "../support/LedgerView.ts"
import { Service } from "../support/Service.ts"
import { signed } from "../support/Signing.ts"

/** An account that lent lumens and holds 100 USD, with a buyer at half a lumen each. */
const LenderWithMarket = Effect.gen(function*() {
  const lending = yield* LendingNewcomer
  const { native, source } = lending
  yield* submitRequests("the account lends lumens", source, ["supplyCollateral", native, 2_000n * lumen])
  const { asset, issuer } = yield* Issued("USD", [source, "100"])
  const { maker } = yield* Buyer(asset, "5000", "2")
  return { ...lending, asset, maker, decision: `asset:USD-${issuer.publicKey()}` }
})

it.scopedLive("a sale below its floor refuses no contract call before it, and is quote_drifted in the transaction that makes it", () =>
  Effect.gen(function*() {
    const { on } = yield* Service
    const { asset, decision, maker, plan: planned, request: bare, source } = yield* asked(LenderWithMarket)
    const request = { ...bare, decisions: answersTo(planned, "convert_to_native") }
    const [offer] = yield* offersOf(maker)
    const dearer = { selling: Asset.native(), buying: asset, amount: "5000", price: "4", offerId: String(offer) }
    yield* on(perform("the buyer asks for more", { as: maker, operations: [Operation.manageSellOffer(dearer)] }))
    const call = yield* offered(request)
    assert.deepStrictEqual(call.covers, ["EXIT_POSITIONS"])
    yield* submit(yield* signed(call, source))
    yield* laterLedger
    assert.deepInclude(yield* refusal("next", request), {
      status: 409,
      code: "quote_drifted",
      details: { decisionId: decision, agreed: "49.7500000", current: "25.0000000" }
    })
  }).pipe(Effect.provide(lendingService)))
