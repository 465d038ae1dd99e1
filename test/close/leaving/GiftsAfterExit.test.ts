import { assert, it } from "@effect/vitest"
import { Keypair, Operation, type xdr } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { lumen } from "../../../src/ledger/Asset.ts"
import { addressOf, asI128, asU128, field, strkeyOf } from "../../../src/ledger/soroban/Values.ts"
import { constantProductPoolHash } from "../../../src/sandbox/contracts/amm1/ConstantProductPool.ts"
import { gaugeHash } from "../../../src/sandbox/contracts/amm1/Gauge.ts"
import { userRewardKey } from "../../../src/sandbox/contracts/amm1/RewardKeys.ts"
import { tokenBalanceKey } from "../../../src/sandbox/contracts/Token.ts"
import { Amm1Market, depositTo } from "../../../src/sandbox/scenarios/Amm1Market.ts"
import { transferToken } from "../../../src/sandbox/scenarios/PairsMarket.ts"
import { fund, perform } from "../../../src/sandbox/scenarios/Scenario.ts"
import { takeStakes } from "../../../src/sandbox/scenarios/StakedPools.ts"
import { stakedPoolsContracts } from "../../../src/sandbox/scenarios/StakedPoolsContracts.ts"
import { StakedPoolsMarket } from "../../../src/sandbox/scenarios/StakedPoolsMarket.ts"
import { keyOfContractData } from "../../../src/xdr/LedgerKeys.ts"
import { laterLedger, serviceOver } from "../../sandbox/contracts/ProtocolsServed.ts"
import { isThorough } from "../../support/Thorough.ts"
import { answersTo, echo, pointOf } from "../support/Answering.ts"
import { type Answer, offered, plan, refusal, submit } from "../support/Client.ts"
import { accountOf, heldOf } from "../support/LedgerView.ts"
import { Service } from "../support/Service.ts"
import { signed } from "../support/Signing.ts"
import { functionsOf } from "./support/Earners.ts"
import { failing } from "./support/Failing.ts"

const { five } = stakedPoolsContracts

/** An account with shares of a pool that, with its gauge, owes it rewards of two hours. A provider gives it more of these shares. */
const Rewarded = Effect.gen(function*() {
  const { on, sandbox } = yield* Service
  const market = yield* on(Amm1Market)
  const { aqua, constantProduct, constantProductShare, eurc, issuer, native, provider, usdc } = market
  const [source, destination] = [Keypair.random(), Keypair.random()]
  yield* on(fund("10000", source, destination))
  yield* on(perform("the account trusts what is traded", {
    as: source,
    operations: [usdc, eurc, aqua].map((asset) => Operation.changeTrust({ asset }))
  }))
  yield* on(perform("the issuer pays the account", {
    as: issuer,
    operations: [Operation.payment({ destination: source.publicKey(), asset: usdc, amount: "200" })]
  }))
  yield* on(depositTo(constantProduct, "the account takes shares", source, [native, 2_000n * lumen], [usdc, 200n * lumen]))
  yield* sandbox.closeLedger({ advanceSeconds: 7_200 })
  const share = { token: constantProductShare, amount: 1n }
  return {
    ...market,
    source,
    id: `position:amm_1:${strkeyOf(constantProduct)}:shares`,
    request: { source: source.publicKey(), destination: destination.publicKey() },
    given: on(transferToken("a stranger gives a share", provider, share, addressOf(source.publicKey())))
  }
})

type Rewards = Effect.Effect.Success<typeof Rewarded>
type Gifted = Pick<Rewards, "given" | "request" | "source">

const kept = (contract: xdr.ScAddress, key: xdr.ScVal) =>
  Effect.gen(function*() {
    const { state } = yield* (yield* Service).sandbox.snapshot
    const data = state.get(keyOfContractData(contract, key, "persistent"))?.data
    return data?.type === "contractData" ? data.contractData.val : assert.fail("there is no such entry")
  })

/** Base units that the pool and its gauge still owe, as last recorded. */
const owed = ({ constantProduct, gauge, source }: Rewards) =>
  Effect.forEach(
    [constantProduct, gauge],
    (payer) => Effect.map(kept(payer, userRewardKey(addressOf(source.publicKey()))), (noted) => asU128(field(noted, "to_claim")))
  )

const sharesOf = ({ constantProductShare, source }: Rewards) =>
  Effect.map(kept(constantProductShare, tokenBalanceKey(addressOf(source.publicKey()))), asI128)

/**
 * Lands the next transaction, with one gift of a share before the build and one before the submission. Returns its functions, or the kinds that it covers.
 */
const advanced = (held: Gifted, decisions: ReadonlyArray<Answer>) =>
  Effect.gen(function*() {
    yield* held.given
    yield* laterLedger
    const transaction = yield* offered({ ...held.request, decisions })
    yield* held.given
    yield* submit(yield* signed(transaction, held.source))
    const functions = functionsOf(transaction)
    return functions.length === 0 ? transaction.covers.join("+") : functions.join()
  })

/** Answers to the first plan, `later` among them. `declined`: the position that is left without its rewards. */
const answered = ({ request }: Gifted, declined?: string) =>
  Effect.gen(function*() {
    const first = yield* plan(request)
    return [
      ...answersTo(first, "convert_to_native"),
      echo(pointOf(first, "later"), "leave_what_came_later"),
      ...(declined === undefined ? [] : [echo(pointOf(first, declined), "exit_without_rewards")])
    ]
  })

const REST = "HANDLE_ASSETS+REMOVE_TRUSTLINES+MERGE"

it.scopedLive(
  "shares that a stranger gives in every ledger after the exit delay no claim of what was earned, and stay behind",
  () =>
    Effect.gen(function*() {
      const held = yield* Rewarded
      const decisions = yield* answered(held)
      const done: Array<string> = []
      let paid = 0n
      while ((yield* accountOf(held.source)) !== null) {
        done.push(yield* advanced(held, decisions))
        assert.isBelow(done.length, 6, done.join())
        paid = (yield* heldOf(held.source, held.aqua)) ?? paid
        if ((yield* accountOf(held.source)) === null) continue
        const told = yield* plan({ ...held.request, decisions })
        assert.deepStrictEqual([told.status, told.blockers], ["ready", []])
        const { warnings } = told
        assert.deepStrictEqual(warnings.filter(({ code }) => code === "came_later").map(({ subject }) => subject), [held.id])
      }
      // As many steps as without the stranger.
      assert.deepStrictEqual(done, ["withdraw", "claim", "gauges_claim", REST])
      assert.isTrue(paid > 0n)
      // All of the owner's shares are gone; of the stranger's, those given after the build of the withdrawal are left.
      assert.deepStrictEqual([yield* owed(held), yield* sharesOf(held)], [[0n, 0n], 7n])
    }).pipe(Effect.provide(serviceOver(["amm_1"]))),
  120_000
)

/** An account with shares and stakes of a pool of amm_3. A provider gives it more of these shares. */
const Staked = Effect.gen(function*() {
  const { on } = yield* Service
  const market = yield* on(StakedPoolsMarket)
  const [source, destination] = [Keypair.random(), Keypair.random()]
  yield* on(fund("5000", source, destination))
  yield* on(takeStakes(market, source, { pools: [five], trusts: ({ pho, usdc }) => [usdc, pho] }))
  const share = { token: five.shareToken, amount: 10_000n }
  return {
    source,
    id: `position:amm_3:${strkeyOf(five.pool)}:shares`,
    request: { source: source.publicKey(), destination: destination.publicKey() },
    given: on(transferToken("a stranger gives shares", market.provider, share, addressOf(source.publicKey())))
  }
})

it.scopedLive("nor do they delay an owner who had staked such shares, whose own are withdrawn first", () =>
  Effect.gen(function*() {
    const held = yield* Staked
    const decisions = yield* answered(held)
    const done: Array<string> = []
    while ((yield* accountOf(held.source)) !== null) {
      done.push(yield* advanced(held, decisions))
      assert.isBelow(done.length, 7, done.join())
    }
    assert.deepStrictEqual(done, ["withdraw_rewards", "unbond", "unbond", "withdraw_liquidity", REST])
    // Those given after the build of the withdrawal.
    assert.strictEqual(asI128(yield* kept(five.shareToken, tokenBalanceKey(addressOf(held.source.publicKey())))), 30_000n)
  }).pipe(Effect.provide(serviceOver(["amm_3"]))), 120_000)

it.scopedLive("nor do they delay an owner who had left such stakes before the first plan", () =>
  Effect.gen(function*() {
    const held = yield* Staked
    const step = (decisions: ReadonlyArray<Answer>) =>
      Effect.gen(function*() {
        yield* laterLedger
        const transaction = yield* offered({ ...held.request, decisions })
        yield* submit(yield* signed(transaction, held.source))
        return functionsOf(transaction)
      })
    const before = yield* answered(held)
    while (!(yield* step(before)).includes("withdraw_liquidity"));
    yield* laterLedger
    assert.deepStrictEqual(yield* advanced(held, yield* answered(held)), REST)
  }).pipe(Effect.provide(serviceOver(["amm_3"]))), 120_000)

it.scopedLive(
  "nor do they delay who gives the rewards up, and are not withdrawn one by one",
  () =>
    Effect.gen(function*() {
      const held = yield* Rewarded
      const decisions = yield* answered(held, held.id)
      const done = [yield* advanced(held, decisions), yield* advanced(held, decisions)]
      assert.deepStrictEqual(done, ["withdraw", "REMOVE_TRUSTLINES+HANDLE_ASSETS+MERGE"])
      assert.deepStrictEqual([yield* accountOf(held.source), yield* sharesOf(held)], [null, 3n])
    }).pipe(Effect.provide(serviceOver(["amm_1"]))),
  120_000
)

it.scopedLive.runIf(isThorough)("nor do they hide rewards that the pool does not tell once its shares are withdrawn", () => {
  const pools = failing(constantProductPoolHash, gaugeHash)
  return Effect.gen(function*() {
    const held = yield* Rewarded
    const decisions = yield* answered(held)
    assert.strictEqual(yield* advanced(held, decisions), "withdraw")
    pools.fail("get_user_reward", 77)
    yield* laterLedger
    const given = { ...held.request, decisions }
    const told = yield* plan(given)
    assert.deepInclude(pointOf(told, held.id), { required: true, answered: false, default: null })
    assert.deepInclude(yield* refusal("next", given), { code: "needs_decisions", details: { missing: [held.id] } })
    pools.fail("get_user_reward", 77, 0)
    yield* laterLedger
    assert.deepStrictEqual(functionsOf(yield* offered(given)), ["claim"])
  }).pipe(Effect.provide(serviceOver(["amm_1"], { contracts: pools.contracts })))
}, 120_000)
