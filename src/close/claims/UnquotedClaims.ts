import { type AssetId, issued } from "../../domain/Asset.ts"
import { assetContract } from "../../stellar/AssetTokens.ts"
import { isListed } from "../leaving/payouts/PayoutValue.ts"
import { trustlineIn } from "../situation/Holdings.ts"
import { cameLater, type OpenClaim } from "../situation/OpenClaims.ts"
import type { ClaimSituation } from "./ClaimSituation.ts"

/** Whether a quote can make a claim that came later count as worth a decision: of a listed asset, which no one else can claim. */
export const countsQuoted = (situation: ClaimSituation, { asset, claimants }: OpenClaim["balance"]): boolean =>
  claimants.length === 1 && isListed(situation, assetContract(asset, situation.passphrase))

/** Whether one answer gives up a claim together with others as long as no buyer of its asset is known. */
const isAmongOthers = ({ input: { answers, source }, ledgerState }: ClaimSituation, { asset, id }: OpenClaim["balance"]): boolean =>
  answers.otherClaims !== undefined && (answers.claim(id) ?? answers.claims(asset)) === undefined &&
  issued(asset)?.issuer !== source && trustlineIn(ledgerState, source, asset) === null

/**
 * Assets without a quote whose claims only a quote keeps from being left behind without a decision: they came later and may exceed the answer's
 * limit, or one answer gives up all claims without a buyer. A build quotes them first, and merges only where each has its quote.
 */
export const unquotedClaims = (situation: ClaimSituation): ReadonlySet<AssetId> => {
  const { input, market, openClaims } = situation
  if (market.unquoted.size === 0) return new Set()
  const rest = openClaims.filter((claim) => {
    if (!market.unquoted.has(claim.balance.asset)) return false
    if (!cameLater(input, claim.balance, claim.modified)) return isAmongOthers(situation, claim.balance)
    return input.later?.maxLumensEach !== null && countsQuoted(situation, claim.balance)
  })
  return new Set(rest.map(({ balance: { asset } }) => asset))
}
