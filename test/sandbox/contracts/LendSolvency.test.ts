import { assert, it } from "@effect/vitest"
import type { xdr } from "@stellar/stellar-sdk"
import { FastCheck } from "effect"
import type { LedgerState } from "../../../src/ledger/LedgerState.ts"
import { balanceKey } from "../../../src/ledger/soroban/AssetBalance.ts"
import { ttlEntry } from "../../../src/ledger/soroban/Life.ts"
import type { SimulatedCall } from "../../../src/ledger/soroban/Simulation.ts"
import { addressOf, addressVal, asI128, field, i128, struct, u32, vec } from "../../../src/ledger/soroban/Values.ts"
import { reserveDataKey } from "../../../src/sandbox/contracts/lend1/PoolKeys.ts"
import { asReserveData } from "../../../src/sandbox/contracts/lend1/ReserveEntries.ts"
import { keyOf, keyOfContractData } from "../../../src/xdr/LedgerKeys.ts"
import { ledgerOf, readReplayed, simulate } from "./CallReplay.ts"

const recording = readReplayed("lend_1")
const assets = ["xlm", "usdc", "eurc"] as const
const scale = 1_000_000_000_000n
const far = 70_000_000

const address = (name: string): xdr.ScAddress =>
  addressOf(recording.contracts[name]?.address ?? recording.accounts[name] ?? assert.fail(name))

const [pool, own] = [address("pool"), addressVal(address("user"))]

interface Move {
  readonly asset: (typeof assets)[number]
  /** Supply, withdraw, the same as collateral, borrow, repay. */
  readonly type: number
  readonly amount: bigint
  /** Seconds before it. */
  readonly wait: number
}

const moves: FastCheck.Arbitrary<ReadonlyArray<Move>> = FastCheck.array(
  FastCheck.record({
    asset: FastCheck.constantFrom(...assets),
    type: FastCheck.integer({ min: 0, max: 5 }),
    amount: FastCheck.oneof(FastCheck.bigInt(1n, 20n), FastCheck.bigInt(1n, 20_000_000_000n), FastCheck.constant((1n << 62n) - 1n)),
    wait: FastCheck.constantFrom(0, 0, 0, 5, 86_400 * 20)
  }),
  { minLength: 1, maxLength: 8 }
)

const valueOf = (state: LedgerState, contract: xdr.ScAddress, key: xdr.ScVal): xdr.ScVal => {
  const data = state.get(keyOfContractData(contract, key, "persistent"))?.data
  return data?.type === "contractData" ? data.contractData.val : assert.fail("there is no such entry")
}

const reserveOf = (state: LedgerState, asset: string) => asReserveData(valueOf(state, pool, reserveDataKey(address(asset))))

const heldBy = (state: LedgerState, asset: string): bigint => asI128(field(valueOf(state, address(asset), balanceKey(pool)), "amount"))

/** A pool's balance beyond its debts to suppliers and the backstop, unrounded: base units times the scale of rates. */
const surplus = (state: LedgerState, asset: string): bigint => {
  const { backstopCredit, bRate, bSupply, dRate, dSupply } = reserveOf(state, asset)
  return (heldBy(state, asset) - backstopCredit) * scale + dSupply * dRate - bSupply * bRate
}

const after = (state: LedgerState, { changes }: SimulatedCall): LedgerState =>
  changes.reduce(
    (next, { after: entry }) =>
      entry === undefined ? next : next.set([entry, ...(entry.data.type === "contractData" ? [ttlEntry(keyOf(entry), far)] : [])]),
    state
  )

const moved = (state: LedgerState, { amount, asset, type, wait }: Move): LedgerState => {
  const { closeTime, ledgerSeq } = state.header
  const later = state.at({ ledgerSeq: ledgerSeq + 1, closeTime: closeTime + BigInt(wait) })
  const request = struct({ address: addressVal(address(asset)), amount: i128(amount), request_type: u32(type) })
  const simulated = simulate(recording, later, {
    contract: recording.contracts["pool"]?.address ?? assert.fail("no pool"),
    function: "submit",
    source: recording.user,
    args: [own, own, own, vec(request)]
  })
  return simulated._tag === "SimulatedCall" ? after(later, simulated) : later
}

const begin = ledgerOf(recording, "interest3d")

it.prop("a pool never owes more than it has, whatever is asked of it: rounding is in its favour", [moves], ([list]) => {
  list.reduce((before, move) => {
    const next = moved(before, move)
    for (const asset of assets) {
      // Interest is distributed in whole base units, rounded up for debt: up to one unit is paid in advance.
      const isAccrued = reserveOf(before, asset).lastTime !== reserveOf(next, asset).lastTime
      assert.isTrue(
        surplus(next, asset) >= surplus(before, asset) - (isAccrued ? scale : 0n),
        `${asset}: ${surplus(next, asset)} after ${surplus(before, asset)}`
      )
    }
    return next
  }, begin)
}, { fastCheck: { numRuns: 100 } })

it("borrowing takes the tokens out of the pool", () => {
  const state = moved(begin, { asset: "eurc", type: 4, amount: 1_000_000_000n, wait: 5 })
  assert.strictEqual(heldBy(begin, "eurc") - heldBy(state, "eurc"), 1_000_000_000n)
})
