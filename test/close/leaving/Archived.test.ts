import { assert, describe, it } from "@effect/vitest"
import type { xdr } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { addressOf } from "../../../src/ledger/soroban/Values.ts"
import { positionsKey, reserveConfigKey, reserveDataKey } from "../../../src/sandbox/contracts/lend1/PoolKeys.ts"
import { EntryArchived } from "../../../src/sandbox/events/EntryArchived.ts"
import { ArchivedLeftOut, ManualRestoration } from "../../../src/sandbox/faults/LimitedServer.ts"
import { lendingContracts } from "../../../src/sandbox/scenarios/LendingContracts.ts"
import { keyOfContractData, keyOfInstance } from "../../../src/xdr/LedgerKeys.ts"
import { laterLedger, lendingService, pursued } from "../../sandbox/contracts/ProtocolsServed.ts"
import { LendingSupply } from "../../support/scenarios/LendingSupply.ts"
import { answersTo } from "../support/Answering.ts"
import { offered, plan, refusal, submit } from "../support/Client.ts"
import { accountOf, lumensOf } from "../support/LedgerView.ts"
import { Service } from "../support/Service.ts"
import { decoded, signed } from "../support/Signing.ts"

const { pool } = lendingContracts

const REST = "HANDLE_ASSETS+REMOVE_TRUSTLINES+MERGE"

const kept = (key: xdr.ScVal): xdr.LedgerKey => keyOfContractData(pool, key, "persistent")

/** A lender of USDC, and the keys of the entries that the position depends on. */
const lent = Effect.gen(function*() {
  const { on, passphrase } = yield* Service
  const held = yield* on(LendingSupply)
  const usdc = addressOf(held.usdc.contractId(passphrase))
  yield* laterLedger
  return {
    ...held,
    request: { source: held.source.publicKey(), destination: held.destination.publicKey() },
    position: kept(positionsKey(addressOf(held.source.publicKey()))),
    market: [keyOfInstance(pool), kept(reserveDataKey(usdc)), kept(reserveConfigKey(usdc))]
  }
})

const archive = (keys: ReadonlyArray<xdr.LedgerKey>) =>
  Effect.gen(function*() {
    const { on } = yield* Service
    yield* Effect.forEach(keys, (key) => on(new EntryArchived({ key: key.toXdr("base64") }).happen()), { discard: true })
    yield* laterLedger
  })

const text = (keys: ReadonlyArray<xdr.LedgerKey>): ReadonlyArray<string> => keys.map((key) => key.toXdr("base64")).toSorted()

describe("a position that is archived, with the pool's own entries", () => {
  it.scopedLive("is restored by a transaction of its own, where the node brings back nothing, and then left", () =>
    Effect.gen(function*() {
      const { sandbox } = yield* Service
      const held = yield* lent
      const archived = [held.position, ...held.market]
      yield* archive(archived)
      yield* sandbox.faults.set({ fault: new ManualRestoration({}) })
      const asked = yield* plan(held.request)
      assert.deepStrictEqual(asked.blockers, [])
      assert.deepStrictEqual(asked.steps.map(({ type }) => type).slice(0, 2), ["RESTORE_ENTRIES", "EXIT_POSITIONS"])
      const restoring = yield* offered({ ...held.request, decisions: answersTo(asked) })
      assert.deepStrictEqual(restoring.covers, ["RESTORE_ENTRIES"])
      const [operation] = restoring.intent.operations
      assert.strictEqual(operation?.type, "restore_footprint")
      const envelope = yield* decoded(restoring)
      assert.lengthOf(envelope.operations, 1)
      const data = envelope.toEnvelope()
      assert(data.type === "envelopeTypeTx" && data.v1.tx.ext.type === "sorobanData")
      const { footprint } = data.v1.tx.ext.sorobanData.resources
      assert.deepStrictEqual([text(footprint.readOnly), text(footprint.readWrite)], [[], text(archived)])
      const before = yield* lumensOf(held.source)
      assert.strictEqual((yield* submit(yield* signed(restoring, held.source))).status, "success")
      assert.isBelow(Number(yield* lumensOf(held.source)), Number(before))
      yield* laterLedger
      assert.deepStrictEqual(yield* pursued(held), { covered: ["EXIT_POSITIONS", REST], unlocksAt: null })
      // 5,000 lumens each, and 300 USDC at 10 lumens.
      assert.approximately(Number((yield* lumensOf(held.destination)) / 10_000_000n), 13_000, 2)
    }).pipe(Effect.provide(lendingService)))

  it.scopedLive("comes back with the call itself, where the node brings back what it touches", () =>
    Effect.gen(function*() {
      const held = yield* lent
      yield* archive([held.position, ...held.market])
      const asked = yield* plan(held.request)
      assert.notInclude(asked.steps.map(({ type }) => type), "RESTORE_ENTRIES")
      assert.deepStrictEqual(yield* pursued(held), { covered: ["EXIT_POSITIONS", REST], unlocksAt: null })
    }).pipe(Effect.provide(lendingService)))

  it.scopedLive("is not taken for nothing where the node leaves the pool's archived entries out", () =>
    Effect.gen(function*() {
      const { sandbox } = yield* Service
      for (const missing of [0, 1, 2]) {
        const held = yield* lent
        yield* archive(held.market.slice(missing, missing + 1))
        yield* sandbox.faults.set({ fault: new ArchivedLeftOut({}) })
        const asked = yield* plan(held.request)
        assert.strictEqual(asked.status, "needs_decisions", JSON.stringify(asked))
        const decisions = answersTo(asked).filter(({ choice }) => choice !== "i_accept_unread_positions")
        assert.strictEqual((yield* refusal("next", { ...held.request, decisions })).code, "positions_unread")
        assert.isNotNull(yield* accountOf(held.source))
        yield* sandbox.faults.clear()
      }
    }).pipe(Effect.provide(lendingService)))
})
