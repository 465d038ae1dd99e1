import { assert, it } from "@effect/vitest"
import type { Keypair, xdr } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { lumen } from "../../../src/ledger/Asset.ts"
import { addressVal, asI128, asVec, i128, u32, u64, vec } from "../../../src/ledger/soroban/Values.ts"
import { Network } from "../../../src/sandbox/Network.ts"
import { startSandbox } from "../../../src/sandbox/Sandbox.ts"
import { accountVal, callContract } from "../../../src/sandbox/scenarios/CallContract.ts"
import { pairsContracts } from "../../../src/sandbox/scenarios/PairsContracts.ts"
import { withManyPairs } from "../../../src/sandbox/scenarios/PairsEntries.ts"
import { swapInPair, takeFees, transferToken } from "../../../src/sandbox/scenarios/PairsMarket.ts"
import { PairsShares } from "../../../src/sandbox/scenarios/PairsShares.ts"

const far = 4_000_000_000n

/** A call, and its error code. */
const tried = (as: Keypair, contract: xdr.ScAddress, fn: string, ...args: ReadonlyArray<xdr.ScVal>) =>
  Effect.match(callContract(fn, { as, contract, fn, args }), {
    onSuccess: (value) => value,
    onFailure: ({ reason }) => /Error\([^)]*\)/.exec(reason)?.[0] ?? reason
  })

const asked = (as: Keypair, contract: xdr.ScAddress, fn: string, ...args: ReadonlyArray<xdr.ScVal>) =>
  callContract(fn, { as, contract, fn, args })

const numbers = (value: xdr.ScVal): ReadonlyArray<bigint> => asVec(value).map(asI128)

it.scoped("an account provides in three pairs; a neighbour trades, gives and takes fees; the account gets its part out", () =>
  Effect.gen(function*() {
    const { network } = yield* startSandbox()
    yield* Effect.provideService(scene, Network, network)
  }))

const scene = Effect.gen(function*() {
  const { pairs, provider, router, source, tokens } = yield* PairsShares
  const own = accountVal(source)
  const balance = (token: xdr.ScAddress, of: xdr.ScVal) => Effect.map(asked(provider, token, "balance", of), asI128)
  const total = (pair: xdr.ScAddress) => Effect.map(asked(provider, pair, "total_supply"), asI128)
  const removal = (shares: bigint, ...least: readonly [bigint, bigint]) =>
    [addressVal(tokens.usdc), addressVal(tokens.lumens), i128(shares), i128(least[0]), i128(least[1]), own, u64(far)] as const

  assert.deepStrictEqual(
    yield* Effect.forEach([0, 1, 2], (at) => asked(provider, pairsContracts.factory, "all_pairs", u32(at))),
    [pairs.lumensUsdc, pairs.usdcEurc, pairs.plainUsdc].map(addressVal)
  )

  // The neighbour's proceeds: the product of the reserves, without 0.3 % of the inflow.
  const reserveOf = (token: xdr.ScAddress) => balance(token, addressVal(pairs.lumensUsdc))
  const [lumens, dollars] = [yield* reserveOf(tokens.lumens), yield* reserveOf(tokens.usdc)]
  const sold = 12_345_678_901n
  const [, bought] = numbers(yield* swapInPair("a neighbour sells lumens", provider, { token: tokens.lumens, amount: sold }, tokens.usdc))
  const counted = sold - (sold * 3n + 999n) / 1_000n
  assert.strictEqual(bought, (counted * dollars) / (lumens + counted))
  assert.strictEqual(yield* reserveOf(tokens.usdc), dollars - (bought ?? 0n))

  // A gift of tokens to the pair, and one of shares, both belong to the next withdrawer.
  yield* transferToken("a gift to the pair", provider, { token: tokens.usdc, amount: 7_777_777n }, pairs.lumensUsdc)
  yield* transferToken("shares given to the pair", provider, { token: pairs.lumensUsdc, amount: 41n }, pairs.lumensUsdc)
  const shares = yield* balance(pairs.lumensUsdc, own)
  const supply = yield* total(pairs.lumensUsdc)
  const part = (held: bigint): bigint => (held * (shares + 41n)) / supply
  const due = [part(yield* reserveOf(tokens.usdc)), part(yield* reserveOf(tokens.lumens))] as const

  const { lumens: xlm, usdc } = tokens
  const refusals: ReadonlyArray<readonly [fn: string, args: ReadonlyArray<xdr.ScVal>, code: string]> = [
    ["remove_liquidity", removal(shares, due[0] + 1n, due[1]), "#505"],
    ["remove_liquidity", removal(shares, due[0], due[1] + 1n), "#506"],
    ["remove_liquidity", removal(-1n, 0n, 0n), "#502"],
    ["remove_liquidity", [addressVal(usdc), addressVal(usdc), i128(1n), i128(0n), i128(0n), own, u64(far)], "#202"],
    ["remove_liquidity", [addressVal(xlm), addressVal(tokens.eurc), i128(1n), i128(0n), i128(0n), own, u64(far)], "#509"],
    ["swap_exact_tokens_for_tokens", [i128(1n), i128(0n), vec(addressVal(usdc)), own, u64(far)], "#514"],
    ["swap_exact_tokens_for_tokens", [i128(1n), i128(0n), vec(addressVal(usdc), addressVal(usdc)), own, u64(far)], "#515"],
    ["swap_exact_tokens_for_tokens", [i128(0n), i128(0n), vec(addressVal(usdc), addressVal(xlm)), own, u64(far)], "#512"],
    ["swap_exact_tokens_for_tokens", [i128(9n), i128(9n), vec(addressVal(xlm), addressVal(usdc)), own, u64(far)], "#507"],
    ["swap_exact_tokens_for_tokens", [i128(9n), i128(0n), vec(addressVal(xlm), addressVal(usdc)), own, u64(1n)], "#503"],
    ["swap_exact_tokens_for_tokens", [i128(1n), i128(0n), vec(addressVal(xlm), addressVal(usdc)), own, u64(far)], "#108"],
    ["initialize", [own], "#504"]
  ]
  for (const [fn, args, code] of refusals) assert.strictEqual(yield* tried(source, router, fn, ...args), `Error(Contract, ${code})`, code)

  assert.deepStrictEqual(numbers(yield* asked(source, router, "remove_liquidity", ...removal(shares, ...due))), due)
  assert.deepStrictEqual([yield* balance(pairs.lumensUsdc, own), yield* total(pairs.lumensUsdc)], [0n, supply - shares - 41n])
  assert.strictEqual(yield* tried(source, pairs.lumensUsdc, "withdraw", own), "Error(Contract, #116)")

  // The factory's share of fees: from the first mint of shares under the switch.
  const { plain } = tokens
  const inPlain = yield* balance(pairs.plainUsdc, own)
  yield* takeFees("fees are taken", provider, true)
  const provided = ["one", "two"]
  for (const step of provided) {
    yield* callContract(`the provider provides ${step}`, {
      as: provider,
      contract: router,
      fn: "add_liquidity",
      args: [
        addressVal(plain),
        addressVal(usdc),
        i128(1_000_003n),
        i128(900n * lumen),
        i128(0n),
        i128(0n),
        accountVal(provider),
        u64(far)
      ]
    })
    yield* swapInPair(`a neighbour trades ${step}`, provider, { token: usdc, amount: 700n * lumen }, plain)
  }
  const held = [yield* balance(plain, addressVal(pairs.plainUsdc)), yield* balance(usdc, addressVal(pairs.plainUsdc))] as const
  const before = yield* total(pairs.plainUsdc)
  const naive = held.map((amount) => (amount * inPlain) / before)
  const paid = numbers(
    yield* asked(source, router, "remove_liquidity", addressVal(plain), addressVal(usdc), i128(inPlain), i128(0n), i128(0n), own, u64(far))
  )
  assert.isTrue(paid.every((amount, at) => amount < (naive[at] ?? 0n)), "less than the bare part of what is held")
  assert.isAbove(Number((yield* total(pairs.plainUsdc)) - (before - inPlain)), 0, "shares were made for the factory")
  assert.strictEqual(yield* tried(source, pairsContracts.factory, "all_pairs", u32(9)), "Error(Contract, #206)")

  // Hundreds of pairs at once, each with one gifted share that pays nothing.
  const { amend, passphrase, snapshot } = yield* Network
  const many = { count: 250, reserves: [9_000_000n, 10_000_000n], supply: 9_486_832n, holder: source.publicKey(), shares: 1n } as const
  const made = withManyPairs((yield* snapshot).state, passphrase, many)
  yield* amend((state) => withManyPairs(state, passphrase, many).state)
  const last = made.pairs.at(-1) ?? assert.fail("no pair")
  assert.deepStrictEqual(yield* asked(provider, pairsContracts.factory, "all_pairs", u32(252)), addressVal(last))
  assert.strictEqual(yield* balance(last, own), 1n)
  const [first, second] = [yield* asked(provider, last, "token_0"), yield* asked(provider, last, "token_1")]
  const dust = [first, second, i128(1n), i128(0n), i128(0n), own, u64(far)]
  assert.strictEqual(yield* tried(source, router, "remove_liquidity", ...dust), "Error(Contract, #117)")
})
