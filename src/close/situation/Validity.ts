import { BigInt as Big } from "effect"
import { type CloseInterval, ledgersWithin, nextClose } from "../../chain/CloseInterval.ts"
import type { ThresholdLevel } from "../../domain/Plan.ts"
import type { Header } from "../../ledger/Header.ts"
import type { Holdings } from "./Holdings.ts"
import type { Situation } from "./Situation.ts"
import { requiredWeight, usableSigners } from "./Weight.ts"

/** Seconds, where one signature suffices. */
export const oneSigner = 300
/** Seconds, where signers must find one another. */
export const severalSigners = 1800
/** The clock of the instance that co-signs may lag behind by so many seconds. */
const clocksDiffer = 5
/**
 * The earliest close time, Unix seconds, that a transaction built on a state of the ledger can count on: that of the ledger before the one to
 * come, or the clock's where it is later. The state's own is when ledgers usually follow, which the next one need not wait for.
 */
export const earliestClose = (
  { closeInterval, now }: Pick<Situation, "closeInterval" | "now">,
  { closeTime }: Pick<Header, "closeTime">
): bigint => {
  const before = closeTime - nextClose(0n, closeInterval)
  return Big.max(before, now)
}

/** The first ledger that is too late for a transaction, whose ledger is to be that of the header: counted from the one before it. */
const ledgerBound = ({ ledgerSeq }: Header, seconds: number, closeInterval: CloseInterval): number =>
  ledgerSeq - 1 + ledgersWithin(seconds, closeInterval)

/** What of a close decides how long its transactions stay valid. */
interface ValidityTerms extends Pick<Situation, "closeInterval" | "now"> {
  readonly input: Pick<Situation["input"], "validForSeconds">
}

/** Seconds that a transaction stays valid where nothing is requested: enough for one signer, or for several where no single one suffices. */
const usualSeconds = ({ account }: Pick<Holdings, "account">, level: ThresholdLevel): number =>
  usableSigners(account).some(({ weight }) => weight >= requiredWeight(account, level)) ? oneSigner : severalSigners

/** The bounds of a transaction that is valid for some seconds; `since`: the moment from which they count, Unix seconds. */
const boundsFor = ({ closeInterval, now }: ValidityTerms, seconds: number, header: Header) => {
  const since = Big.max(header.closeTime, now)
  return { since, maxTime: since + BigInt(seconds), maxLedger: ledgerBound(header, seconds, closeInterval) }
}

/** How long a classic transaction stays valid: as requested, or 300 s, or 1800 s when no single signer suffices. */
export const validityOf = (terms: ValidityTerms, holdings: Pick<Holdings, "account">, level: ThresholdLevel, header: Header) =>
  boundsFor(terms, terms.input.validForSeconds ?? usualSeconds(holdings, level), header)

/** The same of a contract call. A request makes it shorter, never longer: the call was simulated and priced on the ledger of now. */
export const callValidityOf = (terms: ValidityTerms, holdings: Pick<Holdings, "account">, header: Header) => {
  const most = usualSeconds(holdings, "med")
  return boundsFor(terms, Math.min(terms.input.validForSeconds ?? most, most), header)
}

/**
 * How long the transaction through the mediator stays valid: never longer than the mediator signs for, even if the request asks for more.
 * It is counted from now and not from the ledger to come, so that the time before it is handed in does not shorten it.
 */
export const mediatedValidityOf = (situation: Situation, holdings: Holdings, header: Header) => {
  const most = usualSeconds(holdings, "high")
  const seconds = Math.min(situation.input.validForSeconds ?? most, most - clocksDiffer)
  return { maxTime: earliestClose(situation, header) + BigInt(seconds), maxLedger: ledgerBound(header, seconds, situation.closeInterval) }
}
