import type * as xdr from "@stellar/stellar-sdk/xdr"
import type { AccountAddress } from "../domain/Address.ts"
import { type Breach, breach } from "../operations/Around.ts"
import type { Expected } from "../operations/Expected.ts"
import type { Violation } from "../operations/Violation.ts"
import { fromMuxed } from "../stellar/Names.ts"
import { boundBreaches } from "./Bounds.ts"
import { costBreaches } from "./Cost.ts"
import { hashOf, openEnvelope } from "./Envelope.ts"
import { inputBreaches } from "./Inputs.ts"
import { operationViolations } from "./JudgedOperations.ts"
import { memoBreaches } from "./MemoRule.ts"

/** What comes of holding a transaction against what its caller asked for. */
export type Verified =
  /** `hash`: what is signed, hex. */
  | { readonly ok: true; readonly hash: string }
  | { readonly ok: false; readonly violations: ReadonlyArray<Violation> }

/** The transaction uses up the next sequence number of the account, and no other account's. */
const sourceBreaches = ({ seqNum, sourceAccount }: xdr.Transaction, { sequence, source }: Expected): ReadonlyArray<Breach> => [
  ...(fromMuxed(sourceAccount) === source ? [] : breach("transaction_source", "The transaction is not the account's own.")),
  ...(seqNum === sequence + 1n ? [] : breach("sequence", `The transaction uses the sequence number ${seqNum} instead of ${sequence + 1n}.`))
]

const ofAll = (breaches: ReadonlyArray<Breach>): ReadonlyArray<Violation> => breaches.map((one) => ({ ...one, operation: null }))

const violationsIn = (tx: xdr.Transaction, expected: Expected): ReadonlyArray<Violation> => [
  ...ofAll([
    ...sourceBreaches(tx, expected),
    ...boundBreaches(tx, expected),
    ...costBreaches(tx, expected),
    ...memoBreaches(tx, expected)
  ]),
  // That it is an address is checked with the other inputs.
  ...operationViolations(tx, expected, expected.source as AccountAddress)
]

const judged = (expected: Expected, envelope: string): Verified => {
  const unusable = inputBreaches(expected)
  if (unusable.length > 0) return { ok: false, violations: ofAll(unusable) }
  const opened = openEnvelope(envelope)
  if (opened._tag === "Closed") return { ok: false, violations: ofAll([opened.breach]) }
  const violations = violationsIn(opened.tx, expected)
  return violations.length > 0 ? { ok: false, violations } : { ok: true, hash: hashOf(opened.tx, expected.networkPassphrase) }
}

/**
 * Every way in which a transaction (base64) is not what its caller asked for, or the hash to sign. It rests on what it is given and on
 * nothing else: no network, no clock, nothing that the service says of the transaction. It never throws: what cannot be read to its end is
 * not admitted.
 */
export const verify = (expected: Expected, envelope: string): Verified => {
  try {
    return judged(expected, envelope)
  } catch (cause) {
    return { ok: false, violations: ofAll(breach("undecodable", `The transaction cannot be read to its end: ${String(cause)}.`)) }
  }
}
