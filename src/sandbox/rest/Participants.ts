import type { xdr } from "@stellar/stellar-sdk"
import { objectMemo } from "../../fibers/ObjectMemo.ts"
import { keyOf } from "../../xdr/LedgerKeys.ts"
import { addressOf } from "../AssetName.ts"
import type { TransactionRecord } from "../network/LedgerRecord.ts"
import { plainAddress } from "../network/TransactionFacts.ts"

const accountOfKey = (key: xdr.LedgerKey): string | undefined => {
  switch (key.type) {
    case "account":
      return addressOf(key.account.accountId)
    case "trustline":
      return addressOf(key.trustLine.accountId)
    case "offer":
      return addressOf(key.offer.sellerId)
    case "data":
      return addressOf(key.data.accountId)
    default:
      return undefined
  }
}

const keyOfChange = (change: xdr.LedgerEntryChange): xdr.LedgerKey => {
  switch (change.type) {
    case "ledgerEntryCreated":
      return keyOf(change.created)
    case "ledgerEntryUpdated":
      return keyOf(change.updated)
    case "ledgerEntryState":
      return keyOf(change.state)
    case "ledgerEntryRestored":
      return keyOf(change.restored)
    case "ledgerEntryRemoved":
      return change.removed
  }
}

/** Accounts an operation names besides its source. */
const named = ({ body }: xdr.Operation): ReadonlyArray<string> => {
  switch (body.type) {
    case "createAccount":
      return [addressOf(body.createAccountOp.destination)]
    case "payment":
      return [plainAddress(body.paymentOp.destination)]
    case "pathPaymentStrictReceive":
      return [plainAddress(body.pathPaymentStrictReceiveOp.destination)]
    case "pathPaymentStrictSend":
      return [plainAddress(body.pathPaymentStrictSendOp.destination)]
    case "accountMerge":
      return [plainAddress(body.destination)]
    case "createClaimableBalance":
      return body.createClaimableBalanceOp.claimants.map(({ v0 }) => addressOf(v0.destination))
    case "beginSponsoringFutureReserves":
      return [addressOf(body.beginSponsoringFutureReservesOp.sponsoredId)]
    case "allowTrust":
      return [addressOf(body.allowTrustOp.trustor)]
    case "setTrustLineFlags":
      return [addressOf(body.setTrustLineFlagsOp.trustor)]
    case "clawback":
      return [plainAddress(body.clawbackOp.from)]
    default:
      return []
  }
}

const participantsOf = ({ applied, facts }: TransactionRecord): ReadonlySet<string> =>
  new Set([
    facts.source,
    facts.feeSource,
    ...facts.transaction.operations.flatMap((
      operation
    ) => [...(operation.sourceAccount === null ? [] : [plainAddress(operation.sourceAccount)]), ...named(operation)]),
    ...applied.meta.operations.flatMap((changes) => changes.flatMap((change) => accountOfKey(keyOfChange(change)) ?? []))
  ])

/** Of each record, made once: every question about an account's history looks through all that is kept. */
const participants = objectMemo(participantsOf)

/** Whether a transaction concerns an account: as payer, source, counterpart, or owner of something it changed. */
export const takesPart = (record: TransactionRecord, account: string): boolean => participants(record).has(account)
