import { xdr } from "@stellar/stellar-sdk"
import { BigInt as Big } from "effect"
import { native } from "../../domain/Asset.ts"
import type { LedgerState } from "../../ledger/LedgerState.ts"
import { readTransaction } from "../../ledger/Transaction.ts"
import { accountKey } from "../../xdr/LedgerKeys.ts"
import type { ContractMove } from "../leaving/ContractMove.ts"
import { withCredits } from "../leaving/payouts/LedgerCredits.ts"
import type { Credits } from "../situation/CallSimulation.ts"
import type { CloseInput } from "../situation/CloseInput.ts"
import { callEnvelope } from "../situation/Envelope.ts"
import type { Exits } from "../situation/Exits.ts"
import { feeBid } from "../situation/Fees.ts"
import type { Holdings } from "../situation/Holdings.ts"
import type { Situation } from "../situation/Situation.ts"
import { callValidityOf } from "../situation/Validity.ts"
import { dryCheck, type TrialResult } from "./DryRun.ts"

/** The account after a call: its next sequence number, its fee paid, its lumens as the call left them. */
const accountAfter = ({ account }: Holdings, fee: bigint, credits: Credits): xdr.LedgerEntryData =>
  xdr.LedgerEntryData.account(
    new xdr.AccountEntry({
      ...account,
      seqNum: account.seqNum + 1n,
      balance: Big.max(account.balance - fee + (credits.get(native) ?? 0n), 0n)
    })
  )

/** The ledger model does not run contracts: what a simulation reports about the account is what becomes of it. */
const stateAfter = (ledgerState: LedgerState, holdings: Holdings, fee: bigint, credits: Credits): LedgerState => {
  const own = ledgerState.get(accountKey(holdings.address))
  const after = withCredits(ledgerState, holdings.address, credits)
  return own === undefined ? after : after.set([new xdr.LedgerEntry({ ...own, data: accountAfter(holdings, fee, credits) })])
}

/** The result of a call that nothing around it keeps from being applied. What the call itself gives is not the model's to say, so no operation has a result. */
const appliedResult = (feeCharged: bigint): xdr.TransactionResult =>
  new xdr.TransactionResult({ feeCharged, result: xdr.TransactionResultResult.txSuccess([]), ext: xdr.TransactionResultExt.v0() })

/** A call as it is taken to have been applied. `refused`: why the network would not take it; null when nothing around it is in its way. */
interface CallOutcome {
  readonly state: LedgerState
  readonly envelope: xdr.TransactionEnvelope
  readonly refused: xdr.TransactionResult | null
  readonly feeCharged: bigint
}

const appliedOf = ({ envelope, feeCharged, refused, state }: CallOutcome, passphrase: string): TrialResult => ({
  state,
  envelope,
  transaction: readTransaction(envelope, passphrase),
  result: refused ?? appliedResult(feeCharged),
  feeCharged,
  receipt: undefined,
  broken: () => []
})

/** What of a close decides how its contract transactions are bid for, and how long they are valid. */
interface CallTerms extends Pick<Situation, "closeInterval" | "feePerOperation" | "now" | "passphrase"> {
  readonly exits: Pick<Exits, "inclusionFee">
  readonly input: Pick<CloseInput, "feePayer" | "validForSeconds">
}

/** The transaction of one contract call or restoration, with what its simulation says of it. */
export const contractTransaction = (terms: CallTerms, holdings: Holdings, ledgerState: LedgerState, move: ContractMove) => {
  const { exits: { inclusionFee }, input: { feePayer }, passphrase } = terms
  const { maxLedger, maxTime } = callValidityOf(terms, holdings, ledgerState.header)
  const fee = feePayer === "source" ? move.resourceFee + inclusionFee : 0n
  const envelope = callEnvelope({
    source: holdings.address,
    currentSequence: holdings.account.seqNum,
    operation: move.operation,
    resources: move.resources,
    fee,
    maxTime,
    maxLedger
  })
  // One that stands for a call to come declares no resources yet.
  const refused = move.resources === null ? null : dryCheck(ledgerState, envelope, feePayer, passphrase)
  return {
    _tag: "Transaction" as const,
    groups: [move.group],
    merges: false,
    reason: move.reason,
    isContract: true,
    call: move.call,
    holdings,
    ledgerState,
    bid: { ...feeBid(terms, holdings, ledgerState.header), perOperation: inclusionFee },
    envelope,
    validUntil: maxTime,
    validUntilLedger: maxLedger,
    applied: appliedOf({ state: stateAfter(ledgerState, holdings, fee, move.credits), envelope, refused, feeCharged: fee }, passphrase),
    simulatedAt: move.simulatedAt,
    progress: move.progress,
    doubt: move.doubt
  }
}
