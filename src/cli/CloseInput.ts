import { Options } from "@effect/cli"
import { Duration, Effect, Option, Schema } from "effect"
import type { CloseOptions } from "../client/CloseOptions.ts"
import { EntryName, entryNameForms } from "../domain/EntryName.ts"
import { wrongInput } from "./CommandFailed.ts"
import { decisionOptions } from "./DecisionOptions.ts"

const optionalText = (name: string, description: string) => Options.text(name).pipe(Options.withDescription(description), Options.optional)

/** The accounts of a close, as who checks a transaction knows them. */
export const partyOptions = {
  from: Options.text("from").pipe(Options.withDescription("The closing account (G...)")),
  to: Options.text("to").pipe(Options.withDescription("The destination (G... or M...)"))
}

const entryOption = Options.text("entry").pipe(
  Options.withDescription(
    "The name of an entry to look up, for instance trustline:G...:CODE-ISSUER or claimable_balance:ID. Needed only where the service has no " +
      "ledger API (warning not_listed). May be repeated"
  ),
  Options.repeated
)

const isEntryName = Schema.is(EntryName)

/** The entries that were named, as a field of a plan or a build request; none where no entry was. */
export const namedEntries = ({ entry }: { readonly entry: ReadonlyArray<string> }) => {
  const wrong = entry.find((name) => !isEntryName(name))
  if (wrong !== undefined) return Effect.fail(wrongInput(`--entry ${wrong} is no name of an entry. It is ${entryNameForms}.`))
  return Effect.succeed<{ readonly entries?: ReadonlyArray<string> }>(entry.length === 0 ? {} : { entries: entry })
}

/** What a transaction of a close is compared with, beside its accounts and memo. */
export const termOptions = {
  ...decisionOptions,
  mediator: optionalText(
    "mediator",
    "The account (G...) that passes lumens on to an exchange. Without it, close shows the service's and asks you; other commands use none"
  ),
  feeCap: optionalText("fee-cap", "The most lumens that one transaction may cost. Default: 0.2, with a contract call 6"),
  maxSlippageBps: Options.integer("max-slippage-bps").pipe(
    Options.withDescription("Largest slippage of sales and exits, in basis points. Default: 50"),
    Options.optional
  ),
  smallEnvelopes: Options.boolean("small-envelopes").pipe(
    Options.withDescription("Keep every classic transaction at 5,000 bytes at most, for hardware wallets. It takes more transactions")
  ),
  entry: entryOption
}

export const yesOption = Options.boolean("yes").pipe(
  Options.withDescription("Ask nothing, and confirm the destination. A question that costs something still needs an answer by --decide")
)

/** How an account is closed. */
export const closingOptions = {
  ...termOptions,
  accept: optionalText("accept", "The least lumens that must arrive. No merge that guarantees less is signed"),
  feePayer: optionalText("fee-payer", "An account (G...) that pays every fee by a fee bump; its secret stands with the others"),
  wait: optionalText("wait", "Wait so long for a position that cools down, for instance \"21 days\". Default: 10 minutes"),
  yes: yesOption
}

interface ClosingInput {
  readonly entry: ReadonlyArray<string>
  readonly accept?: Option.Option<string>
  readonly feeCap: Option.Option<string>
  readonly maxSlippageBps: Option.Option<number>
  readonly mediator: Option.Option<string>
  readonly smallEnvelopes: boolean
  readonly wait?: Option.Option<string>
}

const durations = /^(\d+) (second|minute|hour|day|week)s?$/

const waitIn = (text: string) => {
  const found = durations.exec(text)
  return found === null
    ? Effect.fail(wrongInput("--wait is a number and a unit, for instance \"90 minutes\" or \"21 days\"."))
    : Effect.succeed(Duration.toMillis(Duration.decode(`${Number(found[1])} ${found[2]}s` as Duration.DurationInput)))
}

type Terms = Pick<CloseOptions, "accept" | "entries" | "feeCap" | "maxSlippageBps" | "mediator" | "maxWaitMillis" | "smallEnvelopes">

/** The same as the client takes it. */
export const closingTerms = ({ accept = Option.none(), wait = Option.none(), ...input }: ClosingInput) =>
  Effect.gen(function*() {
    const terms: Terms = {
      ...(Option.isSome(accept) ? { accept: accept.value } : {}),
      ...(Option.isSome(input.feeCap) ? { feeCap: input.feeCap.value } : {}),
      ...(Option.isSome(input.maxSlippageBps) ? { maxSlippageBps: input.maxSlippageBps.value } : {}),
      ...(Option.isSome(input.mediator) ? { mediator: input.mediator.value } : {}),
      ...(input.smallEnvelopes ? { smallEnvelopes: true } : {}),
      ...(yield* namedEntries(input)),
      ...(Option.isSome(wait) ? { maxWaitMillis: yield* waitIn(wait.value) } : {})
    }
    return terms
  })
