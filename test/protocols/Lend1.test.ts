import { assert, describe, it } from "@effect/vitest"
import { Either, Schema } from "effect"
import { gate } from "../../src/protocols/CodeGate.ts"
import { inInstance, valueIn } from "../../src/protocols/kit/LedgerView.ts"
import type { LedgerView } from "../../src/protocols/kit/LedgerView.ts"
import { backstopState } from "../../src/protocols/lend1/Backstop.ts"
import { sharesHeld } from "../../src/protocols/lend1/Comet.ts"
import { cometPart } from "../../src/protocols/lend1/CometPart.ts"
import * as Entries from "../../src/protocols/lend1/Entries.ts"
import { healthFactor, healthOf, leastHealth } from "../../src/protocols/lend1/Health.ts"
import { accrued, debtOf, rateScale, supplyOf } from "../../src/protocols/lend1/Interest.ts"
import type { PoolVersion } from "../../src/protocols/lend1/Interest.ts"
import * as Keys from "../../src/protocols/lend1/Keys.ts"
import { poolState } from "../../src/protocols/lend1/Pool.ts"
import { lastPrice } from "../../src/protocols/lend1/Prices.ts"
import { poolPosition } from "../../src/protocols/lend1/Rows.ts"
import { contractDataKey } from "../../src/stellar/ContractKeys.ts"
import { symbol } from "../../src/stellar/ScValCodec.ts"
import { keyText } from "../../src/xdr/LedgerKeys.ts"
import { recorded } from "./support/Recorded.ts"
import { written } from "./support/Written.ts"

const v2 = recorded("lend_1")
const backstop = recorded("lend_1_backstop")

const right = <A, E>(either: Either.Either<A, E>): A => {
  if (Either.isLeft(either)) {
    throw new Error(`not decoded: ${JSON.stringify(either.left, (_, value) => (typeof value === "bigint" ? `${value}` : value))}`)
  }
  return either.right
}

const pool = (recording: typeof v2, name: string, version: PoolVersion, state: string) => {
  const known = new Map([[recording.contracts[name]?.wasmHash ?? "", version] as const])
  const view = recording.view(state)
  return right(Either.flatMap(gate(view, recording.contract(name), known), (gated) => poolState(view, gated, recording.user)))
}

const Data = Schema.Struct({
  data: Schema.Struct({
    b_rate: Schema.BigInt,
    b_supply: Schema.BigInt,
    backstop_credit: Schema.BigInt,
    d_rate: Schema.BigInt,
    d_supply: Schema.BigInt
  })
})
const Positions = Schema.Struct({
  collateral: Schema.Record({ key: Schema.String, value: Schema.BigInt }),
  liabilities: Schema.Record({ key: Schema.String, value: Schema.BigInt }),
  supply: Schema.Record({ key: Schema.String, value: Schema.BigInt })
})
const Transfers = Schema.Array(Schema.Struct({ token: Schema.String, direction: Schema.Literal("in", "out"), amount: Schema.BigInt }))

const states = ["none", "supplyOnly", "collateralAndBorrow", "interest3d", "claimed", "emptied"].filter((name) =>
  v2.states[name] !== undefined
)

describe("lend_1 pools as recorded", () => {
  it.each(states)("v2 %s: reserves accrue to what the pool itself computes", (state) => {
    const view = v2.view(state)
    for (const asset of ["xlm", "usdc", "eurc"]) {
      const fact = v2.fact(state, `pool.reserve(${asset})`)
      if (fact === undefined) continue
      const { data } = Schema.decodeUnknownSync(Data)(fact)
      const config = right(valueIn(view, v2.contract("pool"), Keys.reserveConfig(v2.contract(asset)), Entries.ReserveConfigV2))
      const stored = right(valueIn(view, v2.contract("pool"), Keys.reserveData(v2.contract(asset)), Entries.ReserveData))
      const instance = right(gate(view, v2.contract("pool"), new Map([[v2.contracts["pool"]?.wasmHash ?? "", "poolV2"]])))
      const settings = right(inInstance(instance.address, instance.instance, symbol.encode("Config"), Entries.PoolConfigV2))
      if (config === null || stored === null || settings === null) throw new Error("not there")
      const { b_rate, b_supply, backstop_credit, d_rate, d_supply } = accrued(
        { version: "poolV2", bstopRate: settings.bstop_rate },
        config,
        stored,
        view.closeTime
      )
      assert.deepStrictEqual({ b_rate, b_supply, backstop_credit, d_rate, d_supply }, data, asset)
    }
  })

  it.each([["poolV2", "lend_1", "pool"], ["poolV1", "lend_1_v1", "poolV1"]] as const)(
    "%s: positions of every state",
    (version, file, name) => {
      const recording = recorded(file)
      let seen = 0
      for (const state of Object.keys(recording.states)) {
        const fact = recording.fact(state, `${name}.positions(user)`)
        if (fact === undefined) continue
        seen++
        const expected = Schema.decodeUnknownSync(Positions)(fact)
        const found = pool(recording, name, version, state)
        const as = (of: "bSupply" | "bCollateral" | "dTokens") =>
          Object.fromEntries((found?.holdings ?? []).filter((one) => one[of] > 0n).map((one) => [`${one.index}`, one[of]]))
        assert.deepStrictEqual({ collateral: as("bCollateral"), liabilities: as("dTokens"), supply: as("bSupply") }, expected, state)
      }
      assert.isAtLeast(seen, 4)
    }
  )

  it.each([["poolV2", "lend_1", "pool"], ["poolV1", "lend_1_v1", "poolV1"]] as const)(
    "%s: what is owed and paid out, to the unit",
    (version, file, name) => {
      const recording = recorded(file)
      let seen = 0
      for (const state of Object.keys(recording.states)) {
        const fact = recording.fact(state, "fullExit")
        if (fact === undefined) continue
        seen++
        const transfers = Schema.decodeUnknownSync(Transfers)(fact)
        const found = pool(recording, name, version, state)
        if (found === null) throw new Error("nothing held")
        for (const { asset, collateral, debt, supply } of found.holdings) {
          const token = Object.entries(recording.contracts).find(([, { address }]) => address === asset)?.[0]
          const net = transfers.filter((one) => one.token === token).reduce(
            (sum, one) => sum + (one.direction === "in" ? one.amount : -one.amount),
            0n
          )
          assert.strictEqual(collateral + supply - debt, net, `${state} ${token}`)
        }
        assert.deepStrictEqual(
          new Set(transfers.map(({ token }) => recording.contract(token))),
          new Set(found.holdings.map(({ asset }) => asset))
        )
      }
      assert.isAtLeast(seen, 2)
    }
  )

  it("claimable rewards of every state", () => {
    let seen = 0
    for (const state of Object.keys(v2.states)) {
      const fact = v2.fact(state, "claimableBLND")
      if (fact === undefined) continue
      seen++
      const found = pool(v2, "pool", "poolV2", state)
      const sum = (found?.rewards ?? []).reduce((total, { amount }) => total + amount, 0n)
      assert.strictEqual(sum, Schema.decodeUnknownSync(Schema.BigInt)(fact), state)
    }
    assert.isAtLeast(seen, 5)
  })

  it.each([["poolV2", "lend_1", "pool"], ["poolV1", "lend_1_v1", "poolV1"]] as const)(
    "%s: health ends where the pool's own limit is",
    (version, file, name) => {
      const recording = recorded(file)
      let seen = 0
      for (const state of Object.keys(recording.states)) {
        const [borrow, withdraw] = [recording.fact(state, "maxAdditionalBorrow(eurc)"), recording.fact(state, "maxCollateralWithdraw(xlm)")]
        if (borrow === undefined || withdraw === undefined) continue
        seen++
        const found = pool(recording, name, version, state)
        if (found === null) throw new Error("nothing held")
        const scale = rateScale[version]
        // The pool's own rounding of a request: d tokens up for a loan, b tokens up for a withdrawal.
        const healthy = (borrowed: bigint, withdrawn: bigint) => {
          const health = healthOf(
            found.holdings.map((holding) => ({
              ...holding,
              debt: holding.dTokens === 0n
                ? 0n
                : debtOf(
                  version,
                  holding.dTokens + (borrowed * scale + holding.data.d_rate - 1n) / holding.data.d_rate,
                  holding.data.d_rate
                ),
              collateral: holding.bCollateral === 0n
                ? 0n
                : supplyOf(
                  version,
                  holding.bCollateral - (withdrawn * scale + holding.data.b_rate - 1n) / holding.data.b_rate,
                  holding.data.b_rate
                )
            })),
            found.prices
          )
          const factor = health === null ? null : healthFactor(health)
          return factor !== null && factor >= leastHealth
        }
        const [mostBorrowed, mostWithdrawn] = [borrow, withdraw].map((fact) => Schema.decodeUnknownSync(Schema.BigInt)(fact))
        assert.isTrue(healthy(mostBorrowed ?? 0n, 0n), `${state} borrow`)
        assert.isFalse(healthy((mostBorrowed ?? 0n) + 1n, 0n), `${state} borrow and one`)
        assert.isTrue(healthy(0n, mostWithdrawn ?? 0n), `${state} withdraw`)
        assert.isFalse(healthy(0n, (mostWithdrawn ?? 0n) + 1n), `${state} withdraw and one`)
      }
      assert.isAtLeast(seen, 2)
    }
  )

  it("rewards of the first version by its own scale, at a rate that stands apart, until they end", () => {
    const v1 = recorded("lend_1_v1")
    const [view, address] = [v1.view("v1Interest3d"), v1.contract("poolV1")]
    const end = view.closeTime - 20n
    const emissions = new Map([
      [Keys.emissionConfig(3), Entries.EmissionConfigV1.encode({ eps: 1_000_000n, expiration: end })],
      [Keys.emissionData(3), Entries.EmissionDataV1.encode({ index: 7n, last_time: end - 80n })]
    ].map(([key, val]) => {
      const whole = contractDataKey(address, key ?? assert.fail())
      return [keyText(whole), { _tag: "Present", data: written(whole, val ?? assert.fail()), archived: false }] as const
    }))
    const seen: LedgerView = { ...view, state: (key) => emissions.get(keyText(key)) ?? view.state(key) }
    const gated = right(gate(seen, address, new Map([[v1.contracts["poolV1"]?.wasmHash ?? "", "poolV1" as const]])))
    const found = right(poolState(seen, gated, v1.user))
    const supply = found?.holdings.find(({ index }) => index === 1)?.data.b_supply ?? assert.fail("no supply")
    // 80 seconds at 1,000,000 a second for all shares, plus the earlier index, for the user's 2,500,000,000.
    const earned = (2_500_000_000n * (7n + (80n * 1_000_000n * 10_000_000n) / supply)) / 10_000_000n
    assert.isAbove(Number(earned), 300_000)
    assert.deepStrictEqual(found?.rewards.map(({ amount, id }) => ({ amount, id })), [{ amount: earned, id: 3 }])
  })

  it("something held in a reserve that the pool's list does not have is never left out", () => {
    const view = v2.view("interest3d")
    const key = contractDataKey(v2.contract("pool"), Keys.positions(v2.user))
    for (const beside of ["collateral", "liabilities", "supply"] as const) {
      const none = { collateral: [], liabilities: [], supply: [] }
      const odd = written(key, Entries.Positions.encode({ ...none, supply: [[1, 7n]], [beside]: [[1, 7n], [9, 1n]] }))
      const seen: LedgerView = {
        ...view,
        state: (asked) => (keyText(asked) === keyText(key) ? { _tag: "Present", data: odd, archived: false } : view.state(asked))
      }
      const gated = right(gate(seen, v2.contract("pool"), new Map([[v2.contracts["pool"]?.wasmHash ?? "", "poolV2" as const]])))
      const found = poolState(seen, gated, v2.user)
      assert.strictEqual(Either.isLeft(found) ? found.left._tag : "decoded", "Undecodable", beside)
    }
  })

  const shown = (view: LedgerView) =>
    right(
      Either.map(gate(view, v2.contract("pool"), new Map([[v2.contracts["pool"]?.wasmHash ?? "", "poolV2" as const]])), (gated) =>
        Either.map(poolState(view, gated, v2.user), (found) =>
          (found === null ? [] : poolPosition(view, found)).flatMap(({ rows }) =>
            rows
          )))
    )

  it("a debt shows its health, and says when nobody knows it", () => {
    const view = v2.view("collateralAndBorrow")
    const borrowed = (seen: LedgerView) =>
      right(shown(seen)).flatMap((row) => (row.positionType === "borrow" ? [[row.healthFactor, row.display?.detail]] : []))
    // 20,000 lumens of collateral at 0.1 and a factor of 0.75, over 500 euros of debt at 1.1 and a factor of 0.9.
    assert.deepStrictEqual(borrowed(view).map(([factor]) => factor), ["2.4545454"])
    const silent: LedgerView = { ...view, answer: () => ({ _tag: "Failed", reason: "no source could be queried" }) }
    const stale: LedgerView = { ...view, closeTime: view.closeTime + 200_000n }
    for (const one of [silent, stale]) {
      const [row] = borrowed(one)
      assert.isUndefined(row?.[0])
      assert.match(row?.[1] ?? "", /health of this debt is not known/)
    }
    // The dollars are plain supply and no collateral.
    const unasked = shown({ ...view, answer: () => ({ _tag: "Unread" }) })
    assert.deepStrictEqual(Either.isLeft(unasked) && unasked.left._tag === "Unread" ? unasked.left.questions : unasked, [
      lastPrice(v2.contract("oracle"), v2.contract("xlm")),
      lastPrice(v2.contract("oracle"), v2.contract("eurc"))
    ])
  })

  it("plain supply backs nothing, even beside collateral in the same asset", () => {
    const found = pool(v2, "pool", "poolV2", "interest3d") ?? assert.fail("nothing held")
    const richer = found.holdings.map((holding) => ({
      ...holding,
      bSupply: holding.bSupply + 10n ** 12n,
      supply: holding.supply + 10n ** 12n
    }))
    const health = healthOf(found.holdings, found.prices)
    assert.isNotNull(health)
    assert.deepStrictEqual(healthOf(richer, found.prices), health)
  })

  it("rates of the two generations differ by a thousand", () => {
    assert.strictEqual(supplyOf("poolV1", 1_000n, 2_000_000_000n), 2_000n)
    assert.strictEqual(supplyOf("poolV2", 1_000n, 2_000_000_000_000n), 2_000n)
    assert.strictEqual(debtOf("poolV2", 1n, 1_000_000_000_001n), 2n)
  })
})

const Balance = Schema.Struct({ q4w: Schema.Array(Schema.Struct({ amount: Schema.BigInt, exp: Schema.BigInt })), shares: Schema.BigInt })

describe("lend_1 backstop as recorded", () => {
  it("deposits, queues and unlock times of every state", () => {
    const known = new Map([[backstop.contracts["backstop"]?.wasmHash ?? "", "backstopV2" as const]])
    let seen = 0
    for (const state of Object.keys(backstop.states)) {
      const fact = backstop.fact(state, "backstop.userBalance(pool,user)")
      if (fact === undefined) continue
      seen++
      const expected = Schema.decodeUnknownSync(Balance)(fact)
      const view = backstop.view(state)
      const found = right(
        Either.flatMap(
          gate(view, backstop.contract("backstop"), known),
          (gated) => backstopState(view, gated, backstop.contract("pool"), backstop.user)
        )
      )
      assert.strictEqual(found?.shares ?? 0n, expected.shares, state)
      assert.deepStrictEqual(
        (found?.queue ?? []).map(({ amount, unlocksAt }) => ({ amount, exp: unlocksAt })),
        expected.q4w.map((one) => ({ ...one })),
        state
      )
      const claim = Schema.decodeUnknownSync(Schema.BigInt)(backstop.fact(state, "backstop.claim"))
      assert.strictEqual((found?.reward ?? 0n) > 0n, claim > 0n, state)
    }
    assert.isAtLeast(seen, 8)
  })

  it("what shares are worth, queued or not, and shares of the liquidity pool in the wallet, of every state", () => {
    const worth = Schema.decodeUnknownSync(Schema.Struct({ shares: Schema.BigInt, tokens: Schema.BigInt }))
    const known = new Map([[backstop.contracts["backstop"]?.wasmHash ?? "", "backstopV2" as const]])
    let inWallet = 0
    for (const state of Object.keys(backstop.states)) {
      const view = backstop.view(state)
      const own = Schema.decodeUnknownSync(Balance)(backstop.fact(state, "backstop.userBalance(pool,user)"))
      const all = worth(backstop.fact(state, "backstop.poolData(pool)"))
      const shares = own.q4w.reduce((sum, { amount }) => sum + amount, own.shares)
      const found = right(
        Either.flatMap(
          gate(view, backstop.contract("backstop"), known),
          (gated) => backstopState(view, gated, backstop.contract("pool"), backstop.user)
        )
      )
      assert.strictEqual(found?.tokens ?? 0n, (shares * all.tokens) / all.shares, state)
      const held = right(sharesHeld(view, { address: backstop.contract("comet") }, backstop.user))
      const rows = cometPart(new Map([[backstop.contracts["comet"]?.wasmHash ?? "", "backstopToken" as const]]))({
        contract: backstop.contract("comet")
      }).decode(backstop.user, view).positions.flatMap((position) => position.rows)
      // Shares in the wallet are in no pool and in no backstop, so they are no supply.
      const shown = rows.map((row) => [row.positionType, row.positionType === "other" ? row.holds.map(({ amount }) => amount) : []])
      assert.deepStrictEqual(shown, held === 0n ? [] : [["other", [held.toString()]]], state)
      inWallet += rows.length
      assert.strictEqual(held, Schema.decodeUnknownSync(Schema.BigInt)(backstop.fact(state, "comet.balance(user)")), state)
    }
    assert.isAbove(inWallet, 0)
  })

  it("the reward is what the claim took out of the backstop", () => {
    const known = new Map([[backstop.contracts["backstop"]?.wasmHash ?? "", "backstopV2" as const]])
    const view = backstop.view("backstopAccrued")
    const found = right(
      Either.flatMap(
        gate(view, backstop.contract("backstop"), known),
        (gated) => backstopState(view, gated, backstop.contract("pool"), backstop.user)
      )
    )
    const joined = (state: string) => Schema.decodeUnknownSync(Schema.BigInt)(backstop.fact(state, "comet.balance(blnd)"))
    assert.strictEqual(found?.reward, joined("backstopClaimed") - joined("backstopAccrued"))
  })
})
