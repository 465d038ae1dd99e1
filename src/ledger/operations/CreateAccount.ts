import { xdr } from "@stellar/stellar-sdk"
import { sameAccount } from "../AccountId.ts"
import { newAccount } from "../entries/Account.ts"
import { newEntry } from "../entries/LedgerEntry.ts"
import { startingSequence } from "../Header.ts"
import { nativeHolding } from "../Holding.ts"
import { fault } from "../LedgerFault.ts"
import { loadAccount, requireAccount } from "../Loaded.ts"
import { defineOperation } from "../Operation.ts"
import { admitEntry } from "../Sponsorship.ts"

/** Creates an account from part of the source's native balance. */
export const CreateAccount = defineOperation({
  kind: "createAccount",
  codes: xdr.CreateAccountResult,
  threshold: "medium",
  check: ({ createAccountOp }, { source }) =>
    createAccountOp.startingBalance < 0n || sameAccount(createAccountOp.destination, source)
      ? "malformed"
      : undefined,
  apply: ({ createAccountOp: { destination, startingBalance } }, { draft, header, source }) => {
    if (loadAccount(draft, destination) !== undefined) return "alreadyExist"
    const account = newAccount(destination, startingBalance, startingSequence(header))
    const entry = admitEntry(draft, newEntry(xdr.LedgerEntryData.account(account)), destination)
    if (typeof entry === "string") return entry

    const balance = nativeHolding(requireAccount(draft, source))
    if (balance.available() < startingBalance) return "underfunded"
    if (!balance.add(-startingBalance)) fault("the source is overdrawn")
    draft.put(entry)
    return "success"
  },
  touchesFrozen: ({ createAccountOp }, _, frozen) => frozen.hasAccount(createAccountOp.destination)
})
