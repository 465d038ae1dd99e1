import { assert, it } from "@effect/vitest"
import { Account, Asset, Keypair, Networks, Operation, type Transaction, TransactionBuilder } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { agreementOf } from "../../src/client/Agreement.ts"
import { type CloseOptions, settingsOf } from "../../src/client/CloseOptions.ts"
import { Closing } from "../../src/client/Closing.ts"
import { guaranteeOf } from "../../src/client/Guarantee.ts"
import { closingOf } from "../../src/client/Retrying.ts"
import { httpLayer } from "../../src/client/ServiceClient.ts"

const [source, other, issuer] = [Keypair.random(), Keypair.random(), Keypair.random()].map((key) => key.publicKey()) as [
  string,
  string,
  string
]
const lumen = 10_000_000n
const usd = new Asset("USD", issuer)

const merge: Transaction = new TransactionBuilder(new Account(source, "7"), {
  fee: "100",
  networkPassphrase: Networks.TESTNET,
  timebounds: { minTime: 0, maxTime: 2_000_000_000 }
})
  .addOperation(Operation.payment({ source, destination: other, asset: Asset.native(), amount: "5" }))
  .addOperation(
    Operation.pathPaymentStrictReceive({ sendAsset: Asset.native(), sendMax: "3", destination: source, destAsset: usd, destAmount: "1" })
  )
  .addOperation(
    Operation.pathPaymentStrictSend({ sendAsset: usd, sendAmount: "100", destination: source, destAsset: Asset.native(), destMin: "40" })
  )
  .addOperation(Operation.accountMerge({ destination: other }))
  // What a mediator pays on is not the account's.
  .addOperation(Operation.payment({ source: other, destination: issuer, asset: Asset.native(), amount: "70" }))
  .build()

const guarantee = (more: Partial<CloseOptions>) =>
  Effect.gen(function*() {
    const settings = yield* settingsOf({
      baseUrl: "http://localhost",
      network: "testnet",
      source,
      destination: other,
      sign: () => assert.fail("it was to be signed"),
      ...more
    })
    const view = {
      sequence: 7n,
      balanceStroops: 100n * lumen,
      held: [],
      dust: new Set<string>(),
      balances: new Map(),
      seen: [],
      claimed: []
    }
    return yield* Effect.provideService(
      Effect.flatMap(agreementOf([]), (agreement) => guaranteeOf(merge, agreement, view)),
      Closing,
      closingOf(settings, () => Effect.void)
    )
  }).pipe(Effect.provide(httpLayer(undefined)))

it.effect("a merge guarantees what is sold, less its fee, purchases and what it pays to others", () =>
  Effect.gen(function*() {
    assert.strictEqual(yield* guarantee({}), 132n * lumen - 500n)
    assert.strictEqual(yield* guarantee({ accept: "131.99995" }), 132n * lumen - 500n)
    assert.strictEqual((yield* Effect.flip(guarantee({ accept: "132" })))._tag, "BelowAcceptedMinimum")
  }))
