import { assert, describe, it } from "@effect/vitest"
import { Effect, Schedule } from "effect"
import { servingWith } from "../../src/TeamService.ts"
import type { PlanBody } from "../close/support/Client.ts"
import { startTestService } from "../support/TestService.ts"
import { isThorough } from "../support/Thorough.ts"
import { closeAccount } from "./package/CloseAccount.ts"
import { layer, vault } from "./package/Vault.ts"
import { sandbox } from "./package/VaultModel.ts"

interface Account {
  readonly nativeBalanceLumens: string
  readonly trustlines: ReadonlyArray<object>
}

/** The service with the vault. A ledger closes every 300 ms besides those of its own clock, so that no test waits for 5 s. */
const started = Effect.tap(
  startTestService({}, servingWith({ protocols: layer, sandbox })),
  (service) => Effect.forkScoped(Effect.repeat(service.sandbox.closeLedger(), Schedule.spaced("300 millis")))
)

describe("a protocol from outside with a debt, a reward and shares that others can give", () => {
  it.scopedLive("claims, repays and withdraws", () =>
    Effect.gen(function*() {
      const { call, prepared, ...service } = yield* started
      const [{ destination, source } = assert.fail("no account is prepared")] = prepared
      const request = { source: source.publicKey(), destination: destination.publicKey() }
      const { body: plan } = yield* call<PlanBody>("POST", "/v1/testnet/close/plan", request)
      assert.deepStrictEqual(
        plan.steps.map(({ title, type }) => (type === "EXIT_POSITIONS" ? title : type)),
        [
          "Claim 5 XLM from acme_vault",
          "Pay 5 ACME to acme_vault",
          "Withdraw 40 XLM from acme_vault",
          "REMOVE_TRUSTLINES",
          "MERGE"
        ]
      )
      // The friend's shares came before the plan, so `later` counts them as seen.
      const later = plan.decisionPoints.find(({ type }) => type === "later")?.options[0]?.params ?? {}
      assert.include(JSON.stringify(later), "position:acme_vault:")
      const sent = yield* Effect.promise(() => closeAccount(service, source, request.destination))
      assert.strictEqual(sent, 4)
      const { body } = yield* call<Account>("GET", `/testnet/account/${request.destination}`)
      assert.isEmpty(body.trustlines)
      // 100 of its own, 70 that were left in the account, 40 shares with the friend's 10, and a reward of 5, less fees.
      assert.closeTo(Number(body.nativeBalanceLumens), 215, 0.5)
    }))

  it.scopedLive.runIf(isThorough)("leaves the reward behind where that was decided", () =>
    Effect.gen(function*() {
      const { call, prepared, ...service } = yield* started
      const [{ destination, source } = assert.fail("no account is prepared")] = prepared
      const answers = [{ id: `position:acme_vault:${vault}:vault`, choice: "exit_without_rewards" }]
      const sent = yield* Effect.promise(() => closeAccount(service, source, destination.publicKey(), answers))
      assert.strictEqual(sent, 3)
      const { body } = yield* call<Account>("GET", `/testnet/account/${destination.publicKey()}`)
      assert.closeTo(Number(body.nativeBalanceLumens), 210, 0.5)
    }))
})
