import { FeeBumpTransaction, type Transaction, TransactionBuilder } from "@stellar/stellar-sdk/base"
import { Effect } from "effect"
import { given } from "./Callback.ts"
import { CallbackFailed, type CloseFailure, UnexpectedAnswer } from "./ClientFailure.ts"
import type { FeePayer } from "./CloseOptions.ts"
import { Closing } from "./Closing.ts"
import { carriesSignatureOf, decodeEnvelope, decodePlain, hashOf, signaturesOf, sorobanOf } from "./Envelope.ts"
import { called, type CallFailed, Service } from "./ServiceClient.ts"
import type { Sign, SigningRequest } from "./SigningRequest.ts"

/** Signs by a function of the caller, whose answer must be the same transaction with every signature that was there and one more at least. */
const signedBy = (callback: string, sign: Sign, request: SigningRequest) =>
  Effect.gen(function*() {
    const failed = (reason: string) => new CallbackFailed({ callback, cause: new Error(reason) })
    const envelope = yield* given(callback, () => sign(request))
    if (typeof envelope !== "string") return yield* failed("It must give an envelope as base64 text.")
    const before = yield* decodeEnvelope(request.envelope, request.networkPassphrase)
    const after = yield* Effect.mapError(decodeEnvelope(envelope, request.networkPassphrase), () => failed("What it gave does not decode."))
    if (hashOf(after) !== request.hash) return yield* failed("What it gave is another transaction.")
    const kept = new Set(signaturesOf(after))
    if (signaturesOf(before).some((one) => !kept.has(one))) return yield* failed("It removed a signature.")
    if (kept.size <= before.signatures.length) return yield* failed("It added no signature.")
    return envelope
  })

/** The envelope with the caller's signatures. */
export const signed = (request: SigningRequest): Effect.Effect<string, CloseFailure, Closing> =>
  Effect.flatMap(Closing, ({ settings: { sign } }) => signedBy("sign", sign, request))

/** The envelope with the mediator's signature: the same transaction, every signature that was there, and exactly one more, which is valid. */
export const coSigned = (
  envelope: string,
  hash: string,
  mediator: string
): Effect.Effect<string, CallFailed | CloseFailure, Closing | Service> =>
  Effect.gen(function*() {
    const { settings: { network, passphrase } } = yield* Closing
    const service = yield* Service
    const { transaction } = yield* called(service.mediator.sign({ path: { network }, payload: { transaction: envelope } }))
    const [before, after] = [yield* decodePlain(envelope, passphrase), yield* decodePlain(transaction, passphrase)]
    const wrong = (reason: string) => new UnexpectedAnswer({ reason: `the mediator's answer ${reason}` })
    if (hashOf(after) !== hash) return yield* wrong("is another transaction")
    const known = new Set(signaturesOf(before))
    const added = signaturesOf(after).filter((one) => !known.has(one))
    if (added.length !== 1 || after.signatures.length !== before.signatures.length + 1) {
      return yield* wrong("does not add exactly one signature")
    }
    if (!carriesSignatureOf(after, mediator)) return yield* wrong("carries no valid signature of the mediator that the caller named")
    return transaction
  })

/** A lower bid for one operation is taken by no ledger. */
const leastBaseFee = 100n

/** The bid for one operation of a fee bump, where the cap allows it. */
const usualBaseFee = 10_000n

/** A fee bump around a signed transaction, whose whole fee stays within the cap. */
const wrapped = (inner: Transaction, { account }: FeePayer, cap: bigint, passphrase: string) => {
  const resourceFee = BigInt(sorobanOf(inner)?.resourceFee ?? 0)
  const operations = BigInt(inner.operations.length + 1)
  const affordable = (cap - resourceFee) / operations
  const baseFee = affordable < usualBaseFee ? affordable : usualBaseFee
  if (baseFee < leastBaseFee) return null
  return TransactionBuilder.buildFeeBumpTransaction(account, baseFee.toString(), inner, passphrase)
}

/** The fee bump that the client itself builds, signed by who pays. Its hash is another one. */
export const feeBumped = (
  request: SigningRequest,
  payer: FeePayer,
  cap: bigint
): Effect.Effect<{ readonly envelope: string; readonly hash: string }, CloseFailure> =>
  Effect.gen(function*() {
    const { envelope, networkPassphrase } = request
    const inner = yield* decodePlain(envelope, networkPassphrase)
    const bump = yield* Effect.try({
      try: () => wrapped(inner, payer, cap, networkPassphrase),
      catch: (cause) => new CallbackFailed({ callback: "feePayer", cause })
    })
    if (!(bump instanceof FeeBumpTransaction) || BigInt(bump.fee) > cap) {
      return yield* new UnexpectedAnswer({ reason: "the transaction cannot be wrapped within feeCap" })
    }
    const hash = hashOf(bump)
    return { envelope: yield* signedBy("feePayer.sign", payer.sign, { ...request, envelope: bump.toXdr(), hash }), hash }
  })
