import { xdr } from "@stellar/stellar-sdk"
import { accountOf, sameAccount } from "../AccountId.ts"
import { AccountFlag, hasFlag, sponsorshipOf } from "../entries/Account.ts"
import { startingSequence } from "../Header.ts"
import { nativeHolding } from "../Holding.ts"
import { loadAccount, requireAccount } from "../Loaded.ts"
import { defineOperation } from "../Operation.ts"
import { releaseEntry, releaseSigner } from "../Sponsorship.ts"

/**
 * Moves the whole native balance, reserve included, and removes the account with its signers.
 * An account that could be created again with a lower sequence number than it ever used stays.
 */
export const AccountMerge = defineOperation({
  kind: "accountMerge",
  codes: xdr.AccountMergeResult,
  threshold: "high",
  check: ({ destination }, { source }) => sameAccount(accountOf(destination), source) ? "malformed" : undefined,
  apply: ({ destination }, { draft, header, highestSequence, source }) => {
    const receiver = loadAccount(draft, accountOf(destination))
    if (receiver === undefined) return "noAccount"
    const account = requireAccount(draft, source)
    const { numSubEntries, seqNum, signers } = account.current
    if (hasFlag(account.current, AccountFlag.authImmutable)) return "immutableSet"
    if (numSubEntries !== signers.length) return "hasSubEntries"
    const next = startingSequence(header)
    if (seqNum >= next || (highestSequence(source) ?? 0n) >= next) return "seqnumTooFar"
    if (draft.isSponsoringFuture(source) || sponsorshipOf(account.current).numSponsoring > 0) {
      return "isSponsor"
    }

    for (let at = signers.length - 1; at >= 0; at--) releaseSigner(draft, account, at)
    const { balance } = account.current
    if (!nativeHolding(receiver).add(balance)) return "destFull"
    releaseEntry(draft, account.entry, source)
    account.erase()
    return xdr.AccountMergeResult.accountMergeSuccess(balance)
  },
  touchesFrozen: ({ destination }, _, frozen) => frozen.hasAccount(accountOf(destination))
})
