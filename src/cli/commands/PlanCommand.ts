import { Args, Command, Options } from "@effect/cli"
import { Effect, Option, Schema } from "effect"
import { called } from "../../client/ServiceClient.ts"
import { Plan } from "../../domain/Plan.ts"
import { addresseeOf } from "../Addressee.ts"
import { closingOptions } from "../CloseInput.ts"
import { wrongInput } from "../CommandFailed.ts"
import { connectedClient, connectionOptions, jsonOption } from "../Connection.ts"
import { completedDecisions, decisionOptions, givenDecisions } from "../DecisionOptions.ts"
import { jsonText } from "../Foreign.ts"
import { memoOptions, typedMemo } from "../MemoOption.ts"
import { planTree } from "../PlanTree.ts"
import { questionText } from "../QuestionText.ts"
import { bold, isInteractive, print } from "../Screen.ts"

const encode = Schema.encodeSync(Plan)

const description = `Plans the close of an account: its transactions as a tree, what they bring and cost, and what only you can decide.
Nothing is signed or changed.

Examples:
  closeout plan --embedded
  closeout plan --to GDEST... GSOURCE...
  closeout plan --json GSOURCE... > plan.json`

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
  json: jsonOption
}

/** `closeout plan`. */
export const planCommand = Command.make("plan", input, (given) =>
  Effect.scoped(Effect.gen(function*() {
    const { client, prepared, where } = yield* connectedClient(given)
    const source = Option.getOrElse(given.source, () => prepared?.source.publicKey() ?? "")
    if (source === "") return yield* wrongInput("Which account is to be planned? Name its address (G...).")
    const to = Option.getOrElse(given.to, () => prepared?.destination.publicKey() ?? "")
    const addressee = to === "" ? null : yield* addresseeOf(to, isInteractive && !given.json)
    const memo = typedMemo(given) ?? addressee?.memo ?? null
    const payload = {
      source,
      ...(addressee === null ? {} : { destination: addressee.address }),
      ...(memo === null ? {} : { memo }),
      ...(given.smallEnvelopes ? { smallEnvelopes: true } : {})
    }
    const request = { path: { network: where.network }, payload }
    const decisions = yield* completedDecisions(yield* givenDecisions(given), client, request)
    const plan = encode(yield* called(client.close.plan({ ...request, payload: { ...payload, decisions } })))
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
  }))).pipe(Command.withDescription(description))
