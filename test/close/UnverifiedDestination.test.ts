import { assert } from "@effect/vitest"
import { Account, type Keypair, Operation, TransactionBuilder } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { fileURLToPath } from "node:url"
import shipped from "../../src/registry/exchange-registry.json" with { type: "json" }
import { perform } from "../../src/sandbox/scenarios/Scenario.ts"
import { layer } from "../support/Layered.ts"
import { HolderWithMarket, Pair } from "./support/Accounts.ts"
import { acknowledges } from "./support/Answering.ts"
import { plan, refusal } from "./support/Client.ts"
import { judged } from "./support/Judged.ts"
import { accountOf } from "./support/LedgerView.ts"
import { muxedOf } from "./support/Muxed.ts"
import { Service } from "./support/Service.ts"

const file = fileURLToPath(new URL("../../src/registry/exchange-registry.json", import.meta.url))

/** An exchange's address that the shipped file names, with an account on the sandbox. */
const exchange = (named: string, payer: Keypair) =>
  Effect.gen(function*() {
    const address = shipped.unverified.find(({ name }) => name === named)?.address ?? assert.fail(`${named} is not listed`)
    yield* perform(`an account of ${named}`, {
      as: payer,
      operations: [Operation.createAccount({ destination: address, startingBalance: "5" })]
    })
    return address
  })

layer(Service.layer({ EXCHANGE_REGISTRY_FILE: file }), { excludeTestServices: true })(
  "an address that public lists name as an exchange's",
  (it) => {
    it.effect("is reported as unverified, with its name and without rules", () =>
      Effect.gen(function*() {
        const { call, on } = yield* Service
        const { source } = yield* on(Pair())
        const address = yield* on(exchange("Kraken", source))
        assert.deepInclude((yield* call<object>("GET", `/testnet/destinations/${address}`)).body, {
          kind: "exchange_unverified",
          name: "Kraken",
          requiresMemo: false,
          requiresMediator: false,
          memoType: "none"
        })
      }))

    it.effect("is no destination, whatever the owner says of it", () =>
      Effect.gen(function*() {
        const { on } = yield* Service
        const { source } = yield* on(Pair())
        const address = yield* on(exchange("Upbit", source))
        const request = { source: source.publicKey(), destination: address, memo: "17", decisions: [acknowledges(address)] }
        const { blockers, reasons, refusal: refused, status } = yield* judged(request)
        assert.deepStrictEqual([status, reasons], ["blocked", ["destination_unusable"]])
        assert.match(blockers[0]?.message ?? "", /Upbit.*operator/)
        assert.deepInclude(refused, { status: 422, code: "destination_unusable" })
        assert.notInclude((yield* plan(request)).decisionPoints.map(({ type }) => type), "destination")
        const muxed = yield* refusal("plan", { source: source.publicKey(), destination: muxedOf(address, 17n) })
        assert.deepInclude(muxed, { status: 400, code: "invalid_destination" })
        assert.match(String(muxed.details["reason"]), /Upbit.*operator/)
      }))

    it.effect("takes no transfer of an asset either, and offers no acknowledgement for one", () =>
      Effect.gen(function*() {
        const { on } = yield* Service
        const { decision, destination, source } = yield* on(HolderWithMarket())
        const address = yield* on(exchange("Gate.io", destination))
        const transfer = {
          id: decision,
          choice: "transfer_to_account",
          params: { maxAmount: "100.0000000", destination: address }
        } as const
        const request = {
          source: source.publicKey(),
          destination: destination.publicKey(),
          decisions: [acknowledges(destination.publicKey()), acknowledges(address), transfer]
        }
        assert.deepInclude(yield* refusal("next", request), { status: 422, code: "transfer_destination_unusable" })
        assert.notInclude((yield* plan(request)).decisionPoints.map(({ id }) => id), `destination:${address}`)
      }))

    it.effect("receives no merge that was signed without this service", () =>
      Effect.gen(function*() {
        const { on, passphrase } = yield* Service
        const { source } = yield* on(Pair())
        const address = yield* on(exchange("KuCoin", source))
        const sequence = (yield* accountOf(source))?.seqNum ?? 0n
        const merge = new TransactionBuilder(new Account(source.publicKey(), sequence.toString()), {
          fee: "100",
          networkPassphrase: passphrase
        })
          .addOperation(Operation.accountMerge({ destination: address })).setTimeout(300).build()
        merge.sign(source)
        const refused = yield* refusal("submit", { signedXdr: merge.toXdr() })
        assert.deepInclude(refused, { status: 409, code: "plan_changed" })
        assert.deepStrictEqual(refused.details["changes"], [{ kind: "destination", subject: address, current: "unverified" }])
        assert.isNotNull(yield* accountOf(source))
      }))
  }
)
