import { assert } from "@effect/vitest"
import { Asset, Keypair, Operation, type xdr } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { addressOf, strkeyOf } from "../../../src/ledger/soroban/Values.ts"
import { numberedToken } from "../../../src/sandbox/scenarios/PairsContracts.ts"
import { withManyPairs } from "../../../src/sandbox/scenarios/PairsEntries.ts"
import { addLiquidity, pairOf, PairsMarketOf, transferToken } from "../../../src/sandbox/scenarios/PairsMarket.ts"
import { fund, perform } from "../../../src/sandbox/scenarios/Scenario.ts"
import { laterLedger } from "../../sandbox/contracts/ProtocolsServed.ts"
import { layer } from "../../support/Layered.ts"
import { answersTo, pointOf } from "../support/Answering.ts"
import { plan } from "../support/Client.ts"
import { Service } from "../support/Service.ts"
import { listedIssuer, tokensService } from "./tokens/support/DeclaredTokens.ts"
import { closed } from "./tokens/support/Holder.ts"

const { issuer: issued, listed } = listedIssuer("USDC")

const idOf = (pair: xdr.ScAddress): string => `position:amm_2:${strkeyOf(pair)}:shares`

/** An account with a little USDC and EURC, which pools buy and no order book. Strangers give it this many shares of the pair of both. */
const Given = (shares: bigint) =>
  Effect.gen(function*() {
    const { on } = yield* Service
    const market = yield* on(PairsMarketOf(issued))
    const { eurc, issuer, native, pairs, provider, usdc } = market
    const [source, destination] = [Keypair.random(), Keypair.random()]
    yield* on(fund("100", source, destination))
    yield* on(perform("it trusts", { as: source, operations: [eurc, usdc].map((asset) => Operation.changeTrust({ asset })) }))
    yield* on(perform("it is paid, and the books are emptied", {
      as: issuer,
      operations: [eurc, usdc].flatMap((asset) => [
        Operation.payment({ destination: source.publicKey(), asset, amount: "1" }),
        Operation.manageSellOffer({ selling: asset, buying: native, amount: "5000", price: "9" })
      ])
    }))
    yield* on(transferToken("shares are given", provider, { token: pairs.usdcEurc, amount: shares }, addressOf(source.publicKey())))
    yield* laterLedger
    const request = { source: source.publicKey(), destination: destination.publicKey() }
    return { ...market, source, request, id: idOf(pairs.usdcEurc) }
  })

layer(tokensService(["amm_2"], {}, listed), { excludeTestServices: true })("a gift whose payouts only pools buy", (it) => {
  it.effect("is left unasked where that is worth more than its fee, and closes", () =>
    Effect.gen(function*() {
      const { id, request, source } = yield* Given(10_0000000n)
      const asked = yield* plan(request)
      assert.deepInclude(pointOf(asked, id), { required: false, default: "exit" })
      const { covered } = yield* closed({ ...request, decisions: answersTo(asked) }, source)
      assert.strictEqual(covered[0], "EXIT_POSITIONS")
    }))
})

/** The plan's figures for this many shares in lumens: fee of the exit, quote, and fee of the sale. */
const quotedOf = (shares: bigint) =>
  Effect.gen(function*() {
    const { id, request } = yield* Given(shares)
    const point = pointOf(yield* plan(request), id)
    assert.deepInclude(point, { required: true, default: null })
    const note = point.options[0]?.note ?? ""
    const [, fee, receive, sale] = note.match(
      /^The exit costs (\d+\.\d{7}) lumens for the call, and the payout is quoted at (\d+\.\d{7}), less (\d+\.\d{7}) for the fee of selling/
    ) ?? assert.fail(note)
    return { fee: Number(fee), receive: Number(receive), sale: Number(sale) }
  })

/** Each of both payouts sells for slightly more than the cost of its sale. */
const little = 193_000n

layer(tokensService(["amm_2"], {}, listed), { excludeTestServices: true })("the same that brings less than all its calls cost", (it) => {
  it.effect("is asked about, with what selling it brings and costs", () =>
    Effect.gen(function*() {
      const { fee, receive, sale } = yield* quotedOf(little)
      assert.isAbove(receive, sale)
      assert.isAtMost(receive, fee + sale)
      assert.approximately(sale, 0.4, 0.01)
    }))
})

layer(tokensService(["amm_2"]), { excludeTestServices: true })(
  "the same where no token list names what half of it is sold through",
  (it) => {
    it.effect("is quoted at the other half alone", () =>
      Effect.gen(function*() {
        const { receive, sale } = yield* quotedOf(little)
        assert.approximately(sale, 0.2, 0.01)
        assert.approximately(receive, 0.2, 0.01)
      }))
  }
)

/** Pairs of unlisted tokens, of which strangers give shares that pay more tokens than one close gets quotes for. */
const crowd = 15

const dust = (holder: string) => ({ count: crowd, reserves: [9_000_000n, 10_000_000n], supply: 9_486_832n, holder, shares: 20n } as const)

/** A pair of USDC with an asset that the account trusts and no order book buys. */
const youngPair = ({ issuer, provider, source, tokens }: Effect.Effect.Success<ReturnType<typeof Given>>) =>
  Effect.gen(function*() {
    const { on, passphrase } = yield* Service
    const asset = new Asset("KRW", issuer.publicKey())
    for (const one of [provider, source]) {
      yield* on(perform("it trusts", { as: one, operations: [Operation.changeTrust({ asset })] }))
      const payment = Operation.payment({ destination: one.publicKey(), asset, amount: "1000" })
      yield* on(perform("it is paid", { as: issuer, operations: [payment] }))
    }
    const krw = addressOf(asset.contractId(passphrase))
    yield* on(addLiquidity("a pair", provider, { token: krw, amount: 1_000_0000000n }, { token: tokens.usdc, amount: 1_000_0000000n }))
    return yield* on(pairOf(krw, tokens.usdc))
  })

layer(tokensService(["amm_2"], {}, listed), { excludeTestServices: true })("the same behind gifts of more tokens than are quoted", (it) => {
  it.effect("is quoted before those, which are neither listed nor trusted by the account", () =>
    Effect.gen(function*() {
      const { on, passphrase, sandbox } = yield* Service
      const held = yield* Given(1n)
      yield* sandbox.amend((state) => withManyPairs(state, passphrase, dust(held.request.source)).state)
      const token = yield* youngPair(held)
      yield* on(transferToken("shares are given", held.provider, { token, amount: 10_0000000n }, addressOf(held.source.publicKey())))
      yield* laterLedger
      assert.deepInclude(pointOf(yield* plan(held.request), idOf(token)), { required: false, default: "exit" })
    }))
})

/** The tokens of those pairs. */
const crowdTokens = Array.from({ length: 2 * crowd }, (_, number) => strkeyOf(numberedToken(number)))

layer(tokensService(["amm_2", "lend_1"], {}, crowdTokens), { excludeTestServices: true })(
  "the account's own shares behind gifts of more listed tokens than are quoted",
  (it) => {
    it.effect("are quoted first", () =>
      Effect.gen(function*() {
        const { on, passphrase, sandbox } = yield* Service
        const { id, issuer, request, source, tokens: { eurc, usdc }, usdc: asset, ...market } = yield* Given(1n)
        const payments = [asset, market.eurc].map((paid) =>
          Operation.payment({ destination: source.publicKey(), asset: paid, amount: "20" })
        )
        yield* on(perform("it is paid", { as: issuer, operations: payments }))
        yield* on(addLiquidity("its own deposit", source, { token: usdc, amount: 10_0000000n }, { token: eurc, amount: 10_0000000n }))
        yield* sandbox.amend((state) => withManyPairs(state, passphrase, dust(source.publicKey())).state)
        yield* laterLedger
        assert.deepInclude(pointOf(yield* plan(request), id), { required: false, default: "exit" })
      }))
  }
)
