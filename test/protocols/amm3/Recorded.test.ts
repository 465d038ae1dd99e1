import { assert, describe, it } from "@effect/vitest"
import type { xdr } from "@stellar/stellar-sdk"
import { problemIn } from "../../../src/close/leaving/simulation/FailedCall.ts"
import type { ContractAddress } from "../../../src/domain/Address.ts"
import { authorizationProblem } from "../../../src/operations/ContractCall.ts"
import type { ContractCall } from "../../../src/operations/ContractCall.ts"
import type { CallProblem } from "../../../src/protocols/Exit.ts"
import type { HeldPosition } from "../../../src/protocols/HeldPosition.ts"
import type { LedgerView } from "../../../src/protocols/kit/LedgerView.ts"
import { decodePlaces } from "../../../src/protocols/Place.ts"
import { amm3Over, scValOf } from "../support/Amm3Ledgers.ts"
import { exitIn, terms } from "../support/Leaving.ts"
import { amount, authOf, recorded } from "../support/Recorded.ts"
import type { RecordedCall } from "../support/Recorded.ts"

/** A call that the service builds for its recorded ledger. */
interface Built {
  /** The indexes of arguments that differ, with the reason; all others are equal byte for byte. */
  readonly but?: readonly [places: ReadonlyArray<number>, why: string]
  /** Rewards are not claimed before it. */
  readonly withoutRewards?: boolean
  /** Calls between the recorded state and this one. */
  readonly after?: ReadonlyArray<string>
}

/** The service's reaction to a recorded call: it builds the call, does not build it for this reason, or maps its failure to this. */
type Told =
  | { readonly _tag: "Built" } & Built
  | { readonly _tag: "NotBuilt"; readonly why: string }
  | { readonly _tag: "Means"; readonly problem: CallProblem["_tag"] | "words of the host" }

const built = (how: Built = {}): Told => ({ _tag: "Built", ...how })
const notBuilt = (why: string): Told => ({ _tag: "NotBuilt", why })
const means = (problem: CallProblem["_tag"] | "words of the host"): Told => ({ _tag: "Means", problem })

const scene = notBuilt("it sets the scene")
const floors: Built = { but: [[2, 3, 4], "least amounts below what is expected, and the envelope's deadline"] }
const stillStaked = notBuilt("what is staked is unbonded first, by itself")

const first = "exit 1: withdraw_rewards"
const unbonded = [
  "first pool exit 1: withdraw_rewards (two tokens)",
  "first pool exit 2: unbond stake 1 of 3",
  "first pool exit 3: unbond stake 2 of 3",
  "first pool exit 4: unbond stake 3 of 3"
]
const sixUnbonded = "six argument generation exit 1: unbond"
const cUnbonded = "generation C exit 2: unbond"

const files: Readonly<Record<string, Readonly<Record<string, Told>>>> = {
  amm_3: {
    "bond first part": scene,
    "bond second part": scene,
    "unbond with a timestamp one second off": means("Changed"),
    "unbond a part of a stake": means("Changed"),
    "unbond amount of one stake with the timestamp of the other": means("Changed"),
    "unbond with timestamp as u128": means("words of the host"),
    "withdraw_liquidity of free plus staked shares (staked ones are not in the balance)": means("words of the host"),
    "withdraw_rewards without a PHO trustline": means("CannotReceive"),
    [first]: built(),
    "exit 2: unbond first stake": built(),
    "exit 3: unbond second stake": built(),
    "unbond again": means("Changed"),
    "withdraw_liquidity: min_a one above the payout": means("Changed"),
    "withdraw_liquidity: both minimums zero": means("words of the host"),
    "withdraw_liquidity: min_a zero, min_b one": means("words of the host"),
    "withdraw_liquidity: deadline in the past": means("Changed"),
    "withdraw_liquidity: deadline equal to the ledger time": built(floors),
    "withdraw_liquidity: six arguments on a five argument pool": means("words of the host"),
    "withdraw_liquidity: min_a as void": means("words of the host"),
    "withdraw_liquidity: negative minimum": means("words of the host"),
    "exit 4: withdraw_liquidity, minimums exactly the payout, deadline given": built(floors),
    "withdraw_rewards with nothing staked": notBuilt("nothing is left"),
    "six argument generation: bond half": scene,
    "six argument generation: five arguments given": means("words of the host"),
    "six argument generation: both minimums zero": stillStaked,
    "six argument generation: minimum too high": means("Changed"),
    "six argument generation: deadline in the past": means("Changed"),
    "six argument generation: withdraw everything with auto_unstake of the stake (dry)": stillStaked,
    [sixUnbonded]: built(),
    "six argument generation exit 2: withdraw all, auto_unstake void": built({ ...floors, after: [sixUnbonded] })
  },
  amm_3_more: {
    "unbond without a trustline of the reward token (rewards unclaimed)": built({ withoutRewards: true }),
    "withdraw_rewards without a trustline of one of two reward tokens": means("CannotReceive"),
    "withdraw_liquidity without a USDC trustline": means("CannotReceive"),
    "withdraw_rewards by somebody else for the user (dry)": built(),
    "unbond with somebody else as source, the user signs (dry)": notBuilt("rewards are withdrawn first"),
    "withdraw_liquidity with somebody else as source, the user signs (dry)": stillStaked,
    "second pool exit 1: unbond before the rewards are claimed": built({ withoutRewards: true }),
    "second pool exit 2: withdraw_rewards after the unbond": notBuilt("nothing is due any more"),
    "second pool exit 3: withdraw_liquidity": built({ ...floors, after: ["second pool exit 2: withdraw_rewards after the unbond"] }),
    "first pool exit 1: withdraw_rewards (two tokens)": built(),
    "first pool exit 2: unbond stake 1 of 3": built({ after: unbonded.slice(0, 1) }),
    "first pool exit 3: unbond stake 2 of 3": built({ after: unbonded.slice(0, 2) }),
    "first pool exit 4: unbond stake 3 of 3": built({ after: unbonded.slice(0, 3) }),
    "first pool exit 5: withdraw_liquidity, minimums exactly the payout": built({ ...floors, after: unbonded }),
    "a share or two left: withdraw_liquidity of zero shares": means("words of the host"),
    "generation C: bond half": scene,
    "generation C exit 1: withdraw_rewards": notBuilt("nothing is due"),
    "generation C: unbond with a wrong timestamp": means("Changed"),
    "generation C: five arguments": means("words of the host"),
    "generation C: minimum too high": means("Changed"),
    "generation C: withdraw_liquidity of everything with auto_unstake (dry)": stillStaked,
    [cUnbonded]: built(),
    "generation C exit 3: withdraw_liquidity, auto_unstake void": built({ ...floors, after: [cUnbonded] })
  }
}

const texts = (args: ReadonlyArray<xdr.ScVal>) => args.map((arg) => arg.toXdr("base64"))

/** A missing entry is no fault of a call. */
const plainCall = (call: RecordedCall): ContractCall => ({
  contract: call.contract,
  function: call.function,
  args: [],
  payouts: [],
  holds: [],
  subCalls: [],
  recipients: []
})

for (const [file, told] of Object.entries(files)) {
  const recording = recorded(file)
  const { protocol } = amm3Over(recording)

  const positionsIn = (view: LedgerView): ReadonlyArray<HeldPosition> => decodePlaces(protocol.places, recording.user, view).positions

  /** The next calls on the contracts of a recorded call. */
  const nextCalls = (call: RecordedCall, { after = [], withoutRewards = false }: Built): ReadonlyArray<ContractCall> => {
    const view = recording.viewAt(call, after)
    return positionsIn(view).flatMap((position) => {
      const exit = exitIn(protocol, position, { user: recording.user, view, ...terms(view), spendable: () => 0n, withoutRewards })
      return exit._tag === "Calls" && exit.calls[0].contract === call.contract ? [exit.calls[0]] : []
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
      if (one === undefined) continue

      if (one._tag === "Built") {
        it(`${call.name}: is built${one.but === undefined ? " byte for byte" : `, but for ${one.but[1]}`}, and asks to authorise no more than is declared`, () => {
          const [next, ...others] = nextCalls(call, one)
          assert.isEmpty(others)
          assert(next !== undefined, "nothing is built")
          assert.strictEqual(next.function, call.function)
          const chosen = (args: ReadonlyArray<string>) => args.filter((_, place) => one.but?.[0].includes(place) !== true)
          assert.deepStrictEqual(chosen(texts(next.args)), chosen(call.args))
          assert.strictEqual(next.args.length, call.args.length)
          assert.isNull(authorizationProblem({ ...next, args: call.args.map(scValOf) }, recording.user, authOf(call)))
        })
      }

      if (one._tag !== "Built" && call.stateExact) {
        it(`${call.name}: is not built`, () => {
          for (const next of nextCalls(call, {})) {
            assert.notDeepEqual([next.function, ...texts(next.args)], [call.function, ...call.args])
          }
        })
      }

      if (one._tag === "Means") {
        it(`${call.name}: means ${one.problem}`, () => {
          assert.strictEqual(
            problemIn(protocol, plainCall(call), `HostError: ${call.errorCode ?? ""}\n\nEvent log`)?._tag ?? "words of the host",
            one.problem
          )
        })
      }
    }
  })

  describe(`${file}: recorded states`, () => {
    const named = (name: string): ContractAddress => recording.contract(name)
    const suffixes = ["", "2", "6args", "C"].filter((suffix) => recording.contracts[`pool${suffix}`] !== undefined)

    for (const [state, { expected }] of Object.entries(recording.states)) {
      it(`${state}: is decoded as the contracts' own getters tell it`, () => {
        const view = recording.view(state)
        const positions = positionsIn(view)
        let compared = 0
        for (const suffix of suffixes) {
          const [pool, token, stake] = [`pool${suffix}`, `shareToken${suffix}`, `stake${suffix}`]
          const balance = expected[`${token}.balance(user)`]
          const staked = expected[`${stake}.staked(user)`]?.value as { readonly stakes: ReadonlyArray<Record<string, string>> } | undefined
          if (balance === undefined || staked === undefined) continue
          compared++
          const position = positions.find(({ contract }) => contract === named(pool))
          const shares = amount(balance.value)
          if (shares === 0n && staked.stakes.length === 0) {
            assert.isUndefined(position, pool)
            continue
          }
          assert(position !== undefined, pool)
          // A verifier proves the address of the pool by its tokens.
          for (const row of position.rows) assert.deepStrictEqual("tokens" in row ? row.tokens : undefined, position.pays)
          assert.deepStrictEqual(
            position.rows.map((row) =>
              row.positionType === "stake"
                ? [row.contractAddress, row.stakedAmount, row.stakedAtEpoch]
                : [row.contractAddress, "shareAmount" in row ? row.shareAmount : ""]
            ),
            [
              ...(shares === 0n ? [] : [[named(pool), shares.toString()]]),
              ...staked.stakes.map((one) => [named(stake), one["stake"], one["stake_timestamp"]])
            ]
          )
          const rewards = expected[`${stake}.withdrawableRewards(user)`]?.value as
            | { readonly rewards: ReadonlyArray<Record<string, string>> }
            | undefined
          assert.deepStrictEqual(
            position.rewards?.map((reward) => [reward.token, reward.amount.toString()]),
            (rewards?.rewards ?? []).filter((one) => one["reward_amount"] !== "0").map((
              one
            ) => [one["reward_address"], one["reward_amount"]])
          )
          const withdrawal = (expected[suffix === "" && file === "amm_3" ? "fullWithdrawal" : `${pool}.fullWithdrawal`]?.value ?? null) as
            | ReadonlyArray<string>
            | null
          if (withdrawal !== null && staked.stakes.length === 0) {
            const exit = exitIn(protocol, position, {
              user: recording.user,
              view,
              ...terms(view),
              spendable: () => 0n,
              withoutRewards: false
            })
            assert(exit._tag === "Calls")
            assert.deepStrictEqual(exit.calls[0].payouts.map(({ expected: due }) => due.toString()), [...withdrawal])
          }
        }
        assert.isAbove(compared, 0)
      })
    }
  })
}
