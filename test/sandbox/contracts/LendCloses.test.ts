import { assert, it } from "@effect/vitest"
import type { Keypair, xdr } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { addressOf, asI128, asU64, asVec, field } from "../../../src/ledger/soroban/Values.ts"
import { userBalanceKey } from "../../../src/sandbox/contracts/lend1/BackstopKeys.ts"
import { positionsKey } from "../../../src/sandbox/contracts/lend1/PoolKeys.ts"
import { noPositions, positionsVal } from "../../../src/sandbox/contracts/lend1/Positions.ts"
import { lendingContracts } from "../../../src/sandbox/scenarios/LendingContracts.ts"
import { keyOfContractData } from "../../../src/xdr/LedgerKeys.ts"
import { lumensOf } from "../../close/support/LedgerView.ts"
import { Service } from "../../close/support/Service.ts"
import { LendingBackstop } from "../../support/scenarios/LendingBackstop.ts"
import { LendingDebt } from "../../support/scenarios/LendingDebt.ts"
import { LendingDebtToBuy } from "../../support/scenarios/LendingDebtToBuy.ts"
import { LendingRewards } from "../../support/scenarios/LendingRewards.ts"
import { LendingSupply } from "../../support/scenarios/LendingSupply.ts"
import { isThorough } from "../../support/Thorough.ts"
import { asked, lendingService, pursued } from "./ProtocolsServed.ts"

const { backstop, pool } = lendingContracts

const exit = "EXIT_POSITIONS"
const rest = "HANDLE_ASSETS+REMOVE_TRUSTLINES+MERGE"

/** A value a contract of the sandbox keeps. */
const kept = (contract: xdr.ScAddress, key: xdr.ScVal) =>
  Effect.gen(function*() {
    const { sandbox } = yield* Service
    const { state } = yield* sandbox.snapshot
    const data = state.get(keyOfContractData(contract, key, "persistent"))?.data
    return data?.type === "contractData" ? data.contractData.val : assert.fail("there is no such entry")
  })

const assertNothingLent = (source: Keypair) =>
  Effect.map(
    kept(pool, positionsKey(addressOf(source.publicKey()))),
    (value) => assert.strictEqual(value.toXdr("base64"), positionsVal(noPositions).toXdr("base64"))
  )

/** Lumens (whole) of the destination in the end: it began with 5,000. */
const lumensIn = (destination: Keypair) => Effect.map(lumensOf(destination), (stroops) => Number(stroops / 10_000_000n))

it.scopedLive("lends only", () =>
  Effect.gen(function*() {
    const held = yield* asked(LendingSupply)
    assert.deepStrictEqual(yield* pursued(held), { covered: [exit, rest], unlocksAt: null })
    yield* assertNothingLent(held.source)
    // 5,000 lumens each, and 300 USDC at 10 lumens.
    assert.approximately(yield* lumensIn(held.destination), 13_000, 2)
  }).pipe(Effect.provide(lendingService)))

it.scopedLive("owes what it can repay", () =>
  Effect.gen(function*() {
    const held = yield* asked(LendingDebt)
    assert.deepStrictEqual(yield* pursued(held), { covered: [exit, rest], unlocksAt: null })
    yield* assertNothingLent(held.source)
    // 5,000 lumens each, and the 10 EURC beyond its debt.
    assert.approximately(yield* lumensIn(held.destination), 10_100, 2)
  }).pipe(Effect.provide(lendingService)))

it.scopedLive.runIf(isThorough)("owes what it must buy first", () =>
  Effect.gen(function*() {
    const held = yield* asked(LendingDebtToBuy)
    assert.deepStrictEqual(yield* pursued(held, "buy_repay_asset_then_exit"), { covered: [exit, exit, rest], unlocksAt: null })
    yield* assertNothingLent(held.source)
    // 5,000 lumens each, less 50 EURC bought at 12 lumens.
    assert.approximately(yield* lumensIn(held.destination), 9_400, 2)
  }).pipe(Effect.provide(lendingService)))

it.scopedLive.runIf(isThorough)("claims rewards into a line of their own", () =>
  Effect.gen(function*() {
    const held = yield* asked(LendingRewards)
    const { covered, unlocksAt } = yield* pursued(held)
    assert.isNull(unlocksAt)
    assert.deepStrictEqual([covered[0], covered[1], covered.at(-1)], ["ADD_TRUSTLINE", exit, rest])
    yield* assertNothingLent(held.source)
    // 5,000 lumens each and 10 EURC. Three days of 20,000 BLND a week each, for a 51st of the lumens supplied and a 201st of the EURC owed.
    assert.approximately(yield* lumensIn(held.destination), 12_207, 10)
  }).pipe(Effect.provide(lendingService)))

it.scopedLive.runIf(isThorough)("queues what it has in the backstop, and says until when it waits", () =>
  Effect.gen(function*() {
    const held = yield* asked(LendingBackstop)
    const { covered, unlocksAt } = yield* pursued(held)
    // The trustline comes only with the exit that pays onto it.
    assert.lengthOf(covered.filter((covers) => covers === "ADD_TRUSTLINE"), 1)
    assert.sameMembers([...new Set(covered)], [exit, "ADD_TRUSTLINE"])
    assert.strictEqual(covered.at(-1), exit)
    const balance = yield* kept(backstop, userBalanceKey(pool, addressOf(held.source.publicKey())))
    const [queued = assert.fail("nothing is queued"), ...others] = asVec(field(balance, "q4w"))
    assert.isEmpty(others)
    assert.strictEqual(asI128(field(balance, "shares")), 0n)
    assert.isAbove(Number(asI128(field(queued, "amount"))), Number(100n * 10_000_000n), "rewards are queued too")
    assert.strictEqual(Date.parse(unlocksAt ?? "") / 1_000, Number(asU64(field(queued, "exp"))))
  }).pipe(Effect.provide(lendingService)))
