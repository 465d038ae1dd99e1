import { Args, Command, Options, Prompt } from "@effect/cli"
import { Effect, Option, Stream } from "effect"
import { closeAccount } from "../../client/CloseAccount.ts"
import type { CloseEvent } from "../../client/CloseEvent.ts"
import { bundleOf, claimedWarnings, mergeBundles } from "../../client/hands/Bundle.ts"
import { signBundle, submitBundle } from "../../client/hands/Hands.ts"
import { signingPlan } from "../../client/hands/SigningPlan.ts"
import { signWithSeveral } from "../../client/signing/Several.ts"
import { explain } from "../../verify/Explain.ts"
import { answersOf } from "../Answers.ts"
import { bundleArgument, bundleIn, handInput, handOptions, outOption, writeOut } from "../BundleInput.ts"
import { Declined, wrongInput } from "../CommandFailed.ts"
import { jsonOption } from "../Connection.ts"
import { givenDecisions } from "../DecisionOptions.ts"
import { displayed, jsonText } from "../Foreign.ts"
import { addLedger, ledgerOptions } from "../LedgerInput.ts"
import { writePrivate } from "../PrivateFile.ts"
import { bold, isInteractive, paragraph, print, warn } from "../Screen.ts"
import { askSecret, givenSecrets, secretOptions } from "../Secrets.ts"

const answersOption = Options.text("answers").pipe(
  Options.withDescription("Write all answers of the close to this file; other signers read it, and give it as --decisions"),
  Options.optional
)

/** A promise of the client, whose failures are its classes. */
const promised = <A>(run: () => Promise<A>) => Effect.tryPromise({ try: run, catch: (failure) => failure })

const prepare = Command.make(
  "prepare",
  { ...handInput, out: outOption, answers: answersOption },
  (input) =>
    Effect.scoped(Effect.gen(function*() {
      const options = yield* handOptions(input)
      const mayAsk = isInteractive && !input.json && !input.yes
      const decide = yield* answersOf({ given: yield* givenDecisions(input), destination: input.to, mayAsk })
      const sign = () => Effect.fail(wrongInput("Nothing is signed here."))
      const events = closeAccount({ ...options, decide, sign }).events
      const until = Stream.takeUntil(events, ({ _tag }) => _tag === "verified" || _tag === "receipt")
      const seen: ReadonlyArray<CloseEvent> = [...(yield* Stream.runCollect(until))]
      const planned = seen.findLast((event) => event._tag === "planned")
      const built = seen.findLast((event) => event._tag === "built")
      const last = seen.at(-1)
      if (last?._tag !== "verified" || planned?._tag !== "planned") return yield* print("The account is closed: there is nothing to sign.")
      if (Option.isSome(input.answers)) {
        yield* writePrivate({ what: "The file of answers", path: input.answers.value }, `${JSON.stringify(planned.decisions, null, 2)}\n`)
      }
      const warnings = built?._tag === "built" ? built.warnings : []
      yield* Effect.forEach(warnings, ({ message }) => warn(`Note: ${message}`))
      yield* writeOut(bundleOf(last.transaction, planned.plan.planHash, warnings), input.out)
    }))
).pipe(Command.withDescription("Builds and verifies the next transaction of a close, and writes it as a bundle without signatures."))

const show = Command.make("show", { bundle: bundleArgument, json: jsonOption }, (input) =>
  Effect.gen(function*() {
    const bundle = yield* bundleIn(input.bundle)
    const steps = signingPlan(bundle).map(({ sees: _sees, ...step }) => step)
    const sentences = explain(bundle.envelope, bundle.networkPassphrase)
    const warnings = claimedWarnings(bundle)
    if (input.json) return yield* print(jsonText({ hash: bundle.hash, sentences, steps, warnings: warnings.map(({ code }) => code) }, 2))
    yield* print(
      bold("What it does, decoded from its envelope"),
      ...displayed(sentences).flatMap((one) => paragraph(one)),
      ...(warnings.length === 0 ? [] : [bold("What came with the bundle, and nothing proves")]),
      ...warnings.flatMap(({ message }) => paragraph(message)),
      bold("Who signs"),
      ...displayed(steps).map(({ by, key, order, weight }) => `  ${order}  ${key ?? by}${weight === null ? "" : `, weight ${weight}`}`),
      bold("Compare this hash with the other signers, by another way than the file came"),
      `  ${bundle.hash}`
    )
  })).pipe(Command.withDescription("Shows what a bundle does, and who signs it."))

const sign = Command.make(
  "sign",
  { bundle: bundleArgument, ...handInput, ...secretOptions, ...ledgerOptions, out: outOption },
  (input) =>
    Effect.scoped(Effect.gen(function*() {
      const bundle = yield* bundleIn(input.bundle)
      const options = yield* handOptions(input)
      const mayAsk = isInteractive && !input.json && !input.yes
      const secrets = yield* givenSecrets(input)
      yield* addLedger(input, secrets)
      const notes = claimedWarnings(bundle).map(({ message }) => message)
      if (mayAsk) {
        const sentences = displayed(explain(bundle.envelope, bundle.networkPassphrase))
        yield* print(...[...sentences, ...notes].flatMap((one) => paragraph(one)), `  ${bundle.hash}`)
        const isMeant = yield* Prompt.run(Prompt.confirm({ message: "Sign this transaction?" }))
        if (!isMeant) return yield* new Declined()
        if (secrets.size === 0) yield* askSecret(secrets, "Secret key of a signer")
      } else yield* Effect.forEach(notes, warn)
      const signed = yield* promised(() => signBundle(bundle, { ...options, sign: signWithSeveral(Object.fromEntries(secrets)) }))
      yield* writeOut(signed, input.out)
    }))
).pipe(Command.withDescription("Verifies a bundle by what you want, and signs it."))

const bundles = Args.repeated(Args.file({ name: "bundle", exists: "yes" }).pipe(Args.withDescription("Bundles of one transaction")))

const merge = Command.make("merge", { bundles, out: outOption }, (input) =>
  Effect.gen(function*() {
    const [first, ...others] = yield* Effect.forEach(input.bundles, bundleIn)
    if (first === undefined) return yield* wrongInput("Name the bundles to merge.")
    const merged = yield* Effect.try({
      try: () => mergeBundles(first, ...others),
      catch: (cause) => wrongInput(cause instanceof Error ? cause.message : String(cause))
    })
    yield* writeOut(merged, input.out)
  })).pipe(Command.withDescription("Merges bundles that were signed side by side."))

const submit = Command.make("submit", { bundle: bundleArgument, ...handInput }, (input) =>
  Effect.scoped(Effect.gen(function*() {
    const bundle = yield* bundleIn(input.bundle)
    const options = yield* handOptions(input)
    const { hash, ledger } = yield* promised(() => submitBundle(bundle, options))
    yield* print(input.json ? jsonText({ hash, ledger }, 2) : `It is in ledger ${ledger}: ${hash}`)
  }))).pipe(Command.withDescription("Verifies a signed bundle and submits it."))

const description = `Closes an account by signers who share no machine: a bundle file goes from hand to hand.
Each signer names source, destination and answers again; nothing in a bundle is believed.

Examples:
  closeout bundle prepare --yes --from GSOURCE... --to GDEST... --answers answers.json --out bundle.json
  closeout bundle sign --from GSOURCE... --to GDEST... --decisions answers.json --out mine.json bundle.json
  closeout bundle merge --out all.json mine.json theirs.json
  closeout bundle submit --from GSOURCE... --to GDEST... --decisions answers.json all.json`

/** `closeout bundle`. */
export const bundleCommand = Command.make("bundle").pipe(
  Command.withDescription(description),
  Command.withSubcommands([prepare, show, sign, merge, submit])
)
