import { assert } from "@effect/vitest"
import type { Asset } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { AccountAddress } from "../../src/domain/Address.ts"
import { addressOf, addressVal, variant } from "../../src/ledger/soroban/Values.ts"
import { lendingContracts } from "../../src/sandbox/scenarios/LendingContracts.ts"
import { keyOfContractData, trustlineKey } from "../../src/xdr/LedgerKeys.ts"
import { layer } from "../support/Layered.ts"
import { LendingDebt } from "../support/scenarios/LendingDebt.ts"
import { LendingDebtToBuy } from "../support/scenarios/LendingDebtToBuy.ts"
import { altering, holding, owing } from "./support/AlteredEntries.ts"
import { answersTo, echo, positionIn } from "./support/Answering.ts"
import { type Answer, offered, plan, refusal } from "./support/Client.ts"
import { Service } from "./support/Service.ts"
import { Sources, sourcesService } from "./support/Sources.ts"

const alone = { excludeTestServices: true }
const buy = "buy_repay_asset_then_exit"

interface Held {
  readonly source: { readonly publicKey: () => string }
  readonly destination: { readonly publicKey: () => string }
  readonly eurc: Asset
}

const lineOf = ({ eurc, source }: Held) => trustlineKey(AccountAddress.make(source.publicKey()), eurc.toTrustLineXdrObject())

const requestOf = ({ destination, source }: Held) => ({ source: source.publicKey(), destination: destination.publicKey() })

const later = Effect.flatMap(Service, ({ sandbox }) => sandbox.closeLedger({ advanceSeconds: 5 }))

/** The request with every answer. Missing debt assets are bought where the plan offers that. */
const decided = (request: ReturnType<typeof requestOf>) =>
  Effect.gen(function*() {
    const asked = yield* plan(request)
    const point = positionIn(asked)
    const bought: ReadonlyArray<Answer> = point.options.some(({ id, params }) => id === buy && params !== undefined)
      ? [echo(point, buy)]
      : []
    const decisions = [...answersTo(asked, "convert_to_native").filter(({ id }) => id !== point.id), ...bought]
    return { ...request, decisions }
  })

layer(sourcesService(1, {}, ["lend_1"]), alone)("a debt, over a contract RPC that lies about what is held to pay it", (it) => {
  it.effect("is not bought for: less in the very ledger of the ledger API is a contradiction", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const [liar] = yield* Sources
      const held = yield* on(LendingDebt)
      yield* later
      const refused = yield* liar!.lying(
        altering(lineOf(held), (data) => ({ data: holding(() => 0n)(data) })),
        Effect.flatMap(decided(requestOf(held)), (request) => {
          assert.include(request.decisions.map(({ choice }) => choice), buy)
          return refusal("next", request)
        })
      )
      assert.deepInclude(refused, { status: 503, code: "sources_disagree", details: { about: "trustline" } })
    }))

  it.effect("is not bought for: less since then is waited for", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const [liar] = yield* Sources
      const held = yield* on(LendingDebt)
      yield* later
      const refused = yield* liar!.lying(
        altering(lineOf(held), (data, modified) => ({ data: holding(() => 0n)(data), modified })),
        Effect.flatMap(decided(requestOf(held)), (request) => refusal("next", request))
      )
      assert.deepInclude(refused, { status: 503, code: "ledger_api_lagging" })
    }))

  it.effect("is not paid where it shows more than the ledger API", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const [liar] = yield* Sources
      const held = yield* on(LendingDebt)
      yield* later
      const refused = yield* liar!.lying(
        altering(lineOf(held), (data, modified) => ({ data: holding((before) => before + 1_0000000n)(data), modified })),
        Effect.flatMap(decided(requestOf(held)), (request) => refusal("next", request))
      )
      assert.deepInclude(refused, { status: 503, code: "ledger_api_lagging" })
    }))

  it.effect("is bought for as the smaller balance says where the two are hardly apart, as after a stranger's gift", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const [late] = yield* Sources
      const held = yield* on(LendingDebtToBuy)
      yield* later
      const boughtFor = (gift: bigint) =>
        late!.lying(
          altering(lineOf(held), (data, modified) => ({ data: holding((before) => before + gift)(data), modified })),
          Effect.map(Effect.flatMap(decided(requestOf(held)), offered), ({ intent: { operations } }) =>
            operations.flatMap((one) => (one.type === "path_payment_strict_receive" ? [one.destAmount] : [])))
        )
      const [without, dust] = [yield* boughtFor(0n), yield* boughtFor(100_000n)]
      assert.lengthOf(without, 1)
      assert.deepStrictEqual(dust, without)
    }))
})

layer(sourcesService(2, {}, ["lend_1"]), alone)("a debt, over two contract RPCs of which one lies about how large it is", (it) => {
  it.effect("is not bought for, whichever of the two it is", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const { pool } = lendingContracts
      for (const liar of yield* Sources) {
        const held = yield* on(LendingDebtToBuy)
        yield* later
        const key = keyOfContractData(pool, variant("Positions", addressVal(addressOf(held.source.publicKey()))), "persistent")
        const refused = yield* liar.lying(
          altering(key, (data) => ({ data: owing(2n)(data) })),
          Effect.flatMap(decided(requestOf(held)), (request) => refusal("next", request))
        )
        assert.deepInclude(refused, { status: 503, code: "sources_disagree", details: { about: "contract_entries" } })
      }
    }))
})
