import { assert, describe, it } from "@effect/vitest"
import { xdr } from "@stellar/stellar-sdk"
import { FastCheck } from "effect"
import { addressOf, addressVal, field, i128, struct, u32, vec } from "../../src/ledger/soroban/Values.ts"
import type { ReserveConfig, ReserveData } from "../../src/protocols/lend1/Entries.ts"
import { accrued, borrowRate, type PoolVersion, rateScale, utilisation } from "../../src/protocols/lend1/Interest.ts"
import { accrual } from "../../src/sandbox/contracts/lend1/Interest.ts"
import { asPoolConfig } from "../../src/sandbox/contracts/lend1/PoolConfig.ts"
import { poolInstanceKeys, reserveConfigKey, reserveDataKey } from "../../src/sandbox/contracts/lend1/PoolKeys.ts"
import { poolV1Traits, poolV2Traits } from "../../src/sandbox/contracts/lend1/PoolTraits.ts"
import { asReserveConfig, asReserveData, reserveConfigVal, reserveDataVal } from "../../src/sandbox/contracts/lend1/ReserveEntries.ts"
import { keyOfContractData } from "../../src/xdr/LedgerKeys.ts"
import { ledgerOf, readReplayed, simulate } from "../sandbox/contracts/CallReplay.ts"
import { replaced } from "./support/Replaced.ts"

const traits = { poolV1: poolV1Traits, poolV2: poolV2Traits } as const
const versions = ["poolV1", "poolV2"] as const

/** The reserve of the unit tests in the pool's own source. */
const published: ReserveConfig = {
  index: 0,
  decimals: 7,
  c_factor: 7_500_000,
  l_factor: 7_500_000,
  util: 7_500_000,
  max_util: 9_500_000,
  r_base: 100_000,
  r_one: 500_000,
  r_two: 5_000_000,
  r_three: 15_000_000,
  reactivity: 20
}

const inModel = (config: ReserveConfig) => ({
  index: config.index,
  decimals: config.decimals,
  cFactor: config.c_factor,
  lFactor: config.l_factor,
  util: config.util,
  maxUtil: config.max_util,
  rBase: config.r_base,
  rOne: config.r_one,
  rTwo: config.r_two,
  rThree: config.r_three,
  reactivity: config.reactivity,
  cap: undefined
})

/** A reserve with this part lent out, seven decimals, and both rates at one. */
const lentOut = (version: PoolVersion, used: bigint, modifier: bigint): ReserveData => ({
  b_rate: rateScale[version],
  d_rate: rateScale[version],
  b_supply: 10_000_000n * 1_000_000n,
  d_supply: used * 1_000_000n,
  ir_mod: modifier,
  backstop_credit: 0n,
  last_time: 0n
})

describe("interest of lend_1 as the pool's own source tests it", () => {
  const values = [
    { version: "poolV1", seconds: 500n, used: 6_565_656n, modifier: 1_000_000_000n, becomes: 1_000_000_853n, next: 999_906_566n },
    { version: "poolV1", seconds: 500n, used: 7_979_797n, modifier: 1_000_000_000n, becomes: 1_000_002_853n, next: 1_000_047_979n },
    { version: "poolV1", seconds: 500n, used: 9_696_969n, modifier: 1_000_000_000n, becomes: 1_000_018_247n, next: 1_000_219_696n },
    { version: "poolV1", seconds: 1n, used: 500_000n, modifier: 100_000_000n, becomes: 1_000_000_001n, next: 100_000_000n },
    { version: "poolV2", seconds: 500n, used: 6_565_656n, modifier: 10_000_000n, becomes: 1_000_000_852_536n, next: 9_999_066n },
    { version: "poolV2", seconds: 500n, used: 7_979_797n, modifier: 10_000_000n, becomes: 1_000_002_853_078n, next: 10_000_479n },
    { version: "poolV2", seconds: 500n, used: 9_696_969n, modifier: 10_000_000n, becomes: 1_000_018_247_510n, next: 10_002_196n }
  ] as const

  it.each(values)("$version: after $seconds s at $used", ({ becomes, modifier, next, seconds, used, version }) => {
    const data = lentOut(version, used, modifier)
    assert.strictEqual(utilisation(version, data), used)
    assert.strictEqual(accrued({ version, bstopRate: 0 }, published, data, seconds).d_rate, becomes)
    assert.deepStrictEqual(accrual(traits[version], inModel(published), { utilization: used, modifier, seconds }), {
      factor: becomes,
      modifier: next
    })
  })
})

const recordings = { poolV1: readReplayed("lend_1_v1"), poolV2: readReplayed("lend_1") } as const

const scenes = {
  poolV1: { recording: recordings.poolV1, pool: "poolV1", state: "v1None" },
  poolV2: { recording: recordings.poolV2, pool: "pool", state: "none" }
} as const

/** The supply in the call that updates the reserve. */
const supplied = 1_000_000n

interface Case {
  readonly config: ReserveConfig
  readonly data: ReserveData
}

/** The reserve after a supply at a time, as the sandbox's pool writes it. The supply is left out, and the old modifier is kept. */
const writtenByPool = (
  version: PoolVersion,
  { config, data }: Case,
  now: bigint
): { readonly written: ReserveData; readonly bstopRate: number } => {
  const { pool: name, recording, state } = scenes[version]
  const begin = ledgerOf(recording, state)
  const [pool, asset, user] = [name, "usdc", "user"].map((one) =>
    addressOf(recording.contracts[one]?.address ?? recording.accounts[one] ?? assert.fail(one))
  )
  assert(pool !== undefined && asset !== undefined && user !== undefined)
  const held = replaced(
    replaced(
      begin.at({ ledgerSeq: begin.header.ledgerSeq, closeTime: now }),
      pool,
      reserveConfigKey(asset),
      (old) =>
        reserveConfigVal({
          ...asReserveConfig(old),
          ...inModel(config),
          index: asReserveConfig(old).index,
          cap: version === "poolV2" ? { supply: 1n << 120n, enabled: true } : undefined
        })
    ),
    pool,
    reserveDataKey(asset),
    () =>
      reserveDataVal({
        bRate: data.b_rate,
        bSupply: data.b_supply,
        backstopCredit: data.backstop_credit,
        dRate: data.d_rate,
        dSupply: data.d_supply,
        irMod: data.ir_mod,
        lastTime: data.last_time
      })
  )
  const own = addressVal(user)
  const request = struct({ address: addressVal(asset), amount: i128(supplied), request_type: u32(0) })
  const simulated = simulate(recording, held, {
    contract: recording.contracts[name]?.address ?? assert.fail(),
    function: "submit",
    source: recording.user,
    args: [own, own, own, vec(request)]
  })
  assert(simulated._tag === "SimulatedCall", JSON.stringify(simulated._tag === "SimulatedCall" ? "" : simulated.error.message))
  const key = keyOfContractData(pool, reserveDataKey(asset), "persistent").toXdr("base64")
  const after = simulated.changes.map(({ after: entry }) => entry?.data).find((entry) =>
    entry?.type === "contractData" && keyOfContractData(pool, entry.contractData.key, "persistent").toXdr("base64") === key
  )
  assert(after?.type === "contractData", "the pool wrote no reserve")
  const found = asReserveData(after.contractData.val)
  const instance = held.get(keyOfContractData(pool, xdr.ScVal.scvLedgerKeyContractInstance(), "persistent"))?.data
  assert(instance?.type === "contractData" && instance.contractData.val.type === "scvContractInstance")
  const settings = xdr.ScVal.scvMap(instance.contractData.val.instance.storage ?? [])
  return {
    bstopRate: asPoolConfig(fieldOf(settings, poolInstanceKeys.config)).backstopRate,
    written: {
      b_rate: found.bRate,
      b_supply: found.bSupply - (supplied * rateScale[version]) / found.bRate,
      backstop_credit: found.backstopCredit,
      d_rate: found.dRate,
      d_supply: found.dSupply,
      ir_mod: data.ir_mod,
      last_time: found.lastTime
    }
  }
}

const fieldOf = (value: xdr.ScVal, key: xdr.ScVal): xdr.ScVal => field(value, key.type === "scvSymbol" ? String(key.sym) : assert.fail())

const upTo = (most: number) => FastCheck.integer({ min: 0, max: most })

/** The utilization of the reserve: any, beyond the steep point, beyond 100 per cent, or next to the start of a slope. */
const parts = (util: number): FastCheck.Arbitrary<number> =>
  FastCheck.oneof(
    upTo(util),
    upTo(9_500_000),
    FastCheck.integer({ min: 9_500_001, max: 10_000_000 }),
    FastCheck.integer({ min: 10_000_000, max: 11_000_000 }),
    FastCheck.constantFrom(util, util + 1, 9_499_999, 9_500_000, 9_500_001, 9_999_999, 10_000_000)
  )

/** Elapsed seconds: some, a ledger's, or years. */
const waits = FastCheck.oneof(
  FastCheck.bigInt(1n, 1_000n),
  FastCheck.constantFrom(5n, 86_400n, 31_536_000n),
  FastCheck.bigInt(1n, 300_000_000n)
)

/** Reserves that a pool of that version allows. */
const reserves = (version: PoolVersion, now: bigint): FastCheck.Arbitrary<Case> => {
  const scale = rateScale[version]
  const modifierScale = traits[version].modifierScale
  const setting = FastCheck.record({
    util: FastCheck.oneof({ weight: 9, arbitrary: upTo(version === "poolV1" ? 9_500_000 : 9_000_000) }, {
      weight: 1,
      arbitrary: FastCheck.constant(0)
    }),
    r_base: FastCheck.integer({ min: 1_000, max: 9_999_999 }),
    slopes: FastCheck.tuple(upTo(50_000_000), upTo(50_000_000), upTo(50_000_000)).map((all) => all.toSorted((a, b) => a - b)),
    reactivity: upTo(1_000)
  })
  // Shared bad debt leaves the supply rate of a second version below one.
  const least = version === "poolV1" ? scale : scale / 1_000_000n
  const standing = FastCheck.record({
    b_rate: FastCheck.oneof(FastCheck.bigInt(least, 3n * scale), FastCheck.bigInt(scale, scale + scale / 10n)),
    d_rate: FastCheck.bigInt(scale, 4n * scale),
    b_supply: FastCheck.oneof(FastCheck.bigInt(1n, 1_000n), FastCheck.bigInt(1n, 10n ** 17n)),
    ir_mod: FastCheck.bigInt(modifierScale / 10n, 10n * modifierScale),
    backstop_credit: FastCheck.bigInt(0n, 10n ** 12n),
    // Debt beyond the lent part: some debt may remain where the supply is worth nothing.
    beyond: FastCheck.constantFrom(0n, 0n, 1n, 3n),
    waited: waits
  })
  return FastCheck.tuple(setting, standing).chain(([{ slopes, ...chosen }, { beyond, waited, ...data }]) =>
    parts(chosen.util).map((used) => ({
      config: { ...published, ...chosen, r_one: slopes[0] ?? 0, r_two: slopes[1] ?? 0, r_three: slopes[2] ?? 0 },
      data: {
        ...data,
        last_time: now - waited,
        d_supply: (((data.b_supply * data.b_rate) / data.d_rate) * BigInt(used)) / 10_000_000n + beyond
      }
    }))
  )
}

describe("interest of lend_1: the decoder and the sandbox's pool", () => {
  for (const version of versions) {
    const now = ledgerOf(scenes[version].recording, scenes[version].state).header.closeTime

    it.prop(`${version}: say the same of any reserve, to the last unit`, [reserves(version, now)], ([one]) => {
      const { bstopRate, written } = writtenByPool(version, one, now)
      assert.deepStrictEqual(accrued({ version, bstopRate }, one.config, one.data, now), written)
    }, { fastCheck: { numRuns: 200 } })

    it(`${version}: reserves on every slope are among them`, () => {
      const seen = FastCheck.sample(reserves(version, now), { numRuns: 400, seed: 1 }).map(({ config, data }) =>
        [utilisation(version, data), BigInt(config.util)] as const
      )
      assert.isAtLeast(seen.filter(([used]) => used > 9_500_000n).length, 50)
      assert.isAtLeast(seen.filter(([used, target]) => used > target && used <= 9_500_000n).length, 50)
      assert.isAtLeast(seen.filter(([used, target]) => used > 0n && used <= target).length, 50)
    })

    it(`${version}: a reserve without a target that lends nothing out has a rate all the same`, () => {
      const data = lentOut(version, 0n, traits[version].modifierScale)
      assert.strictEqual(borrowRate(version, { ...published, util: 0 }, data), 100_000n)
    })
  }
})
