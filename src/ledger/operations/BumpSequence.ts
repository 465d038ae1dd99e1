import { xdr } from "@stellar/stellar-sdk"
import { withSequence } from "../entries/Account.ts"
import { maxOf } from "../Int64.ts"
import { requireAccount } from "../Loaded.ts"
import { defineOperation } from "../Operation.ts"

/** Raises the source's sequence number; a lower target leaves it, and still marks when it was last set. */
export const BumpSequence = defineOperation({
  kind: "bumpSequence",
  codes: xdr.BumpSequenceResult,
  threshold: "low",
  check: ({ bumpSequenceOp: { bumpTo } }) => (bumpTo < 0n ? "badSeq" : undefined),
  apply: ({ bumpSequenceOp: { bumpTo } }, { draft, header, source }) => {
    const account = requireAccount(draft, source)
    const { closeTime: seqTime, ledgerSeq: seqLedger } = header
    account.set(withSequence(account.current, maxOf(account.current.seqNum, bumpTo), { seqLedger, seqTime }))
    return "success"
  }
})
