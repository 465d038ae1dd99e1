import { xdr } from "@stellar/stellar-sdk"
import type { Draft } from "./Draft.ts"
import type { FrozenKeys } from "./Frozen.ts"
import type { Header } from "./Header.ts"
import { fault } from "./LedgerFault.ts"
import type { SorobanContext } from "./soroban/SorobanContext.ts"
import type { Refusal } from "./Sponsorship.ts"

/** Which of the source's thresholds the signatures of an operation must meet. */
export type ThresholdLevel = "low" | "medium" | "high"

/** Where an operation stands. */
export interface OperationContext {
  /** Source of the operation: its own, or the transaction's. */
  readonly source: xdr.PublicKey
  /** What a contract operation has besides; undefined for classic transactions. */
  readonly soroban: SorobanContext | undefined
}

/** Where an operation is applied. Changes go to the draft, which is dropped when the operation fails. */
export interface ApplyContext extends OperationContext {
  readonly draft: Draft
  readonly header: Header
  readonly frozen: FrozenKeys
  /** Source and sequence number of the transaction, and the operation's place in it: they make ids. */
  readonly transactionSource: xdr.PublicKey
  readonly transactionSequence: bigint
  readonly index: number
  /** Highest sequence number of an account among the transactions of this ledger, if it sends any. */
  readonly highestSequence: (account: xdr.PublicKey) => bigint | undefined
}

/** The rules of one kind of operation, over bodies of that kind. */
export interface OperationRules<Body extends xdr.OperationBody> {
  readonly threshold: ThresholdLevel | ((body: Body) => ThresholdLevel)
  /** False where a header flag switches the operation off. */
  readonly isSupported?: (header: Header) => boolean
  /** What is wrong with the operation whatever the ledger holds: its result, or undefined when nothing is. */
  readonly check: (body: Body, context: OperationContext) => xdr.OperationResult | undefined
  /** Applies the operation. */
  readonly apply: (body: Body, context: ApplyContext) => xdr.OperationResult
  /** Whether the operation touches a frozen key, as far as its fields tell; its source is looked at already. */
  readonly touchesFrozen?: (body: Body, context: OperationContext, frozen: FrozenKeys) => boolean
}

export type OperationKind = xdr.OperationBody["type"]
export type BodyOf<Kind extends OperationKind> = Extract<xdr.OperationBody, { readonly type: Kind }>

/** {@link OperationRules} of any kind. */
export interface Operation {
  readonly threshold: (body: xdr.OperationBody) => ThresholdLevel
  readonly isSupported: (header: Header) => boolean
  readonly check: (body: xdr.OperationBody, context: OperationContext) => xdr.OperationResult | undefined
  readonly apply: (body: xdr.OperationBody, context: ApplyContext) => xdr.OperationResult
  readonly touchesFrozen: (body: xdr.OperationBody, context: OperationContext, frozen: FrozenKeys) => boolean
}

const isKind = <Kind extends OperationKind>(body: xdr.OperationBody, kind: Kind): body is BodyOf<Kind> => body.type === kind

export const defineOperation = <Kind extends OperationKind>(kind: Kind, rules: OperationRules<BodyOf<Kind>>): Operation => {
  const narrow = (body: xdr.OperationBody): BodyOf<Kind> => (isKind(body, kind) ? body : fault(`not a ${kind} operation`))
  const { threshold } = rules
  return {
    threshold: (body) => (typeof threshold === "function" ? threshold(narrow(body)) : threshold),
    isSupported: (header) => rules.isSupported?.(header) ?? true,
    check: (body, context) => rules.check(narrow(body), context),
    apply: (body, context) => rules.apply(narrow(body), context),
    touchesFrozen: (body, context, frozen) => rules.touchesFrozen?.(narrow(body), context, frozen) ?? false
  }
}

/** Whether the operation did what it says. Every success code is the one named so. */
export const isSuccess = (result: xdr.OperationResult): boolean => result.type === "opInner" && result.tr.value.type.endsWith("Success")

/** The result of an operation whose new entry found no reserve; `lowReserve` is each operation's own code. */
export const refused = (refusal: Refusal, lowReserve: () => xdr.OperationResult): xdr.OperationResult => {
  switch (refusal) {
    case "lowReserve":
      return lowReserve()
    case "tooManySubEntries":
      return xdr.OperationResult.opTooManySubentries()
    case "tooManySponsoring":
      return xdr.OperationResult.opTooManySponsoring()
  }
}
