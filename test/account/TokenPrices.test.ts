import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { Service } from "../close/support/Service.ts"
import { sourcesService } from "../close/support/Sources.ts"
import { layer } from "../support/Layered.ts"

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
      // One unit is worth ten lumens there, less the pool's fee of 0.3 % and what the sale moves the price.
      const usdc = named(withLumens, "USDC")
      assert.strictEqual(usdc.priceSource, "pool")
      assert.match(usdc.priceLumens ?? "", /^9\.9[67]\d{5}$/)
      assert.deepInclude(named(without, "EURC"), { priceLumens: null, priceSource: null })
      assert.deepInclude(named(withLumens, "XLM"), { priceLumens: null, priceSource: null })
    }))
})
