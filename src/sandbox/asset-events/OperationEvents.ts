import type { xdr } from "@stellar/stellar-sdk"
import { accountOf } from "../../ledger/AccountId.ts"
import { assetOfCode, NATIVE } from "../../ledger/Asset.ts"
import { entryChanges } from "../network/EntryChanges.ts"
import type { AssetEvents } from "./AssetEvents.ts"
import { authorizationEvents } from "./AuthorizationEvents.ts"
import { accountParty, balanceParty, muxedParty, type Party, poolParty } from "./Party.ts"
import { poolTurns } from "./PoolTurn.ts"
import { tradeEvents } from "./TradeEvents.ts"

/** One operation that succeeded, and all that its events are made of. */
export interface AppliedOperation {
  readonly body: xdr.OperationBody
  /** Its own source, or the transaction's. */
  readonly source: xdr.MuxedAccount
  readonly memo: xdr.Memo
  readonly result: xdr.OperationResultTr
  readonly changes: ReadonlyArray<xdr.LedgerEntryChange>
}

/** The events of an operation (CAP-67): one for each movement of an asset and each change of an authorization, in order. */
export const operationEvents = (events: AssetEvents, operation: AppliedOperation): ReadonlyArray<xdr.ContractEvent> => {
  const { body, changes, memo, result, source } = operation
  const self = muxedParty(source)
  switch (body.type) {
    case "createAccount": {
      const { destination, startingBalance } = body.createAccountOp
      return [events.moved(NATIVE, self, accountParty(destination), startingBalance, memo)]
    }
    case "payment": {
      const { amount, asset, destination } = body.paymentOp
      return [events.moved(asset, self, muxedParty(destination), amount, memo)]
    }
    case "pathPaymentStrictReceive":
      return result.type === body.type && result.pathPaymentStrictReceiveResult.type === "pathPaymentStrictReceiveSuccess"
        ? pathEvents(events, self, body.pathPaymentStrictReceiveOp.destination, memo, result.pathPaymentStrictReceiveResult.success)
        : []
    case "pathPaymentStrictSend":
      return result.type === body.type && result.pathPaymentStrictSendResult.type === "pathPaymentStrictSendSuccess"
        ? pathEvents(events, self, body.pathPaymentStrictSendOp.destination, memo, result.pathPaymentStrictSendResult.success)
        : []
    case "manageSellOffer":
    case "manageBuyOffer":
    case "createPassiveSellOffer":
      return tradeEvents(events, self, claimedBy(result))
    case "accountMerge": {
      const merged = result.type === body.type ? result.accountMergeResult : undefined
      return merged?.type === "accountMergeSuccess"
        ? [events.moved(NATIVE, self, muxedParty(body.destination), merged.sourceAccountBalance, memo)]
        : []
    }
    case "createClaimableBalance": {
      const { amount, asset } = body.createClaimableBalanceOp
      const created = result.type === body.type ? result.createClaimableBalanceResult : undefined
      return created?.type === "createClaimableBalanceSuccess"
        ? [events.moved(asset, self, balanceParty(created.balanceId), amount)]
        : []
    }
    case "claimClaimableBalance":
      return goneBalances(changes).map(({ amount, asset, balanceId }) =>
        events.moved(asset, balanceParty(balanceId), accountParty(accountOf(source)), amount, memo))
    case "clawbackClaimableBalance":
      return goneBalances(changes).map(({ amount, asset, balanceId }) =>
        events.clawedBack(asset, balanceParty(balanceId), amount))
    case "clawback": {
      const { amount, asset, from } = body.clawbackOp
      return [events.clawedBack(asset, muxedParty(from), amount)]
    }
    case "liquidityPoolDeposit":
      return poolTurns(entryChanges(changes)).flatMap(({ gained, poolId }) =>
        gained.map(([asset, amount]) => events.moved(asset, self, poolParty(poolId), amount)))
    case "liquidityPoolWithdraw":
      return poolTurns(entryChanges(changes)).flatMap(({ gained, poolId }) =>
        gained.map(([asset, amount]) => events.moved(asset, poolParty(poolId), accountParty(accountOf(source)), -amount, memo)))
    case "allowTrust": {
      const { asset, trustor } = body.allowTrustOp
      return authorizationEvents(events, trustor, assetOfCode(accountOf(source), asset), entryChanges(changes))
    }
    case "setTrustLineFlags": {
      const { asset, trustor } = body.setTrustLineFlagsOp
      return authorizationEvents(events, trustor, asset, entryChanges(changes))
    }
    default:
      return []
  }
}

/** The trades of a path payment, which its source makes, and at the end what the destination gets from it. */
const pathEvents = (
  events: AssetEvents,
  self: Party,
  destination: xdr.MuxedAccount,
  memo: xdr.Memo,
  { last, offers }: xdr.PathPaymentStrictSendResultSuccess | xdr.PathPaymentStrictReceiveResultSuccess
): ReadonlyArray<xdr.ContractEvent> => [
  ...tradeEvents(events, self, offers),
  events.moved(last.asset, self, muxedParty(destination), last.amount, memo)
]

const claimedBy = (result: xdr.OperationResultTr): ReadonlyArray<xdr.ClaimAtom> => {
  switch (result.type) {
    case "manageSellOffer":
      return result.manageSellOfferResult.type === "manageSellOfferSuccess"
        ? result.manageSellOfferResult.success.offersClaimed
        : []
    case "createPassiveSellOffer":
      return result.createPassiveSellOfferResult.type === "manageSellOfferSuccess"
        ? result.createPassiveSellOfferResult.success.offersClaimed
        : []
    case "manageBuyOffer":
      return result.manageBuyOfferResult.type === "manageBuyOfferSuccess"
        ? result.manageBuyOfferResult.success.offersClaimed
        : []
    default:
      return []
  }
}

const goneBalances = (changes: ReadonlyArray<xdr.LedgerEntryChange>): ReadonlyArray<xdr.ClaimableBalanceEntry> =>
  entryChanges(changes).flatMap(({ after, before }) =>
    after === undefined && before?.type === "claimableBalance" ? [before.claimableBalance] : [])
