import type { ContractAddress } from "../../../domain/Address.ts"
import type { DecisionAbout } from "../../../domain/DecisionAbout.ts"
import type { PositionRow } from "../../../domain/Position.ts"
import type { ValueItem } from "../../../domain/Value.ts"
import type { HeldPosition } from "../../../protocols/ProtocolRegistry.ts"
import { callsOf, type PlannedExit } from "../../situation/PlannedExit.ts"
import { labelIn } from "../../situation/ProtocolLabels.ts"
import type { Situation } from "../../situation/Situation.ts"
import { tokenValues } from "../../situation/TokenValues.ts"
import { givenUpRewards, unclaimed } from "../../situation/UnclaimedRewards.ts"
import { tokensPaid } from "./PayoutValue.ts"

type TokenAmount = readonly [token: ContractAddress, units: bigint]

/** What a row says is held, in its own shares where it names no token. */
const unitsInRow = (row: PositionRow, { contract, shareToken = contract }: HeldPosition): ReadonlyArray<TokenAmount> => {
  switch (row.positionType) {
    case "supply":
      return [[shareToken, BigInt(row.bTokenAmount)]]
    case "lp":
      return [[shareToken, BigInt(row.shareAmount)]]
    case "stake":
      return [[shareToken, BigInt(row.stakedAmount)]]
    case "cdp":
      return [[shareToken, BigInt(row.collateralAmount)]]
    case "other":
      return row.holds.map(({ amount, token }) => [token, BigInt(amount)])
    case "borrow":
      return []
  }
}

/** What leaving pays beside rewards; the shares themselves where no way out is known, or the next call only queues them. */
const paidOrShares = (one: PlannedExit): ReadonlyArray<TokenAmount> => {
  const paid = [...tokensPaid(one)]
  const shares = one.position.rows.flatMap((row) => unitsInRow(row, one.position))
  return paid.length > 0 ? paid : shares.filter(([, units]) => units > 0n)
}

/** Rewards that the known calls do not pay. */
const furtherRewards = (one: PlannedExit): ReadonlyArray<TokenAmount> => {
  const claimed = new Set(callsOf(one).filter(({ claimsOnly = false }) => claimsOnly).map((call) => call.function))
  const known = callsOf(one).length > 0
  return unclaimed(one).filter(({ claim, comesAlong = false }) => !claimed.has(claim) && !(known && comesAlong)).map(({ amount, token }) =>
    [token, amount] as const
  )
}

/** What some positions hold, their rewards included, by token: what leaving them pays now, else their shares. */
export const heldValues = (situation: Situation, positions: ReadonlyArray<PlannedExit>): ReadonlyArray<ValueItem> =>
  tokenValues(situation, positions.flatMap((one) => [...paidOrShares(one), ...furtherRewards(one)]))

/** A position as fields. */
export const aboutPosition = (situation: Situation, one: PlannedExit): DecisionAbout => {
  const { contract, key, owes, protocol, rows } = one.position
  const code = rows.find(({ wasmHash }) => wasmHash !== undefined)?.wasmHash
  const tokens = rows.flatMap((row) => ("tokens" in row ? [row.tokens ?? []] : [])).find((some) => some.length > 0)
  const owed = tokenValues(situation, owes.map(({ amount, token }) => [token, amount] as const))
  return {
    kind: "position",
    protocol,
    label: labelIn(situation, protocol),
    contract,
    key,
    ...(code === undefined ? {} : { wasmHash: code }),
    ...(tokens === undefined ? {} : { tokens }),
    holds: heldValues(situation, [one]),
    ...(owed.length === 0 ? {} : { owes: owed })
  }
}

/** What leaving a position without its rewards gives up. */
export const givenUpValues = (situation: Situation, one: PlannedExit): ReadonlyArray<ValueItem> =>
  tokenValues(situation, givenUpRewards(one).map(({ amount, token }) => [token, amount] as const))
