import { xdr } from "@stellar/stellar-sdk"
import { accountOf } from "../../ledger/AccountId.ts"
import { assetOfCode, native } from "../../ledger/Asset.ts"
import { entryChanges } from "../network/EntryChanges.ts"
import type { AssetEvents, Movement } from "./AssetEvents.ts"
import { authorizationEvents } from "./AuthorizationEvents.ts"
import { accountParty, balanceParty, muxedParty, type Party, poolParty } from "./Party.ts"
import { reserveChanges } from "./ReserveChange.ts"

const counterparty = (atom: xdr.ClaimAtom) => {
  switch (atom.type) {
    case "claimAtomTypeV0":
      return { other: accountParty(xdr.PublicKey.publicKeyTypeEd25519(atom.v0.sellerEd25519)), trade: atom.v0 }
    case "claimAtomTypeOrderBook":
      return { other: accountParty(atom.orderBook.sellerId), trade: atom.orderBook }
    case "claimAtomTypeLiquidityPool":
      return { other: poolParty(atom.liquidityPool.liquidityPoolId), trade: atom.liquidityPool }
  }
}

/** Both sides of each trade with an offer or a pool: what the taker pays, then what it gets. */
const tradeEvents = (
  events: AssetEvents,
  taker: Party,
  atoms: ReadonlyArray<xdr.ClaimAtom>
): ReadonlyArray<xdr.ContractEvent> =>
  atoms.flatMap((atom) => {
    const { other, trade } = counterparty(atom)
    return [
      events.moved({ asset: trade.assetBought, from: taker, to: other, amount: trade.amountBought }),
      events.moved({ asset: trade.assetSold, from: other, to: taker, amount: trade.amountSold })
    ]
  })

/** One operation that succeeded, and all that its events are made of. */
interface AppliedOperation {
  readonly body: xdr.OperationBody
  /** Its own source, or the transaction's. */
  readonly source: xdr.MuxedAccount
  readonly memo: xdr.Memo
  readonly result: xdr.OperationResultTr
  readonly changes: ReadonlyArray<xdr.LedgerEntryChange>
}

/** The events of an operation (CAP-67): one for each movement of an asset and each change of an authorization, in order. */
export const operationEvents = (events: AssetEvents, operation: AppliedOperation): ReadonlyArray<xdr.ContractEvent> => [
  ...paymentEvents(events, operation),
  ...tradeEvents(events, muxedParty(operation.source), claimedBy(operation.result)),
  ...balanceEvents(events, operation),
  ...poolEvents(events, operation),
  ...trustEvents(events, operation)
]

/** What operations pay to another account. */
const paymentEvents = (events: AssetEvents, { body, memo, result, source }: AppliedOperation): ReadonlyArray<xdr.ContractEvent> => {
  const from = muxedParty(source)
  switch (body.type) {
    case "createAccount": {
      const { destination, startingBalance } = body.createAccountOp
      return [events.moved({ asset: native, from, to: accountParty(destination), amount: startingBalance, memo })]
    }
    case "payment": {
      const { amount, asset, destination } = body.paymentOp
      return [events.moved({ asset, from, to: muxedParty(destination), amount, memo })]
    }
    case "pathPaymentStrictReceive":
      return pathEvents(events, { from, to: muxedParty(body.pathPaymentStrictReceiveOp.destination), memo }, result)
    case "pathPaymentStrictSend":
      return pathEvents(events, { from, to: muxedParty(body.pathPaymentStrictSendOp.destination), memo }, result)
    case "accountMerge": {
      const merged = result.type === body.type ? result.accountMergeResult : undefined
      return merged?.type === "accountMergeSuccess"
        ? [events.moved({ asset: native, from, to: muxedParty(body.destination), amount: merged.sourceAccountBalance, memo })]
        : []
    }
    default:
      return []
  }
}

/** The trades of a path payment, which its source makes, and at the end what the destination gets from it. */
const pathEvents = (
  events: AssetEvents,
  payment: Pick<Movement, "from" | "to" | "memo">,
  result: xdr.OperationResultTr
): ReadonlyArray<xdr.ContractEvent> => {
  const success = pathSuccess(result)
  if (success === undefined) return []
  const { last, offers } = success
  return [...tradeEvents(events, payment.from, offers), events.moved({ ...payment, asset: last.asset, amount: last.amount })]
}

const pathSuccess = (result: xdr.OperationResultTr) => {
  switch (result.type) {
    case "pathPaymentStrictReceive": {
      const paid = result.pathPaymentStrictReceiveResult
      return paid.type === "pathPaymentStrictReceiveSuccess" ? paid.success : undefined
    }
    case "pathPaymentStrictSend": {
      const paid = result.pathPaymentStrictSendResult
      return paid.type === "pathPaymentStrictSendSuccess" ? paid.success : undefined
    }
    default:
      return undefined
  }
}

/** What goes into claimable balances and comes out of them, and what issuers take back. */
const balanceEvents = (
  events: AssetEvents,
  { body, changes, memo, result, source }: AppliedOperation
): ReadonlyArray<xdr.ContractEvent> => {
  switch (body.type) {
    case "createClaimableBalance": {
      const { amount, asset } = body.createClaimableBalanceOp
      const created = result.type === body.type ? result.createClaimableBalanceResult : undefined
      return created?.type === "createClaimableBalanceSuccess"
        ? [events.moved({ asset, from: muxedParty(source), to: balanceParty(created.balanceId), amount })]
        : []
    }
    case "claimClaimableBalance":
      return goneBalances(changes).map(({ amount, asset, balanceId }) =>
        events.moved({ asset, from: balanceParty(balanceId), to: accountParty(accountOf(source)), amount, memo })
      )
    case "clawbackClaimableBalance":
      return goneBalances(changes).map(({ amount, asset, balanceId }) => events.clawedBack(asset, balanceParty(balanceId), amount))
    case "clawback": {
      const { amount, asset, from } = body.clawbackOp
      return [events.clawedBack(asset, muxedParty(from), amount)]
    }
    default:
      return []
  }
}

/** What goes into liquidity pools and comes out of them for shares. */
const poolEvents = (events: AssetEvents, { body, changes, memo, source }: AppliedOperation): ReadonlyArray<xdr.ContractEvent> => {
  switch (body.type) {
    case "liquidityPoolDeposit":
      return reserveChanges(entryChanges(changes)).flatMap(({ gained, poolId }) =>
        gained.map(([asset, amount]) => events.moved({ asset, from: muxedParty(source), to: poolParty(poolId), amount }))
      )
    case "liquidityPoolWithdraw":
      return reserveChanges(entryChanges(changes)).flatMap(({ gained, poolId }) =>
        gained.map(([asset, amount]) =>
          events.moved({ asset, from: poolParty(poolId), to: accountParty(accountOf(source)), amount: -amount, memo })
        )
      )
    default:
      return []
  }
}

/** What issuers allow and forbid. */
const trustEvents = (events: AssetEvents, { body, changes, source }: AppliedOperation): ReadonlyArray<xdr.ContractEvent> => {
  switch (body.type) {
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

/** The trades of an operation that manages offers. */
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
    after === undefined && before?.type === "claimableBalance" ? [before.claimableBalance] : []
  )
