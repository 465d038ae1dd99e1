import type { xdr } from "@stellar/stellar-sdk"
import { stroops } from "../../../domain/Amount.ts"
import { AccountNotFound } from "../../../domain/failure/Request.ts"
import type { Memo } from "../../../domain/Memo.ts"
import type { RegistryEntry } from "../../../domain/RegistryDocument.ts"
import { memoOf } from "../../../stellar/MemoOf.ts"
import type { CloseInput } from "../../situation/CloseInput.ts"
import { toSdkMemo } from "../../situation/Envelope.ts"
import type { Merged } from "./Ending.ts"

/** Stroops that may come to a mediated account after its payment was made up and stay with the mediator: a stranger's dust stops nothing. */
const mostResidue = 100_000n

/** What a close that is over is held against. */
export interface Asked {
  readonly input: CloseInput
  /** What the registry of today says of the destination. */
  readonly listing: RegistryEntry | null
  /** The mediator's address, and those it had. */
  readonly mediators: ReadonlySet<string>
}

const wentDirectly = ({ into }: Merged, { input, listing }: Asked): boolean =>
  into === input.destination && listing?.requiresMediator !== true

/** All that the account had but the fee it bid: what was bid and not charged may stay with the mediator, and dust that came late. */
const passedOnWhole = ({ amount, paidOn, unchargedFee }: Merged): boolean => {
  const due = amount - unchargedFee
  return paidOn !== null && paidOn.amount <= due && paidOn.amount >= due - mostResidue
}

const wentThroughMediator = (merged: Merged, { input, mediators }: Asked): boolean =>
  mediators.has(merged.into) && merged.paidOn?.destination === input.destination && passedOnWhole(merged)

const sameMemo = (memo: Memo, found: xdr.Memo): boolean => toSdkMemo(memo).toXdrObject().toXdr("base64") === found.toXdr("base64")

const memoFits = ({ memo }: Merged, { input, listing }: Asked): boolean =>
  input.memo === null ? listing?.requiresMemo !== true : sameMemo(input.memo, memo)

/** Whether the lumens of a merge went where they were asked to go, with the memo asked for. */
export const asAsked = (merged: Merged, asked: Asked): boolean =>
  (wentDirectly(merged, asked) || wentThroughMediator(merged, asked)) && memoFits(merged, asked)

const told = (memo: xdr.Memo): { readonly memo?: Memo } => {
  const found = memoOf(memo)
  return found === null ? {} : { memo: found }
}

/** What is told of an account that ended otherwise than it was asked to. */
export const endedOtherwise = ({ hash, into, memo, paidOn }: Merged, address: string): AccountNotFound =>
  new AccountNotFound({
    address,
    mergedInto: into,
    ...(paidOn === null ? {} : { paid: { destination: paidOn.destination, amount: stroops(paidOn.amount) } }),
    ...told(memo),
    hash
  })
