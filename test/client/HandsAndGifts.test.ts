import { assert, it } from "@effect/vitest"
import { Asset, Claimant, Keypair, Operation } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import {
  type Decision,
  mergeBundles,
  prepareBundle,
  signBundle,
  signWithKey,
  submitBundle,
  TransactionNotVerified
} from "../../src/client/Client.ts"
import { perform } from "../../src/sandbox/scenarios/Scenario.ts"
import { Pair } from "../close/support/Accounts.ts"
import { plan } from "../close/support/Client.ts"
import { lumensOf } from "../close/support/LedgerView.ts"
import { Service } from "../close/support/Service.ts"
import { startTestService } from "../support/TestService.ts"
import { type Change, intercepted } from "./support/Intercepted.ts"

/** A ledger API that dates every claimable balance an hour back. */
const anHourOlder: Change = ({ body, path }) => {
  if (!path.endsWith("/claimable_balances")) return null
  const { records } = body["_embedded"] as { records: ReadonlyArray<{ last_modified_time: string }> }
  const older = records.map((one) => ({
    ...one,
    last_modified_time: new Date(Date.parse(one.last_modified_time) - 3_600_000).toISOString()
  }))
  return { ...body, _embedded: { records: older } }
}

const served = <A, E>(work: Effect.Effect<A, E, Service>) =>
  Effect.scoped(Effect.flatMap(startTestService(), (service) => Effect.provideService(work, Service, service)))

/** An account that two keys sign for, and someone who gives it things. */
const shared = Effect.gen(function*() {
  const service = yield* Service
  const { destination, source } = yield* service.on(Pair())
  const { source: stranger } = yield* service.on(Pair())
  const second = Keypair.random()
  const signer = { ed25519PublicKey: second.publicKey(), weight: 1 }
  yield* service.on(perform("two of two", {
    as: source,
    operations: [Operation.setOptions({ signer, lowThreshold: 2, medThreshold: 2, highThreshold: 2 })]
  }))
  const gives = (amount: string) =>
    service.on(perform("a stranger leaves lumens to claim", {
      as: stranger,
      operations: [Operation.createClaimableBalance({ asset: Asset.native(), amount, claimants: [new Claimant(source.publicKey())] })]
    }))
  const pays = (amount: string) =>
    service.on(perform("a stranger pays lumens", {
      as: stranger,
      operations: [Operation.payment({ destination: source.publicKey(), asset: Asset.native(), amount })]
    }))
  return { service, source, destination, second, gives, pays }
})

type Changed = Partial<Parameters<typeof signBundle>[1]>

/** A bundle of that account, and how its second signer signs it. */
const prepared = Effect.gen(function*() {
  const { destination, second, service, source, ...others } = yield* shared
  const to = destination.publicKey()
  const consent: Decision = { id: `destination:${to}`, choice: "i_control_this_address" }
  const request = { source: source.publicKey(), destination: to }
  const { key: apiKey, passphrase: networkPassphrase, url: baseUrl } = service
  const own = { baseUrl, apiKey, network: "testnet" as const, networkPassphrase, ...request, decisions: [consent] }
  const later = (yield* plan(request)).suggestedDecisions.filter(({ id }) => id === "later") as ReadonlyArray<Decision>
  const bundle = (yield* Effect.promise(() => prepareBundle(own))) ?? assert.fail("the account is closed")
  const signs = (changed: Changed = {}, key = second) =>
    Effect.tryPromise({ try: () => signBundle(bundle, { ...own, sign: signWithKey(key), ...changed }), catch: (failure) => failure })
  const refused = (changed: Changed) =>
    Effect.map(
      Effect.flip(signs(changed)),
      (failure) => failure instanceof TransactionNotVerified ? failure.violations.map(({ rule }) => rule) : failure
    )
  return { ...others, service, source, destination, own, agreed: [consent, ...later], signs, refused }
})

it.live(
  "signers of a bundle sign a merge that leaves a stranger's dust behind, and none that leaves more behind, or anything older",
  () =>
    served(Effect.gen(function*() {
      const { agreed, destination, gives, own, pays, refused, service, signs, source } = yield* prepared
      const witness = { ledgerApiUrl: service.ledger.ledgerApiUrl }
      yield* gives("0.0000001")
      yield* pays("5")
      const first = yield* signs({}, source)
      yield* signs({ witness })
      const signed = mergeBundles(first, yield* signs({ witness: service.ledger, decisions: agreed }))

      // What a signer's own source dates before the bundle was there when it was made.
      assert.deepStrictEqual(yield* refused({ witness, fetch: intercepted(anHourOlder).fetch }), ["left_behind"])
      for (let ledgers = 0; ledgers < 60; ledgers++) yield* service.sandbox.closeLedger()
      assert.deepStrictEqual(yield* refused({}), ["left_behind"])
      // By the plan that the signers agreed on it still came later.
      const before = yield* lumensOf(destination)
      yield* Effect.promise(() => submitBundle(signed, { ...own, decisions: agreed }))
      assert.strictEqual((yield* lumensOf(destination)) - before, 104_9999800n)

      const richer = yield* prepared
      yield* richer.gives("25")
      for (const changed of [{}, { witness }, { decisions: richer.agreed }]) {
        assert.deepStrictEqual(yield* richer.refused(changed), ["left_behind"])
      }
    })),
  60_000
)
