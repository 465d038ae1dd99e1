import { assert, describe, it } from "@effect/vitest"
import { xdr } from "@stellar/stellar-sdk"
import { Schema } from "effect"
import { problemIn } from "../../../src/close/leaving/simulation/FailedCall.ts"
import { AccountAddress, ContractAddress } from "../../../src/domain/Address.ts"
import { authorizationProblem, type ContractCall } from "../../../src/operations/ContractCall.ts"
import type { CallProblem } from "../../../src/protocols/Exit.ts"
import { decodePlaces } from "../../../src/protocols/Place.ts"
import { u128, vec } from "../../../src/stellar/ScValCodec.ts"
import { ammLedgerBefore, ammLedgerOf } from "../../sandbox/contracts/Amm1Replay.ts"
import type { ReplayedCall } from "../../sandbox/contracts/CallReplay.ts"
import { amm1Of, contractNamed, foundOn, recordedAmm1, viewOver } from "../support/Amm1Ledger.ts"
import { exitIn, terms } from "../support/Leaving.ts"

/** The service's reaction to a recorded call: it builds the call, does not build it for this reason, or maps its failure to this. */
type Told =
  | { readonly _tag: "Built"; readonly withoutRewards: boolean }
  | { readonly _tag: "NotBuilt"; readonly why: string }
  | { readonly _tag: "Means"; readonly problem: CallProblem["_tag"] | "words of the host" }

const built: Told = { _tag: "Built", withoutRewards: false }
const builtWithoutRewards: Told = { _tag: "Built", withoutRewards: true }
const notBuilt = (why: string): Told => ({ _tag: "NotBuilt", why })
const means = (problem: CallProblem["_tag"] | "words of the host"): Told => ({ _tag: "Means", problem })

const whole = notBuilt("a position is left as a whole")
const ownCalls = notBuilt("the account calls for itself")

const files: Readonly<Record<string, Readonly<Record<string, Told>>>> = {
  amm_1: {
    "claim in the ledger of the deposit (dry)": notBuilt("nothing has been earned"),
    "withdraw in the ledger of the deposit (dry)": built,
    "withdraw: first minimum one above the payout": means("Changed"),
    "withdraw: one share too much": means("Changed"),
    "withdraw: one minimum missing": means("Changed"),
    "withdraw: zero shares (accepted, pays nothing)": whole,
    "withdraw: i128 where u128 is wanted": means("words of the host"),
    "withdraw: two arguments": means("words of the host"),
    "claim without an AQUA trustline": means("CannotReceive"),
    "withdraw without a USDC trustline": means("CannotReceive"),
    "withdraw before claim (dry)": built,
    "claim with somebody else as source (no authorisation is asked)": built,
    "router withdraw (dry): the alternative with a deeper authorisation": notBuilt("it asks to authorise more than the pool does"),
    "transfer of share tokens (dry): checkpoints rewards in the pool": notBuilt("shares are not given away"),
    "exit 1: claim": built,
    "exit 1b: gauges_claim": built,
    "exit 2: withdraw everything, minimums exactly the payout": built,
    "withdraw again": means("Changed"),
    "claim with nothing left": notBuilt("nothing is left")
  },
  amm_1_stable: {
    "stable withdraw: second minimum one above the payout": means("Changed"),
    "stable withdraw: one share too much": means("Changed"),
    "stable withdraw_one_coin (dry)": notBuilt("all tokens are taken out in proportion"),
    "stable claim without rewards configured (dry)": notBuilt("nothing is earned here"),
    "stable exit: withdraw everything": built
  },
  amm_1_concentrated: {
    "withdraw_position: more liquidity than held": means("Changed"),
    "withdraw_position: range that does not exist": means("Changed"),
    "withdraw_position: minimum too high": means("Changed"),
    "withdraw_position: zero amount": means("Changed"),
    "withdraw (full range only): the user has no full range position": means("Changed"),
    "claim by somebody else for the user (dry)": ownCalls,
    "claim_all_position_fees (dry)": notBuilt("fees come with the withdrawal of each range"),
    "concentrated exit 1: claim": built,
    "concentrated exit 2: withdraw the first range": built,
    "concentrated exit 3: withdraw the second range": built
  },
  amm_1_more: {
    "three coins: two minimums only": means("Changed"),
    "three coins: third minimum one above the payout": means("Changed"),
    "three coins: remove_liquidity_imbalance (dry)": notBuilt("all tokens are taken out in proportion"),
    "three coins: withdraw with somebody else as source, the user signs (dry)": ownCalls,
    "claim while claims are switched off": means("Unavailable"),
    "withdraw_one_coin while swaps are switched off": means("words of the host"),
    "exit 1: withdraw everything while claims are switched off (rewards stay behind)": builtWithoutRewards,
    "exit 2: claim after everything was withdrawn": built,
    "gauges_claim while that is switched off": means("Unavailable"),
    "gauges_claim without a trustline of the gauge token": means("CannotReceive"),
    "exit 3: cpPool withdraw without claiming before": built,
    "exit 4: gauges_claim after the withdrawal": built,
    "exit 5: claim after the withdrawal": built,
    "gauges_claim on a pool without gauges (dry)": notBuilt("there are no gauges"),
    "cpPool2 withdraw with a USDC trustline that may only keep what it has": means("CannotReceive"),
    "exit 6: cpPool2 withdraw": built,
    "concentrated: withdraw_position of the range below without a USDC trustline": means("CannotReceive"),
    "concentrated: withdraw_position of one unit of liquidity pays nothing and is accepted (dry)": whole,
    "exit 7: concentrated claim": built,
    "exit 8: withdraw_position of the range below the price": notBuilt("the first range is left first"),
    "withdraw of a part of the full range position (dry)": whole,
    "exit 9: withdraw of the whole full range position": notBuilt("withdraw_position of the same range does the same")
  }
}

const scVal = (text: string): xdr.ScVal => xdr.ScVal.fromXdr(text, "base64")
const texts = (args: ReadonlyArray<xdr.ScVal>): ReadonlyArray<string> => args.map((arg) => arg.toXdr("base64"))
const amounts = vec(u128)

/** The arguments without the minimums of a withdrawal. */
const withoutFloors = (call: Pick<ContractCall, "function">, args: ReadonlyArray<string>): ReadonlyArray<string> =>
  call.function.startsWith("withdraw") ? args.slice(0, -1) : args

for (const [file, told] of Object.entries(files)) {
  const recording = recordedAmm1(file)
  const user = Schema.decodeUnknownSync(AccountAddress)(recording.user)

  /** The next calls for the holdings in a contract when a call was recorded; for a claim, which comes last, that claim. */
  const nextCalls = (call: ReplayedCall, withoutRewards: boolean): ReadonlyArray<ContractCall> => {
    const view = viewOver(recording, ammLedgerBefore(recording, call))
    const protocol = foundOn(amm1Of(recording), view)
    return decodePlaces(protocol.places, user, view).positions.flatMap((position) => {
      const exit = exitIn(protocol, position, { user, view, ...terms(view), spendable: () => 0n, withoutRewards })
      if (exit._tag !== "Calls" || exit.calls[0].contract !== call.contract) return []
      return [exit.calls.find((each) => each.claimsOnly === true && each.function === call.function) ?? exit.calls[0]]
    })
  }

  describe(`${file}: recorded calls`, () => {
    it("are all told apart", () => {
      assert.deepStrictEqual(recording.calls.map(({ name }) => name), Object.keys(told))
      assert.deepStrictEqual(
        recording.calls.filter(({ ok }) => !ok).map(({ name }) => name),
        Object.keys(told).filter((name) => told[name]?._tag === "Means")
      )
    })

    for (const call of recording.calls) {
      const one = told[call.name]
      if (one?._tag === "Built") {
        it(`${call.name}: is built, with floors below what it pays, and asks to authorise no more than is declared`, () => {
          const [next, ...others] = nextCalls(call, one.withoutRewards)
          assert.isEmpty(others)
          assert(next !== undefined, "nothing is built")
          assert.strictEqual(next.function, call.function)
          assert.deepStrictEqual(withoutFloors(next, texts(next.args)), withoutFloors(next, call.args))
          const auth = (call.auth ?? []).map((text) => xdr.SorobanAuthorizationEntry.fromXdr(text, "base64"))
          assert.isNull(authorizationProblem({ ...next, args: call.args.map(scVal) }, user, auth))
          const result = scVal(call.result ?? "")
          if (!next.function.startsWith("withdraw")) return
          const paid = amounts.decode(result)
          const floors = amounts.decode(next.args.at(-1) ?? result)
          assert(paid._tag === "Right" && floors._tag === "Right")
          // Half a per cent less than the exact payout, and never zero where anything is paid.
          assert.deepStrictEqual(floors.right, paid.right.map((amount) => (amount * 9_950n) / 10_000n))
          assert.deepStrictEqual(next.payouts.map(({ expected }) => expected), paid.right.filter((amount) => amount > 0n))
        })
      }
      if (one !== undefined && one._tag !== "Built") {
        it(`${call.name}: is not built`, () => {
          for (const withoutRewards of [false, true]) {
            for (const next of nextCalls(call, withoutRewards)) {
              // A call for another account, or to one that cannot receive, has the same arguments.
              if (one === ownCalls || (one._tag === "Means" && one.problem === "CannotReceive")) continue
              if (one._tag === "Means" && one.problem === "Unavailable") assert.notStrictEqual(next.function, call.function)
              assert.notDeepEqual([next.function, ...texts(next.args)], [call.function, ...call.args])
            }
          }
        })
      }
      if (one?._tag === "Means") {
        it(`${call.name}: means ${one.problem}`, () => {
          const failed: ContractCall = {
            contract: ContractAddress.make(call.contract),
            function: call.function,
            args: [],
            payouts: [],
            holds: [],
            subCalls: [],
            recipients: []
          }
          assert.strictEqual(
            problemIn(amm1Of(recording), failed, `HostError: ${call.errorCode ?? ""}\n\nEvent log`)?._tag ?? "words of the host",
            one.problem
          )
        })
      }
    }
  })

  describe(`${file}: recorded states`, () => {
    for (const state of Object.keys(recording.states)) {
      it(state, () => {
        const view = viewOver(recording, ammLedgerOf(recording, state))
        const protocol = foundOn(amm1Of(recording), view)
        const decoded = decodePlaces(protocol.places, user, view)
        assert.isEmpty(decoded.further)
        assert.isEmpty(decoded.unrecognized)
        const facts = recording.states[state]?.expected ?? {}
        for (const pool of ["cpPool", "cpPool2", "stablePool", "stable3", "clPool"]) {
          if (facts[`${pool}.get_user_shares`] === undefined) continue
          const valueOf = (name: string) => BigInt(String(recording.valueOf(state, `${pool}.${name}`)))
          const [shares, reward] = [valueOf("get_user_shares"), valueOf("get_user_reward")]
          const held = decoded.positions.find(({ contract }) => contract === contractNamed(recording, pool))
          const rows = (held?.rows ?? []).flatMap((row) => (row.protocol === "amm_1" && "poolType" in row ? [row] : []))
          assert.strictEqual(rows.reduce((sum, { shareAmount }) => sum + BigInt(shareAmount), 0n), shares, pool)
          assert.strictEqual(BigInt(rows[0]?.claimableRewardAmount ?? "0"), reward, pool)
          assert.strictEqual(held !== undefined, shares > 0n || reward > 0n || (held?.rewards ?? []).length > 0, pool)
          if (rows[0] === undefined) continue
          assert.strictEqual(rows[0].poolType, recording.valueOf(state, `${pool}.pool_type`))
          assert.deepStrictEqual([...(rows[0].tokens ?? [])], recording.valueOf(state, `${pool}.get_tokens`))
          assert(held !== undefined)
          const exit = exitIn(protocol, held, { user, view, ...terms(view), spendable: () => 0n, withoutRewards: true })
          const withdrawals = exit._tag === "Calls" ? exit.calls : []
          for (const { args: [, lower, upper], payouts } of withdrawals) {
            if (lower?.type !== "scvI32" || upper?.type !== "scvI32") continue
            const worth = recording.valueOf(state, `${pool}.estimateWithdraw(user,${lower.i32},${upper.i32})`)
            // The widest range has no recorded estimate, but a recorded withdrawal.
            if (worth === undefined) continue
            assert(Array.isArray(worth))
            assert.deepStrictEqual(payouts.map(({ expected }) => `${expected}`), worth.filter((amount) => amount !== "0"), pool)
          }
          if (rows[0].poolType !== "concentrated") {
            const worth = recording.valueOf(state, pool === "cpPool" && file === "amm_1" ? "fullWithdrawal" : `${pool}.fullWithdrawal`)
            if (worth !== undefined) assert.deepStrictEqual(withdrawals[0]?.payouts.map(({ expected }) => `${expected}`), worth, pool)
            assert.strictEqual(rows[0].shareToken, contractNamed(recording, `${pool}Share`))
          }
        }
      })
    }
  })
}
