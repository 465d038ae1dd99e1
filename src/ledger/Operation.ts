import { xdr } from "@stellar/stellar-sdk"
import type { Draft } from "./Draft.ts"
import type { FrozenKeys } from "./Frozen.ts"
import type { Header } from "./Header.ts"
import { fault } from "./LedgerFault.ts"
import type { SorobanContext } from "./soroban/SorobanContext.ts"

/** Which of the source's thresholds the signatures of an operation must meet. */
export type ThresholdLevel = "low" | "medium" | "high"

/** The source of an operation, and its contract resources. */
export interface OperationContext {
  /** Source of the operation: its own, or the transaction's. */
  readonly source: xdr.PublicKey
  /** Resources and receipt of a contract operation; undefined for classic transactions. */
  readonly soroban: SorobanContext | undefined
}

/** Where an operation is applied. Changes go to the draft, which is dropped when the operation fails. */
export interface ApplyContext extends OperationContext {
  readonly draft: Draft
  readonly header: Header
  readonly frozen: FrozenKeys
  /** Source and sequence number of the transaction, and the operation's place in it: ids are derived from them. */
  readonly transactionSource: xdr.PublicKey
  readonly transactionSequence: bigint
  readonly index: number
  /** Highest sequence number of an account among the transactions of this ledger; undefined when it sends none. */
  readonly highestSequence: (account: xdr.PublicKey) => bigint | undefined
}

export type OperationKind = xdr.OperationBody["type"]

type BodyOf<Kind extends OperationKind> = Extract<xdr.OperationBody, { readonly type: Kind }>

/** The result union of a kind: `AccountMergeResult` for `accountMerge`. */
type ResultOf<Kind extends OperationKind> = Extract<xdr.OperationResultTr, { readonly type: Kind }>["value"]

/** The kind whose name the result codes carry: a passive offer has those of a sell offer. */
type CodeKind<Kind extends OperationKind> = Kind extends "createPassiveSellOffer" ? "manageSellOffer" : Kind

/** Result codes of a kind that carry nothing else. */
type PlainCode<Kind extends OperationKind> = Extract<ResultOf<Kind>, { readonly value: null }>["type"]

type WithoutPrefix<Prefix extends string, Code extends string> = Code extends `${Prefix}${infer Name}` ? Uncapitalize<Name> : never

/** A result code without the name of its operation: `malformed` for `accountMergeMalformed`. */
type CodeName<Kind extends OperationKind> = WithoutPrefix<CodeKind<Kind>, PlainCode<Kind>>

/** Failures whose code is one of every operation. */
export type SharedFailure = "tooManySubentries" | "tooManySponsoring" | "exceededWorkLimit"

/** Why an operation of a kind fails, named after its result code. */
export type FailureName<Kind extends OperationKind> = Exclude<CodeName<Kind>, "success"> | SharedFailure

/** How an operation of a kind ended: the name of its result code, or its result where that carries a value. */
export type Verdict<Kind extends OperationKind> = CodeName<Kind> | SharedFailure | ResultOf<Kind>

/** The rules of one kind of operation. */
export interface OperationRules<Kind extends OperationKind> {
  readonly kind: Kind
  /** The union of its result codes. */
  readonly codes: { readonly [Code in PlainCode<Kind>]: () => ResultOf<Kind> }
  readonly threshold: ThresholdLevel | ((body: BodyOf<Kind>) => ThresholdLevel)
  /** False where a header flag switches the operation off. */
  readonly isSupported?: (header: Header) => boolean
  /** Why the operation fails in any ledger; undefined when its fields are in order. */
  readonly check: (body: BodyOf<Kind>, context: OperationContext) => FailureName<Kind> | undefined
  readonly apply: (body: BodyOf<Kind>, context: ApplyContext) => Verdict<Kind>
  /** Whether the fields name a frozen key; the source is checked apart. */
  readonly touchesFrozen?: (body: BodyOf<Kind>, context: OperationContext, frozen: FrozenKeys) => boolean
}

/** {@link OperationRules} of any kind, with XDR results. */
export interface Operation {
  readonly threshold: (body: xdr.OperationBody) => ThresholdLevel
  readonly isSupported: (header: Header) => boolean
  readonly check: (body: xdr.OperationBody, context: OperationContext) => xdr.OperationResult | undefined
  readonly apply: (body: xdr.OperationBody, context: ApplyContext) => xdr.OperationResult
  readonly touchesFrozen: (body: xdr.OperationBody, context: OperationContext, frozen: FrozenKeys) => boolean
}

const isKind = <Kind extends OperationKind>(body: xdr.OperationBody, kind: Kind): body is BodyOf<Kind> => body.type === kind

const sharedResults: Readonly<Record<SharedFailure, () => xdr.OperationResult>> = {
  tooManySubentries: xdr.OperationResult.opTooManySubentries,
  tooManySponsoring: xdr.OperationResult.opTooManySponsoring,
  exceededWorkLimit: xdr.OperationResult.opExceededWorkLimit
}

const isShared = (verdict: string): verdict is SharedFailure => Object.hasOwn(sharedResults, verdict)

const capitalized = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1)

/** Writes the verdicts of a kind as XDR results. */
const resultsOf = <Kind extends OperationKind>({ codes, kind }: OperationRules<Kind>): (verdict: Verdict<Kind>) => xdr.OperationResult => {
  const codeKind = kind === "createPassiveSellOffer" ? "manageSellOffer" : kind
  // A lookup by kind loses that the arm takes the results of this kind, which the types of the rules hold.
  const arm = xdr.OperationResultTr[codeKind] as (result: unknown) => xdr.OperationResultTr
  const constructors = codes as Readonly<Record<string, () => ResultOf<Kind>>>
  const own = new Map(Object.getOwnPropertyNames(codes).map((code) => [code, constructors[code]] as const))
  return (verdict) => {
    if (typeof verdict !== "string") return xdr.OperationResult.opInner(arm(verdict))
    if (isShared(verdict)) return sharedResults[verdict]()
    const code = own.get(`${codeKind}${capitalized(verdict)}`) ?? fault(`no result code ${verdict} of ${kind}`)
    return xdr.OperationResult.opInner(arm(code()))
  }
}

/** The operation of some rules: checks that a body is of their kind, and writes what they answer as XDR. */
export const defineOperation = <Kind extends OperationKind>(rules: OperationRules<Kind>): Operation => {
  const { kind, threshold } = rules
  const narrow = (body: xdr.OperationBody): BodyOf<Kind> => (isKind(body, kind) ? body : fault(`not a ${kind} operation`))
  const resultOf = resultsOf(rules)
  return {
    threshold: (body) => (typeof threshold === "function" ? threshold(narrow(body)) : threshold),
    isSupported: (header) => rules.isSupported?.(header) ?? true,
    check: (body, context) => {
      const failure = rules.check(narrow(body), context)
      return failure === undefined ? undefined : resultOf(failure)
    },
    apply: (body, context) => resultOf(rules.apply(narrow(body), context)),
    touchesFrozen: (body, context, frozen) => rules.touchesFrozen?.(narrow(body), context, frozen) ?? false
  }
}

/** Whether the operation did what it says. Every success code is the one named so. */
export const isSuccess = (result: xdr.OperationResult): boolean => result.type === "opInner" && result.tr.value.type.endsWith("Success")
