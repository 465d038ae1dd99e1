import type { xdr } from "@stellar/stellar-sdk"
import { Effect, Option } from "effect"
import type { ChainFailure } from "../../../chain/ChainFailure.ts"
import type { LedgerEntries } from "../../../chain/LedgerEntries.ts"
import { type AccountAddress, ContractAddress } from "../../../domain/Address.ts"
import type { HeldPosition } from "../../../protocols/ProtocolRegistry.ts"
import { allowanceKeysOf } from "../../../stellar/AllowanceKeys.ts"
import type { AllowanceLookup } from "../../../tokens/AllowanceLookup.ts"
import type { ApprovalEvent } from "../../../tokens/Approval.ts"
import { type Allowance, allowanceIn, isEmptyAllowance, isExpiredAllowance } from "../../situation/AllowanceLeft.ts"
import type { Answers } from "../../situation/Answers.ts"

/** The keys of allowances in these tokens for these spenders. */
const allowanceKeys = (
  user: AccountAddress,
  tokens: ReadonlyArray<ContractAddress>,
  spenders: ReadonlyArray<ContractAddress>
): ReadonlyArray<xdr.LedgerKey> => tokens.flatMap((token) => spenders.flatMap((spender) => allowanceKeysOf(token, user, spender)))

/**
 * The allowance keys for positions: the tokens they move, for the contracts that hold them. Where anyone can give shares of a contract,
 * only the tokens of that position are tried, because strangers decide how many there are.
 */
export const allowanceKeysFor = (
  user: AccountAddress,
  positions: ReadonlyArray<HeldPosition>,
  tokensOf: (positions: ReadonlyArray<HeldPosition>) => ReadonlyArray<ContractAddress>
): ReadonlyArray<xdr.LedgerKey> => {
  const opened = positions.filter(({ givenUnder }) => givenUnder === null)
  const given = positions.filter(({ givenUnder }) => givenUnder !== null)
  return [
    ...allowanceKeys(user, tokensOf(positions), [...new Set(opened.map(({ contract }) => contract))]),
    ...given.flatMap((one) => allowanceKeys(user, tokensOf([one]), [one.contract]))
  ]
}

/** The live allowances under these keys that permit any amount (`getLedgerEntries`). */
export const readAllowances = (
  entries: LedgerEntries["Type"],
  user: AccountAddress,
  keys: ReadonlyArray<xdr.LedgerKey>
): Effect.Effect<ReadonlyArray<Allowance>, ChainFailure> =>
  Effect.map(entries.many(keys), (found) =>
    found.flatMap(Option.toArray).flatMap(({ entry, latestLedger, liveUntilLedger }) => {
      const over = (liveUntilLedger !== null && liveUntilLedger < latestLedger) || isExpiredAllowance(entry, latestLedger)
      const allowance = over ? null : allowanceIn(entry, user)
      return allowance === null || isEmptyAllowance(allowance) ? [] : [allowance]
    }))

/** Approvals reported by events that are read, newest first: anyone can make a contract report them. */
const mostTold = 200

/** Tokens without readable entries that are queried for allowances that only events report. */
const mostAsked = 20

/** The allowances that answers name. A caller may know one that the service does not find. */
const answeredIn = (answers: Answers): ReadonlyArray<ApprovalEvent> =>
  answers.subjects("allowance").map(({ spender, token }) => ({ token: ContractAddress.make(token), spender, until: null }))

const allowanceOf = ({ token, spender }: ApprovalEvent, amount: bigint | null, isStored: boolean): Allowance => ({
  token,
  spender,
  amount,
  ...(isStored ? {} : { isOnlyTold: true })
})

/**
 * What is left of allowances that answers name or events report. Read from entries, or from the token itself where it stores them its own
 * way. Where a token does not report an allowance, or could not be queried in time, the allowance counts only if an answer names it.
 */
export const readNamedAllowances = (
  lookup: AllowanceLookup["Type"],
  user: AccountAddress,
  answers: Answers,
  approvals: ReadonlyArray<ApprovalEvent>
): Effect.Effect<ReadonlyArray<Allowance>, ChainFailure> => {
  const answered = answeredIn(answers)
  const events = [...answered, ...approvals.slice(0, mostTold)]
  if (events.length === 0) return Effect.succeed([])
  const nobody = { tokens: [], spenders: [] }
  const names = new Set(answered.map(({ spender, token }) => `${token} ${spender}`))
  const isAnswered = ({ spender, token }: ApprovalEvent): boolean => names.has(`${token} ${spender}`)
  return Effect.flatMap(
    lookup.of(user, { events, registry: nobody, manual: nobody }, answered.length + mostAsked),
    ({ all, unasked }) =>
      Effect.map(
        Effect.forEach(all, (one): Effect.Effect<ReadonlyArray<Allowance>, ChainFailure> => {
          switch (one._tag) {
            case "Live":
            case "Odd":
              return Effect.succeed([allowanceOf(one.pair, one.amount, one.isStored)])
            case "NoValue":
              return Effect.succeed(isAnswered(one.pair) ? [allowanceOf(one.pair, null, false)] : [])
            case "Unasked":
              return Effect.fail(one.failure)
            case "Nothing":
              return Effect.succeed([])
          }
        }),
        (found) => [...found.flat(), ...unasked.filter(isAnswered).map((pair) => allowanceOf(pair, null, false))]
      )
  )
}

/** The allowances, each once. */
export const distinctAllowances = (...found: ReadonlyArray<ReadonlyArray<Allowance>>): ReadonlyArray<Allowance> => [
  ...new Map(found.flat().map((one) => [`${one.token} ${one.spender}`, one])).values()
]
