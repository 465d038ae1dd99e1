import { assert, describe, it } from "@effect/vitest"
import { Address, Keypair } from "@stellar/stellar-sdk"
import { payoutLack } from "../../../src/close/leaving/PayoutLack.ts"
import { ContractAddress } from "../../../src/domain/Address.ts"
import { AssetId, native } from "../../../src/domain/Asset.ts"

const issuer = Keypair.random().publicKey()
const [usd, eur, gbp] = ["USD", "EUR", "GBP"].map((code) => AssetId.make(`${code}:${issuer}`)) as [AssetId, AssetId, AssetId]
const [usdToken, token] = [1, 2].map((byte) => ContractAddress.make(Address.contract(Buffer.alloc(32, byte)).toString())) as [
  ContractAddress,
  ContractAddress
]
const assets = new Map([[usdToken, usd]])

const lack = (
  payouts: Parameters<typeof payoutLack>[0]["payouts"],
  credits: ReadonlyArray<readonly [AssetId, bigint]>,
  slippageBps: number
) => [...payoutLack({ payouts }, new Map(credits), assets, slippageBps)]

describe("what a call may pay less", () => {
  it("is a hundredth and a unit of each asset that it brings, and none of what it takes", () => {
    assert.deepStrictEqual(lack([], [[usd, 1_000n], [eur, 1n], [native, -5n], [gbp, 0n]], 50), [[usd, 11n], [eur, 1n]])
    assert.deepStrictEqual(lack([], [[native, 1_000n]], 100), [[native, 11n]])
  })

  it("is the slippage of its own minimums where that is more", () => {
    assert.deepStrictEqual(lack([], [[usd, 10_000n]], 101), [[usd, 102n]])
    assert.deepStrictEqual(lack([], [[usd, 1_000n]], 2_000), [[usd, 201n]])
  })

  it("is of tokens what they are declared to pay, and of assets what is more: declared, or simulated beside what is taken", () => {
    assert.deepStrictEqual(lack([{ token, expected: 600n }, { token, expected: 400n }], [], 50), [[token, 11n]])
    assert.deepStrictEqual(lack([{ token: usdToken, expected: 1_000n }], [[usd, 100n]], 50), [[usd, 11n]])
    assert.deepStrictEqual(lack([{ token: usdToken, expected: 100n }], [[usd, 1_000n]], 50), [[usd, 11n]])
    assert.deepStrictEqual(lack([{ token, expected: 0n }], [], 50), [])
  })
})
