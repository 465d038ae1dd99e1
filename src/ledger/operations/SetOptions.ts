import { xdr } from "@stellar/stellar-sdk"
import { sameAccount } from "../AccountId.ts"
import { AccountFlag, hasFlag, sponsorshipOf, withFields, withSigners } from "../entries/Account.ts"
import { isMasterKey, maxSigners, placeOfSigner } from "../entries/Signer.ts"
import { isPrintable } from "../entries/Text.ts"
import { type LoadedAccount, peekAccount, requireAccount } from "../Loaded.ts"
import { type ApplyContext, defineOperation, type FailureName, type Verdict } from "../Operation.ts"
import { admitSigner, releaseSigner } from "../Sponsorship.ts"

const knownAccountFlags = 0xf
const maxWeight = 255

/** Changes the source's flags, home domain, inflation destination, thresholds or one signer. */
export const SetOptions = defineOperation({
  kind: "setOptions",
  codes: xdr.SetOptionsResult,
  threshold: ({ setOptionsOp: { highThreshold, lowThreshold, masterWeight, medThreshold, signer } }) =>
    [masterWeight, lowThreshold, medThreshold, highThreshold, signer].some((field) => field !== null) ? "high" : "medium",
  check: ({ setOptionsOp: op }, { source }) => {
    const [setFlags, clearFlags] = [op.setFlags ?? 0, op.clearFlags ?? 0]
    if (((setFlags | clearFlags) & ~knownAccountFlags) !== 0) return "unknownFlag"
    if ((setFlags & clearFlags) !== 0) return "badFlags"
    const weights = [op.masterWeight, op.lowThreshold, op.medThreshold, op.highThreshold]
    if (weights.some((weight) => (weight ?? 0) > maxWeight)) return "thresholdOutOfRange"
    if (op.signer !== null && !isValidSigner(op.signer, source)) return "badSigner"
    if (op.homeDomain !== null && !isPrintable(op.homeDomain)) return "invalidHomeDomain"
    return undefined
  },
  apply: ({ setOptionsOp: op }, context) => {
    const account = requireAccount(context.draft, context.source)
    const refusal = setAccountFields(op, account, context)
    if (refusal !== undefined) return refusal
    return op.signer === null ? "success" : setSigner(op.signer, account, context)
  }
})

const isValidSigner = ({ key, weight }: xdr.Signer, source: xdr.PublicKey): boolean =>
  !isMasterKey(source, key) &&
  weight <= maxWeight &&
  !(key.type === "signerKeyTypeEd25519SignedPayload" && key.ed25519SignedPayload.payload.length === 0)

const setAccountFields = (
  op: xdr.SetOptionsOp,
  account: LoadedAccount,
  { draft, source }: ApplyContext
): FailureName<"setOptions"> | undefined => {
  const { inflationDest } = op
  if (inflationDest !== null && !sameAccount(inflationDest, source) && peekAccount(draft, inflationDest) === undefined) {
    return "invalidInflation"
  }
  const flags = flagsAfter(op, account.current.flags)
  if (flags === undefined) return "cantChange"
  account.set(
    withFields(account.current, {
      inflationDest: inflationDest ?? account.current.inflationDest,
      flags,
      homeDomain: op.homeDomain ?? account.current.homeDomain,
      thresholds: thresholdsAfter(op, account.current.thresholds.value)
    })
  )
  const changesFlags = op.setFlags !== null || op.clearFlags !== null
  const needsRevocable = hasFlag(account.current, AccountFlag.clawbackEnabled) && !hasFlag(account.current, AccountFlag.authRevocable)
  return changesFlags && needsRevocable ? "authRevocableRequired" : undefined
}

/** Flags of the account after the operation; undefined where it gave up changing them. */
const flagsAfter = ({ clearFlags, setFlags }: xdr.SetOptionsOp, before: number): number | undefined => {
  const [set, clear] = [setFlags ?? 0, clearFlags ?? 0]
  const isImmutable = (flags: number): boolean => (flags & AccountFlag.authImmutable) !== 0
  const cleared = before & ~clear
  return (clear !== 0 && isImmutable(before)) || (set !== 0 && isImmutable(cleared)) ? undefined : cleared | set
}

const thresholdsAfter = (op: xdr.SetOptionsOp, [master, low, medium, high]: Uint8Array): Uint8Array =>
  Uint8Array.of(
    op.masterWeight ?? master ?? 0,
    op.lowThreshold ?? low ?? 0,
    op.medThreshold ?? medium ?? 0,
    op.highThreshold ?? high ?? 0
  )

const setSigner = (signer: xdr.Signer, account: LoadedAccount, { draft }: ApplyContext): Verdict<"setOptions"> => {
  const { at, found } = placeOfSigner(account.current, signer.key)
  const { signers } = account.current
  const { signerSponsors } = sponsorshipOf(account.current)
  if (signer.weight === 0) {
    if (found) releaseSigner(draft, account, at)
  } else if (found) {
    account.set(withFields(account.current, { signers: signers.with(at, signer) }))
  } else {
    if (signers.length >= maxSigners) return "tooManySigners"
    account.set(withSigners(account.current, signers.toSpliced(at, 0, signer), signerSponsors.toSpliced(at, 0, null)))
    const refusal = admitSigner(draft, account, at)
    if (refusal !== undefined) return refusal
  }
  return "success"
}
