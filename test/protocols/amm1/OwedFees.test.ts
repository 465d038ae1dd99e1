import { assert, describe, it } from "@effect/vitest"
import type { xdr } from "@stellar/stellar-sdk"
import { Schema } from "effect"
import { AccountAddress, ContractAddress } from "../../../src/domain/Address.ts"
import type { LedgerState } from "../../../src/ledger/LedgerState.ts"
import { addressOf } from "../../../src/ledger/soroban/Values.ts"
import type { ContractCall } from "../../../src/operations/ContractCall.ts"
import { Position } from "../../../src/protocols/amm1/Entries.ts"
import * as Keys from "../../../src/protocols/amm1/Keys.ts"
import { ammLedgerOf } from "../../sandbox/contracts/Amm1Replay.ts"
import { amm1Of, contractNamed, foundOn, recordedAmm1, viewOver } from "../support/Amm1Ledger.ts"
import { exitIn, terms } from "../support/Leaving.ts"
import { replaced } from "../support/Replaced.ts"

const recording = recordedAmm1("amm_1_concentrated")
const user = AccountAddress.make(recording.user)
const pool = contractNamed(recording, "clPool")
const tokens = Schema.decodeUnknownSync(Schema.Array(ContractAddress))(recording.valueOf("clDeposited", "clPool.get_tokens"))
const deposited = ammLedgerOf(recording, "clDeposited")

/** The ranges of the recorded account, and the pool's fees for each; base units of its first and its second token. */
const ranges = [
  { lower: -21_540, upper: -20_340, owed: [1_000_003n, 2_000_005n] },
  { lower: -20_820, upper: -20_220, owed: [30_007n, 50_011n] }
] as const

/** The entry of a range with this debt, and otherwise unchanged. */
const owing = ([first, second]: readonly [bigint, bigint]) => (old: xdr.ScVal): xdr.ScVal => {
  const position = Position.decode(old)
  assert(position._tag === "Right")
  const { tokens_owed_0, tokens_owed_1 } = position.right
  assert.deepStrictEqual([tokens_owed_0, tokens_owed_1], [0n, 0n])
  return Position.encode({ ...position.right, tokens_owed_0: first, tokens_owed_1: second })
}

const withOwed = ranges.reduce(
  (state, { owed, ...range }) => replaced(state, addressOf(pool), Keys.position(user, range), owing(owed)),
  deposited
)

const withdrawals = (state: LedgerState): ReadonlyArray<ContractCall> => {
  const view = viewOver(recording, state)
  const protocol = foundOn(amm1Of(recording), view)
  const exit = exitIn(protocol, { contract: pool, key: "shares" }, {
    user,
    view,
    ...terms(view),
    spendable: () => 0n,
    withoutRewards: true
  })
  return exit._tag === "Calls" ? exit.calls : assert.fail(exit._tag)
}

/** The expected payout of each withdrawal in the pool's first and second token; base units. */
const paid = (state: LedgerState): ReadonlyArray<ReadonlyArray<bigint>> =>
  withdrawals(state).map(({ payouts }) => tokens.map((token) => payouts.find((payout) => payout.token === token)?.expected ?? 0n))

describe("fees that a pool owes for a range", () => {
  it("are paid with its withdrawal, beside what the range holds and has earned since", () => {
    const before = paid(deposited)
    assert.lengthOf(before, ranges.length)
    assert.deepStrictEqual(
      paid(withOwed),
      ranges.map(({ owed }, at) => owed.map((amount, token) => (before[at]?.[token] ?? 0n) + amount))
    )
  })
})
