import { assert, describe, it } from "@effect/vitest"
import { Keypair, Operation } from "@stellar/stellar-sdk"
import { Effect, Layer } from "effect"
import { LedgerApi } from "../../src/chain/LedgerApi.ts"
import { LedgerEntries } from "../../src/chain/LedgerEntries.ts"
import { NetworkUnavailable } from "../../src/domain/failure/Upstream.ts"
import { AccountSigners } from "../../src/keys/AccountSigners.ts"
import { fund, perform } from "../../src/sandbox/scenarios/Scenario.ts"
import { addressOf, world } from "../account/support/World.ts"

/** The signers of an account with a threshold of 3, where the ledger API names another threshold. */
const ruleOf = (told: (threshold: number | null) => number | null, absent: NetworkUnavailable | null = null) =>
  Effect.gen(function*() {
    const [account, signer] = [Keypair.random(), Keypair.random()]
    yield* fund("100", account)
    yield* perform("a second signer", {
      as: account,
      operations: [
        Operation.setOptions({ signer: { ed25519PublicKey: signer.publicKey(), weight: 2 } }),
        Operation.setOptions({ medThreshold: 3, highThreshold: 3 })
      ]
    })
    const [api, entries] = [yield* LedgerApi, yield* LedgerEntries]
    const other = LedgerApi.of({
      ...api,
      absent,
      account: (address) =>
        Effect.map(api.account(address), (found) =>
          found._tag === "None" ? found : { ...found, value: { ...found.value, mediumThreshold: told(found.value.mediumThreshold) } })
    })
    const layer = Layer.provide(AccountSigners.layer, [Layer.succeed(LedgerApi, other), Layer.succeed(LedgerEntries, entries)])
    return yield* Effect.either(Effect.provide(
      Effect.flatMap(AccountSigners, ({ of }) =>
        of(addressOf(account))),
      layer
    ))
  }).pipe(Effect.provide(world()))

describe("who may speak for an account", () => {
  it.effect("fails without a ledger API, since one source alone proves no signers", () =>
    Effect.map(ruleOf((threshold) => threshold, new NetworkUnavailable({ network: "testnet", source: "ledger_api" })), (rule) => {
      assert.strictEqual(rule._tag === "Left" ? rule.left._tag : rule._tag, "NetworkUnavailable")
    }))

  it.effect("is told where both sources name the same signers and the same threshold", () =>
    Effect.map(ruleOf((threshold) => threshold), (rule) => {
      assert.isTrue(rule._tag === "Right" && rule.right.threshold === 3 && rule.right.signers.length === 2)
    }))

  for (const [what, threshold] of [["another threshold", 1], ["no threshold", null]] as const) {
    it.effect(`is sources_disagree where the ledger API names the same signers and ${what}`, () =>
      Effect.map(ruleOf(() => threshold), (rule) => {
        assert.strictEqual(rule._tag === "Left" ? rule.left._tag : rule._tag, "SourcesDisagree")
      }))
  }
})
