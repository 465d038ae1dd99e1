import { assert } from "@effect/vitest"
import { Asset, Claimant, Keypair, Operation, type xdr } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { addressOf, strkeyOf } from "../../src/ledger/soroban/Values.ts"
import { sandboxPassphrase } from "../../src/sandbox/Network.ts"
import { pairsContracts } from "../../src/sandbox/scenarios/PairsContracts.ts"
import { PairsMarketOf, transferToken } from "../../src/sandbox/scenarios/PairsMarket.ts"
import { fund, perform } from "../../src/sandbox/scenarios/Scenario.ts"
import { laterLedger } from "../sandbox/contracts/ProtocolsServed.ts"
import { layer } from "../support/Layered.ts"
import { tokensService } from "./leaving/tokens/support/DeclaredTokens.ts"
import { Pair } from "./support/Accounts.ts"
import { acknowledges, echo, pointOf } from "./support/Answering.ts"
import { plan } from "./support/Client.ts"
import { Service } from "./support/Service.ts"

/** An account of 100 lumens that answers `later` to its first plan. */
const Leaving = Effect.gen(function*() {
  const { on } = yield* Service
  const { destination, source } = yield* on(Pair())
  yield* laterLedger
  const request = { source: source.publicKey(), destination: destination.publicKey() }
  const later = pointOf(yield* plan(request), "later")
  yield* laterLedger
  /** Whether gifts are left behind, and whether they have decision points, under this limit for each gift. */
  const outcome = (maxLumensEach: string) =>
    Effect.gen(function*() {
      const decisions = [acknowledges(request.destination), echo(later, "leave_what_came_later", { maxLumensEach })]
      const { decisionPoints, warnings } = yield* plan({ ...request, decisions })
      return {
        isLeft: warnings.some(({ code }) => code === "came_later"),
        asked: decisionPoints.filter(({ required, type }) => (required && type !== "destination") || type === "claim").map(({ id }) => id)
      }
    })
  return { source, outcome }
})

const left = { isLeft: true, asked: [] }

const issuer = Keypair.random()
const [usd, junk] = [new Asset("USD", issuer.publicKey()), new Asset("JUNK", issuer.publicKey())]
const contractsOf = (...assets: ReadonlyArray<Asset>) => assets.map((asset) => asset.contractId(sandboxPassphrase))

/** A stranger who holds a listed and an unlisted asset and buys both at two lumens each. */
const Stranger = Effect.gen(function*() {
  const stranger = Keypair.random()
  yield* fund("100", issuer)
  yield* fund("10000", stranger)
  yield* perform("lines", { as: stranger, operations: [usd, junk].map((asset) => Operation.changeTrust({ asset })) })
  yield* perform("the issuer pays out", {
    as: issuer,
    operations: [usd, junk].map((asset) => Operation.payment({ destination: stranger.publicKey(), asset, amount: "1000" }))
  })
  yield* perform("the stranger buys", {
    as: stranger,
    operations: [usd, junk].map((buying) => Operation.manageSellOffer({ selling: Asset.native(), buying, amount: "1000", price: "0.5" }))
  })
  return stranger
})

layer(tokensService([], {}, contractsOf(usd)), { excludeTestServices: true })("a claimable balance that came later", (it) => {
  it.effect(
    "is asked about only where a quote for a listed asset exceeds the answer's limit, and nobody else can claim it",
    () =>
      Effect.gen(function*() {
        const { on } = yield* Service
        const stranger = yield* on(Stranger)
        /** The treatment of claimable balances of five units of an asset, quoted at ten lumens, with these other claimants. */
        const given = (asset: Asset, maxLumensEach: string, ...others: ReadonlyArray<ReadonlyArray<string>>) =>
          Effect.gen(function*() {
            const { outcome, source } = yield* Leaving
            const balances = others.map((addresses) => {
              const claimants = [source.publicKey(), ...addresses].map((address) => new Claimant(address))
              return Operation.createClaimableBalance({ asset, amount: "5", claimants })
            })
            yield* on(perform("it is given", { as: stranger, operations: balances }))
            yield* laterLedger
            const { asked, isLeft } = yield* outcome(maxLumensEach)
            return { isLeft, asked: asked.filter((id) => id.startsWith("claim:")).length }
          })
        const [sole, shared] = [[], [stranger.publicKey()]]
        for (const asset of [usd, Asset.native()]) {
          const under = (...others: ReadonlyArray<ReadonlyArray<string>>) => given(asset, "4.9999999", ...others)
          assert.deepStrictEqual(yield* under(sole), { isLeft: false, asked: 1 }, asset.getCode())
          assert.deepStrictEqual(yield* under(shared), { isLeft: true, asked: 0 }, asset.getCode())
          assert.deepStrictEqual(yield* under(sole, shared), { isLeft: true, asked: 1 }, asset.getCode())
        }
        assert.deepStrictEqual(yield* given(usd, "10", sole), { isLeft: true, asked: 0 })
        // The stranger made the market behind its quote.
        assert.deepStrictEqual(yield* given(junk, "4.9999999", sole), { isLeft: true, asked: 0 })
      }),
    60_000
  )
})

const shareOf = (pair: xdr.ScAddress): string => `position:amm_2:${strkeyOf(pair)}:shares`

const [usdc, eurc] = [new Asset("USDC", issuer.publicKey()), new Asset("EURC", issuer.publicKey())]
const plain = strkeyOf(pairsContracts.plainToken)

/** A market of pairs; no order book buys its assets any more. */
const PoolsOnly = Effect.gen(function*() {
  const market = yield* PairsMarketOf(issuer)
  yield* perform("the books are emptied", {
    as: issuer,
    operations: [usdc, eurc].map((selling) => Operation.manageSellOffer({ selling, buying: Asset.native(), amount: "5000", price: "9" }))
  })
  return market
})

type Market = Effect.Effect.Success<typeof PoolsOnly>

/** The treatment of a stranger's gift of this much of a token, or of shares of a pair. */
const shared = ({ provider }: Market, token: xdr.ScAddress, amount: bigint) =>
  Effect.gen(function*() {
    const { on } = yield* Service
    const { outcome, source } = yield* Leaving
    yield* on(transferToken("a stranger gives", provider, { token, amount }, addressOf(source.publicKey())))
    yield* laterLedger
    return outcome
  })

/** The payout is about 1.05 USDC and 0.95 EURC, each worth some ten lumens. */
const share = 1_0000000n

layer(tokensService(["amm_2"], {}, [...contractsOf(usdc, eurc), plain]), { excludeTestServices: true })(
  "shares that came later, whose payouts are all listed and sold through listed tokens",
  (it) => {
    it.effect("are asked about where those are quoted at more than the answer's limit, together", () =>
      Effect.gen(function*() {
        const { on } = yield* Service
        const market = yield* on(PoolsOnly)
        const { lumensUsdc, plainUsdc, usdcEurc } = market.pairs
        const outcome = yield* shared(market, usdcEurc, share)
        assert.deepStrictEqual(yield* outcome("15"), { isLeft: false, asked: [shareOf(usdcEurc)] })
        assert.deepStrictEqual(yield* outcome("25"), left)
        // About 0.44 lumens in USDC, and as much in a token that is no asset of the ledger.
        const ofPlain = yield* shared(market, plainUsdc, 100_000n)
        assert.deepStrictEqual((yield* ofPlain("0.6")).isLeft, false)
        assert.deepStrictEqual(yield* ofPlain("1"), left)
        const ofLumens = yield* shared(market, lumensUsdc, share)
        assert.deepStrictEqual((yield* ofLumens("5")).isLeft, false)
      }), 60_000)
  }
)

/** Units of the plain token: about two lumens. */
const units = 100_000n

layer(tokensService(["amm_2"], {}, [...contractsOf(usdc), plain]), { excludeTestServices: true })("a token that came later", (it) => {
  it.effect("is asked about where it is listed and quoted at more than the answer's limit", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const outcome = yield* shared(yield* on(PoolsOnly), pairsContracts.plainToken, units)
      assert.deepStrictEqual(yield* outcome("1"), { isLeft: false, asked: [`token:${plain}`] })
      assert.deepStrictEqual(yield* outcome("3"), left)
    }), 60_000)
})

layer(tokensService(["amm_2"], {}, contractsOf(usdc)), { excludeTestServices: true })("the same that no list names", (it) => {
  it.effect("stays behind at any limit", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const outcome = yield* shared(yield* on(PoolsOnly), pairsContracts.plainToken, units)
      assert.deepStrictEqual(yield* outcome("0"), left)
    }), 60_000)
})

layer(tokensService(["amm_2"], {}, contractsOf(usdc)), { excludeTestServices: true })("shares of which one payout is unlisted", (it) => {
  it.effect("are quoted at the other one alone", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const market = yield* on(PoolsOnly)
      const outcome = yield* shared(market, market.pairs.usdcEurc, share)
      assert.deepStrictEqual(yield* outcome("15"), left)
      assert.deepStrictEqual((yield* outcome("5")).isLeft, false)
    }), 60_000)
})

layer(tokensService(["amm_2"], {}, contractsOf(eurc)), { excludeTestServices: true })(
  "shares whose listed payout is sold only through an unlisted token",
  (it) => {
    it.effect("stay behind at any limit", () =>
      Effect.gen(function*() {
        const { on } = yield* Service
        const market = yield* on(PoolsOnly)
        const outcome = yield* shared(market, market.pairs.usdcEurc, share)
        assert.deepStrictEqual(yield* outcome("0"), left)
      }), 60_000)
  }
)
