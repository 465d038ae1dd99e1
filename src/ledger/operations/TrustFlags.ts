import type { xdr } from "@stellar/stellar-sdk"
import { AccountFlag, hasFlag } from "../entries/Account.ts"
import { authorizationFlags, mayMaintainLiabilities, withLine } from "../entries/Trustline.ts"
import { fault } from "../LedgerFault.ts"
import { loadTrustline, peekAccount } from "../Loaded.ts"
import type { ApplyContext } from "../Operation.ts"
import { pullHoldings } from "../Revocation.ts"

/** Flags of trustlines that exist. */
export const knownTrustlineFlags = 0x7

/** Whether the two authorization bits contradict each other. */
export const isContradictory = (flags: number): boolean => (flags & authorizationFlags) === authorizationFlags

export type FlagFailure = "noTrustLine" | "cantRevoke" | "invalidState" | "lowReserve" | "tooManySponsoring"

/** A change of the flags of a trustline by its issuer. */
export interface FlagChange {
  readonly trustor: xdr.PublicKey
  readonly asset: xdr.Asset
  /** Whether the change takes something away that only an issuer who may revoke can take; asked first without the line. */
  readonly revokes: (line: xdr.TrustLineEntry | undefined) => boolean
  readonly apply: (flags: number) => number
}

/** Changes flags. A line that loses all authorization loses its offers and pool shares too. */
export const changeFlags = (change: FlagChange, context: ApplyContext): FlagFailure | undefined => {
  const { draft, source } = context
  const issuer = peekAccount(draft, source) ?? fault("the issuer is missing")
  const mayRevoke = hasFlag(issuer.current, AccountFlag.authRevocable)
  if (!mayRevoke && change.revokes(undefined)) return "cantRevoke"
  const line = loadTrustline(draft, change.trustor, change.asset)
  if (line === undefined) return "noTrustLine"
  const flags = change.apply(line.current.flags)
  if (isContradictory(flags)) return "invalidState"
  if (!mayRevoke && change.revokes(line.current)) return "cantRevoke"
  if (mayMaintainLiabilities(line.current) && (flags & authorizationFlags) === 0) {
    const refusal = pullHoldings(draft, change.trustor, change.asset, context)
    if (refusal !== undefined) return refusal === "lowReserve" ? "lowReserve" : "tooManySponsoring"
  }
  line.set(withLine(line.current, { flags }))
  return undefined
}
