import type { xdr } from "@stellar/stellar-sdk"
import type { AccountAddress } from "../domain/Address.ts"
import type { IntentOperation } from "../domain/Intent.ts"
import type { ThresholdLevel } from "../domain/Plan.ts"
import type { Around, Breach } from "./Around.ts"

/** The fields of one kind of operation. */
export type OperationOf<Type extends IntentOperation["type"]> = Extract<IntentOperation, { readonly type: Type }>

/** One kind of operation the service may build: its shape, and the way there and back. */
export interface OperationDefinition<Type extends IntentOperation["type"]> {
  readonly type: Type
  /** The threshold of the operation's source that signatures must reach. */
  readonly level: ThresholdLevel
  /** The operation as XDR, its source always written out. */
  readonly build: (operation: OperationOf<Type>) => xdr.Operation
  /** The fields of an operation body, or null when it is not of this kind, or of a form the service never builds. */
  readonly decode: (body: xdr.OperationBody, source: AccountAddress) => OperationOf<Type> | null
  /** Why its caller should not sign a transaction with it; nothing: it does no more than the caller wants. */
  readonly admits: (operation: OperationOf<Type>, around: Around) => ReadonlyArray<Breach>
}
