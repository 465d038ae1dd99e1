import type { Asset, Transaction } from "@stellar/stellar-sdk/base"
import { callsContract } from "../client/Envelope.ts"
import { lumen, parseAmount } from "../domain/Amount.ts"
import type { Memo } from "../domain/Memo.ts"
import type { Expected, SentDecision } from "../verify/Verifier.ts"
import { verify } from "../verify/Verify.ts"

/** What a co-signer knows of a close, and types. */
export interface Typed {
  readonly destination: string
  readonly memo: Memo | null
  /** The account that passes the lumens on to an exchange; null where the merge pays the destination itself. */
  readonly mediator: string | null
  /** The least lumens that must arrive, or that sales must bring, in stroops; null where neither is in the transaction. */
  readonly least: bigint | null
}

/** Why a transaction is not to be signed, and the field that it is about; null: the transaction as a whole. */
export interface BundleProblem {
  readonly message: string
  readonly field: "destination" | "memo" | "mediator" | "least" | null
}

/** Whether another account than the closing one pays: it passes on what the merge brings it. */
export const isMediated = ({ operations, source: account }: Transaction): boolean =>
  operations.some(({ source, type }) => type === "payment" && source !== undefined && source !== account)

/** Whether something is sold on the ledger's books. */
const sells = ({ operations }: Transaction): boolean => operations.some(({ type }) => type === "pathPaymentStrictSend")

/** The most that a transaction without contracts may cost, in stroops. */
const feeCap = lumen / 5n

/** The longest validity that a service gives, in seconds: signers need time to find one another. */
const longestValidity = 86_400

const named = (asset: Asset): string => `${asset.getCode()}-${asset.getIssuer()}`

/** What needs no other word of the owner: it stays in the account, or goes to the typed destination. */
const answersIn = ({ operations }: Transaction, destination: string): ReadonlyArray<SentDecision> => {
  const answers = operations.flatMap((operation): ReadonlyArray<SentDecision> => {
    switch (operation.type) {
      case "claimClaimableBalance":
        return [{ id: `claim:${operation.balanceId}`, choice: "claim" }]
      case "changeTrust":
        return "code" in operation.line ? [{ id: `claims:${named(operation.line)}`, choice: "add_trustline_then_claim" }] : []
      case "payment":
        return operation.asset.isNative() || operation.destination !== destination
          ? []
          : [{ id: `asset:${named(operation.asset)}`, choice: "transfer_to_account", params: { destination } }]
      default:
        return []
    }
  })
  return [...new Map(answers.map((one) => [one.id, one])).values()]
}

/** Sales at any price: what they bring together is compared with what was typed. */
const soldIn = ({ operations }: Transaction): Readonly<Record<string, bigint>> =>
  Object.fromEntries(
    operations.flatMap((operation) => (operation.type === "pathPaymentStrictSend" ? [[`asset:${named(operation.sendAsset)}`, 1n]] : []))
  )

/** What sales bring at least, in stroops. */
const proceedsOf = ({ operations }: Transaction): bigint =>
  operations.reduce(
    (sum, operation) => operation.type === "pathPaymentStrictSend" ? sum + (parseAmount(operation.destMin) ?? 0n) : sum,
    0n
  )

const fieldOf = (rule: string, transaction: Transaction): BundleProblem["field"] => {
  switch (rule) {
    case "memo":
      return "memo"
    case "merge_destination":
      return isMediated(transaction) ? "mediator" : "destination"
    case "payment":
      return "destination"
    case "mediator_payment":
      return "least"
    default:
      return null
  }
}

const expectedOf = (transaction: Transaction, { destination, least, mediator, memo }: Typed, now: number): Expected => ({
  networkPassphrase: transaction.networkPassphrase,
  source: transaction.source,
  sequence: BigInt(transaction.sequence) - 1n,
  // A mediator passes on all of it but the fee.
  balanceStroops: (least ?? 0n) + BigInt(transaction.fee),
  destination,
  memo,
  ...(isMediated(transaction) && mediator !== null ? { mediator: { address: mediator, memoType: memo?.type ?? "none" } } : {}),
  decisions: answersIn(transaction, destination),
  floors: soldIn(transaction),
  contracts: { protocols: {}, code: {}, tokens: [], pairs: {} },
  feeCap,
  now,
  validForSeconds: longestValidity,
  phase: { held: [] }
})

/** Whether the co-signer must type the least lumens: something is sold, or passes through a mediator. */
export const needsLeast = (transaction: Transaction): boolean => isMediated(transaction) || sells(transaction)

const about = (field: BundleProblem["field"], message: string): BundleProblem => ({ field, message: `${message} Do not sign it.` })

/**
 * Why a co-signer should not sign a transaction; null: it does what they typed. The verifier judges it. The bundle's labels are not read, and
 * answers of the close that give something away are not known here: what needs one is refused. `now`: Unix seconds.
 */
export const bundleProblem = (envelope: string, transaction: Transaction, typed: Typed, now: number): BundleProblem | null => {
  if (callsContract(transaction)) {
    return about(
      null,
      "This page cannot check calls of contracts. Use the command closeout bundle sign, which compares them with the answers of the close."
    )
  }
  const verdict = verify(expectedOf(transaction, typed, now), envelope)
  if (!verdict.ok) {
    const [first] = verdict.violations
    return about(first === undefined ? null : fieldOf(first.rule, transaction), verdict.violations.map(({ message }) => message).join(" "))
  }
  const least = typed.least ?? 0n
  if (needsLeast(transaction) && least <= 0n) return { field: "least", message: "Type the least lumens, for instance 12.5." }
  return sells(transaction) && proceedsOf(transaction) < least ? about("least", "Its sales may bring less than you typed.") : null
}
