import { assert, it } from "@effect/vitest"
import { type Asset, AuthRequiredFlag, type Keypair, Operation, type xdr } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { addressOf, addressVal, strkeyOf, u32 } from "../../../src/ledger/soroban/Values.ts"
import { tokenBalanceKey } from "../../../src/sandbox/contracts/Token.ts"
import { EntryArchived } from "../../../src/sandbox/events/EntryArchived.ts"
import { perform } from "../../../src/sandbox/scenarios/Scenario.ts"
import { StakedPools, StakedWithoutPho } from "../../../src/sandbox/scenarios/StakedPools.ts"
import { stakedPoolsContracts } from "../../../src/sandbox/scenarios/StakedPoolsContracts.ts"
import { keyOfContractData, keyOfInstance, trustlineKey } from "../../../src/xdr/LedgerKeys.ts"
import { asked, laterLedger, pursued, serviceOver } from "../../sandbox/contracts/ProtocolsServed.ts"
import { isThorough } from "../../support/Thorough.ts"
import { answersTo, echo, pointOf } from "../support/Answering.ts"
import { type Offered, offered, plan, submit } from "../support/Client.ts"
import { accountOf, lumensOf } from "../support/LedgerView.ts"
import { Service } from "../support/Service.ts"
import { decoded, signed } from "../support/Signing.ts"
import { callsIn } from "./support/CalledIn.ts"

const { five, six } = stakedPoolsContracts

const UNIT = 10_000_000n

const poolsService = serviceOver(["amm_3"])

/** Base units of an asset on an account. */
const lineOf = (holder: Keypair, asset: Asset) =>
  Effect.gen(function*() {
    const { sandbox } = yield* Service
    const { state } = yield* sandbox.snapshot
    const entry = state.get(trustlineKey(holder.publicKey(), asset.toTrustLineXdrObject()))
    return entry?.data.type === "trustline" ? entry.data.trustLine.balance : assert.fail("no trustline")
  })

const isCall = ({ covers }: Offered): boolean => covers.includes("EXIT_POSITIONS")

/** The function that a transaction calls. A deadline in its arguments equals the envelope's. */
const callIn = (transaction: Offered) =>
  Effect.gen(function*() {
    const [operation] = transaction.intent.operations
    assert(operation?.type === "invoke_contract")
    if (operation.function === "withdraw_liquidity") {
      const { timeBounds } = yield* decoded(transaction)
      assert.strictEqual(operation.args[4], timeBounds?.maxTime)
    }
    return operation.function
  })

const archive = (keys: ReadonlyArray<xdr.LedgerKey>) =>
  Effect.gen(function*() {
    const { on } = yield* Service
    yield* Effect.forEach(keys, (key) => on(new EntryArchived({ key: key.toXdr("base64") }).happen()), { discard: true })
    yield* laterLedger
  })

/** Of the first pool, of the second, of the third. */
const EVERY_CALL = [
  "withdraw_rewards unbond unbond withdraw_liquidity",
  "withdraw_rewards unbond withdraw_liquidity",
  "unbond withdraw_liquidity"
].flatMap((calls) => calls.split(" "))

it.scopedLive.runIf(isThorough)(
  "pools of every generation are left call by call, whoever stops in between, archived ones too: everything comes back",
  () =>
    Effect.gen(function*() {
      const held = yield* asked(StakedPools)
      const { destination, pho, source, usdc } = held
      assert.deepStrictEqual(held.plan.blockers, [])
      assert.sameMembers([...callsIn(held.plan)], [...EVERY_CALL])
      // Rewards of the first pool can be given up; the second always pays them with the stake.
      const choices = ({ pool }: { readonly pool: xdr.ScAddress }) =>
        pointOf(held.plan, `position:amm_3:${strkeyOf(pool)}:shares`).options.map(({ id }) => id)
      assert.deepStrictEqual([choices(five), choices(six)], [
        ["exit", "exit_without_rewards"],
        ["exit"]
      ])
      const user = addressOf(source.publicKey())
      yield* archive([
        keyOfInstance(five.pool),
        ...[u32(0), u32(1), u32(2)].map((key) => keyOfContractData(five.pool, key, "persistent")),
        keyOfContractData(five.shareToken, tokenBalanceKey(user), "persistent"),
        keyOfContractData(five.stake, addressVal(user), "persistent")
      ])
      const decisions = answersTo(yield* plan(held.request))
      // A call is made for its own time, however long the request lets a transaction be valid.
      const building = offered({ ...held.request, decisions, validForSeconds: 86_400 })
      const called: Array<string> = []
      for (let next = yield* building; isCall(next); next = yield* building) {
        called.push(yield* callIn(next))
        // A client that stops here and returns gets the rest of the close from the ledger's state.
        assert.strictEqual((yield* submit(yield* signed(next, source))).status, "success")
        yield* laterLedger
      }
      assert.sameMembers(called, EVERY_CALL)
      assert.deepStrictEqual(called, [...callsIn(held.plan)])
      // Of 10,000 PHO and 1,000 USDC 300 shares of 500,500 get half after thirty days, 200 a sixth after ten; of 3 PHO all.
      const first = (total: bigint) => (300n * total * UNIT) / 500_500n / 2n + (200n * total * UNIT) / 500_500n / 6n
      assert.deepStrictEqual(
        [yield* lineOf(source, pho), yield* lineOf(source, usdc)],
        [first(10_000n) + 3n * UNIT + 250n * UNIT, first(1_000n) + 400n * UNIT]
      )
      assert.deepStrictEqual(yield* pursued(held), { covered: ["HANDLE_ASSETS+REMOVE_TRUSTLINES+MERGE"], unlocksAt: null })
      // 5,000 lumens each, 1,500 out of the first pool, and 10 for each of about 656 USDC and PHO.
      assert.approximately(Number((yield* lumensOf(destination)) / UNIT), 11_500 + 6_570, 10)
    }).pipe(Effect.provide(poolsService)),
  60_000
)

it.scopedLive("rewards that cannot be received hold the exit up, unless they are given up by name", () =>
  Effect.gen(function*() {
    const { on } = yield* Service
    const held = yield* asked(StakedWithoutPho)
    const { issuer, source } = held
    const id = `position:amm_3:${strkeyOf(five.pool)}:shares`
    // The plan adds a trustline for the paid asset, as long as that is possible.
    assert.include(held.plan.steps.map(({ type }) => type), "ADD_TRUSTLINE")
    yield* on(perform("the issuer lets nobody hold PHO unasked", {
      as: issuer,
      operations: [Operation.setOptions({ setFlags: AuthRequiredFlag })]
    }))
    yield* laterLedger
    const stopped = yield* plan(held.request)
    assert.deepStrictEqual(stopped.blockers.map(({ reason }) => reason), ["payout_trustline_missing"])
    const point = pointOf(stopped, id)
    const given = point.options.find((option) => option.id === "exit_without_rewards")
    assert.sameDeepMembers((given?.loses ?? []).map(({ amount, symbol }) => [symbol, amount]), [["PHO", "3.6630035"], [
      "USDC",
      "0.3663002"
    ]])
    const decisions = [...answersTo(stopped), echo(point, "exit_without_rewards")]
    const without = yield* plan({ ...held.request, decisions })
    assert.deepStrictEqual([without.blockers.filter(({ code }) => code === undefined), callsIn(without)], [
      [],
      ["unbond", "unbond", "withdraw_liquidity"]
    ])
    assert.include(without.warnings.map(({ code }) => code), "forfeit_acknowledged")
    yield* pursued(held, "exit_without_rewards")
    assert.isNull(yield* accountOf(source))
  }).pipe(Effect.provide(poolsService)), 60_000)
