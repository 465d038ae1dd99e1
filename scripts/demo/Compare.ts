import {
  type Asset,
  FeeBumpTransaction,
  LiquidityPoolAsset,
  type OperationRecord,
  type Transaction,
  TransactionBuilder
} from "@stellar/stellar-sdk"
import type { Schema } from "effect"
import type { CloseTransaction } from "../../src/domain/CloseTransaction.ts"
import type { Decision } from "../../src/domain/Decision.ts"
import { compareCall } from "./CompareCall.ts"

/** A transaction as the API sends it. */
export type OfferedTransaction = Schema.Schema.Encoded<typeof CloseTransaction>

/** An answer as a client sends it. */
export type Answer = Schema.Schema.Encoded<typeof Decision>

/** What the client itself wants; nothing in it comes from the service's intent. */
export interface Wanted {
  readonly source: string
  readonly destination: string
  readonly passphrase: string
  readonly answers: ReadonlyArray<Answer>
  /** Contracts in which the account holds something. */
  readonly contracts: ReadonlyArray<string>
  readonly maxFeeStroops: number
}

class Mismatch extends Error {}

const insist = (holds: boolean, what: string): void => {
  if (!holds) throw new Mismatch(`the transaction is not what was agreed: ${what}`)
}

/** Decimal text with up to seven places as stroops. */
export const stroopsOf = (text: string): bigint => {
  const [whole = "0", fraction = ""] = text.split(".")
  return BigInt(whole) * 10_000_000n + BigInt(fraction.padEnd(7, "0"))
}

const answerFor = ({ answers }: Wanted, asset: Asset): Answer | undefined =>
  answers.find(({ id }) => id === `asset:${asset.getCode()}-${asset.getIssuer()}`)

type RecordOf<Type extends OperationRecord["type"]> = Extract<OperationRecord, { readonly type: Type }>

/** A line as an intent names it. */
const lineName = (line: Asset | LiquidityPoolAsset): string =>
  line instanceof LiquidityPoolAsset ? `pool:${line.assetA.toString()}/${line.assetB.toString()}` : line.toString()

const compareConversion = (operation: RecordOf<"pathPaymentStrictSend">, wanted: Wanted): string => {
  const answer = answerFor(wanted, operation.sendAsset)
  insist(answer?.choice === "convert_to_native", "a conversion nobody chose")
  insist(operation.destination === wanted.source && operation.destAsset.isNative(), "a conversion that pays somebody else")
  insist(stroopsOf(operation.destMin) >= stroopsOf(answer?.params?.minReceive ?? "922337203685"), "a conversion below the agreed floor")
  return `path_payment_strict_send ${operation.sendAsset.toString()} ${operation.sendAmount} ${operation.destMin}`
}

const comparePayment = (operation: RecordOf<"payment">, wanted: Wanted): string => {
  const answer = answerFor(wanted, operation.asset)
  insist(answer?.choice === "return_to_issuer" && operation.destination === operation.asset.getIssuer(), "a payment nobody chose")
  insist(stroopsOf(operation.amount) <= stroopsOf(answer?.params?.maxAmount ?? "0"), "more is given away than agreed")
  return `payment ${operation.asset.toString()} ${operation.amount}`
}

const comparePoolWithdrawal = ({ minAmountA, minAmountB }: RecordOf<"liquidityPoolWithdraw">): string => {
  insist(stroopsOf(minAmountA) > 0n && stroopsOf(minAmountB) > 0n, "shares are given away for nothing")
  return "liquidity_pool_withdraw"
}

const compareInvocation = (operation: RecordOf<"invokeHostFunction">, wanted: Wanted): string => {
  const call = compareCall(operation, wanted)
  insist(call !== null, "a contract call nobody chose, or one that would allow more")
  return `invoke_contract ${call}`
}

const compareCancelling = ({ amount, offerId }: RecordOf<"manageSellOffer">): string => {
  insist(stroopsOf(amount) === 0n && offerId !== "0", "an offer is made, not cancelled")
  return `manage_sell_offer ${offerId}`
}

const compareOperation = (operation: OperationRecord, wanted: Wanted): string => {
  insist(operation.source === undefined || operation.source === wanted.source, "an operation acts for another account")
  switch (operation.type) {
    case "manageSellOffer":
      return compareCancelling(operation)
    case "manageData":
      insist(operation.value === null || operation.value === undefined, "a data entry is written")
      return `manage_data ${operation.name}`
    case "changeTrust":
      insist(stroopsOf(operation.limit) === 0n, "a trustline is opened")
      return `change_trust ${lineName(operation.line)}`
    case "liquidityPoolWithdraw":
      return comparePoolWithdrawal(operation)
    case "claimClaimableBalance":
      return "claim_claimable_balance"
    case "pathPaymentStrictSend":
      return compareConversion(operation, wanted)
    case "payment":
      return comparePayment(operation, wanted)
    case "accountMerge":
      insist(operation.destination === wanted.destination, "the merge goes elsewhere")
      return `account_merge ${operation.destination}`
    case "invokeHostFunction":
      return compareInvocation(operation, wanted)
    default:
      throw new Mismatch(`the transaction holds an operation of the unexpected kind ${operation.type}`)
  }
}

const intentLine = (operation: OfferedTransaction["intent"]["operations"][number]): string => {
  switch (operation.type) {
    case "manage_sell_offer":
      return `${operation.type} ${operation.offerId}`
    case "manage_data":
      return `${operation.type} ${operation.name}`
    case "change_trust":
      return `${operation.type} ${operation.asset}`
    case "path_payment_strict_send":
      return `${operation.type} ${operation.sendAsset} ${operation.sendAmount} ${operation.destMin}`
    case "payment":
      return `${operation.type} ${operation.asset} ${operation.amount}`
    case "account_merge":
      return `${operation.type} ${operation.destination}`
    case "invoke_contract":
      return `${operation.type} ${operation.contract} ${operation.function}`
    default:
      return operation.type
  }
}

/** Decodes the envelope with the SDK and holds it against the client's own wishes and the intent; throws where they differ. */
export const compare = (offered: OfferedTransaction, wanted: Wanted): Transaction => {
  const transaction = TransactionBuilder.fromXdr(offered.xdr, wanted.passphrase)
  if (transaction instanceof FeeBumpTransaction) throw new Mismatch("the transaction is wrapped in a fee bump")
  insist(Buffer.from(transaction.hash()).toString("hex") === offered.hash, "its hash differs")
  insist(transaction.source === wanted.source, "it has another source")
  insist(transaction.signatures.length === 0, "it is signed already")
  insist(transaction.memo.type === "none", "it carries a memo")
  insist(Number(transaction.fee) <= wanted.maxFeeStroops && transaction.fee === offered.intent.feeStroops, "its fee is off")
  insist(Number(transaction.timeBounds?.maxTime ?? 0) > 0, "it never expires")
  const decoded = transaction.operations.map((operation) => compareOperation(operation, wanted))
  insist(JSON.stringify(decoded) === JSON.stringify(offered.intent.operations.map(intentLine)), "its operations differ from the intent")
  return transaction
}
