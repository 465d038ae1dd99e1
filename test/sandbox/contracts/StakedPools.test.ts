import { assert, describe, it } from "@effect/vitest"
import type { Asset, Keypair, xdr } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { lumen } from "../../../src/ledger/Asset.ts"
import { addressOf, addressVal, asAddress, asI128, asU64, asVec, field, i128, u64, voidVal } from "../../../src/ledger/soroban/Values.ts"
import { EntryArchived } from "../../../src/sandbox/events/EntryArchived.ts"
import { Network } from "../../../src/sandbox/Network.ts"
import { accountVal, callContract } from "../../../src/sandbox/scenarios/CallContract.ts"
import { StakedPools } from "../../../src/sandbox/scenarios/StakedPools.ts"
import { stakedPoolsContracts } from "../../../src/sandbox/scenarios/StakedPoolsContracts.ts"
import { keyOfContractData, trustlineKey } from "../../../src/xdr/LedgerKeys.ts"
import { startWithClients } from "../Clients.ts"

const { factory, five, six, stable } = stakedPoolsContracts

type Pool = typeof five

/** Base units of an asset on an account. */
const lineOf = Effect.fn(function*(holder: Keypair, asset: Asset) {
  const { state } = yield* (yield* Network).snapshot
  const entry = state.get(trustlineKey(holder.publicKey(), asset.toTrustLineXdrObject()))
  return entry?.data.type === "trustline" ? entry.data.trustLine.balance : assert.fail("no trustline")
})

const called = (as: Keypair, contract: xdr.ScAddress, fn: string, ...args: ReadonlyArray<xdr.ScVal>) =>
  callContract(fn, { as, contract, fn, args })

const withdrawRewards = (as: Keypair, { stake }: Pool) => called(as, stake, "withdraw_rewards", accountVal(as))

const unbondAll = Effect.fn(function*(as: Keypair, { stake }: Pool) {
  const staked = asVec(field(yield* called(as, stake, "query_staked", accountVal(as)), "stakes"))
  for (const each of staked) {
    yield* called(as, stake, "unbond", accountVal(as), i128(asI128(field(each, "stake"))), u64(asU64(field(each, "stake_timestamp"))))
  }
  return staked.length
})

/** Withdraws everything from a pool and returns the payout. */
const withdrawAll = Effect.fn(function*(as: Keypair, { pool, shareToken }: Pool) {
  const shares = asI128(yield* called(as, shareToken, "balance", accountVal(as)))
  const sixth = pool === five.pool ? [] : [voidVal]
  return asVec(
    yield* called(as, pool, "withdraw_liquidity", accountVal(as), i128(shares), i128(1n), i128(1n), voidVal, ...sixth)
  ).map(asI128)
})

const begin = Effect.gen(function*() {
  const { on } = yield* startWithClients()
  return { on, ...(yield* on(StakedPools)) }
})

describe("pools with stakes", () => {
  it.scopedLive("are left with everything that is due, stake by stake", () =>
    Effect.gen(function*() {
      const { on, pho, source, usdc } = yield* begin
      yield* on(Effect.gen(function*() {
        assert.lengthOf(asVec(yield* called(source, factory, "query_pools")), 3)
        assert.deepStrictEqual(asVec(yield* called(source, factory, "query_pools")).map(asAddress), [five.pool, six.pool, stable.pool])
        yield* withdrawRewards(source, five)
        // 300 and 200 of 500,500 shares; of 10,000 and 1,000 half for thirty days, a sixth for ten.
        const first = (total: bigint) => (300n * total * lumen) / 500_500n / 2n + (200n * total * lumen) / 500_500n / 6n
        assert.deepStrictEqual([yield* lineOf(source, pho), yield* lineOf(source, usdc)], [first(10_000n), first(1_000n)])
        yield* withdrawRewards(source, six)
        assert.strictEqual(yield* lineOf(source, pho), first(10_000n) + 3n * lumen)
        assert.deepStrictEqual(
          yield* Effect.forEach([five, six, stable], (pool) => unbondAll(source, pool)),
          [2, 1, 1]
        )
        // A thousandth and a half of the first, half a thousandth of the others.
        assert.deepStrictEqual(yield* withdrawAll(source, five), [1_500n * lumen, 150n * lumen])
        assert.deepStrictEqual(yield* withdrawAll(source, six), [100n * lumen, 100n * lumen])
        assert.deepStrictEqual(yield* withdrawAll(source, stable), [150n * lumen, 150n * lumen])
      }))
    }))

  it.scopedLive("keep rewards that were not taken first, unless they pay them out by themselves", () =>
    Effect.gen(function*() {
      const { on, pho, source, usdc } = yield* begin
      yield* on(Effect.gen(function*() {
        yield* unbondAll(source, five)
        yield* withdrawRewards(source, five)
        assert.deepStrictEqual([yield* lineOf(source, pho), yield* lineOf(source, usdc)], [0n, 0n])
        yield* unbondAll(source, six)
        assert.strictEqual(yield* lineOf(source, pho), 3n * lumen)
        yield* withdrawRewards(source, six)
        assert.strictEqual(yield* lineOf(source, pho), 3n * lumen)
      }))
    }))

  it.scopedLive("bring archived stakes back, and let more be bonded", () =>
    Effect.gen(function*() {
      const { on, source } = yield* begin
      yield* on(Effect.gen(function*() {
        const own = keyOfContractData(five.stake, addressVal(addressOf(source.publicKey())), "persistent")
        yield* new EntryArchived({ key: own.toXdr("base64") }).happen()
        yield* called(source, five.stake, "bond", accountVal(source), i128(10n * lumen))
        assert.strictEqual(yield* unbondAll(source, five), 3)
      }))
    }))
})
