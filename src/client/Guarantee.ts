import type { HttpClient } from "@effect/platform"
import type { Transaction } from "@stellar/stellar-sdk/base"
import { Effect } from "effect"
import { parseAmount, stroops } from "../domain/Amount.ts"
import { BelowAcceptedMinimum } from "../domain/failure/Planning.ts"
import type { AccountView } from "./AccountView.ts"
import { type Agreement, decisionsOf } from "./Agreement.ts"
import { type CloseFailure, TransactionNotVerified } from "./ClientFailure.ts"
import type { CloseSettings } from "./CloseOptions.ts"
import { Closing } from "./Closing.ts"
import { hashOf } from "./Envelope.ts"
import { isOwn, marketAbove } from "./Floors.ts"

/** Lumens that claiming a balance brings; of another asset none. */
const claimedLumens = ({ held }: AccountView, balanceId: string): bigint => {
  const claim = held.find(({ id }) => id === `claim:${balanceId}`)
  return claim?.asset === "native" ? claim.amount ?? 0n : 0n
}

/** Lumens that an operation of the account brings at least, below zero where it spends them. */
const leastOf = (operation: Transaction["operations"][number], view: AccountView): bigint => {
  switch (operation.type) {
    case "pathPaymentStrictSend":
      return operation.destAsset.isNative() ? parseAmount(operation.destMin) ?? 0n : 0n
    case "claimClaimableBalance":
      return claimedLumens(view, operation.balanceId)
    case "payment":
      return operation.asset.isNative() ? -(parseAmount(operation.amount) ?? 0n) : 0n
    case "pathPaymentStrictReceive":
      return operation.sendAsset.isNative() ? -(parseAmount(operation.sendMax) ?? 0n) : 0n
    default:
      return 0n
  }
}

/** Whether a transaction merges the account. */
export const isMerging = ({ operations }: Transaction): boolean => operations.some(({ type }) => type === "accountMerge")

/** What a merge guarantees to bring, in stroops; null where the transaction merges nothing. What a mediator pays on is no cost. */
const guaranteed = (transaction: Transaction, view: AccountView, { feePayer, source }: CloseSettings): bigint | null => {
  if (!isMerging(transaction)) return null
  const own = transaction.operations.filter((operation) => (operation.source ?? transaction.source) === source)
  const fee = feePayer === undefined ? BigInt(transaction.fee) : 0n
  return own.reduce((sum, operation) => sum + leastOf(operation, view), view.balanceStroops - fee)
}

/** Each sale on the ledger's books is compared with the market as the caller's own source has it now. */
const aboveMarket = (
  transaction: Transaction,
  agreement: Agreement
): Effect.Effect<void, CloseFailure, Closing | HttpClient.HttpClient> =>
  Effect.forEach(transaction.operations, (operation) =>
    Effect.gen(function*() {
      if (operation.type !== "pathPaymentStrictSend" || operation.sendAsset.isNative()) return
      const id = `asset:${operation.sendAsset.getCode()}-${operation.sendAsset.getIssuer()}`
      const decision = decisionsOf(agreement).find((one) => one.id === id)
      if (decision !== undefined && isOwn(agreement, decision)) return
      const market = yield* marketAbove(id, operation.sendAmount, parseAmount(operation.destMin) ?? 0n)
      if (market === null) return
      const message =
        `${operation.sendAmount} ${operation.sendAsset.getCode()} would be sold for ${operation.destMin} lumens at least, far below the market.`
      return yield* new TransactionNotVerified({
        hash: hashOf(transaction),
        violations: [{ rule: "floor_below_market", operation: transaction.operations.indexOf(operation), message }]
      })
    }), { discard: true })

/**
 * What a transaction guarantees to bring, in stroops; null where it merges nothing. It fails where a floor that the caller did not write is far below
 * the market, or where a merge guarantees less than the caller accepts.
 */
export const guaranteeOf = (
  transaction: Transaction,
  agreement: Agreement,
  view: AccountView
): Effect.Effect<bigint | null, CloseFailure, Closing | HttpClient.HttpClient> =>
  Effect.gen(function*() {
    const { settings } = yield* Closing
    yield* aboveMarket(transaction, agreement)
    const brings = guaranteed(transaction, view, settings)
    if (settings.accept !== null && brings !== null && brings < settings.accept) {
      return yield* new BelowAcceptedMinimum({ accepted: settings.accept, current: stroops(brings < 0n ? 0n : brings) })
    }
    return brings
  })
