import { assert, describe, it } from "@effect/vitest"
import { xdr } from "@stellar/stellar-sdk"
import { Effect, FastCheck } from "effect"
import { addressOf } from "../../../src/ledger/soroban/Values.ts"
import { closingFee, payout } from "../../../src/protocols/cdp1/Value.ts"
import { vaultDataKey } from "../../../src/protocols/cdp1/VaultKey.ts"
import { feeOf } from "../../../src/sandbox/contracts/vaults/PayDebt.ts"
import { contractDataKey } from "../../../src/stellar/ContractKeys.ts"
import { i128, struct, u64 } from "../../../src/stellar/ScValCodec.ts"
import { keyText } from "../../../src/xdr/LedgerKeys.ts"
import type { Say } from "../support/Sources.ts"
import { written } from "../support/Written.ts"
import { at, contractNamed, having, leave, type Ledger, ledgerOf, stateNamed, user } from "./RecordedVaults.ts"

const vaults = contractNamed("vaults")
const open = ledgerOf(stateNamed("open"))
const vaultKey = contractDataKey(vaults, vaultDataKey(user, "USD"))

/** The recorded ledger with this much collateral in the user's dollar vault, which owes 120. */
const locking = (collateral: bigint): Ledger => {
  const stored = open.get(keyText(vaultKey))?.data
  const value = stored?.type === "contractData" ? stored.contractData.val : assert.fail("no vault")
  const fields = value.type === "scvMap" ? value.map ?? [] : assert.fail("no struct")
  return having(
    open,
    written(
      vaultKey,
      xdr.ScVal.scvMap(fields.map(({ key, val }) =>
        new xdr.ScMapEntry({
          key,
          val: key.type === "scvSymbol" && String(key.sym) === "total_collateral"
            ? xdr.ScVal.scvU128(new xdr.Uint128Parts({ hi: 0n, lo: collateral }))
            : val
        })
      ))
    )
  )
}

const priced = (price: bigint): Say => () => struct({ price: i128, timestamp: u64 }).encode({ price, timestamp: at.closeTime })

describe("the closing fee of a vault", () => {
  /** The closing fee of the sandbox's vaults contract. */
  const kept = (collateral: bigint, fee: bigint): bigint => {
    const somebody = addressOf(vaults)
    return feeOf({ colToken: somebody, oracle: somebody, treasury: somebody, panicMode: false, fee }, collateral)
  }

  it.each([
    { collateral: 35_820_000_000n, fee: 50_000n, keeps: 179_100_000n },
    { collateral: 35_820_000_001n, fee: 50_000n, keeps: 179_100_001n },
    { collateral: 35_820_000_199n, fee: 50_000n, keeps: 179_100_001n },
    { collateral: 35_820_000_200n, fee: 50_000n, keeps: 179_100_001n },
    { collateral: 35_820_000_201n, fee: 50_000n, keeps: 179_100_002n },
    { collateral: 1n, fee: 1n, keeps: 1n },
    { collateral: 7n, fee: 0n, keeps: 0n }
  ])("of $collateral at $fee is $keeps, rounded up, in the decoder and in the sandbox's contract", ({ collateral, fee, keeps }) => {
    assert.deepStrictEqual([closingFee(collateral, fee), payout(collateral, fee), kept(collateral, fee)], [
      keeps,
      collateral - keeps,
      keeps
    ])
  })

  it.prop(
    "is the same in both, whatever the collateral",
    [FastCheck.bigInt(0n, 10n ** 18n), FastCheck.bigInt(0n, 10_000_000n)],
    ([collateral, fee]) => {
      assert.strictEqual(closingFee(collateral, fee), kept(collateral, fee))
    }
  )

  it.effect("is what the built call leaves out of its payout", () =>
    Effect.gen(function*() {
      const { exit } = yield* leave(locking(35_820_000_001n), "USD")
      assert(exit._tag === "Calls")
      assert.deepStrictEqual(exit.calls[0].payouts, [{ token: contractNamed("xlm"), expected: 35_640_900_000n }])
    }))
})

// 11 of collateral for 1 of debt: at a price of a tenth exactly the minimum of 1.1.
it.effect("a vault exactly at the minimum ratio is left at no risk; one unit of the price below it anybody may liquidate it", () =>
  Effect.gen(function*() {
    const ledger = locking(13_200_000_000n)
    const riskAt = (price: bigint) =>
      Effect.map(leave(ledger, "USD", undefined, undefined, priced(price)), ({ exit }) => {
        assert(exit._tag === "Calls")
        return exit.risk
      })
    assert.isUndefined(yield* riskAt(1_000_000n))
    assert.match((yield* riskAt(999_999n)) ?? "", /worth 1\.0999989 of its debt, under the minimum of 1\.1000000/)
  }))
