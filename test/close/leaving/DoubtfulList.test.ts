import { assert } from "@effect/vitest"
import { Effect, type Schema } from "effect"
import type { AccountState } from "../../../src/domain/Account.ts"
import { amm1ContractsAt } from "../../../src/sandbox/scenarios/Amm1Contracts.ts"
import { Amm1Positions } from "../../../src/sandbox/scenarios/Amm1Positions.ts"
import { keyOfInstance } from "../../../src/xdr/LedgerKeys.ts"
import { layer } from "../../support/Layered.ts"
import { Pair } from "../support/Accounts.ts"
import { plan, type PlanBody } from "../support/Client.ts"
import { Service } from "../support/Service.ts"
import { type Lie, Sources, sourcesService } from "../support/Sources.ts"

const alone = { excludeTestServices: true }

const router = keyOfInstance(amm1ContractsAt.router).toXdr("base64")

/** Answers that it has no router that lists pools, this many times. */
const forgetting = (times: number): Lie => {
  let left = times
  return (method, result) => {
    const entries = (result["entries"] ?? []) as ReadonlyArray<{ readonly key: string }>
    if (method !== "getLedgerEntries" || !entries.some(({ key }) => key === router) || left-- <= 0) return result
    return { ...result, entries: entries.filter(({ key }) => key !== router) }
  }
}

const unreadIn = ({ blockers, decisionPoints }: PlanBody) => [
  ...blockers.flatMap(({ reason }) => (reason === "positions_unread" ? [reason] : [])),
  ...decisionPoints.flatMap(({ type }) => (type === "positions_unread" ? [type] : []))
]

const both = ["positions_unread", "positions_unread"]

/** An account that holds nothing in any protocol, and one that provides in pools. */
const callers = Effect.gen(function*() {
  const { on, sandbox } = yield* Service
  const [other, provider] = [yield* on(Pair()), yield* on(Amm1Positions)]
  yield* sandbox.closeLedger({ advanceSeconds: 5 })
  const asked = ({ destination, source }: typeof other) => ({ source: source.publicKey(), destination: destination.publicKey() })
  return { other: asked(other), provider: asked(provider) }
})

const assertRead = (told: PlanBody) => {
  assert.deepStrictEqual(unreadIn(told), [])
  assert.isNotEmpty(told.decisionPoints.filter(({ id }) => id.startsWith("position:amm_1")))
}

layer(sourcesService(2, {}, ["amm_1"]), alone)("a list of pools for which one of two contract RPCs leaves out its router", (it) => {
  it.effect("is read from the other: no caller is asked to give up what is there", () =>
    Effect.gen(function*() {
      const [first, second] = yield* Sources
      const { other, provider } = yield* callers
      second!.asked.length = 0
      assert.deepStrictEqual(unreadIn(yield* first!.lying(forgetting(Number.POSITIVE_INFINITY), plan(other))), [])
      assert.include(second!.asked, "getLedgerEntries")
      assertRead(yield* plan(provider))
    }), 60_000)
})

layer(sourcesService(2, {}, ["amm_1"]), alone)("a list of pools for which both contract RPCs leave out its router", (it) => {
  it.effect("is asked about", () =>
    Effect.gen(function*() {
      const [first, second] = yield* Sources
      const { provider } = yield* callers
      const told = yield* first!.lying(forgetting(1), second!.lying(forgetting(1), plan(provider)))
      assert.deepStrictEqual(unreadIn(told), both)
    }), 60_000)
})

layer(sourcesService(1, {}, ["amm_1"]), alone)("a list of pools for which the only contract RPC leaves out its router, once", (it) => {
  it.effect("is read again on the next ledger, where one closes in time", () =>
    Effect.gen(function*() {
      const [only] = yield* Sources
      const { sandbox } = yield* Service
      const { other, provider } = yield* callers
      const forgets = forgetting(1)
      let hasForgotten = false
      const closing: Lie = async (method, result, params) => {
        // The ledger closes during the wait.
        if (method === "getLatestLedger" && hasForgotten) await Effect.runPromise(sandbox.closeLedger({ advanceSeconds: 5 }))
        const told = await forgets(method, result, params)
        hasForgotten ||= told !== result
        return told
      }
      assert.deepStrictEqual(unreadIn(yield* only!.lying(closing, plan(other))), [])
      assertRead(yield* plan(provider))
    }), 60_000)
})

layer(sourcesService(1, {}, ["amm_1"]), alone)("a list of pools for which the only contract RPC leaves out its router", (it) => {
  it.effect("is asked about where no ledger closes for six seconds, and the account is read nevertheless", () =>
    Effect.gen(function*() {
      const [only] = yield* Sources
      const { call } = yield* Service
      const { provider } = yield* callers
      assert.deepStrictEqual(unreadIn(yield* only!.lying(forgetting(1), plan(provider))), both)
      const { body, status } = yield* call<Schema.Schema.Encoded<typeof AccountState>>("GET", `/testnet/account/${provider.source}`)
      assert.strictEqual(status, 200)
      const warned = new Set(body.defiPositionsWarnings.map(({ code, subject }) => `${code} ${subject}`))
      assert.deepStrictEqual([...warned], ["lists_have_gap amm_1", "source_failed amm_1"])
    }), 60_000)
})
