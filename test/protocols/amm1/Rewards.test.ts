import { assert, describe, it } from "@effect/vitest"
import { xdr } from "@stellar/stellar-sdk"
import { AccountAddress, type ContractAddress } from "../../../src/domain/Address.ts"
import type { LedgerState } from "../../../src/ledger/LedgerState.ts"
import { addressOf, bool, i128, u64 } from "../../../src/ledger/soroban/Values.ts"
import * as Keys from "../../../src/protocols/amm1/Keys.ts"
import type { Exit, ExitContext } from "../../../src/protocols/Exit.ts"
import type { Decoded } from "../../../src/protocols/HeldPosition.ts"
import type { GetterState, LedgerView } from "../../../src/protocols/kit/LedgerView.ts"
import { decodePlaces } from "../../../src/protocols/Place.ts"
import { WasmHash } from "../../../src/registry/ContractAddresses.ts"
import { rewardConfigVal } from "../../../src/sandbox/contracts/Amm1.ts"
import { sharePoolKeys } from "../../../src/sandbox/contracts/amm1/PoolKeys.ts"
import { rewardKeys } from "../../../src/sandbox/contracts/amm1/RewardKeys.ts"
import { dataEntries } from "../../../src/sandbox/contracts/Deployment.ts"
import { tokenBalanceKey } from "../../../src/sandbox/contracts/Token.ts"
import { withInstanceValues } from "../../../src/sandbox/scenarios/Amm1Entries.ts"
import { contractDataKey } from "../../../src/stellar/ContractKeys.ts"
import { ammLedgerOf } from "../../sandbox/contracts/Amm1Replay.ts"
import { amm1Of, codeIn, contractNamed, foundOn, recordedAmm1, viewOver } from "../support/Amm1Ledger.ts"
import { exitIn, terms } from "../support/Leaving.ts"

const recording = recordedAmm1("amm_1")
const user = AccountAddress.make(recording.user)
const pool = contractNamed(recording, "cpPool")
const rewarded = ammLedgerOf(recording, "cpRewarded")
const found = foundOn(amm1Of(recording), viewOver(recording, rewarded))
const unknown = [WasmHash.make("0".repeat(64))] as const

const read = (view: LedgerView, protocol = found): Decoded => decodePlaces(protocol.places, user, view)

const leave = (view: LedgerView, decided: Partial<Pick<ExitContext, "claimsLeft" | "withoutRewards">> = {}, protocol = found): Exit =>
  exitIn(protocol, { contract: pool, key: "shares" }, {
    user,
    view,
    ...terms(view),
    spendable: () => 0n,
    withoutRewards: false,
    ...decided
  })

const declined = { withoutRewards: true } as const

/** The functions of an exit's calls, or the reason for none. */
const told = (exit: Exit): ReadonlyArray<string> => {
  if (exit._tag === "Calls") return exit.calls.map((call) => call.function)
  return exit._tag === "Refused" ? [exit.refusal._tag] : [exit._tag]
}

/** A ledger's view with other results of these getters. */
const answering = (view: LedgerView, but: Readonly<Record<string, GetterState>>): LedgerView => ({
  ...view,
  answer: (getter) => but[getter.function] ?? view.answer(getter)
})

const failed: GetterState = { _tag: "Failed", reason: "no source could be queried" }

const changed = (change: (storage: Map<string, xdr.ScVal>) => void): LedgerState => withInstanceValues(rewarded, addressOf(pool), change)

const set = (key: xdr.ScVal, value: xdr.ScVal) => (storage: Map<string, xdr.ScVal>): void => {
  storage.set(key.toXdr("base64"), value)
}

const over = (state: LedgerState): LedgerView => viewOver(recording, state)

const whole = over(rewarded)

describe("what a pool owes", () => {
  it("is told apart by who pays it, and claimed once the shares are taken out", () => {
    const [position] = read(whole).positions
    assert.deepStrictEqual(position?.rewards?.map(({ amount, claim }) => [amount, claim]), [[7_128_712n, "claim"], [
      712_871n,
      "gauges_claim"
    ]])
    assert.isUndefined(position?.rewardsUnread)
    assert.deepStrictEqual(told(leave(whole)), ["withdraw", "claim", "gauges_claim"])
    assert.deepStrictEqual(told(leave(whole, declined)), ["withdraw"])
  })

  it.each([
    ["get_user_reward", "gauges_claim"],
    ["gauges_get_reward_info", "claim"]
  ])("is never taken for nothing where %s is not answered, and giving that up still makes %s", (getter, claimed) => {
    const view = answering(whole, { [getter]: failed })
    const [position] = read(view).positions
    assert.isTrue(position?.rewardsUnread)
    assert.deepStrictEqual(told(leave(view)), ["RewardsUnread"])
    assert.deepStrictEqual(told(leave(view, declined)), ["withdraw", claimed])
  })

  it("is not asked of a pool that never gave any, and has no gauges", () => {
    const stable = recordedAmm1("amm_1_stable")
    const view = answering(viewOver(stable, ammLedgerOf(stable, "stableDeposited")), {
      get_user_reward: failed,
      gauges_get_reward_info: failed
    })
    const protocol = foundOn(amm1Of(stable), view)
    const [position] = decodePlaces(protocol.places, AccountAddress.make(stable.user), view).positions
    assert.isDefined(position)
    assert.isUndefined(position?.rewardsUnread)
    assert.isUndefined(position?.rewards)
  })

  it("of one gauge alone that says nothing of itself is unread", () => {
    const view = answering(whole, { gauges_get_reward_info: { _tag: "Returned", value: xdr.ScVal.scvMap([]) } })
    assert.deepStrictEqual(told(leave(view)), ["RewardsUnread"])
    assert.deepStrictEqual(told(leave(view, declined)), ["withdraw", "claim"])
  })

  it("stops the exit where its claim is switched off, and holds up nothing else", () => {
    const view = answering(over(changed(set(sharePoolKeys.claimKilled, bool(true)))), {})
    const [own, ofGauge] = read(view).positions[0]?.rewards ?? []
    assert.match(own?.heldUp ?? "", /switched off/)
    assert.isUndefined(ofGauge?.heldUp)
    assert.deepStrictEqual(told(leave(view)), ["Unavailable"])
    // Only the rewards that cannot be claimed are given up.
    assert.deepStrictEqual(told(leave(view, declined)), ["withdraw", "gauges_claim"])
  })

  it("of gauges stops the exit likewise, and the pool's own is claimed all the same", () => {
    const view = over(changed(set(rewardKeys.gaugesKilled, bool(true))))
    assert.deepStrictEqual(told(leave(view)), ["Unavailable"])
    assert.deepStrictEqual(told(leave(view, declined)), ["withdraw", "claim"])
  })

  it("of a gauge with unknown code is not claimed", () => {
    const protocol = foundOn(amm1Of(recording, { code: { ...codeIn(recording), rewardsGauge: unknown } }), whole)
    const exit = leave(whole, {}, protocol)
    assert(exit._tag === "Refused" && exit.refusal._tag === "Unavailable")
    assert.include(exit.refusal.reason, contractNamed(recording, "gauge"))
    assert.deepStrictEqual(told(leave(whole, declined, protocol)), ["withdraw", "claim"])
  })

  describe("while more comes in", () => {
    /** The recorded pool with this emission per second, until this many seconds from now, and this debt. */
    const earning = (tps: bigint, seconds: bigint, owed: bigint): LedgerView =>
      answering(over(changed(set(rewardKeys.config, rewardConfigVal({ tps, expiredAt: rewarded.header.closeTime + seconds })))), {
        get_user_reward: { _tag: "Returned", value: u128Of(owed) }
      })

    it("is claimed once and last, however fast it comes in, and whether or not it has ended", () => {
      for (const [tps, seconds] of [[1_000_000n, 10_000n], [100_000n, 0n], [10_000_000n, 4n]] as const) {
        const view = earning(tps, seconds, 7_128_712n)
        const exit = leave(view)
        assert.deepStrictEqual(told(exit), ["withdraw", "claim", "gauges_claim"])
        assert(exit._tag === "Calls")
        assert.deepStrictEqual(exit.calls.slice(1).map(({ payouts: [paid] }) => paid?.expected), [7_128_712n, 712_871n])
        assert.deepStrictEqual(told(leave(view, declined)), ["withdraw"])
      }
    })

    it("is told with what comes in within an hour", () => {
      // The user has one part in a hundred and one of the recorded supply.
      const hourly = (tps: bigint, seconds: bigint) => read(earning(tps, seconds, 1n)).positions[0]?.rewards?.[0]?.hourly
      assert.deepStrictEqual([hourly(1_000_000n, 10_000n), hourly(1_000_000n, 4n), hourly(1_000_000n, 0n)], [35_643_564n, 39_603n, 0n])
    })

    it("is told however little it is, and claimed unless that was found to be worth no call", () => {
      const view = earning(0n, 0n, 1n)
      assert.deepStrictEqual(read(view).positions[0]?.rewards?.map(({ amount, claim }) => [amount, claim]), [
        [1n, "claim"],
        [712_871n, "gauges_claim"]
      ])
      assert.deepStrictEqual(told(leave(view)), ["withdraw", "claim", "gauges_claim"])
      assert.deepStrictEqual(told(leave(view, { claimsLeft: new Set(["claim"]) })), ["withdraw", "gauges_claim"])
      assert.deepStrictEqual(told(leave(view, { claimsLeft: new Set(["claim", "gauges_claim"]) })), ["withdraw"])
    })

    it("stops the exit where it cannot be claimed, however fast more comes in", () => {
      const view = answering(
        over(changed((storage) => {
          set(rewardKeys.config, rewardConfigVal({ tps: 1_000_000_000n, expiredAt: rewarded.header.closeTime + 10_000n }))(storage)
          set(sharePoolKeys.claimKilled, bool(true))(storage)
        })),
        {}
      )
      assert.deepStrictEqual(told(leave(view)), ["Unavailable"])
      assert.deepStrictEqual(told(leave(view, declined)), ["withdraw", "gauges_claim"])
    })
  })

  it("is a position of its own once the shares are gone", () => {
    const share = addressOf(contractNamed(recording, "cpPoolShare"))
    const none = rewarded.set(dataEntries(share, [tokenBalanceKey(addressOf(user)), i128(0n)], "persistent", 70_000_000))
    const [position] = read(over(none)).positions
    assert.strictEqual(
      position?.rows[0]?.protocol === "amm_1" && "shareAmount" in position.rows[0] ? position.rows[0].shareAmount : "",
      "0"
    )
    assert.isNull(position?.givenUnder)
    assert.deepStrictEqual(told(leave(over(none))), ["claim", "gauges_claim"])
    assert.deepStrictEqual(told(leave(over(none), declined)), ["Gone"])
    // Nothing is left, and no getter can report more.
    const silent = answering(over(none), { get_user_reward: failed, gauges_get_reward_info: failed })
    assert.deepStrictEqual(told(leave(silent)), ["RewardsUnread"])
  })
})

const u128Of = (value: bigint): xdr.ScVal => xdr.ScVal.scvU128(new xdr.Uint128Parts({ hi: 0n, lo: value }))

describe("code that is not known", () => {
  it.each(["constantProductPool", "shareToken"] as const)(
    "of the %s stops who holds shares, and nobody else",
    (kind) => {
      const protocol = foundOn(amm1Of(recording, { code: { ...codeIn(recording), [kind]: unknown } }), whole)
      const decoded = read(whole, protocol)
      assert.isEmpty(decoded.positions)
      assert.deepStrictEqual(decoded.unrecognized.map(({ contract }) => contract), [pool])
      const exit = leave(whole, {}, protocol)
      assert(exit._tag === "Refused" && exit.refusal._tag === "UnknownCode")
      assert.strictEqual(exit.refusal.contract, contractNamed(recording, kind === "shareToken" ? "cpPoolShare" : "cpPool"))
      for (const state of ["cpNone", "cpEmptied"]) {
        const decoded = read(over(ammLedgerOf(recording, state)), protocol)
        assert.deepStrictEqual([decoded.positions, decoded.unrecognized, decoded.further], [[], [], []])
      }
    }
  )
})

describe("code that was changed once the shares were withdrawn", () => {
  const more = recordedAmm1("amm_1_more")
  const [cpPool, gauge] = [contractNamed(more, "cpPool"), contractNamed(more, "gauge")]
  const owner = AccountAddress.make(more.user)

  /** The unrecognised contracts with these amounts recorded as owed; null: as in the recording. */
  const unrecognized = (state: string, noted: { readonly pool: bigint | null; readonly gauge: bigint | null }) => {
    const ledger = ammLedgerOf(more, state)
    const noting = (contract: ContractAddress, amount: bigint | null) => {
      const entry = ledger.get(contractDataKey(contract, Keys.userReward(owner)))
      if (amount === null || entry?.data.type !== "contractData") return []
      const fields = (entry.data.contractData.val.type === "scvMap" ? entry.data.contractData.val.map : null) ?? []
      const val = xdr.ScVal.scvMap(
        fields.map(({ key: name, val: value }) =>
          new xdr.ScMapEntry({ key: name, val: name.type === "scvSymbol" && name.sym.toString() === "to_claim" ? u128Of(amount) : value })
        )
      )
      const data = new xdr.ContractDataEntry({ ...entry.data.contractData, val })
      return [new xdr.LedgerEntry({ ...entry, data: xdr.LedgerEntryData.contractData(data) })]
    }
    const view = viewOver(more, ledger.set([...noting(cpPool, noted.pool), ...noting(gauge, noted.gauge)]))
    const protocol = foundOn(amm1Of(more, { code: { ...codeIn(more), constantProductPool: unknown } }), view)
    return decodePlaces(protocol.places, owner, view).unrecognized.map(({ contract }) => contract)
  }

  it("stops who is owed rewards that the pool or a gauge noted, though no shares are left", () => {
    assert.include(unrecognized("cpRewardsLeft", { pool: null, gauge: null }), cpPool)
    assert.include(unrecognized("cpRewardsLeft", { pool: 0n, gauge: 1n }), cpPool)
    assert.include(unrecognized("cpRewardsLeft", { pool: 1n, gauge: 0n }), cpPool)
    assert.notInclude(unrecognized("cpRewardsLeft", { pool: 0n, gauge: 0n }), cpPool)
    assert.isEmpty(unrecognized("allEmptied", { pool: null, gauge: null }))
  })
})

describe("numbers that cannot be", () => {
  it("of shares beyond all there are, or another token for them, are not believed", () => {
    const few = read(over(changed(set(sharePoolKeys.totalShares, u128Of(1n)))))
    assert.isEmpty(few.positions)
    assert.lengthOf(few.unrecognized, 1)
    const other = read(over(changed(set(sharePoolKeys.share, xdr.ScVal.scvAddress(addressOf(contractNamed(recording, "xlm")))))))
    assert.isEmpty(other.positions)
    assert.lengthOf(other.unrecognized, 1)
    const odd = read(over(changed(set(sharePoolKeys.totalShares, u64(1n)))))
    assert.lengthOf(odd.unrecognized, 1)
  })
})
