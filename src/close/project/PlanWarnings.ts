import { showAmount } from "../../domain/Amount.ts"
import type { AssetId } from "../../domain/Asset.ts"
import { type PlanBlocker, warning } from "../../domain/Blocker.ts"
import { counted } from "../../domain/CountedNoun.ts"
import type { DecisionOption, DecisionPoint, Quote } from "../../domain/Decision.ts"
import { parseTotal } from "../../domain/Total.ts"
import { claimBook } from "../claims/ClaimBook.ts"
import { unseenGifts } from "../claims/UnseenClaims.ts"
import { exitWarnings } from "../leaving/points/ExitGate.ts"
import { tokenWarnings } from "../leaving/tokens/TokenWarnings.ts"
import { floorShare } from "../market/Floors.ts"
import { isWorthLimits } from "../market/PriceImpact.ts"
import { atPrice } from "../market/SaleOffer.ts"
import { type Allowance, allowanceIn, isEmptyAllowance } from "../situation/AllowanceLeft.ts"
import type { CallSimulation } from "../situation/CallSimulation.ts"
import { DecisionId } from "../situation/DecisionId.ts"
import { holdingsIn } from "../situation/Holdings.ts"
import { cameLaterWarning, cutoffIn } from "../situation/LaterGifts.ts"
import type { Situation } from "../situation/Situation.ts"
import type { Projection } from "./Projection.ts"
import { newerThanModel } from "./Unverified.ts"

/** A sale as a point offers it. */
interface SaleShown {
  readonly id: string
  readonly params: DecisionOption["params"]
  readonly quote: Quote
  readonly recommended: boolean
}

const priceWarning = (subject: string, receive: bigint, atBest: bigint): PlanBlocker =>
  warning(
    "price_impact",
    `The sale brings ${showAmount(receive)} lumens. At the best price on its route the same amount comes to ${showAmount(atBest)} lumens.`,
    subject
  )

/** The sale of a point that was chosen, else the best one; null where there is no quote for it. */
const saleIn = ({ options }: DecisionPoint, choice: string | undefined): SaleShown | null => {
  const sales = options.flatMap((
    { id, params, quote, recommended = false }
  ) => (quote === undefined ? [] : [{ id, params, quote, recommended }]))
  return (choice === undefined ? sales[0] : sales.find(({ id }) => id === choice)) ?? null
}

/**
 * Sales with a price impact above what is recommended, with what they bring and what their amounts come to at the best price: the sale
 * that was chosen, else the best one.
 */
export const priceWarnings = (
  { input, recommendedImpactBps }: Pick<Situation, "input" | "recommendedImpactBps">,
  points: ReadonlyArray<DecisionPoint>
): ReadonlyArray<PlanBlocker> =>
  points.flatMap((point) => {
    const sale = saleIn(point, input.answers.to(point)?.choice)
    if (sale === null || sale.recommended || sale.quote.priceImpactBps <= recommendedImpactBps) return []
    const { bestPrice, receive } = sale.quote
    const atBest = atPrice(parseTotal(sale.params?.amount ?? "") ?? 0n, bestPrice)
    return isWorthLimits(atBest) || isWorthLimits(receive) ? [priceWarning(point.id, receive, atBest)] : []
  })

/** What the calls of a close were simulated to do: those of positions, of tokens and of assets that are sold through contracts. */
const simulationsIn = ({ exits: { planned }, tokenWork: { sales, tokens } }: Situation): ReadonlyArray<CallSimulation | null> => [
  ...planned.flatMap(({ lastClaims, simulation }) => [simulation, ...lastClaims.values()]),
  ...[...tokens, ...sales].map(({ simulation }) => simulation)
]

/** Allowances that the calls of a close meet and do not use up. */
const metBy = (situation: Situation): ReadonlyArray<Allowance> =>
  simulationsIn(situation).flatMap((simulation) =>
    (simulation?._tag === "Ready" ? simulation.changes : []).flatMap(({ after }) => {
      const allowance = allowanceIn(after, situation.input.source)
      return allowance === null || isEmptyAllowance(allowance) ? [] : [allowance]
    })
  )

/** Warnings of allowances that outlive the merge: their spenders may take from the account if it is ever created again. */
const allowanceWarnings = (situation: Situation): ReadonlyArray<PlanBlocker> => {
  const { exits, tokenWork } = situation
  const ended = new Set(tokenWork.allowances.flatMap(({ call, id }) => (call === null ? [] : [id])))
  const all = new Map([...exits.allowances, ...metBy(situation)].map((one) => [DecisionId.allowance(one), one]))
  return [...all].filter(([subject]) => !ended.has(subject)).map(([subject, { amount, spender, token }]) =>
    warning(
      "allowance_live",
      `${spender} may take ${
        amount === null ? "an unreadable amount" : counted(amount, "base unit")
      } of ${token} from the account. The allowance outlives the merge and works again if the account is ever created again.`,
      subject
    )
  )
}

/** What a projection sells in all, by asset. */
const soldIn = ({ transactions }: Pick<Projection, "transactions">) => {
  const sold = new Map<AssetId, bigint>()
  for (const { disposed } of transactions.flatMap(({ groups }) => groups)) {
    if (disposed !== null) sold.set(disposed.asset, (sold.get(disposed.asset) ?? 0n) + disposed.amount)
  }
  return sold
}

/** Conversions of less than their floors were agreed for: they keep the price, and the owner is warned. */
export const amountWarnings = ({ input }: Situation, projected: Projection): ReadonlyArray<PlanBlocker> =>
  projected.open ? [] : [...soldIn(projected)].flatMap(([asset, sold]) => {
    const { choice, params } = input.answers.asset(asset) ?? {}
    const agreed = parseTotal(params?.amount ?? "")
    if (choice !== "convert_to_native" || params?.minReceive === undefined || agreed === null || sold >= agreed) return []
    const floor = showAmount(floorShare(params.minReceive, params.amount, sold))
    return [
      warning(
        "amount_changed",
        `${showAmount(sold)} ${asset} is sold. The floor was agreed for ${showAmount(agreed)}, so at the same price it is ${floor} lumens.`,
        asset
      )
    ]
  })

const cameLater = (situation: Situation): ReadonlyArray<PlanBlocker> => {
  const cutoff = cutoffIn(situation.input)
  if (cutoff === null) return []
  const count = claimBook(situation).late.length + unseenGifts(situation)
  return count === 0
    ? []
    : [cameLaterWarning(count === 1 ? "A claimable balance" : `${count} claimable balances`, cutoff, "claimable_balances")]
}

/** What a plan rests on where no second contract RPC is configured. */
const singleSource = ({ exits, singleSource: alone, snapshot }: Situation): ReadonlyArray<PlanBlocker> => {
  const read = snapshot.protocols.filter(({ protocol }) => protocol.contracts.length > 0).map(({ protocol }) => protocol.name)
  return !alone || read.length === 0 ? [] : [
    warning(
      "single_source",
      `One contract RPC is configured, so what is held in ${read.join(", ")}${
        exits.planned.length > 0 ? ", and what its exit needs," : ""
      } rests on that one source.`
    )
  ]
}

/** What the owner should know and what does not block. */
export const planWarnings = (situation: Situation): ReadonlyArray<PlanBlocker> => {
  const { exits, headerDoubts, input, registry, snapshot, ledgerState } = situation
  const clawback = holdingsIn(ledgerState, input.source)?.trustlines.filter((line) => line.clawback && line.balance > 0n) ?? []
  const preauthorized = snapshot.state.signers.filter(({ type }) => type === "preauth_tx")
  return [
    ...snapshot.warnings,
    ...headerDoubts.flatMap((doubt) => (doubt._tag === "NetworkFeeAboveLimit" ? [] : [warning("source_lagging", doubt.message)])),
    ...newerThanModel(situation).map((newer) =>
      warning(
        "protocol_newer_than_model",
        `The ${newer}. Transactions are built, but their effects were not checked against the rules of the new protocol.`
      )
    ),
    ...snapshot.state.defiPositionsWarnings,
    ...(snapshot.state.contractTokens?.warnings ?? []),
    ...singleSource(situation),
    ...allowanceWarnings(situation),
    ...exitWarnings(exits, cutoffIn(input), input.answers),
    ...tokenWarnings(situation),
    ...cameLater(situation),
    ...clawback.map(({ asset }) =>
      warning("clawback_enabled", `The issuer of ${asset} can claw back the balance at any time until it leaves the account.`, asset)
    ),
    ...preauthorized.map(({ key }) =>
      warning("preauthorized_transaction", "A pre-authorised transaction stays valid until the account is merged.", key)
    ),
    ...(registry.fresh
      ? []
      : [
        warning(
          "registry_expired",
          `The exchange registry expired on ${registry.validUntil}, so exchange addresses cannot be recognised reliably.`
        )
      ]),
    warning(
      "unknown_contracts",
      "Deposits in contracts outside the known protocols cannot all be detected. Check those contracts before you close."
    )
  ]
}
