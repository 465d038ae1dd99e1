import { assert, it } from "@effect/vitest"
import { type Keypair, xdr } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { simulateInvocation } from "../../../src/ledger/soroban/Simulation.ts"
import { addressOf, addressVal, asI128, field, i128, u64 } from "../../../src/ledger/soroban/Values.ts"
import { Network } from "../../../src/sandbox/Network.ts"
import { accountVal, callContract } from "../../../src/sandbox/scenarios/CallContract.ts"
import { StakedPoolsMarket } from "../../../src/sandbox/scenarios/StakedPoolsMarket.ts"

const none = xdr.ScVal.scvVoid()
const i64 = (value: bigint) => xdr.ScVal.scvI64(value)

/** The arguments of a swap; omitted fields are left out of the call. */
interface Asked {
  readonly sold: xdr.ScAddress
  readonly amount: bigint
  readonly least?: bigint
  readonly mostSpread?: bigint
  readonly deadline?: bigint
  readonly mostFee?: bigint
}

const argsOf = (as: Keypair, { amount, deadline, least, mostFee, mostSpread, sold }: Asked): ReadonlyArray<xdr.ScVal> => [
  accountVal(as),
  addressVal(sold),
  i128(amount),
  least === undefined ? none : i128(least),
  mostSpread === undefined ? none : i64(mostSpread),
  deadline === undefined ? none : u64(deadline),
  mostFee === undefined ? none : i64(mostFee)
]

const asked = (as: Keypair, contract: xdr.ScAddress, functionName: string, args: ReadonlyArray<xdr.ScVal> = []) =>
  Effect.gen(function*() {
    const { contracts, passphrase, snapshot } = yield* Network
    const invocation = new xdr.InvokeContractArgs({ contractAddress: contract, functionName, args: [...args] })
    const operation = new xdr.InvokeHostFunctionOp({ hostFunction: xdr.HostFunction.hostFunctionTypeInvokeContract(invocation), auth: [] })
    return simulateInvocation((yield* snapshot).state, operation, xdr.PublicKey.publicKeyTypeEd25519(as.rawPublicKey()), {
      networkPassphrase: passphrase,
      contracts,
      authorization: { _tag: "Record", allowNonRoot: false, coversAddress: false }
    })
  })

const scene = Effect.gen(function*() {
  const market = yield* StakedPoolsMarket
  const { native, passphrase, pho, usdc } = { ...market, ...(yield* Network) }
  const token = (asset: typeof usdc) => addressOf(asset.contractId(passphrase))
  const swap = (pool: xdr.ScAddress, one: Asked) => asked(market.provider, pool, "swap", argsOf(market.provider, one))
  const reserves = (pool: xdr.ScAddress) =>
    Effect.map(asked(market.provider, pool, "query_pool_info"), (outcome) =>
      outcome._tag === "FailedCall"
        ? assert.fail(outcome.error.message)
        : ["asset_a", "asset_b"].map((name) => asI128(field(field(outcome.returnValue, name), "amount"))))
  return { ...market, tokens: { lumens: token(native), usdc: token(usdc), pho: token(pho) }, swap, reserves }
})

it.live("a pool pays by its product, its fee to whoever gets it, tells of it, and counts both out", () =>
  Effect.gen(function*() {
    const { five, provider, reserves, swap, tokens } = yield* scene
    // 1,000,000 lumens and 100,000 USDC: 1,000 USDC are worth 9,900.9900991 lumens, of which 0.3 per cent is the fee.
    const whole = 99_009_900_991n
    const fee = (whole * 30n) / 10_000n
    const one = { sold: tokens.usdc, amount: 10_000_000_000n, least: whole - fee }
    const outcome = yield* swap(five.pool, one)
    if (outcome._tag === "FailedCall") return assert.fail(outcome.error.message)
    assert.strictEqual(asI128(outcome.returnValue), whole - fee)
    const told = outcome.events.flatMap(({ body: { v0: { data, topics: [first, second] } } }) =>
      first?.type === "scvString" && second?.type === "scvString" ? [[second.str.toString(), data] as const] : []
    )
    assert.deepStrictEqual(told.map(([name]) => name), [
      "sender",
      "sell_token",
      "offer_amount",
      "actual received amount",
      "buy_token",
      "return_amount",
      "spread_amount",
      "referral_fee_amount"
    ])
    const amounts = new Map(told.flatMap(([name, data]) => (data.type === "scvI128" ? [[name, asI128(data)] as const] : [])))
    assert.deepStrictEqual(Object.fromEntries(amounts), {
      offer_amount: one.amount,
      "actual received amount": one.amount,
      return_amount: whole - fee,
      spread_amount: 100_000_000_000n - whole,
      referral_fee_amount: 0n
    })
    const before = yield* reserves(five.pool)
    yield* callContract("a swap", { as: provider, contract: five.pool, fn: "swap", args: argsOf(provider, one) })
    const after = yield* reserves(five.pool)
    assert.deepStrictEqual(after.map((amount, at) => amount - (before[at] ?? 0n)), [-whole, one.amount])
  }).pipe(Effect.provide(Network.layer())))

it.live("what pools refuse has the numbers of their generation", () =>
  Effect.gen(function*() {
    const { five, six, stable, swap, tokens } = yield* scene
    const now = (yield* (yield* Network).snapshot).state.header.closeTime
    const said = (pool: xdr.ScAddress, one: Asked) =>
      Effect.map(swap(pool, one), (outcome) => outcome._tag === "FailedCall" ? /#(\d+)/.exec(outcome.error.message)?.[1] ?? "trap" : "paid")
    const one = { sold: tokens.usdc, amount: 10_000_000n }
    const cases: ReadonlyArray<readonly [five: string, six: string, asked: Asked]> = [
      ["paid", "paid", { ...one, deadline: now, mostFee: 30n, mostSpread: 500n }],
      ["22", "321", { ...one, deadline: now - 1n }],
      ["21", "320", { ...one, least: 10n ** 12n }],
      ["24", "323", { ...one, mostFee: 29n }],
      ["19", "318", { ...one, mostSpread: 501n }],
      ["19", "318", { ...one, mostSpread: -1n }],
      ["1", "300", { ...one, mostSpread: 0n, amount: 10_000_000_000n }],
      ["1", "300", { ...one, amount: 500_000_000_000n }],
      ["trap", "trap", { ...one, amount: 0n }]
    ]
    for (const [older, newer, terms] of cases) {
      assert.deepStrictEqual([yield* said(five.pool, terms), yield* said(six.pool, terms)], [older, newer])
    }
    assert.strictEqual(yield* said(five.pool, { ...one, sold: tokens.pho }), "16")
    assert.strictEqual(yield* said(six.pool, { ...one, sold: tokens.lumens }), "315")
    assert.strictEqual(yield* said(stable.pool, one), "trap")
  }).pipe(Effect.provide(Network.layer())))
