import { xdr } from "@stellar/stellar-sdk"
import type { Expected } from "../../../src/operations/Expected.ts"

/** A transaction that the service built, and its caller's expectations. */
export interface Case {
  readonly name: string
  readonly expected: Expected
  readonly envelope: string
}

/** A case changed by an attacker or an honest accident; the caller's own side stays unless it is set here. */
export interface Attempt {
  readonly envelope?: string
  readonly expected?: Expected
}

/** Chooses one of several; the same for the same seed. */
export type Choose = <A>(among: ReadonlyArray<A>) => A

/** A way to change a transaction. */
export interface Mutation {
  readonly name: string
  /** The effects stay the same: the verifier must accept it. Omitted: the verifier must reject it. */
  readonly isHarmless?: true
  /** Null: the case has no such part. */
  readonly of: (one: Case, choose: Choose) => Attempt | null
}

export const txOf = ({ envelope }: Pick<Case, "envelope">): xdr.Transaction => {
  const opened = xdr.TransactionEnvelope.fromXdr(envelope, "base64")
  if (opened.type !== "envelopeTypeTx") throw new Error("the corpus has plain transactions only")
  return opened.v1.tx
}

export const sealed = (tx: xdr.Transaction): string =>
  xdr.TransactionEnvelope.envelopeTypeTx(new xdr.TransactionV1Envelope({ tx, signatures: [] })).toXdr("base64")

/** Most operations of a transaction. */
const most = 100

/** The transaction with some changed fields; null where it would have too many operations. */
export const changed = (one: Case, fields: Partial<ConstructorParameters<typeof xdr.Transaction>[0]>): Attempt | null =>
  (fields.operations?.length ?? 0) > most ? null : { envelope: sealed(new xdr.Transaction({ ...txOf(one), ...fields })) }

/** The transaction with one operation replaced by any number of others. */
export const replaced = (one: Case, at: number, ...others: ReadonlyArray<xdr.Operation>): Attempt | null => {
  const { operations } = txOf(one)
  return changed(one, { operations: [...operations.slice(0, at), ...others, ...operations.slice(at + 1)] })
}

/** The places of operations of a kind, with their bodies. */
export const placesOf = <Type extends xdr.OperationBody["type"]>(
  one: Case,
  type: Type
): ReadonlyArray<
  { readonly at: number; readonly operation: xdr.Operation; readonly body: Extract<xdr.OperationBody, { readonly type: Type }> }
> =>
  txOf(one).operations.flatMap((operation, at) =>
    operation.body.type === type ? [{ at, operation, body: operation.body as Extract<xdr.OperationBody, { readonly type: Type }> }] : []
  )

/** A change of one operation of a kind; null without one, or where the change does not fit. */
export const inOne = <Type extends xdr.OperationBody["type"]>(
  type: Type,
  change: (body: Extract<xdr.OperationBody, { readonly type: Type }>, one: Case, choose: Choose) => xdr.OperationBody | null
) =>
(one: Case, choose: Choose): Attempt | null => {
  const places = placesOf(one, type)
  if (places.length === 0) return null
  const { at, body, operation } = choose(places)
  const made = change(body, one, choose)
  return made === null ? null : replaced(one, at, new xdr.Operation({ sourceAccount: operation.sourceAccount, body: made }))
}

/** A mutation that the verifier must reject. */
export const hostile = (name: string, of: Mutation["of"]): Mutation => ({ name, of })

/** A mutation that the verifier must accept. */
export const harmless = (name: string, of: Mutation["of"]): Mutation => ({ name, isHarmless: true, of })

/** Whether a caller accepts a single stroop as a price. */
export const isContent = ({ decisions, floors }: Expected): boolean =>
  Object.values(floors).includes(1n) || decisions.some(({ params }) => params?.minReceive === "0.0000001")
