import { assert, describe, it } from "@effect/vitest"
import type { xdr } from "@stellar/stellar-sdk"
import { Either, FastCheck } from "effect"
import { ContractAddress } from "../../src/domain/Address.ts"
import type { LedgerState } from "../../src/ledger/LedgerState.ts"
import { balanceKey } from "../../src/ledger/soroban/AssetBalance.ts"
import { addressOf, addressVal, asI128, field, i128, vec } from "../../src/ledger/soroban/Values.ts"
import { gate } from "../../src/protocols/CodeGate.ts"
import { floorOf } from "../../src/protocols/kit/Floor.ts"
import { backstopState } from "../../src/protocols/lend1/Backstop.ts"
import { leaveBackstop } from "../../src/protocols/lend1/BackstopExit.ts"
import { type CometState, cometState, joinedShares, worthOf } from "../../src/protocols/lend1/Comet.ts"
import { poolBalanceKey, userBalanceKey } from "../../src/sandbox/contracts/lend1/BackstopKeys.ts"
import { exitAmount, exitRatio, sharesForDeposit } from "../../src/sandbox/contracts/lend1/CometMath.ts"
import { poolBalanceVal } from "../../src/sandbox/contracts/lend1/PoolBalance.ts"
import { userBalanceVal } from "../../src/sandbox/contracts/lend1/UserBalance.ts"
import { keyOf, keyOfContractData, keyText } from "../../src/xdr/LedgerKeys.ts"
import { ledgerOf, readReplayed, simulate } from "../sandbox/contracts/CallReplay.ts"
import { terms } from "./support/Leaving.ts"
import { amount, recorded } from "./support/Recorded.ts"
import { keptIn, replaced, viewOf } from "./support/Replaced.ts"

const recording = recorded("lend_1_backstop")
const chain = readReplayed("lend_1_backstop")
const stateNames = Object.keys(chain.states)

const address = (name: string): xdr.ScAddress => addressOf(chain.contracts[name]?.address ?? chain.accounts[name] ?? assert.fail(name))
const [backstop, blnd, comet, pool, user] = [address("backstop"), address("blnd"), address("comet"), address("pool"), address("user")]
/** From seven decimals to eighteen, as the liquidity pool records each token. */
const toEighteen = 100_000_000_000n
const hashOf = (name: string): string => recording.contracts[name]?.wasmHash ?? assert.fail(name)

/** The decoded user's share of the backstop on a ledger, and the liquidity pool. */
const decoded = (name: string, ledger: LedgerState) => {
  const view = viewOf(ledger, recording.view(name))
  const gated = Either.getOrThrow(gate(view, recording.contract("backstop"), new Map([[hashOf("backstop"), "backstopV2" as const]])))
  const liquidity = Either.getOrThrow(gate(view, recording.contract("comet"), new Map([[hashOf("comet"), "backstopToken" as const]])))
  return {
    view,
    share: Either.getOrThrow(backstopState(view, gated, recording.contract("pool"), recording.user)),
    comet: Either.getOrThrow(cometState(view, liquidity, recording.user))
  }
}

/** The effect of a claim on the sandbox's contracts: the rewards that enter the liquidity pool, and the shares for them. */
const claimed = (ledger: LedgerState): { readonly reward: bigint; readonly shares: bigint } => {
  const simulated = simulate(chain, ledger, {
    contract: chain.contracts["backstop"]?.address ?? assert.fail(),
    function: "claim",
    source: chain.user,
    args: [addressVal(user), vec(addressVal(pool)), i128(0n)]
  })
  assert(simulated._tag === "SimulatedCall")
  const held = keyText(keyOfContractData(blnd, balanceKey(comet), "persistent"))
  const balances = simulated.changes.flatMap(({ after, before }) =>
    after === undefined || before === undefined || keyText(keyOf(after)) !== held ?
      [] :
      [[before, after].map(({ data }) =>
        data.type === "contractData" ? asI128(field(data.contractData.val, "amount")) : assert.fail("no balance")
      )]
  )
  const [[less, more] = [0n, 0n]] = balances
  return { reward: (more ?? 0n) - (less ?? 0n), shares: asI128(simulated.returnValue) }
}

/** The same ledger, in which the user and others have queued parts of their shares. */
const queueing = (ledger: LedgerState, own: bigint, others: bigint): LedgerState => {
  const total = keptIn(ledger, backstop, poolBalanceKey(pool))
  const mine = keptIn(ledger, backstop, userBalanceKey(pool, user))
  const later = [{ amount: own, expiration: ledger.header.closeTime + 1_000_000n }]
  return replaced(
    replaced(
      ledger,
      backstop,
      poolBalanceKey(pool),
      () => poolBalanceVal({ shares: asI128(field(total, "shares")), tokens: asI128(field(total, "tokens")), queued: own + others })
    ),
    backstop,
    userBalanceKey(pool, user),
    () => userBalanceVal({ shares: asI128(field(mine, "shares")) - own, queue: own === 0n ? [] : later })
  )
}

describe("rewards of the backstop", () => {
  it.each(stateNames)("%s: what the decoder says is what a claim takes out, and gives the recorded shares", (name) => {
    const ledger = ledgerOf(chain, name)
    const { reward, shares } = claimed(ledger)
    assert.strictEqual(decoded(name, ledger).share?.reward ?? 0n, reward)
    assert.strictEqual(shares, amount(recording.fact(name, "backstop.claim")))
  })

  it("only shares that are not queued earn, whoever queued them", () => {
    const ledger = ledgerOf(chain, "backstopAccrued")
    // 10,000,000,000 shares of the user's, of 510,000,000,000.
    const rewards = [[0n, 0n], [0n, 250_000_000_000n], [4_000_000_000n, 0n], [4_000_000_000n, 250_000_000_000n], [10_000_000_000n, 0n]].map(
      ([own = 0n, others = 0n]) => {
        const queued = queueing(ledger, own, others)
        const { reward } = claimed(queued)
        assert.strictEqual(decoded("backstopAccrued", queued).share?.reward, reward, `${own} and ${others}`)
        return reward
      }
    )
    // A user's part of all emissions: by the earlier index, and for the time since then by the number of shares.
    assert.deepStrictEqual(rewards, [20_813_445_378n, 31_052_617_970n, 12_538_575_082n, 18_827_394_957n, 0n])
  })
})

describe("the floor of a claim from the backstop", () => {
  it("is the second term of the series below the first, less a hundredth", () => {
    const token = ContractAddress.make(recording.contract("blnd"))
    const state = (balance: bigint): CometState => ({
      address: token,
      wasmHash: "",
      supply: 1_000_0000000n,
      fee: 0n,
      held: 0n,
      tokens: [{ token, balance, weight: 8_000_000n, scalar: toEighteen }]
    })
    // Half as much again: 0.8 · 0.5 less 0.8 · 0.2 · 0.25 / 2 of all shares.
    assert.strictEqual(joinedShares(state(40_0000000n), token, 20_0000000n), 380_0000000n)
    assert.strictEqual(floorOf(380_0000000n, 100), 376_2000000n)
    // As much again: 0.8 less 0.08.
    assert.strictEqual(joinedShares(state(40_0000000n), token, 40_0000000n), 720_0000000n)
    // A tenth of the fifth that is not of the token's weight is a fee: 39.2 of 40.
    assert.strictEqual(joinedShares({ ...state(40_0000000n), fee: 1_000_000n }, token, 40_0000000n), 707_1680000n)
  })

  it("is what the built call asks for, and no more than the pool gave", () => {
    const name = "backstopAccrued"
    const ledger = ledgerOf(chain, name)
    const { comet: liquidity, share, view } = decoded(name, ledger)
    const least = (maxSlippageBps: number): bigint => {
      const context = { user: recording.user, view, ...terms(view), maxSlippageBps, spendable: () => 0n, withoutRewards: false }
      const exit = leaveBackstop(share ?? assert.fail(), liquidity, context)
      return asI128(exit._tag === "Calls" ? (exit.calls[0].args[2] ?? assert.fail()) : assert.fail(exit._tag))
    }
    assert.deepStrictEqual([100, 1].map(least), [1_646_865_630n, 1_663_334_286n])
    assert.isTrue(least(1) <= amount(recording.fact(name, "backstop.claim")))
  })

  const pools = FastCheck.record({
    supply: FastCheck.bigInt(10_000_0000000n, 100_000_000_0000000n),
    balance: FastCheck.bigInt(1_000_0000000n, 1_000_000_000_0000000n),
    weight: FastCheck.constantFrom(8_000_000n, 2_000_000n, 5_000_000n),
    // Of the balance, in thousandths: the liquidity pool accepts less than its own balance.
    part: FastCheck.bigInt(1n, 990n),
    fee: FastCheck.constantFrom(0n, 10n, 30_000n, 1_000_000n)
  })

  it.prop(
    "is never above what a liquidity pool gives for the rewards, however many, and seldom far below",
    [pools],
    ([{ balance, fee, part, supply, weight }]) => {
      const token = ContractAddress.make(recording.contract("blnd"))
      const claim = (balance * part) / 1_000n
      const tokens = [{ token, balance, weight, scalar: toEighteen }]
      // The smallest slippage that a request may set.
      const least = floorOf(joinedShares({ address: token, wasmHash: "", supply, fee, held: 0n, tokens }, token, claim), 1)
      const given = sharesForDeposit({ token: comet, balance, weight, index: 0, scalar: toEighteen }, supply, claim, fee)
      assert.isTrue(least <= given, `${least} of ${given}`)
      if (part < 100n) assert.isTrue(least * 100n >= given * 98n, `${least} of ${given}`)
    }
  )
})

describe("what shares of the liquidity pool pay", () => {
  const held = FastCheck.record({
    supply: FastCheck.bigInt(1n, 1n << 80n),
    balance: FastCheck.bigInt(0n, 1n << 80n),
    // Part of all shares, in thousandths; eighteen decimals cannot represent thirds exactly.
    part: FastCheck.bigInt(1n, 999n),
    decimals: FastCheck.constantFrom(0n, 7n, 18n)
  })

  it.prop(
    "is what it pays, to the unit: their part of all shares is rounded down first",
    [held],
    ([{ balance, decimals, part, supply }]) => {
      const token = ContractAddress.make(recording.contract("blnd"))
      const [scalar, shares] = [10n ** (18n - decimals), (supply * part) / 1_000n]
      const pool = { address: token, wasmHash: "", supply, fee: 30_000n, held: shares }
      assert.deepStrictEqual(worthOf({ ...pool, tokens: [{ token, balance, weight: 8_000_000n, scalar }] }, shares), [
        exitAmount({ token: comet, balance, weight: 8_000_000n, index: 0, scalar }, exitRatio(supply, shares))
      ])
    }
  )

  it("is a unit less than their part of it where eighteen decimals cut that short", () => {
    const token = ContractAddress.make(recording.contract("blnd"))
    const tokens = [{ token, balance: 3_000n, weight: 8_000_000n, scalar: toEighteen }]
    assert.deepStrictEqual(worthOf({ address: token, wasmHash: "", supply: 3_000n, fee: 0n, held: 0n, tokens }, 1_000n), [999n])
  })
})
