import { assert } from "@effect/vitest"
import { Address, xdr } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { addressOf, symbol } from "../../../src/ledger/soroban/Values.ts"
import { keyOfContractData } from "../../../src/xdr/LedgerKeys.ts"
import { layer } from "../../support/Layered.ts"
import { firstOf } from "../../support/Thorough.ts"
import { answersTo } from "../support/Answering.ts"
import { offered, plan, refusal } from "../support/Client.ts"
import { Service } from "../support/Service.ts"
import { decoded } from "../support/Signing.ts"
import { type Lie, lyingRpc, type SimulationText } from "./support/LyingRpc.ts"
import { UPGRADED_HASH } from "./support/ToyPool.ts"
import { laterLedger, ToyHolder, type ToyOptions, toyServiceThrough } from "./support/ToyService.ts"

const { between, lying } = lyingRpc()

const prepared = (options: ToyOptions) =>
  Effect.gen(function*() {
    const { on } = yield* Service
    const held = yield* on(ToyHolder(options))
    yield* laterLedger
    const request = { source: held.source.publicKey(), destination: held.destination.publicKey() }
    return { ...held, request: { ...request, decisions: answersTo(yield* plan(request)) } }
  })

const withAuth = (change: (entry: xdr.SorobanAuthorizationEntry) => ReadonlyArray<xdr.SorobanAuthorizationEntry>): Lie => (honest) => ({
  ...honest,
  results: (honest.results ?? []).map(({ auth, xdr: value }) => ({
    xdr: value,
    auth: auth.flatMap((text) => change(xdr.SorobanAuthorizationEntry.fromXdr(text, "base64"))).map((entry) => entry.toXdr("base64"))
  }))
})

const without = (...names: ReadonlyArray<keyof SimulationText>): Lie => (honest) =>
  Object.fromEntries(Object.entries(honest).filter(([name]) => !names.some((one) => one === name)))

const covering = (account: string): Lie =>
  withAuth(({ rootInvocation }) => [
    new xdr.SorobanAuthorizationEntry({
      rootInvocation,
      credentials: xdr.SorobanCredentials.sorobanCredentialsAddressV2(
        new xdr.SorobanAddressCredentials({
          address: addressOf(account),
          nonce: 1n,
          signatureExpirationLedger: 9_999_999,
          signature: xdr.ScVal.scvVoid()
        })
      )
    })
  ])

const twice: Lie = withAuth((entry) => [entry, entry])

/** Simulated other code than the contract's entries name. */
const withOtherCode: Lie = (honest) => {
  const data = xdr.SorobanTransactionData.fromXdr(honest.transactionData, "base64")
  const other = (
    key: xdr.LedgerKey
  ) => (key.type === "contractCode"
    ? xdr.LedgerKey.contractCode(new xdr.LedgerKeyContractCode({ hash: Buffer.from(UPGRADED_HASH, "hex") }))
    : key)
  const { readOnly, readWrite } = data.resources.footprint
  const footprint = new xdr.LedgerFootprint({ readOnly: readOnly.map(other), readWrite: readWrite.map(other) })
  return {
    ...honest,
    transactionData: new xdr.SorobanTransactionData({ ...data, resources: new xdr.SorobanResources({ ...data.resources, footprint }) })
      .toXdr("base64")
  }
}

/** Requires the restore of a stranger's entry first. */
const restoring: Lie = (honest) => {
  const data = xdr.SorobanTransactionData.fromXdr(honest.transactionData, "base64")
  const foreign = keyOfContractData(Address.contract(Buffer.alloc(32, 77)).toScAddress(), symbol("Rent"), "persistent")
  const footprint = new xdr.LedgerFootprint({ readOnly: [], readWrite: [foreign] })
  const restore = new xdr.SorobanTransactionData({ ...data, resources: new xdr.SorobanResources({ ...data.resources, footprint }) })
  return { ...honest, restorePreamble: { transactionData: restore.toXdr("base64"), minResourceFee: "1000" } }
}

/** Requires a restore of the position, which is not archived. */
const restoringTheLiving: Lie = (honest) => {
  const data = xdr.SorobanTransactionData.fromXdr(honest.transactionData, "base64")
  const own = data.resources.footprint.readWrite.filter((key) =>
    key.type === "contractData" && key.contractData.durability.name === "persistent"
  )
  const footprint = new xdr.LedgerFootprint({ readOnly: [], readWrite: own.slice(0, 1) })
  const restore = new xdr.SorobanTransactionData({ ...data, resources: new xdr.SorobanResources({ ...data.resources, footprint }) })
  return { ...honest, restorePreamble: { transactionData: restore.toXdr("base64"), minResourceFee: "1000" } }
}

const lies: ReadonlyArray<readonly [what: string, lie: (account: string) => Lie, code: string, reason: RegExp]> = [
  ["no state changes", () => without("stateChanges"), "position_exit_unsafe", /does not show what it would change/],
  [
    "empty state changes",
    () => (honest) => ({ ...honest, stateChanges: [] }),
    "position_exit_unsafe",
    /does not show what it would change/
  ],
  ["credentials that cover the address (CAP-71)", covering, "position_exit_unsafe", /other credentials/],
  ["the agreement twice", () => twice, "position_exit_unsafe", /more than one authorisation/],
  ["other code than the contract's", () => withOtherCode, "position_exit_unsafe", /other code than the code that was read/],
  ["a restoration of somebody else's entry", () => restoring, "position_exit_unsafe", /restores entries that the call does not touch/],
  ["a restoration of what is not archived", () => restoringTheLiving, "position_exit_unsafe", /restores entries that are not archived/],
  [
    "a fee far above the settings",
    () => (honest) => ({ ...honest, minResourceFee: "9000000000" }),
    "position_exit_unavailable",
    /more than this service builds/
  ],
  ["no result", () => without("results"), "upstream_unusable", /./],
  ["nothing but that it is busy", () => ({ latestLedger }) => ({ error: "preflight queue full", latestLedger }), "network_unavailable", /./]
]

layer(toyServiceThrough(between), { excludeTestServices: true })("a contract RPC that simulates something else", (it) => {
  for (const [pool, [what, lie, code, reason]] of firstOf(6, [...lies.entries()])) {
    it.effect(`gets no transaction built: ${what}`, () =>
      Effect.gen(function*() {
        const { request, source } = yield* prepared({ pool })
        const refused = yield* lying(lie(source.publicKey()), refusal("next", request))
        assert.strictEqual(refused.code, code, JSON.stringify(refused))
        if (code.startsWith("position_exit")) {
          assert.match(String(refused.details["reason"]), reason)
          const asked = yield* lying(lie(source.publicKey()), plan(request))
          assert.deepStrictEqual(asked.blockers.map(({ reason: why }) => why), ["position_locked"])
        }
        assert.deepStrictEqual((yield* offered(request)).covers, ["EXIT_POSITIONS"])
      }))
  }

  it.effect("is asked again, with a call made anew: it may only have been on another ledger", () =>
    Effect.gen(function*() {
      const { request } = yield* prepared({ pool: 22 })
      let asked = 0
      const once: Lie = (honest) => (asked++ === 0 ? { ...honest, stateChanges: [] } : honest)
      assert.deepStrictEqual((yield* lying(once, offered(request))).covers, ["EXIT_POSITIONS"])
      assert.strictEqual(asked, 2)
    }))

  it.effect("gets no transaction built: the agreement left out where the account has to pay a debt", () =>
    Effect.gen(function*() {
      const { request } = yield* prepared({ pool: 20, debt: 4_0000000n, owned: "10" })
      const refused = yield* lying(withAuth(() => []), refusal("next", request))
      assert.strictEqual(refused.code, "position_exit_unsafe", JSON.stringify(refused))
      assert.match(String(refused.details["reason"]), /requires no authorisation/)
    }))

  it.effect("can name entries that the call does not need: they are declared, and cost no more than the settings allow", () =>
    Effect.gen(function*() {
      const { request } = yield* prepared({ pool: 21 })
      const foreign = keyOfContractData(Address.contract(Buffer.alloc(32, 77)).toScAddress(), symbol("Rent"), "persistent")
      const widening: Lie = (honest) => {
        const data = xdr.SorobanTransactionData.fromXdr(honest.transactionData, "base64")
        const { readOnly, readWrite } = data.resources.footprint
        const footprint = new xdr.LedgerFootprint({ readOnly: [...readOnly, foreign], readWrite })
        return {
          ...honest,
          transactionData: new xdr.SorobanTransactionData({
            ...data,
            resources: new xdr.SorobanResources({ ...data.resources, footprint })
          }).toXdr("base64")
        }
      }
      const offer = yield* lying(widening, offered(request))
      const [operation] = (yield* decoded(offer)).operations
      assert.strictEqual(operation?.type, "invokeHostFunction")
      assert.deepStrictEqual(offer.intent.operations.map(({ type }) => type), ["invoke_contract"])
    }))
})
