import { assert, describe, it } from "@effect/vitest"
import type { xdr } from "@stellar/stellar-sdk"
import type { ContractAddress } from "../../../src/domain/Address.ts"
import type { ContractCall } from "../../../src/operations/ContractCall.ts"
import type { ExitContext } from "../../../src/protocols/Exit.ts"
import type { LedgerView } from "../../../src/protocols/kit/LedgerView.ts"
import { decodePlaces } from "../../../src/protocols/Place.ts"
import { contract, i128, map, u128, u64 } from "../../../src/stellar/ScValCodec.ts"
import { amm3Over, changedView, fieldChanged, runningOther } from "../support/Amm3Ledgers.ts"
import { exitIn, terms } from "../support/Leaving.ts"
import { recorded } from "../support/Recorded.ts"

const one = recorded("amm_3")
const two = recorded("amm_3_more")
type Recording = typeof one

const named = (recording: Recording, name: string): ContractAddress => recording.contract(name)

const decoded = (recording: Recording, view: LedgerView) => decodePlaces(amm3Over(recording).protocol.places, recording.user, view)

const held = (recording: Recording, pool: string, view: LedgerView) =>
  decoded(recording, view).positions.find((position) => position.contract === named(recording, pool)) ?? assert.fail("nothing held")

const leaving = (recording: Recording, pool: string, view: LedgerView, but: Partial<ExitContext> = {}) =>
  exitIn(amm3Over(recording).protocol, { contract: named(recording, pool), key: "shares" }, {
    user: recording.user,
    view,
    ...terms(view),
    spendable: () => 0n,
    withoutRewards: false,
    ...but
  })

const calls = (exit: ReturnType<typeof leaving>): ReadonlyArray<ContractCall> =>
  exit._tag === "Calls" ? exit.calls : assert.fail(JSON.stringify(exit))

const names = (exit: ReturnType<typeof leaving>): ReadonlyArray<string> => calls(exit).map((call) => call.function)

const last = (all: ReadonlyArray<ContractCall>): ContractCall => all.at(-1) ?? assert.fail("no call")

const text = (value: xdr.ScVal | undefined): string => value?.toXdr("base64") ?? assert.fail("no argument")

describe("a withdrawal", () => {
  it("asks for what is due less the caller's slippage, by the envelope's deadline", () => {
    const view = one.view("allUnbonded")
    const { args, payouts } = last(calls(leaving(one, "pool", view, { maxSlippageBps: 100, deadline: 1_795_718_700n })))
    // 9973604507 and 1237835216, less a hundredth.
    assert.deepStrictEqual(payouts.map(({ expected }) => expected), [9_973_604_507n, 1_237_835_216n])
    assert.deepStrictEqual(
      args.slice(2).map(text),
      [i128.encode(9_873_868_461n), i128.encode(1_225_456_863n), u64.encode(1_795_718_700n)].map(text)
    )
    // The receiver of the shares.
    assert.deepStrictEqual(last(calls(leaving(one, "pool", view))).recipients, [named(one, "pool")])
    const exact = last(calls(leaving(one, "pool", view, { maxSlippageBps: 0 })))
    assert.deepStrictEqual(exact.args.slice(2, 4).map(text), [i128.encode(9_973_604_507n), i128.encode(1_237_835_216n)].map(text))
  })

  it("takes a sixth argument where the pool's own code does, and never uses it", () => {
    const counts = [
      last(calls(leaving(one, "pool", one.view("allUnbonded")))),
      last(calls(leaving(one, "pool6args", one.view("sixArgStaked")))),
      last(calls(leaving(two, "poolC", two.view("generationCStaked"))))
    ].map(({ args }) => [args.length, args[5]?.type])
    assert.deepStrictEqual(counts, [[5, undefined], [6, "scvVoid"], [6, "scvVoid"]])
  })

  it("never asks for nothing where anything is due, and is not made where a pool pays nothing or refuses to", () => {
    const few = (shares: bigint) => changedView(one, "allUnbonded", { "shareToken Balance(user)": () => i128.encode(shares) })
    // Three shares are worth eight lumens' units and one of USDC.
    const three = last(calls(leaving(one, "pool", few(3n))))
    assert.deepStrictEqual([three.payouts.map(({ expected }) => expected), three.args.slice(2, 4).map(text)], [
      [8n, 1n],
      [i128.encode(7n), i128.encode(1n)].map(text)
    ])
    // One is dust, which stays behind with a warning. Where the other side is worth something, the exit is rejected instead.
    assert.strictEqual(leaving(one, "pool", few(1n))._tag, "Gone")
    assert.strictEqual(decoded(one, few(1n)).positions[0]?.dust, "0.0000002 XLM and 0.0000000 USDC")
    assert.isUndefined(decoded(one, few(3n)).positions[0]?.dust)
    const uneven = changedView(one, "allUnbonded", { "pool 2": () => i128.encode(1n) })
    const refusal = leaving(one, "pool", uneven)
    assert(refusal._tag === "Refused" && refusal.refusal._tag === "Unavailable")
    assert.match(refusal.refusal.reason, /nothing of one of its tokens/)
    assert.isUndefined(decoded(one, uneven).positions[0]?.dust)
    // The newer kind allows one of both to be zero.
    const lopsided = changedView(two, "generationCStaked", { "poolC 1": () => i128.encode(1n) })
    assert.deepStrictEqual(
      last(calls(leaving(two, "poolC", lopsided))).args.slice(2, 4).map(text),
      [
        i128.encode(0n),
        i128.encode(994_999_999n)
      ].map(text)
    )
    const both = changedView(two, "generationCStaked", { "poolC 1": () => i128.encode(1n), "poolC 2": () => i128.encode(1n) })
    assert.deepStrictEqual(leaving(two, "poolC", both)._tag, "Refused")
  })

  it("needs the code of the pool, of its shares and, for what is bonded, of the stake", () => {
    for (const [state, contracts] of [["sharesOnly", ["pool", "shareToken"]], ["staked", ["pool", "shareToken", "stake"]]] as const) {
      for (const name of contracts) {
        const view = runningOther(one, state, name)
        const about = decoded(one, view).unrecognized.map((item) => item.contract)
        const exit = leaving(one, "pool", view)
        if (name === "stake") {
          // The exit still leaves the free shares beside it.
          assert.deepStrictEqual([about, names(exit)], [[named(one, "stake")], ["withdraw_liquidity"]])
          continue
        }
        assert.deepStrictEqual(about, [named(one, "pool")])
        assert.deepStrictEqual(
          exit._tag === "Refused" && exit.refusal._tag === "UnknownCode" ? exit.refusal.contract : exit,
          named(one, name)
        )
      }
    }
    // An account without holdings gets no report, and an exit of free shares does not depend on the stake.
    assert.isEmpty(decoded(one, runningOther(one, "none", "pool")).unrecognized)
    assert.deepStrictEqual(names(leaving(one, "pool", runningOther(one, "sharesOnly", "stake"))), ["withdraw_liquidity"])
  })
})

describe("an entry that a node leaves out, as it may do with archived ones", () => {
  it("is a finding where what is held rests on it: nothing is taken for nothing", () => {
    const needed = [
      "pool instance",
      "pool CONFIG",
      "pool 0",
      "pool 1",
      "pool 2",
      "shareToken instance",
      "stake instance",
      "stake CONFIG",
      "stake 2",
      "stake TotalStakedHistory",
      "stake RewardHistory(pho)"
    ]
    for (const label of needed) {
      const view = one.view("staked", { [label]: null })
      const part = label.startsWith("stake") ? "stake" : "pool"
      assert.deepStrictEqual(decoded(one, view).unrecognized.map(({ contract: about }) => about), [named(one, part)], label)
      const exit = leaving(one, "pool", view)
      // An unreadable stake does not hide the free shares.
      if (part === "stake") assert.deepStrictEqual(names(exit), ["withdraw_liquidity"], label)
      else assert.strictEqual(exit._tag, "Refused", label)
    }
  })
})

describe("rewards", () => {
  const point = (worth: bigint) =>
    changedView(two, "generationCStaked", {
      "stakeC Distribution(pho)": fieldChanged("shares_per_point", u128.encode(worth))
    })

  it("of several tokens are named, those that are little too, and withdrawn together before anything is unbonded", () => {
    const view = two.view("twoPoolsStaked")
    assert.deepStrictEqual(held(two, "pool", view).rewards, [
      { token: named(two, "pho"), amount: 5_928_853n, claim: "withdraw_rewards" },
      { token: named(two, "usdc"), amount: 296_442n, claim: "withdraw_rewards" }
    ])
    const exit = leaving(two, "pool", view)
    assert.deepStrictEqual(names(exit), ["withdraw_rewards", "unbond", "unbond", "unbond", "withdraw_liquidity"])
    assert.deepStrictEqual(calls(exit)[0]?.payouts, [
      { token: named(two, "pho"), expected: 5_928_853n },
      { token: named(two, "usdc"), expected: 296_442n }
    ])
    assert.deepStrictEqual(names(leaving(two, "pool", view, { withoutRewards: true })), [
      "unbond",
      "unbond",
      "unbond",
      "withdraw_liquidity"
    ])
    // Less than a hundredth of a token is claimed like any other amount, unless it is not worth a call.
    assert.deepStrictEqual(held(two, "pool2", view).rewards, [{ token: named(two, "pho"), amount: 98_039n, claim: "withdraw_rewards" }])
    assert.deepStrictEqual(names(leaving(two, "pool2", view)), ["withdraw_rewards", "unbond", "withdraw_liquidity"])
    const judged = new Set(["withdraw_rewards"])
    assert.deepStrictEqual(names(leaving(two, "pool2", view, { claimsLeft: judged })), ["unbond", "withdraw_liquidity"])
    // What is due after a recent claim was distributed since, and unbonding gives it up.
    assert.deepStrictEqual(names(leaving(two, "pool2", view, { claimsMade: judged })), ["withdraw_rewards", "unbond", "withdraw_liquidity"])
  })

  it("of one token that is not due are paid out with the rest all the same: its line is needed", () => {
    const none = changedView(two, "twoPoolsStaked", { "stake RewardHistory(usdc)": () => map(u64, u128).encode([]) })
    assert.deepStrictEqual(held(two, "pool", none).rewards?.map(({ token }) => token), [named(two, "pho")])
    assert.deepStrictEqual(calls(leaving(two, "pool", none))[0]?.payouts.at(-1), { token: named(two, "usdc"), expected: 0n })
  })

  it("by points are what the entries say, and come with the first stake where they were not withdrawn before", () => {
    // 500,000 points, less 500,000 that were there before: with a worth of seven units a point 3,500,000 less a fraction.
    const view = point(7n << 32n)
    // The stake cannot be left without the rewards.
    assert.deepStrictEqual(held(two, "poolC", view).rewards, [
      { token: named(two, "pho"), amount: 3_499_999n, claim: "withdraw_rewards", comesAlong: true }
    ])
    const [first, second, third] = calls(leaving(two, "poolC", view))
    assert.deepStrictEqual([first?.function, first?.payouts, second?.payouts.length], [
      "withdraw_rewards",
      [{ token: named(two, "pho"), expected: 3_499_999n }],
      1
    ])
    assert.strictEqual(third?.function, "withdraw_liquidity")
    const [unbond] = calls(leaving(two, "poolC", view, { withoutRewards: true }))
    assert.deepStrictEqual(unbond?.payouts, [
      { token: named(two, "shareTokenC"), expected: 500_000_000n },
      { token: named(two, "pho"), expected: 3_499_999n }
    ])
    // It owes nothing: there is no payout, and no trustline is needed.
    assert.deepStrictEqual(calls(leaving(two, "poolC", point(1n)))[0]?.payouts.length, 1)
  })

  it("that cannot be made out are a finding, and so is a stake of other shares", () => {
    for (
      const view of [
        changedView(two, "generationCStaked", {
          "stakeC WithdrawAdjustment({\"asset\":\"pho\",\"user\":\"user\"})": fieldChanged("withdrawn_rewards", u128.encode(1n))
        }),
        changedView(two, "generationCStaked", {
          "stakeC CONFIG": fieldChanged("lp_token", contract.encode(named(two, "shareToken")))
        }),
        changedView(two, "generationCStaked", {
          "poolC CONFIG": fieldChanged("stake_contract", contract.encode(named(two, "stake")))
        }),
        two.view("generationCStaked", { "stakeC Distribution(pho)": null })
      ]
    ) {
      const [about] = decoded(two, view).unrecognized.map((item) => item.contract)
      assert.include([named(two, "poolC"), named(two, "stakeC")], about)
      const exit = leaving(two, "poolC", view)
      if (exit._tag === "Calls") assert.deepStrictEqual(names(exit), ["withdraw_liquidity"])
      else assert.strictEqual(exit._tag, "Refused")
    }
  })
})

describe("rows", () => {
  it("show what shares are worth in each token, when they were staked, and what is due for them together", () => {
    const { rows } = held(one, "pool", one.view("staked"))
    assert.deepStrictEqual(rows.map(({ display }) => [display?.asset, display?.amount, display?.detail]), [
      ["XLM/USDC", null, "Worth 415.5668546 XLM and 51.5764673 USDC."],
      [
        "XLM/USDC",
        null,
        "Worth 332.4534833 XLM and 41.2611738 USDC, staked since 2026-11-20T18:40:00Z. Rewards to withdraw for all stakes together: 0.4535931 PHO."
      ],
      [
        "XLM/USDC",
        null,
        "Worth 249.3401126 XLM and 30.9458804 USDC, staked since 2026-11-21T18:40:00Z. Rewards to withdraw for all stakes together: 0.4535931 PHO."
      ]
    ])
  })
})

describe("what others can give", () => {
  it("is a position of somebody who never bonded there", () => {
    const given = held(one, "pool", one.view("sharesOnly"))
    assert.isNotNull(given.givenUnder)
    assert.deepStrictEqual(given.shareToken, named(one, "shareToken"))
    assert.isUndefined(given.openedBefore)
    for (const state of ["staked", "firstUnbonded"]) assert.isNull(held(one, "pool", one.view(state)).givenUnder, state)
  })

  it("may be the shares of somebody who took every stake out, and is not where stakes cannot be read", () => {
    const unbonded = held(one, "pool", one.view("allUnbonded"))
    assert.deepStrictEqual([unbonded.givenUnder?.type, unbonded.openedBefore], ["contractData", true])
    const odd = changedView(one, "allUnbonded", { "stake user": () => u128.encode(1n) })
    assert.deepStrictEqual([held(one, "pool", odd).givenUnder, held(one, "pool", odd).openedBefore], [null, undefined])
  })
})
