import { assert, describe, it } from "@effect/vitest"
import { Networks } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { withPrices } from "../../src/account/TokenPrices.ts"
import { ContractAddress } from "../../src/domain/Address.ts"
import { native } from "../../src/domain/Asset.ts"
import type { PoolMarket } from "../../src/protocols/ProtocolRegistry.ts"
import { assetContract } from "../../src/stellar/AssetTokens.ts"
import { Service } from "../close/support/Service.ts"
import { sourcesService } from "../close/support/Sources.ts"
import { bare } from "../protocols/support/Bare.ts"
import { layer } from "../support/Layered.ts"

const lumens = assetContract(native, Networks.TESTNET)
const token = ContractAddress.make("CCW67TSZV3SSS2HXMBQ5JFGCKJNXKZM7UQUWUZPUTHXSTZLEO7SJMI75")

const pool = (pays: PoolMarket["market"]["pays"]): PoolMarket => ({ tokens: [token, lumens], market: { pays, after: () => null } })

const priceIn = (...markets: ReadonlyArray<PoolMarket>) =>
  withPrices(
    { [token]: { symbol: "USD", decimals: 7, priceLumens: null, priceSource: null } },
    [{
      _tag: "Read",
      protocol: bare("amm_2"),
      keys: [],
      found: null,
      shares: [],
      positions: [],
      unrecognized: [],
      enrichment: {},
      markets: () => markets
    }],
    Networks.TESTNET
  )[token]?.priceLumens

describe("the price of a token", () => {
  it("is the least that a pool pays for a unit: a stranger's pool makes nobody look rich", () => {
    assert.strictEqual(priceIn(pool(() => 25_000_000n), pool(() => 90_000_000_000n)), "2.5000000")
  })

  it("is unknown where a pool refuses, pays nothing or cannot be reckoned with, and other pools still count", () => {
    const broken = pool(() => {
      throw new RangeError("division by zero")
    })
    assert.isNull(priceIn(broken, pool(() => null), pool(() => 0n)))
    assert.strictEqual(priceIn(broken, pool(() => 25_000_000n)), "2.5000000")
  })
})

interface AccountBody {
  readonly defiPositions: {
    readonly enrichment: Readonly<
      Record<string, { readonly symbol: string | null; readonly priceLumens: string | null; readonly priceSource: string | null }>
    >
    readonly positions: ReadonlyArray<{ readonly protocol: string; readonly tokens?: ReadonlyArray<string> }>
  }
}

layer(sourcesService(1, {}, "everything"), { excludeTestServices: true, timeout: 240_000 })("an account with shares of pools", (it) => {
  it.effect("reads what a token sells for in them, for lumens, and no price for a token that none of them sells so", () =>
    Effect.gen(function*() {
      const { call, prepared } = yield* Service
      const { source } = prepared.at(-1) ?? assert.fail("no account is prepared")
      const { body } = yield* call<AccountBody>("GET", `/testnet/account/${source.publicKey()}`)
      const { enrichment, positions } = body.defiPositions
      const pair = (symbols: ReadonlyArray<string>) =>
        positions.find(({ protocol, tokens = [] }) =>
          protocol === "amm_2" && tokens.length === 2 && symbols.every((name) => tokens.some((token) => enrichment[token]?.symbol === name))
        )?.tokens ?? assert.fail("no such pair")
      const [withLumens, without] = [pair(["USDC", "XLM"]), pair(["USDC", "EURC"])]
      const named = (tokens: ReadonlyArray<string>, name: string) =>
        enrichment[tokens.find((token) => enrichment[token]?.symbol === name) ?? ""] ?? assert.fail("no such token")
      // One unit is worth ten lumens there, less the pool's fee of 0.3 % and the price impact.
      const usdc = named(withLumens, "USDC")
      assert.strictEqual(usdc.priceSource, "pool")
      assert.match(usdc.priceLumens ?? "", /^9\.9[67]\d{5}$/)
      assert.deepInclude(named(without, "EURC"), { priceLumens: null, priceSource: null })
      assert.deepInclude(named(withLumens, "XLM"), { priceLumens: null, priceSource: null })
    }))
})
