import type { HttpClient } from "@effect/platform"
import type { Transaction } from "@stellar/stellar-sdk/base"
import { Effect } from "effect"
import { showAmount } from "../../domain/Amount.ts"
import { explain } from "../../verify/Explain.ts"
import { accountView } from "../AccountView.ts"
import { type Agreement, agreementOf } from "../Agreement.ts"
import { CallbackFailed, type CloseFailure, UnexpectedAnswer } from "../ClientFailure.ts"
import { closeAccount } from "../CloseAccount.ts"
import { type CloseOptions, settingsOf } from "../CloseOptions.ts"
import { Closing } from "../Closing.ts"
import { callsContract, decodePlain } from "../Envelope.ts"
import { guaranteeOf } from "../Guarantee.ts"
import { followed } from "../NextActions.ts"
import { ownPlan } from "../OwnPlan.ts"
import { planFacts } from "../PlanFacts.ts"
import { closingOf } from "../Retrying.ts"
import { CallFailed, httpLayer, Service, serviceClient } from "../ServiceClient.ts"
import { coSigned, signed } from "../Signatures.ts"
import type { BuildWarnings } from "../SigningRequest.ts"
import { carefully, type Confirmed, submitted } from "../Submission.ts"
import { unixTime } from "../UnixTime.ts"
import { expectation, judged, onlyLeavesBehind, wholeOf } from "../Verification.ts"
import { type Bundle, bundleOf, claimedWarnings } from "./Bundle.ts"
import { leftUnasked } from "./Gifts.ts"

/**
 * What a signer of many says: as for a close, with all decisions that were agreed on. A signer takes them from no one's bundle. No other account
 * pays the fees: the fee bump would have to be signed by one more hand.
 */
export type HandOptions = Omit<CloseOptions, "sign" | "decide" | "signal" | "feePayer">

type Needs = Closing | Service | HttpClient.HttpClient

/** Runs a part of a close by itself, for who has no Effect; what it fails with is what the promise rejects with. */
const run = async <A>(options: CloseOptions, work: Effect.Effect<A, CallFailed | CloseFailure, Needs>): Promise<A> => {
  const ended = await Effect.runPromise(Effect.either(
    Effect.flatMap(settingsOf(options), (settings) => Effect.provideService(work, Closing, closingOf(settings, () => Effect.void))).pipe(
      Effect.provideServiceEffect(Service, serviceClient(options)),
      Effect.provide(httpLayer(options.fetch))
    )
  ))
  if (ended._tag === "Right") return ended.right
  throw ended.left instanceof CallFailed ? ended.left.failure : ended.left
}

const notToSign = () => {
  throw new Error("Nothing is signed here.")
}

/** What positions owe, where a transaction buys for a debt: by a plan of this signer's own service. */
const debtsFor = ({ operations }: Transaction, agreement: Agreement) =>
  operations.every(({ type }) => type !== "pathPaymentStrictReceive")
    ? Effect.succeed(planFacts({ decisionPoints: [] }))
    : Effect.map(ownPlan(agreement), planFacts)

/** Verifies a bundle's envelope by what this signer itself knows and wants. Signatures that it carries change nothing of that. */
const checked = ({ envelope, networkPassphrase }: Bundle) =>
  Effect.gen(function*() {
    const { retrying, settings } = yield* Closing
    if (networkPassphrase !== settings.passphrase) return yield* new UnexpectedAnswer({ reason: "the bundle is for another network" })
    const transaction = yield* decodePlain(envelope, settings.passphrase)
    const view = yield* retrying(accountView(settings, 0n))
    const agreement = yield* agreementOf(settings.decisions, settings.echoed)
    const now = yield* unixTime
    const held = new Set(view.held.map(({ id }) => id))
    const known = {
      now,
      feeCap: settings.feeCap(callsContract(transaction)),
      facts: yield* debtsFor(transaction, agreement),
      spent: new Map(),
      whole: wholeOf(view)
    }
    const bare = yield* decodePlain(envelope, settings.passphrase)
    bare.signatures.splice(0)
    const judgedLeaving = (gifts: ReadonlySet<string>, left: ReadonlySet<string>) => {
      const had = new Set([...held].filter((id) => !gifts.has(id)))
      return judged(settings, view, expectation(settings, agreement, view, { ...known, had, left }), bare.toXdr())
    }
    const hash = yield* Effect.catchTag(judgedLeaving(new Set(), new Set()), "TransactionNotVerified", (refused) =>
      Effect.gen(function*() {
        if (!onlyLeavesBehind(refused.violations)) return yield* refused
        const { dust, gifts } = yield* leftUnasked(transaction, agreement, view)
        return yield* judgedLeaving(gifts, dust)
      }))
    const guaranteed = yield* guaranteeOf(transaction, agreement, view)
    return { hash, guaranteedLumens: guaranteed === null ? null : showAmount(guaranteed) }
  })

/** Plans, builds and verifies the next transaction of a close, and gives it as a bundle that no one has signed; null: the account is closed. */
export const prepareBundle = async (options: Omit<CloseOptions, "sign" | "feePayer">): Promise<Bundle | null> => {
  let planHash: string | null = null
  let warnings: BuildWarnings = []
  for await (const event of closeAccount({ ...options, sign: notToSign })) {
    if (event._tag === "planned") planHash = event.plan.planHash
    if (event._tag === "built") warnings = event.warnings
    if (event._tag === "verified") return bundleOf(event.transaction, planHash, warnings)
    if (event._tag === "receipt") return null
  }
  return null
}

/** Verifies a bundle and signs it. */
export const signBundle = (bundle: Bundle, options: HandOptions & Pick<CloseOptions, "sign">): Promise<Bundle> =>
  run(
    options,
    Effect.gen(function*() {
      const { guaranteedLumens, hash } = yield* checked(bundle)
      const { envelope, networkPassphrase } = bundle
      const signing = bundle.signing.filter(({ account }) => account !== options.mediator)
      const explanation = explain(envelope, networkPassphrase)
      const warnings = claimedWarnings(bundle)
      return {
        ...bundle,
        envelope: yield* signed({ envelope, hash, networkPassphrase, explanation, guaranteedLumens, warnings, signing })
      }
    })
  )

/** Verifies a bundle that is signed, has the mediator sign where that is due, and submits it. */
export const submitBundle = (bundle: Bundle, options: HandOptions): Promise<Confirmed> =>
  run(
    { ...options, sign: notToSign },
    Effect.gen(function*() {
      const { mediator } = options
      const { hash } = yield* checked(bundle)
      const next = yield* followed(bundle.next, { mediator: mediator !== undefined, feePayer: false })
      if (next[0] === "mediator_sign") {
        return yield* new CallbackFailed({
          callback: "submitBundle",
          cause: new Error("The mediator signs before you: close it by closeAccount.")
        })
      }
      if (!next.includes("mediator_sign") || mediator === undefined) return yield* submitted(bundle.envelope, hash)
      const answer = yield* carefully(hash, coSigned(bundle.envelope, hash, mediator))
      return typeof answer === "string" ? yield* submitted(answer, hash) : answer
    })
  )
