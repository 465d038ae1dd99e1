import { assert } from "@effect/vitest"
import { xdr } from "@stellar/stellar-sdk"
import { Array as Arr, Effect, Redacted } from "effect"
import { replayed } from "../../src/proof/Replay.ts"
import { HolderWithMarket, Pair } from "../close/support/Accounts.ts"
import { plan } from "../close/support/Client.ts"
import { Service } from "../close/support/Service.ts"
import { layer } from "../support/Layered.ts"
import { randomPlans } from "./support/RandomPlans.ts"
import { saved } from "./support/Saved.ts"

/** An answer about ledger entries with one lumen less on an account; null: it has no account. */
const withOtherBalance = (text: string): string | null => {
  const body = JSON.parse(text) as { result?: { entries?: ReadonlyArray<{ xdr: string }> } }
  for (const entry of body.result?.entries ?? []) {
    const data = xdr.LedgerEntryData.fromXdr(entry.xdr, "base64")
    if (data.type !== "account") continue
    const account = new xdr.AccountEntry({ ...data.account, balance: data.account.balance - 1_0000000n })
    return text.replace(entry.xdr, xdr.LedgerEntryData.account(account).toXdr("base64"))
  }
  return null
}

layer(Service.layer(), { excludeTestServices: true })("a plan that was saved", (it) => {
  it.effect("is computed again from its file, byte for byte, for random accounts in random markets", () =>
    Effect.gen(function*() {
      assert.isAbove(yield* randomPlans(3), 0)
    }), 120_000)

  it.effect("is the plan of the service, and differs where one answer of a source differs", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const { destination, source } = yield* on(HolderWithMarket())
      const request = { source: source.publicKey(), destination: destination.publicKey() }
      const { bundle, plan: own } = yield* saved(request)
      const served = yield* plan(request)
      assert.strictEqual(own.planHash, served.planHash)
      const at = bundle.calls.findIndex(({ end }) => "text" in end && withOtherBalance(end.text) !== null)
      const calls = bundle.calls.map((call, index) =>
        index === at && "text" in call.end ? { ...call, end: { ...call.end, text: withOtherBalance(call.end.text) ?? "" } } : call
      )
      assert.notDeepEqual(calls, bundle.calls)
      const other = yield* replayed({ ...bundle, calls })
      assert.strictEqual(other._tag, "Different", JSON.stringify(other))
      const answer = bundle.answer.replace(own.planHash, "0".repeat(64))
      const changed = yield* replayed({ ...bundle, answer })
      assert.deepStrictEqual(changed, {
        _tag: "Different",
        parts: [`planHash: "${"0".repeat(64)}" in the file, "${own.planHash}" computed`]
      })
    }), 60_000)

  it.effect("is not computed from a file that lacks an answer", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const { destination, source } = yield* on(Pair())
      const { bundle } = yield* saved({ source: source.publicKey(), destination: destination.publicKey() })
      for (const without of ["/fee_stats", "/accounts/", "getLedgerEntries"]) {
        const calls = bundle.calls.filter(({ body, url }) => !url.includes(without) && body?.includes(without) !== true)
        assert.isBelow(calls.length, bundle.calls.length, without)
        const { _tag } = yield* replayed({ ...bundle, calls })
        assert.strictEqual(_tag, "Lacking", without)
      }
    }), 60_000)

  it.effect("has no address of an endpoint and no secret in its file", () =>
    Effect.gen(function*() {
      const { on, serving } = yield* Service
      const { destination, source } = yield* on(Pair())
      const withKey = (url: URL) => new URL(`${url.href}?key=a-key-in-a-query`)
      const networks = serving.networks.map((network) => {
        const rpcUrls = Arr.map(network.address.rpcUrls, withKey)
        const rpcHeaders = new Map(rpcUrls.map((url) => [url, { name: "X-Key", value: Redacted.make("a-key-in-a-header") }]))
        const ledgerApiUrls = Arr.map(network.address.ledgerApiUrls, withKey)
        return { ...network, address: { ...network.address, rpcUrls, rpcHeaders, ledgerApiUrls } }
      })
      const { file } = yield* saved({ source: source.publicKey(), destination: destination.publicKey() }, { ...serving, networks })
      for (const secret of ["127.0.0.1", "localhost", "a-key-in", source.secret()]) assert.notInclude(file, secret)
      assert.include(file, "https://rpc-1.invalid/1")
      assert.notMatch(file, /\bS[A-Z2-7]{55}\b/)
    }), 60_000)
})
