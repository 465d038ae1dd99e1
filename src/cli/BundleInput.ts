import { Args, Options } from "@effect/cli"
import { Effect, Option } from "effect"
import { readFileSync } from "node:fs"
import { type Bundle, readBundle } from "../client/hands/Bundle.ts"
import type { HandOptions } from "../client/hands/Hands.ts"
import { closingTerms, namedEntries, partyOptions, termOptions, yesOption } from "./CloseInput.ts"
import { wrongInput } from "./CommandFailed.ts"
import { connectedClient, type ConnectionInput, connectionOptions, jsonOption } from "./Connection.ts"
import { completedDecisions, givenDecisions, warnUnused } from "./DecisionOptions.ts"
import { jsonText } from "./Foreign.ts"
import { type MemoOptions, memoOptions, typedMemo } from "./MemoOption.ts"
import { writePrivate } from "./PrivateFile.ts"
import { print } from "./Screen.ts"

/** What every signer says by itself: it never comes from the bundle. */
export const handInput = {
  ...connectionOptions,
  ...memoOptions,
  ...termOptions,
  ...partyOptions,
  yes: yesOption,
  json: jsonOption
}

interface HandInput extends ConnectionInput, MemoOptions {
  readonly from: string
  readonly to: string
  readonly decide: ReadonlyArray<string>
  readonly entry: ReadonlyArray<string>
  readonly decisions: Option.Option<string>
  readonly feeCap: Option.Option<string>
  readonly maxSlippageBps: Option.Option<number>
  readonly mediator: Option.Option<string>
  readonly smallEnvelopes: boolean
}

/** The same as the client takes it. */
export const handOptions = (input: HandInput) =>
  Effect.gen(function*() {
    const memo = yield* typedMemo(input)
    const { client, where } = yield* connectedClient(input)
    const request = { source: input.from, destination: input.to, ...(memo === null ? {} : { memo }) }
    const plan = { path: { network: where.network }, payload: { ...request, ...(yield* namedEntries(input)) } }
    const { answers, unused } = yield* completedDecisions(yield* givenDecisions(input), client, plan)
    yield* warnUnused(unused)
    const options: HandOptions = {
      ...where,
      ...(yield* closingTerms(input)),
      ...request,
      ...answers
    }
    return options
  })

export const bundleArgument = Args.file({ name: "bundle", exists: "yes" }).pipe(Args.withDescription("The bundle file"))

/** The bundle in a file. */
export const bundleIn = (file: string) =>
  Effect.try({
    try: () => readBundle(readFileSync(file, "utf8")),
    catch: (cause) => wrongInput(`${file}: ${cause instanceof Error ? cause.message : String(cause)}`)
  })

export const outOption = Options.text("out").pipe(
  Options.withDescription("Write the bundle to this file. Default: standard output"),
  Options.optional
)

/** Writes a bundle where it is wanted. */
export const writeOut = (bundle: Bundle, out: Option.Option<string>) => {
  const text = jsonText(bundle)
  return Option.isSome(out) ? writePrivate({ what: "The bundle", path: out.value }, `${text}\n`) : print(text)
}
