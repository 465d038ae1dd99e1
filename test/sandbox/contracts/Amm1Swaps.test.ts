import { assert, it } from "@effect/vitest"
import { Keypair, Operation, xdr } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { simulateInvocation } from "../../../src/ledger/soroban/Simulation.ts"
import {
  addressOf,
  addressVal,
  asU128,
  asVec,
  bool,
  compareValues,
  i128,
  strkeyOf,
  u128,
  u32,
  vec
} from "../../../src/ledger/soroban/Values.ts"
import { poolKeys } from "../../../src/sandbox/contracts/Amm1.ts"
import { Network } from "../../../src/sandbox/Network.ts"
import { withInstanceValues } from "../../../src/sandbox/scenarios/Amm1Entries.ts"
import { Amm1Market } from "../../../src/sandbox/scenarios/Amm1Market.ts"
import { accountVal, callContract } from "../../../src/sandbox/scenarios/CallContract.ts"
import { fund, perform } from "../../../src/sandbox/scenarios/Scenario.ts"

const call = (as: Keypair, contract: xdr.ScAddress, fn: string, ...args: ReadonlyArray<xdr.ScVal>) =>
  Effect.gen(function*() {
    const { contracts, passphrase, snapshot } = yield* Network
    const invocation = new xdr.InvokeContractArgs({ contractAddress: contract, functionName: fn, args: [...args] })
    const operation = new xdr.InvokeHostFunctionOp({ hostFunction: xdr.HostFunction.hostFunctionTypeInvokeContract(invocation), auth: [] })
    return simulateInvocation((yield* snapshot).state, operation, xdr.PublicKey.publicKeyTypeEd25519(as.rawPublicKey()), {
      networkPassphrase: passphrase,
      contracts,
      authorization: { _tag: "Record", allowNonRoot: false, coversAddress: false }
    })
  })

const scene = Effect.gen(function*() {
  const market = yield* Amm1Market
  const { eurc, issuer, native, passphrase, usdc } = { ...market, ...(yield* Network) }
  const trader = Keypair.random()
  yield* fund("1000", trader)
  yield* perform("the trader trusts", { as: trader, operations: [eurc, usdc].map((asset) => Operation.changeTrust({ asset })) })
  yield* perform("the issuer pays the trader", {
    as: issuer,
    operations: [Operation.payment({ destination: trader.publicKey(), asset: eurc, amount: "100" })]
  })
  const token = (asset: typeof usdc) => addressOf(asset.contractId(passphrase))
  const set = (...tokens: ReadonlyArray<xdr.ScAddress>) => tokens.map(addressVal).toSorted(compareValues)
  const tokens = { lumens: token(native), usdc: token(usdc), eurc: token(eurc) }
  return { ...market, trader, tokens, sets: { stable: set(tokens.usdc, tokens.eurc), pair: set(tokens.lumens, tokens.usdc) } }
})

const indexOf = (router: xdr.ScAddress, as: Keypair, tokens: ReadonlyArray<xdr.ScVal>, pool: xdr.ScAddress) =>
  Effect.map(call(as, router, "get_pools", vec(...tokens)), (outcome) => {
    const pools = outcome._tag === "SimulatedCall" && outcome.returnValue.type === "scvMap" ? outcome.returnValue.map ?? [] : []
    return pools.find(({ val }) => val.toXdr("base64") === addressVal(pool).toXdr("base64"))?.key ??
      assert.fail("the router does not list it")
  })

it.live("the router swaps along a chain as the pools' user, tells of each swap, and pays what the last pool gave", () =>
  Effect.gen(function*() {
    const { constantProduct, router, sets, stable, tokens, trader } = yield* scene
    const chain = vec(
      vec(vec(...sets.stable), yield* indexOf(router, trader, sets.stable, stable), addressVal(tokens.usdc)),
      vec(vec(...sets.pair), yield* indexOf(router, trader, sets.pair, constantProduct), addressVal(tokens.lumens))
    )
    const swap = (least: bigint) =>
      [trader, router, "swap_chained", accountVal(trader), chain, addressVal(tokens.eurc), u128(100_000_000n), u128(least)] as const
    const outcome = yield* call(...swap(0n))
    if (outcome._tag === "FailedCall") return assert.fail(outcome.error.message)
    const paid = asU128(outcome.returnValue)
    const told = outcome.events.map(({ body, contractId }) => {
      const [name] = body.v0.topics
      const by = contractId === null ? "" : strkeyOf(xdr.ScAddress.scAddressTypeContract(contractId))
      const who = new Map([[strkeyOf(router), "router"], [strkeyOf(stable), "stable"], [strkeyOf(constantProduct), "product"]]).get(by) ??
        "token"
      return `${who} ${name?.type === "scvSymbol" ? name.sym.toString() : "?"}`
    })
    assert.deepStrictEqual(told.filter((one) => !one.startsWith("stable set") && !one.startsWith("product set")), [
      "token transfer",
      "token transfer",
      "token transfer",
      "stable trade",
      "stable update_reserves",
      "router swap",
      "token transfer",
      "token transfer",
      "product trade",
      "product update_reserves",
      "router swap",
      "token transfer"
    ])
    const swaps = outcome.events.filter((_, at) => told[at] === "router swap").map(({ body }) => asVec(body.v0.data))
    assert.deepStrictEqual(swaps.map((data) => data.map((one) => one.type)), [
      ["scvAddress", "scvAddress", "scvAddress", "scvU128", "scvU128"],
      ["scvAddress", "scvAddress", "scvAddress", "scvU128", "scvU128"]
    ])
    assert.strictEqual(asU128(swaps[0]?.[4] ?? i128(0n)), asU128(swaps[1]?.[3] ?? i128(0n)))
    assert.strictEqual(asU128(swaps[1]?.[4] ?? i128(0n)), paid)

    const [agreed] = outcome.auth
    assert.strictEqual(outcome.auth.length, 1)
    assert.strictEqual(agreed?.rootInvocation.subInvocations.length, 1)
    const failed = yield* call(...swap(paid + 1n))
    assert.match(failed._tag === "FailedCall" ? failed.error.message : "", /#2006\b/)

    // The reserves follow: the inflow less the protocol's half of the fee, and the outflow.
    const reservesOf = (pool: xdr.ScAddress) =>
      Effect.map(call(trader, pool, "get_reserves"), (read) => read._tag === "SimulatedCall" ? asVec(read.returnValue).map(asU128) : [])
    const before = yield* reservesOf(stable)
    yield* callContract("the chain is swapped", {
      as: trader,
      contract: router,
      fn: "swap_chained",
      args: swap(paid).slice(3) as Array<xdr.ScVal>
    })
    const after = yield* reservesOf(stable)
    const changes = after.map((one, at) => one - (before[at] ?? 0n)).toSorted((left, right) => Number(left - right))
    // A fee of ten ten-thousandths, half of it the protocol's.
    assert.deepStrictEqual(changes, [-asU128(swaps[0]?.[4] ?? u128(0n)), 100_000_000n - 50_000n])
  }).pipe(Effect.provide(Network.layer())))

it.live("what router and pools refuse has the numbers of the contracts", () =>
  Effect.gen(function*() {
    const { constantProduct, router, sets, stable, tokens, trader } = yield* scene
    const { amend } = yield* Network
    const index = yield* indexOf(router, trader, sets.stable, stable)
    const link = (set: ReadonlyArray<xdr.ScVal>, at: xdr.ScVal, bought: xdr.ScAddress) => vec(vec(...set), at, addressVal(bought))
    const chained = (amount: bigint, ...links: ReadonlyArray<xdr.ScVal>) =>
      Effect.map(
        call(trader, router, "swap_chained", accountVal(trader), vec(...links), addressVal(tokens.eurc), u128(amount), u128(0n)),
        (outcome) => outcome._tag === "FailedCall" ? outcome.error.message : "paid"
      )
    assert.match(yield* chained(1_000n), /#307\b/)
    assert.match(yield* chained(1_000n, link(sets.stable, xdr.ScVal.scvBytes(new Uint8Array(32).fill(9)), tokens.usdc)), /#404\b/)
    assert.match(yield* chained(1_000n, link(sets.stable.toReversed(), index, tokens.usdc)), /#2002\b/)
    assert.match(yield* chained(0n, link(sets.stable, index, tokens.usdc)), /#2018\b/)
    assert.match(yield* chained(1_000n, link(sets.stable, index, tokens.eurc)), /#2007\b/)
    assert.notStrictEqual(yield* chained(1_000n, link(sets.stable, index, tokens.lumens)), "paid")
    assert.strictEqual(yield* chained(1_000n, link(sets.stable, index, tokens.usdc)), "paid")
    const swapIn = (pool: xdr.ScAddress, from: number, to: number) =>
      Effect.map(
        call(trader, pool, "swap", accountVal(trader), u32(from), u32(to), u128(1_000n), u128(0n)),
        (outcome) => outcome._tag === "FailedCall" ? outcome.error.message : "paid"
      )
    assert.match(yield* swapIn(constantProduct, 2, 0), /#2008\b/)
    assert.match(yield* swapIn(constantProduct, 0, 2), /#2009\b/)
    yield* amend((state) => withInstanceValues(state, stable, (storage) => storage.set(poolKeys.swapKilled.toXdr("base64"), bool(true))))
    assert.match(yield* chained(1_000n, link(sets.stable, index, tokens.usdc)), /#206\b/)
  }).pipe(Effect.provide(Network.layer())))
