import { Args, Command, Options } from "@effect/cli"
import { Effect, Option, Schema } from "effect"
import { called, type CallFailed } from "../../client/ServiceClient.ts"
import { type CloseRequest, Plan } from "../../domain/Plan.ts"
import { addresseeOf } from "../Addressee.ts"
import { closingOptions, namedEntries } from "../CloseInput.ts"
import { type CommandFailed, wrongInput } from "../CommandFailed.ts"
import { connectedClient, type Connection, connectionOptions, jsonOption } from "../Connection.ts"
import { decisionOptions, decisionsBy, givenDecisions, warnUnused } from "../DecisionOptions.ts"
import { jsonText } from "../Foreign.ts"
import { memoOptions, typedMemo } from "../MemoOption.ts"
import { ownPlans } from "../OwnPlans.ts"
import { planTree } from "../PlanTree.ts"
import { writePrivate } from "../PrivateFile.ts"
import { questionText } from "../QuestionText.ts"
import { bold, isInteractive, print } from "../Screen.ts"

const encode = Schema.encodeSync(Plan)

const description = `Plans the close of an account: its transactions as a tree, what they bring and cost, and what only you can decide.
Nothing is signed or changed.

Examples:
  closeout plan --embedded
  closeout plan --to GDEST... GSOURCE...
  closeout plan --json GSOURCE... > plan.json
  closeout plan --embedded --save plan.proof`

const input = {
  source: Args.text({ name: "account" }).pipe(Args.withDescription("The account (G...)"), Args.optional),
  ...connectionOptions,
  ...memoOptions,
  ...decisionOptions,
  to: Options.text("to").pipe(
    Options.withDescription("Where the lumens would go: an address (G... or M...), or name*domain"),
    Options.optional
  ),
  smallEnvelopes: closingOptions.smallEnvelopes,
  entry: closingOptions.entry,
  save: Options.text("save").pipe(
    Options.withDescription(
      "Compute the plan in this process and write it to this file, with everything it was computed from. No service is called: " +
        "the sources are those of TESTNET_RPC_URLS, TESTNET_LEDGER_API_URLS and the other settings of a service, or of --embedded"
    ),
    Options.optional
  ),
  json: jsonOption
}

interface Planning {
  readonly prepared: Connection["prepared"]
  readonly plan: (request: CloseRequest) => Effect.Effect<Plan, CallFailed | CommandFailed>
}

/** Plans by the service, or in this process where the plan is to be saved. */
const planning = (given: Command.Command.ParseConfig<typeof input>) =>
  Effect.gen(function*() {
    const { save } = given
    if (Option.isNone(save)) {
      const { client, prepared, where } = yield* connectedClient(given)
      const made: Planning = { prepared, plan: (payload) => called(client.close.plan({ path: { network: where.network }, payload })) }
      return made
    }
    const own = yield* ownPlans(given)
    const made: Planning = {
      prepared: own.prepared,
      plan: (payload) =>
        Effect.flatMap(own.plan(payload), ({ file, plan }) => Effect.as(writePrivate({ what: "The plan", path: save.value }, file), plan))
    }
    return made
  })

const savedText = (save: Option.Option<string>): ReadonlyArray<string> =>
  Option.toArray(Option.map(save, (file) => `Saved. Compute it again by: closeout replay ${file}`))

/** `closeout plan`. */
export const planCommand = Command.make("plan", input, (given) =>
  Effect.scoped(Effect.gen(function*() {
    const typed = yield* typedMemo(given)
    const { plan: planOf, prepared } = yield* planning(given)
    const source = Option.getOrElse(given.source, () => prepared?.source.publicKey() ?? "")
    if (source === "") return yield* wrongInput("Which account is to be planned? Name its address (G...).")
    const to = Option.getOrElse(given.to, () => prepared?.destination.publicKey() ?? "")
    const addressee = to === "" ? null : yield* addresseeOf(to, isInteractive && !given.json)
    const memo = typed ?? addressee?.memo ?? null
    const payload = {
      source,
      ...(addressee === null ? {} : { destination: addressee.address }),
      ...(memo === null ? {} : { memo }),
      ...(given.smallEnvelopes ? { smallEnvelopes: true } : {}),
      ...(yield* namedEntries(given))
    }
    const { decisions, unused } = yield* decisionsBy(yield* givenDecisions(given), (known) => planOf({ ...payload, decisions: known }))
    yield* warnUnused(unused)
    const plan = encode(yield* planOf({ ...payload, decisions }))
    if (given.json) return yield* print(jsonText(plan, 2))
    yield* print(
      `${bold("Close")} ${source}`,
      ...(addressee === null ? [] : [`${bold(" into")} ${addressee.address}`]),
      "",
      ...planTree(plan)
    )
    const open = plan.decisionPoints.filter(({ answered, required }) => required && !answered)
    const questions = open.map((point) => ({ ...point, reason: "unanswered" as const, floorLumens: null, againstLumens: null }))
    yield* print(...questions.flatMap((question, index) => questionText(question, index + 1)))
    yield* print(...savedText(given.save))
  }))).pipe(Command.withDescription(description))
