import type { xdr } from "@stellar/stellar-sdk"
import { spendable } from "../situation/Holdings.ts"

/** What an account was when it was first read: who controls it, and whether it held its reserve. */
export interface AccountControl {
  /** Flags, thresholds and signers, as one text to compare by. */
  readonly control: string
  readonly heldReserve: boolean
}

const holdsReserve = (account: xdr.AccountEntry, baseReserve: number): boolean => spendable(account, baseReserve) >= 0n

const controlIn = ({ flags, signers, thresholds }: xdr.AccountEntry): string =>
  [flags, Buffer.from(thresholds.value).toString("hex"), ...signers.map((signer) => signer.toXdr("base64"))].join()

/** What an account is now. */
export const controlOf = (account: xdr.AccountEntry, baseReserve: number): AccountControl => ({
  control: controlIn(account),
  heldReserve: holdsReserve(account, baseReserve)
})

/** The rule that an account breaks by what it is now; null where nothing changed that matters. */
export const brokenControl = (before: AccountControl, account: xdr.AccountEntry | null, baseReserve: number): string | null => {
  if (account === null) return "account_gone"
  if (controlIn(account) !== before.control) return "control_changed"
  return before.heldReserve && !holdsReserve(account, baseReserve) ? "below_reserve" : null
}
