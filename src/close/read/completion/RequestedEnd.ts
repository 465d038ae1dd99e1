import type { xdr } from "@stellar/stellar-sdk"
import { stroops } from "../../../domain/Amount.ts"
import { isMuxed } from "../../../domain/DestinationAddress.ts"
import { AccountNotFound } from "../../../domain/failure/Request.ts"
import type { Memo } from "../../../domain/Memo.ts"
import type { RegistryEntry } from "../../../domain/RegistryDocument.ts"
import { memoOf } from "../../../stellar/MemoOf.ts"
import type { CloseInput } from "../../situation/CloseInput.ts"
import { toSdkMemo } from "../../situation/Envelope.ts"
import { isResidue } from "../../situation/ResidueLimit.ts"
import type { Merge } from "./Ending.ts"

/** What a finished close was requested to do. */
export interface CloseTerms {
  readonly input: CloseInput
  /** The destination in the registry of today. */
  readonly listing: RegistryEntry | null
  /** The mediator's address, and those it had. */
  readonly mediators: ReadonlySet<string>
}

const wentDirectly = ({ into }: Merge, { input, listing }: CloseTerms): boolean =>
  into === input.destination && listing?.requiresMediator !== true

/** All that the account had but the fee it bid: what was bid and not charged may stay with the mediator, and dust that came late. */
const passedOnWhole = ({ amount, paidOn, unchargedFee }: Merge): boolean =>
  paidOn !== null && isResidue(amount - unchargedFee - paidOn.amount)

const wentThroughMediator = (merged: Merge, { input, mediators }: CloseTerms): boolean =>
  mediators.has(merged.into) && merged.paidOn?.destination === input.destination && passedOnWhole(merged)

const sameMemo = (memo: Memo, found: xdr.Memo): boolean => toSdkMemo(memo).toXdrObject().toXdr("base64") === found.toXdr("base64")

const memoFits = ({ memo }: Merge, { input, listing }: CloseTerms): boolean =>
  input.memo === null
    ? listing?.requiresMemo !== true || (input.destination !== null && isMuxed(input.destination))
    : sameMemo(input.memo, memo)

/** Whether the lumens of a merge went to the destination that was requested, with its memo. */
export const fulfils = (merged: Merge, terms: CloseTerms): boolean =>
  (wentDirectly(merged, terms) || wentThroughMediator(merged, terms)) && memoFits(merged, terms)

const memoField = (memo: xdr.Memo): { readonly memo?: Memo } => {
  const found = memoOf(memo)
  return found === null ? {} : { memo: found }
}

/** The failure for an account that ended otherwise than requested. */
export const endedOtherwise = ({ hash, into, memo, paidOn }: Merge, address: string): AccountNotFound =>
  new AccountNotFound({
    address,
    mergedInto: into,
    ...(paidOn === null ? {} : { paid: { destination: paidOn.destination, amount: stroops(paidOn.amount) } }),
    ...memoField(memo),
    hash
  })
