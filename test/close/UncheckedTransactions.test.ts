import { assert } from "@effect/vitest"
import { Keypair } from "@stellar/stellar-sdk"
import { ConfigProvider, Effect } from "effect"
import { uncheckedTransactions } from "../../src/close/watch/UncheckedTransactions.ts"
import { UpstreamUnusable } from "../../src/domain/failure/Upstream.ts"
import { Network } from "../../src/sandbox/Network.ts"
import type { TransactionRecord } from "../../src/sandbox/network/LedgerRecord.ts"
import { transactionToken } from "../../src/sandbox/rest/TransactionResource.ts"
import { fund } from "../../src/sandbox/scenarios/Scenario.ts"
import { addressOf } from "../account/support/World.ts"
import { layer } from "../support/Layered.ts"
import { enacted, payment, watchedLedger } from "./support/WatchedLedger.ts"

/** How many transactions each request asked for. */
const asked: Array<number> = []

const ledger = watchedLedger((request, send) => {
  const limit = new Map(request.urlParams).get("limit")
  if (limit !== undefined) asked.push(Number(limit))
  return send
})

/** Looks at an account, with the newest transaction that a person has looked at; null: none. */
const looking = (checked: string | null, account: Keypair, after: bigint | null = null) =>
  Effect.gen(function*() {
    const setting = checked === null ? [] : [["TESTNET_MEDIATOR_CHECKED_UNTIL", checked] as const]
    const unread = yield* Effect.withConfigProvider(uncheckedTransactions, ConfigProvider.fromMap(new Map(setting)))
    asked.length = 0
    const { newest, unchecked } = yield* unread(addressOf(account), after)
    return { newest, hashes: unchecked.map(({ hash }): string => hash), asked: [...asked] }
  })

const hashesOf = (records: ReadonlyArray<TransactionRecord>) => records.map(({ facts }) => facts.hash)

/** The tokens of a transaction so many places before the last, and of the last. */
const tokensOf = (records: ReadonlyArray<TransactionRecord>, since: number): readonly [bigint, bigint] => {
  const [before, last] = [records.at(-1 - since), records.at(-1)]
  return before === undefined || last === undefined
    ? assert.fail("too few transactions")
    : [transactionToken(before), transactionToken(last)]
}

/** A new account, and so many gifts to it, the oldest first. */
const given = (count: number) =>
  Effect.gen(function*() {
    const account = Keypair.random()
    yield* fund("10", account)
    const { root } = yield* Network
    return { account, gifts: yield* Effect.replicateEffect(enacted(root, payment(root, account, "1")), count) }
  })

layer(ledger)("the first look at an account", (it) => {
  it.effect("finds nothing, and no newest one, where it has no transaction", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* looking(null, Keypair.random()), { newest: null, hashes: [], asked: [200] })
    }))

  it.effect("finds all, the oldest first and failed ones too, where no person has looked at any", () =>
    Effect.gen(function*() {
      const { account, gifts } = yield* given(2)
      const { root } = yield* Network
      const failed = yield* enacted(root, payment(account, root, "1000"))
      assert.isFalse(failed.successful)
      const [, newest] = tokensOf([failed], 0)
      const found = yield* looking(null, account)
      assert.deepStrictEqual({ ...found, hashes: found.hashes.slice(1) }, { newest, hashes: hashesOf([...gifts, failed]), asked: [200] })
      assert.lengthOf(found.hashes, 4)
    }))

  it.effect("finds those after the one that a person has looked at, and the newest even if that is it", () =>
    Effect.gen(function*() {
      const { account, gifts } = yield* given(3)
      const hashes = hashesOf(gifts)
      const [, newest] = tokensOf(gifts, 0)
      for (const [at, hash] of hashes.entries()) {
        assert.deepStrictEqual(yield* looking(hash, account), { newest, hashes: hashes.slice(at + 1), asked: [200] })
      }
      assert.deepStrictEqual((yield* looking("0".repeat(64), account)).hashes.slice(1), hashes)
    }))
})

layer(ledger)("a later look at an account", (it) => {
  it.effect("finds nothing where nothing is new, and keeps the newest one", () =>
    Effect.gen(function*() {
      const { account, gifts } = yield* given(1)
      const [, newest] = tokensOf(gifts, 0)
      assert.deepStrictEqual(yield* looking(null, account, newest), { newest, hashes: [], asked: [10] })
      assert.deepStrictEqual(yield* looking(null, Keypair.random(), 7n), { newest: 7n, hashes: [], asked: [10] })
    }))

  it.effect("finds what is new to the last one, the oldest first, while the first look ends after 200", () =>
    Effect.gen(function*() {
      const { account, gifts } = yield* given(212)
      const pages = [[1, [10]], [9, [10]], [10, [10, 200]], [210, [10, 200, 200]], [211, [10, 200, 200]]] as const
      for (const [count, limits] of pages) {
        const [after, newest] = tokensOf(gifts, count)
        assert.deepStrictEqual(yield* looking(null, account, after), { newest, hashes: hashesOf(gifts.slice(-count)), asked: [...limits] })
      }
      const [, newest] = tokensOf(gifts, 0)
      assert.deepStrictEqual(yield* looking(null, account), { newest, hashes: hashesOf(gifts.slice(-200)), asked: [200] })
    }))

  it.effect("does not heed what a person has looked at", () =>
    Effect.gen(function*() {
      const { account, gifts } = yield* given(3)
      const [after, newest] = tokensOf(gifts, 2)
      const hashes = hashesOf(gifts.slice(1))
      assert.deepStrictEqual(yield* looking(hashes.at(-1) ?? "", account, after), { newest, hashes, asked: [10] })
    }))

  it.effect("fails where the ledger API is behind the last one", () =>
    Effect.gen(function*() {
      const { account, gifts } = yield* given(1)
      const [, newest] = tokensOf(gifts, 0)
      assert.deepStrictEqual(
        yield* Effect.flip(looking(null, account, newest + 1n)),
        new UpstreamUnusable({ source: "ledger_api" })
      )
    }))
})
