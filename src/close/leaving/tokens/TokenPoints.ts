import type { ContractAddress } from "../../../domain/Address.ts"
import { stroops } from "../../../domain/Amount.ts"
import { counted } from "../../../domain/CountedNoun.ts"
import type { DecisionParams, DecisionPoint, KeepingOption } from "../../../domain/Decision.ts"
import { disposalOf, needsAcknowledgement } from "../../market/Disposal.ts"
import { offeredUnits } from "../../market/Floors.ts"
import { contractOffer, offerTermsOf, saleOptions } from "../../market/SaleOffer.ts"
import { acknowledgement } from "../../situation/Acknowledgement.ts"
import { agreedGap } from "../../situation/AgreedGap.ts"
import type { AnswerFailure } from "../../situation/AnswerFailure.ts"
import { largestUnits } from "../../situation/BaseUnits.ts"
import { DecisionId } from "../../situation/DecisionId.ts"
import { trustlineIn } from "../../situation/Holdings.ts"
import { withRise } from "../../situation/ResourceFees.ts"
import type { Situation } from "../../situation/Situation.ts"
import { tokenSymbol, tokenValues } from "../../situation/TokenValues.ts"
import { mayBeGrouped, type PlannedAllowance, type PlannedToken, type UnreadableToken } from "../../situation/TokenWork.ts"
import { Workbench } from "../../situation/Workbench.ts"
import { incomingUnits } from "./IncomingUnits.ts"
import { tokenReceiver } from "./TokenDisposals.ts"
import {
  allowanceProblem,
  exceedsCount,
  exceedsGap,
  isUnreadableAccepted,
  saleProblem,
  type TokenProblem,
  tokenProblem,
  unreadableFailure
} from "./TokenProblems.ts"

/** What an option must carry so that the call is made in spite of what spoke against it. */
export const insisting = ({ snapshot }: Pick<Situation, "snapshot">, found: TokenProblem | null): DecisionParams => ({
  ...(found === null || found.fee === null ? {} : { maxResourceFee: stroops(withRise(found.fee)) }),
  ...(found?.again === true ? { sequence: snapshot.state.sequence } : {})
})

/** Base units of a token have no point, so that its prices are for one base unit. */
const unitsOfOne = 10_000_000n

const conversion = (situation: Situation, { amount, answer, route }: PlannedToken, more: DecisionParams): ReadonlyArray<KeepingOption> => {
  const offers = route === null ? [] : contractOffer(situation, route, {
    choice: "convert_to_native",
    amount: amount.toString(),
    isAnswered: answer !== undefined,
    sells: `Sell all of it through pools of ${route.source}`,
    bestPrice: ({ d, n }) => ({ n, d: d * unitsOfOne })
  })
  return saleOptions(offers, offerTermsOf(situation)).map((option) => ({ ...option, params: { ...option.params, ...more } }))
}

/** What arrives of a transfer of a token with books of its own, where its simulation shows that it is not all of it; empty: it is, or is not known. */
const arrivalNote = ({ amount, answer, simulation, token: { contract, modified } }: PlannedToken): string => {
  const to = answer?.choice === "transfer_to_account" ? tokenReceiver(answer) : null
  if (to === null || modified !== null || simulation?._tag !== "Ready") return ""
  const arrives = incomingUnits(simulation.changes, contract, to)
  return arrives === null || arrives === amount
    ? ""
    : `Of the ${counted(amount, "base unit")} ${arrives} would reach ${to}: the token's code takes a fee. `
}

const shownToken = ({ amount, token: { balance, contract, symbol }, waits }: PlannedToken): string =>
  `${waits && balance === 0n ? "The payout of positions" : counted(amount, "base unit")} of the token ${contract}${
    symbol === null ? "" : `, which calls itself "${symbol}"`
  }`

/** The question about one token. */
const pointOf = (situation: Situation, one: PlannedToken): DecisionPoint => {
  const { amount, answer, id, route } = one
  const found = tokenProblem(situation, one)
  const more = insisting(situation, found)
  const [chosen, why] = [answer?.choice, found === null ? "" : `${found.reason} `]
  const noteOf = (choice: string, note: string): string => `${choice === chosen ? why : ""}${note}`
  const maxAmount = offeredUnits(amount, route?.amountOut ?? null, largestUnits).toString()
  const paramsOf = (choice: string): DecisionParams => (choice === chosen ? more : {})
  return {
    id,
    type: "token",
    subject: shownToken(one),
    about: {
      kind: "token",
      contract: one.token.contract,
      symbol: one.token.symbol,
      decimals: one.token.decimals,
      amount: amount.toString()
    },
    options: [
      ...conversion(situation, one, paramsOf("convert_to_native")).map((option) => ({
        ...option,
        // What failed is not recommended once more.
        ...(chosen === option.id && found !== null && option.recommended === true ? { recommended: false } : {}),
        note: noteOf(option.id, option.note ?? "")
      })),
      {
        id: "transfer_to_account",
        note: noteOf(
          "transfer_to_account",
          `${arrivalNote(one)}Add the destination, an account that can call the token's contract. It needs no trustline.`
        ),
        params: { maxAmount, ...paramsOf("transfer_to_account") }
      },
      {
        id: "acknowledge_residue",
        note: `You give it up permanently. It stays in the token's contract.${chosen === "acknowledge_residue" ? "" : ` ${why}`}`
          .trim(),
        loses: tokenValues(situation, [[one.token.contract, amount]]),
        params: { maxAmount }
      }
    ],
    default: null,
    required: true,
    answered: answer !== undefined && found === null
  }
}

const unreadablePoint = (one: UnreadableToken): DecisionPoint => ({
  id: one.id,
  type: "token",
  subject: `The unreadable balance of the token ${one.contract}`,
  about: { kind: "token", contract: one.contract, symbol: null, decimals: null, amount: null },
  options: [{
    id: "acknowledge_residue",
    note: "You give the balance up permanently. It stays in the token's contract.",
    loses: [],
    params: { unreadable: true }
  }],
  default: null,
  required: true,
  answered: isUnreadableAccepted(one)
})

/** Contracts that a question about many names. */
const mostNamed = 10

/** Tokens that may be answered for together, and whether they must be. */
const otherTokens = ({ snapshot, tokenWork: { tokens, unreadable } }: Situation) => {
  const of = (fate: "grouped" | "asked"): ReadonlyArray<ContractAddress> => [
    ...tokens.filter((one) => one.fate === fate && !one.waits && mayBeGrouped(one)).map(({ token }) => token.contract),
    ...unreadable.filter((one) => one.fate === fate && one.answer === undefined).map(({ contract }) => contract)
  ]
  const [{ dropped, told }, grouped] = [snapshot.tokens, of("grouped")]
  const left = grouped.length + dropped
  return { left, contracts: left > 0 ? grouped : of("asked"), dropped, unscanned: told?.unscanned ?? null }
}

/** How many tokens are left behind together by one answer. */
export const countOthers = (situation: Situation): number => otherTokens(situation).left

/** What the question is about, in words: what is known, and the ledgers that were not scanned. */
const shownOthers = ({ contracts, dropped, unscanned }: Omit<ReturnType<typeof otherTokens>, "left">): string => {
  const count = contracts.length + dropped
  const first = contracts.slice(0, mostNamed)
  const names = first.length === 0 ? "" : `: ${first.join(", ")}${contracts.length > first.length ? ", and others" : ""}`
  const known = `${counted(count, "token")} known only from transfers to the account, without a known buyer${
    dropped === 0 ? "" : ` (${dropped} not checked)`
  }${names}`
  if (unscanned === null) return known
  const unknown =
    `Any token known only from transfers in ledgers ${unscanned.fromLedger} to ${unscanned.toLedger}, not all of which were scanned`
  return count === 0 ? unknown : `${unknown}; and ${known}`
}

/** What an owner can do instead of giving up what was not scanned. */
const scanNote = "The next plan scans more ledgers, so plan again first. "

/**
 * The question about tokens that strangers may have sent and that nothing is known to buy. It must be answered where there are too many for one each, or
 * to be looked at, or where not all transfers were scanned; otherwise an answer spares the others, also those that are still to come.
 */
const othersPoint = (situation: Situation): ReadonlyArray<DecisionPoint> => {
  const { contracts, dropped, left, unscanned } = otherTokens(situation)
  const count = contracts.length + dropped
  if (count === 0 && unscanned === null) return []
  const answer = situation.input.answers.otherTokens
  const named = new Set(contracts)
  return [{
    id: DecisionId.otherTokens,
    type: "tokens",
    subject: shownOthers({ contracts, dropped, unscanned }),
    about: { kind: "tokens", count },
    options: [{
      id: "forfeit",
      note: `${
        unscanned === null ? "" : scanNote
      }You give them up permanently. They stay in their contracts. To handle one of them, decide token: and its contract.`,
      loses: tokenValues(
        situation,
        situation.tokenWork.tokens.filter(({ token }) => named.has(token.contract)).map(({ amount, token }) =>
          [token.contract, amount] as const
        )
      ),
      params: { maxCount: 2 * count + 1000, ...(unscanned === null ? {} : { gap: agreedGap(unscanned) }) }
    }],
    default: null,
    required: left > 0 || unscanned !== null,
    answered: answer !== undefined && exceedsCount(answer, count) === null && exceedsGap(answer, unscanned) === null
  }]
}

/** Every question about contract tokens, and about the accounts that answers send them to. */
export const tokenPoints = (situation: Situation): ReadonlyArray<DecisionPoint> => {
  const { tokens, unreadable } = situation.tokenWork
  const receivers = tokens.flatMap(({ answer }) =>
    answer?.choice === "transfer_to_account" && answer.params?.destination !== undefined &&
      needsAcknowledgement(situation, answer.params.destination)
      ? [answer.params.destination]
      : []
  )
  return [
    ...tokens.filter(({ fate }) => fate === "asked").map((one) => pointOf(situation, one)),
    ...unreadable.filter(({ fate }) => fate === "asked").map(unreadablePoint),
    ...othersPoint(situation),
    ...[...new Set(receivers)].map((to) => acknowledgement(situation, to))
  ]
}

/** Answers about tokens and allowances that cannot be carried out as they were given: another answer can. */
export const tokenFailures = (situation: Situation): ReadonlyArray<{ readonly id: string; readonly failure: AnswerFailure }> => {
  const { allowances, sales, tokens, unreadable } = situation.tokenWork
  const answer = situation.input.answers.otherTokens
  const { left, unscanned } = otherTokens(situation)
  const found = [
    ...tokens.map((one) => ({ id: one.id, failure: one.fate === "asked" ? tokenProblem(situation, one)?.failure ?? null : null })),
    ...sales.map((one) => ({ id: one.id, failure: saleProblem(situation, one)?.failure ?? null })),
    ...unreadable.map((one) => ({ id: one.id, failure: unreadableFailure(one) })),
    ...allowances.map((one) => ({ id: one.id, failure: allowanceProblem(situation, one)?.failure ?? null })),
    { id: DecisionId.otherTokens, failure: exceedsCount(answer, left) ?? exceedsGap(answer, unscanned) }
  ]
  return found.flatMap(({ failure, id }) => (failure === null ? [] : [{ id, failure }]))
}

/**
 * The decision points for assets that are sold through contracts, in the same form as for any balance. Such a sale is made before every
 * classic step, so no other step adds its decision point.
 */
export const salePoints = (situation: Situation): ReadonlyArray<DecisionPoint> => {
  const { input: { source }, ledgerState, tokenWork: { sales } } = situation
  return sales.flatMap((one) => {
    const line = trustlineIn(ledgerState, source, one.asset)
    // Together with what positions will pay it is a payout.
    const [point] = line === null || one.amount !== line.balance
      ? []
      : disposalOf(situation, Workbench.open(ledgerState, source), source, line).points
    if (point === undefined) return []
    const found = saleProblem(situation, one)
    const options = point.options.map((option) =>
      option.id === "convert_through_contracts" && found !== null
        ? { ...option, note: `${found.reason} ${option.note ?? ""}`, params: { ...option.params, ...insisting(situation, found) } }
        : option
    )
    return [{ ...point, options, answered: found === null }]
  })
}

const allowancePointOf = (situation: Situation, one: PlannedAllowance): DecisionPoint => {
  const { allowance: { amount, spender, token }, answer, id } = one
  const found = allowanceProblem(situation, one)
  const params = insisting(situation, found)
  return {
    id,
    type: "allowance",
    subject: `${spender} may take ${amount === null ? "an unreadable amount" : counted(amount, "base unit")} of ${token}`,
    about: { kind: "allowance", token, symbol: tokenSymbol(situation, token), spender, amount: amount === null ? null : amount.toString() },
    options: [
      {
        id: "revoke",
        note: `${found === null ? "" : `${found.reason} `}A separate call revokes it before the merge.`,
        ...(Object.keys(params).length === 0 ? {} : { params })
      },
      { id: "keep", note: "The allowance outlives the merge and works again if the account is ever created again." }
    ],
    default: "keep",
    // One that was to be ended and cannot be is not kept without a word.
    required: found !== null,
    answered: answer !== undefined && found === null
  }
}

/** Every question about who may take tokens of the account. */
export const allowancePoints = (situation: Situation): ReadonlyArray<DecisionPoint> =>
  situation.tokenWork.allowances.map((one) => allowancePointOf(situation, one))
