import { assert, describe, it } from "@effect/vitest"
import { xdr } from "@stellar/stellar-sdk"
import type { LedgerView } from "../../src/protocols/kit/LedgerView.ts"
import { lend1 } from "../../src/protocols/Lend1.ts"
import * as Keys from "../../src/protocols/lend1/Keys.ts"
import { decodePlaces } from "../../src/protocols/Place.ts"
import { contractDataKey } from "../../src/stellar/ContractKeys.ts"
import { i128, struct, u32, u64, vec } from "../../src/stellar/ScValCodec.ts"
import { keyText } from "../../src/xdr/LedgerKeys.ts"
import { recorded } from "./support/Recorded.ts"
import { written } from "./support/Written.ts"

const pools = recorded("lend_1")
const backstops = recorded("lend_1_backstop")

const amounts = (...entries: ReadonlyArray<readonly [number, bigint]>) =>
  xdr.ScVal.scvMap(entries.map(([index, amount]) => new xdr.ScMapEntry({ key: u32.encode(index), val: i128.encode(amount) })))

const positions = (part: "collateral" | "liabilities" | "supply", ...entries: ReadonlyArray<readonly [number, bigint]>) =>
  xdr.ScVal.scvMap(
    ["collateral", "liabilities", "supply"].map((name) =>
      new xdr.ScMapEntry({ key: xdr.ScVal.scvSymbol(name), val: name === part ? amounts(...entries) : amounts() })
    )
  )

const replaced = (view: LedgerView, key: xdr.LedgerKey, value: xdr.ScVal): LedgerView => ({
  ...view,
  state: (asked) => (keyText(asked) === keyText(key) ? { _tag: "Present", data: written(key, value), archived: false } : view.state(asked))
})

const pool = pools.contract("pool")
const poolDecoder = lend1({
  pools: [pool],
  backstops: [],
  comets: [],
  factories: [],
  code: { poolV2: [pools.contracts["pool"]?.wasmHash ?? ""] } as never
})

describe("amounts that no contract writes are never taken for nothing", () => {
  for (const part of ["collateral", "liabilities", "supply"] as const) {
    for (
      const [what, entries] of [
        ["below zero", [[1, -7n]]],
        ["twice, with two amounts", [[1, 7n], [1, 0n]]],
        ["twice, of which the first is none", [[1, 0n], [1, 7n]]]
      ] as const
    ) {
      it(`${part} ${what}`, () => {
        const key = contractDataKey(pool, Keys.positions(pools.user))
        const found = decodePlaces(poolDecoder.places, pools.user, replaced(pools.view("interest3d"), key, positions(part, ...entries)))
        assert.deepStrictEqual(found.positions, [])
        assert.deepStrictEqual(found.unrecognized.map(({ contract }) => contract), [pool])
      })
    }
  }

  it("a deposit in a backstop, or in its queue, and shares of its token, below zero", () => {
    const [backstop, comet, of] = [backstops.contract("backstop"), backstops.contract("comet"), backstops.contract("pool")]
    const hash = (name: string) => backstops.contracts[name]?.wasmHash ?? ""
    const decoder = lend1({
      pools: [of],
      backstops: [backstop],
      comets: [comet],
      factories: [],
      code: { poolV2: [hash("pool")], backstopV2: [hash("backstop")], backstopToken: [hash("comet")] } as never
    })
    const state = Object.keys(backstops.states)[0] ?? ""
    const Odd = struct({ q4w: vec(struct({ amount: i128, exp: u64 })), shares: i128 })
    const own = contractDataKey(backstop, Keys.userBalance(of, backstops.user))
    for (
      const [key, value, contract] of [
        [own, Odd.encode({ q4w: [], shares: -1n }), backstop],
        [own, Odd.encode({ q4w: [{ amount: -1n, exp: 1n }], shares: 1n }), backstop],
        [contractDataKey(comet, Keys.shareBalance(backstops.user)), i128.encode(-1n), comet]
      ] as const
    ) {
      const found = decodePlaces(decoder.places, backstops.user, replaced(backstops.view(state), key, value))
      assert.deepStrictEqual(found.unrecognized.map((one) => one.contract), [contract])
    }
  })
})
