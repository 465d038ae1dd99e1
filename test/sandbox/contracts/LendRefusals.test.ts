import { assert, describe, it } from "@effect/vitest"
import { Asset, type xdr } from "@stellar/stellar-sdk"
import type { LedgerState } from "../../../src/ledger/LedgerState.ts"
import { allowanceKey } from "../../../src/ledger/soroban/AssetAllowance.ts"
import { balanceKey } from "../../../src/ledger/soroban/AssetBalance.ts"
import {
  addressOf,
  addressVal,
  asAddress,
  asI128,
  asVec,
  bool,
  compareValues,
  field,
  i128,
  struct,
  u32,
  u64,
  vec
} from "../../../src/ledger/soroban/Values.ts"
import { assetContractEntries, contractEntries, dataEntries } from "../../../src/sandbox/contracts/Deployment.ts"
import { poolBalanceKey, userBalanceKey } from "../../../src/sandbox/contracts/lend1/BackstopKeys.ts"
import { poolV2Hash } from "../../../src/sandbox/contracts/lend1/LendingPool.ts"
import { poolBalanceVal } from "../../../src/sandbox/contracts/lend1/PoolBalance.ts"
import { asPoolConfig, type PoolConfig, poolConfigVal } from "../../../src/sandbox/contracts/lend1/PoolConfig.ts"
import { poolFactoryV2Hash } from "../../../src/sandbox/contracts/lend1/PoolFactory.ts"
import {
  auctionKey,
  emissionConfigKey,
  emissionDataKey,
  poolInstanceKeys,
  positionsKey,
  reserveConfigKey,
  reserveDataKey,
  reserveListKey
} from "../../../src/sandbox/contracts/lend1/PoolKeys.ts"
import { asPositions, noPositions, type Positions, positionsVal } from "../../../src/sandbox/contracts/lend1/Positions.ts"
import { priceKey, priceTimeKey, priceVal } from "../../../src/sandbox/contracts/lend1/PriceOracle.ts"
import { RequestType } from "../../../src/sandbox/contracts/lend1/Request.ts"
import { asReserveConfig, type ReserveConfig, reserveConfigVal } from "../../../src/sandbox/contracts/lend1/ReserveEntries.ts"
import { userBalanceVal } from "../../../src/sandbox/contracts/lend1/UserBalance.ts"
import { keyOfContractData, keyOfInstance } from "../../../src/xdr/LedgerKeys.ts"
import { ledgerOf, readReplayed, type ReplayedRecording, simulate } from "./CallReplay.ts"

/* Limits, switches and states in which the contracts fail, beyond the recordings. */

const far = 70_000_000
const everything = (1n << 63n) - 1n

const lending = readReplayed("lend_1")
const backing = readReplayed("lend_1_backstop")
const first = readReplayed("lend_1_v1")

const addressIn = ({ accounts, contracts }: ReplayedRecording, name: string): xdr.ScAddress =>
  addressOf(contracts[name]?.address ?? accounts[name] ?? assert.fail(`nobody is called ${name}`))

const named = (name: string): xdr.ScAddress => addressIn(lending, name)

const [pool, user, backstop] = [named("pool"), named("user"), named("backstop")]

const put =
  (contract: xdr.ScAddress, key: xdr.ScVal, val: xdr.ScVal, durability: "persistent" | "temporary" = "persistent") =>
  (state: LedgerState): LedgerState => state.set(dataEntries(contract, [key, val], durability, far))

const valueIn = (state: LedgerState, contract: xdr.ScAddress, key: xdr.ScVal): xdr.ScVal => {
  const data = state.get(keyOfContractData(contract, key, "persistent"))?.data
  return data?.type === "contractData" ? data.contractData.val : assert.fail("there is no such entry")
}

const withConfig = (changes: Partial<PoolConfig>) => (state: LedgerState): LedgerState => {
  const data = state.get(keyOfInstance(pool))?.data
  assert(data?.type === "contractData" && data.contractData.val.type === "scvContractInstance")
  const storage = (data.contractData.val.instance.storage ?? []).map(({ key, val }) => [key, val] as const)
  const changed = storage.map(([key, val]) =>
    [key, compareValues(key, poolInstanceKeys.config) === 0 ? poolConfigVal({ ...asPoolConfig(val), ...changes }) : val] as const
  )
  return state.set(contractEntries(pool, poolV2Hash, changed, far))
}

const withReserve = (asset: string, changes: Partial<ReserveConfig>) => (state: LedgerState): LedgerState => {
  const key = reserveConfigKey(named(asset))
  return put(pool, key, reserveConfigVal({ ...asReserveConfig(valueIn(state, pool, key)), ...changes }))(state)
}

type Asked = readonly [kind: keyof typeof RequestType, asset: string, amount: bigint]

const answerOf = (
  recording: ReplayedRecording,
  state: LedgerState,
  contract: xdr.ScAddress,
  fn: string,
  args: ReadonlyArray<xdr.ScVal>
) => {
  const name = Object.values(recording.contracts).find(({ address }) => addressOf(address).toXdr("base64") === contract.toXdr("base64"))
  const simulated = simulate(recording, state, {
    contract: name?.address ?? assert.fail("no such contract"),
    function: fn,
    source: recording.user,
    args
  })
  return simulated._tag === "SimulatedCall" ? { value: simulated.returnValue, events: simulated.events } : simulated.error.code
}

const submit = (state: LedgerState, requests: ReadonlyArray<Asked>, fn = "submit") => {
  const own = addressVal(user)
  const values = requests.map(([kind, asset, amount]) =>
    struct({ address: addressVal(named(asset)), amount: i128(amount), request_type: u32(RequestType[kind]) })
  )
  return answerOf(lending, state, pool, fn, [own, own, own, vec(...values)])
}

const indebted = (): LedgerState => ledgerOf(lending, "interest3d")

const refusals: ReadonlyArray<
  readonly [what: string, code: number, change: (state: LedgerState) => LedgerState, ...asked: ReadonlyArray<Asked>]
> = [
  ["negative amounts", 8, (state) => state, ["withdraw", "usdc", -1n]],
  ["borrowing on ice", 1206, withConfig({ status: 2 }), ["borrow", "eurc", 1n]],
  ["lending while frozen", 1206, withConfig({ status: 4 }), ["supply", "usdc", 1n]],
  ["lending of a disabled asset", 1223, withReserve("usdc", { cap: { enabled: false, supply: 10n ** 17n } }), ["supply", "usdc", 100n]],
  ["borrowing of a disabled asset", 1223, withReserve("eurc", { cap: { enabled: false, supply: 10n ** 17n } }), ["borrow", "eurc", 100n]],
  ["lending above the cap", 1220, withReserve("usdc", { cap: { enabled: true, supply: 1n } }), ["supply", "usdc", 100n]],
  ["borrowing beyond what may be used", 1207, withReserve("eurc", { maxUtil: 1 }), ["borrow", "eurc", 100n]],
  ["one position too many", 1208, withConfig({ maxPositions: 2 }), ["borrow", "usdc", 100n]],
  ["an old price", 1210, (state) =>
    state.set([
      ...dataEntries(named("oracle"), [priceTimeKey, u64(state.header.closeTime - 86_401n)], "temporary", far),
      ...[0, 2].flatMap((index) =>
        dataEntries(named("oracle"), [priceKey(index, state.header.closeTime - 86_401n), priceVal(10_000_000n)], "temporary", far)
      )
    ]), ["withdrawCollateral", "xlm", 1n]],
  ["a price of nothing", 1210, put(named("oracle"), priceKey(0, 0n), priceVal(0n), "temporary"), ["withdrawCollateral", "xlm", 1n]],
  ["too little collateral for any debt", 1224, withConfig({ minCollateral: 10n ** 15n }), ["borrow", "eurc", 1n]],
  ["everything during a liquidation", 1212, put(pool, auctionKey(0, user), u32(0), "temporary"), ["withdraw", "usdc", 1n]],
  ["ending a liquidation there is none of", 1200, (state) => state, ["deleteLiquidation", "usdc", 0n]]
]

describe("a pool refuses", () => {
  for (const [what, code, change, ...asked] of refusals) {
    it(what, () => assert.strictEqual(submit(change(indebted()), asked), `Error(Contract, #${code})`))
  }

  it("its own address as any party", () => {
    const [own, itself] = [addressVal(user), addressVal(pool)]
    assert.strictEqual(answerOf(lending, indebted(), pool, "submit", [own, own, itself, vec()]), "Error(Contract, #1200)")
  })
})

describe("a pool lets pass", () => {
  it("an exit while it is frozen, from an asset that is disabled", () => {
    const state = withReserve("usdc", { cap: { enabled: false, supply: 0n } })(withConfig({ status: 6 })(indebted()))
    const answer = submit(state, [["repay", "eurc", 5_005_437_081n], ["withdrawCollateral", "xlm", everything], [
      "withdraw",
      "usdc",
      everything
    ]])
    assert(typeof answer !== "string", String(answer))
    assert.strictEqual(answer.value.toXdr("base64"), positionsVal(noPositions).toXdr("base64"))
  })

  it("one that ends its liquidation first", () => {
    const state = put(pool, auctionKey(0, user), u32(0), "temporary")(indebted())
    assert.notTypeOf(submit(state, [["deleteLiquidation", "usdc", 0n], ["withdraw", "usdc", 1n]]), "string")
  })

  it("supply of the very asset that is owed to repay it, where it sets off", () => {
    const held = asPositions(valueIn(indebted(), pool, positionsKey(user)))
    const both: Positions = { ...held, supply: new Map([...held.supply, [2, 6_000_000_000n]]) }
    const state = put(pool, positionsKey(user), positionsVal(both))(indebted())
    const asked: ReadonlyArray<Asked> = [["repay", "eurc", 5_005_437_081n], ["withdraw", "eurc", everything]]
    const answer = submit(state, asked, "submit_with_allowance")
    assert(typeof answer !== "string", String(answer))
    // 6,000,000,000 shares at the rate of the supply, less the debt of 5,000,436,644.
    const moved = answer.events.flatMap(({ body }) => (body.v0.data.type === "scvI128" ? [asI128(body.v0.data)] : []))
    assert.deepStrictEqual(moved, [6_000_004_715n - 5_000_436_644n])
  })
})

describe("the first version", () => {
  it("pays emissions by its own scale, at a rate that stands apart, until they end", () => {
    const state = ledgerOf(first, "v1Interest3d")
    const [poolV1, blnd] = [addressIn(first, "poolV1"), addressIn(first, "blnd")]
    const own = addressVal(addressIn(first, "user"))
    const { closeTime } = state.header
    const end = closeTime - 20n
    const held = struct({ amount: i128(10n ** 12n), authorized: bool(true), clawback: bool(false) })
    const started = state.set([
      ...dataEntries(poolV1, [emissionConfigKey(3), struct({ eps: u64(1_000_000n), expiration: u64(end) })], "persistent", far),
      ...dataEntries(poolV1, [emissionDataKey(3), struct({ index: i128(7n), last_time: u64(end - 80n) })], "persistent", far),
      ...assetContractEntries(
        new Asset("BLND", first.accounts["blndIssuer"] ?? assert.fail("nobody issues BLND")).toXdrObject(),
        first.network.passphrase,
        far
      ),
      ...dataEntries(blnd, [balanceKey(backstop), held], "persistent", far),
      ...dataEntries(
        blnd,
        [allowanceKey(backstop, poolV1), struct({ amount: i128(10n ** 12n), live_until_ledger: u32(state.header.ledgerSeq + 1_000) })],
        "temporary",
        far
      )
    ])
    const [, usdc = assert.fail("no USDC")] = asVec(valueIn(state, poolV1, reserveListKey)).map(asAddress)
    const supply = asI128(field(valueIn(state, poolV1, reserveDataKey(usdc)), "b_supply"))
    // 80 seconds at 1,000,000 a second for all shares, plus the earlier index, for the user's 2,500,000,000.
    const earned = (2_500_000_000n * (7n + (80n * 1_000_000n * 10_000_000n) / supply)) / 10_000_000n
    const answer = answerOf(first, started, poolV1, "claim", [own, vec(u32(3)), own])
    assert(typeof answer !== "string", String(answer))
    assert.strictEqual(asI128(answer.value), earned)
    assert.isAbove(Number(earned), 300_000)
  })
})

describe("the backstop refuses", () => {
  const own = addressVal(user)
  const claimed = (): LedgerState => ledgerOf(backing, "backstopClaimed")
  const call = (state: LedgerState, fn: string, ...args: ReadonlyArray<xdr.ScVal>) => answerOf(backing, state, backstop, fn, args)

  it("a withdrawal while it owes for the pool", () => {
    const state = put(pool, positionsKey(backstop), positionsVal({ ...noPositions, liabilities: new Map([[0, 1n]]) }))(claimed())
    assert.strictEqual(call(state, "withdraw", own, addressVal(pool), i128(1n)), "Error(Contract, #1011)")
  })

  it("more than twenty waiting withdrawals", () => {
    const queue = Array.from({ length: 20 }, () => ({ amount: 1n, expiration: 0n }))
    const state = put(backstop, userBalanceKey(pool, user), userBalanceVal({ shares: 100n, queue }))(claimed())
    assert.strictEqual(call(state, "queue_withdrawal", own, addressVal(pool), i128(1n)), "Error(Contract, #1007)")
  })

  it("deposits for what is no pool", () => {
    const factory = contractEntries(addressIn(backing, "poolFactory"), poolFactoryV2Hash, [], far)
    assert.strictEqual(call(claimed().set(factory), "deposit", own, addressVal(named("oracle")), i128(1n)), "Error(Contract, #1004)")
  })

  it("a deposit too small for a share", () => {
    const state = put(backstop, poolBalanceKey(pool), poolBalanceVal({ shares: 1n, tokens: 1_000n, queued: 0n }))(
      ledgerOf(backing, "backstopNone")
    )
    assert.strictEqual(call(state, "deposit", own, addressVal(pool), i128(1n)), "Error(Contract, #1005)")
  })

  it("negative amounts", () => {
    for (const fn of ["deposit", "queue_withdrawal", "dequeue_withdrawal", "withdraw"]) {
      assert.strictEqual(call(claimed(), fn, own, addressVal(pool), i128(-1n)), "Error(Contract, #8)", fn)
    }
  })
})
