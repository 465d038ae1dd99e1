import type { xdr } from "@stellar/stellar-sdk"
import type { AppliedTransaction } from "../../ledger/Apply.ts"
import { addressOf } from "../AssetName.ts"
import { type EntryChange, entryChanges } from "./EntryChanges.ts"
import type { TransactionFacts } from "./TransactionFacts.ts"

const balanceOf = (data: EntryChange["before"], account: string): bigint =>
  data?.type === "account" && addressOf(data.account.accountId) === account ? data.account.balance : 0n

const gained = (account: string, changes: ReadonlyArray<xdr.LedgerEntryChange>): bigint =>
  entryChanges(changes).reduce((sum, { after, before }) => sum + balanceOf(after, account) - balanceOf(before, account), 0n)

/** What a transaction was charged before the ledger's transactions applied and got back after them, in stroops. */
export const chargedFees = (
  { feeSource }: Pick<TransactionFacts, "feeSource">,
  { meta }: Pick<AppliedTransaction, "meta">
): { readonly charged: bigint; readonly refunded: bigint } => ({
  charged: -gained(feeSource, meta.feeChanges),
  refunded: gained(feeSource, meta.postFeeChanges)
})
