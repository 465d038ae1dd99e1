import { Args, Command, Options, Prompt } from "@effect/cli"
import { Effect, Option, Stream } from "effect"
import { readFileSync } from "node:fs"
import type { Retry } from "../../api/ErrorRow.ts"
import { brief } from "../../client/BriefAmount.ts"
import { answersOf } from "../Answers.ts"
import { type AccountRow, accountRows } from "../batch/AccountRows.ts"
import { openJournal, type RowOutcome } from "../batch/Journal.ts"
import { closeRow, type RowOptions } from "../batch/RowClose.ts"
import { closingOptions, closingTerms, namedEntries } from "../CloseInput.ts"
import { AnsweredNo, Declined, wrongInput } from "../CommandFailed.ts"
import { connectedClient, connectionOptions, jsonOption } from "../Connection.ts"
import { completedDecisions, givenDecisions } from "../DecisionOptions.ts"
import { feePayerOf } from "../FeePayer.ts"
import { displayed, jsonText, short } from "../Foreign.ts"
import { passphraseAt } from "../Passphrase.ts"
import { bold, green, isInteractive, paragraph, print, progress, red } from "../Screen.ts"
import { givenSecrets, secretOptions, signerOf } from "../Secrets.ts"

const description = `Closes the accounts of a CSV file. Run it again after an interruption, even by kill -9: nothing is done twice.
Its first line names the columns: source,destination and, where needed, memo_type,memo,mediator. It never holds secrets.
An account whose close needs an answer is skipped and reported. Give answers by --decisions and run it again.

Examples:
  closeout batch --secret-fd 3 accounts.csv 3< secrets.txt
  closeout batch --yes --json --concurrency 8 --secret-fd 3 accounts.csv 3< secrets.txt > results.ndjson`

const input = {
  file: Args.file({ name: "csv", exists: "yes" }).pipe(Args.withDescription("The CSV file")),
  ...connectionOptions,
  ...secretOptions,
  ...closingOptions,
  journal: Options.text("journal").pipe(
    Options.withDescription(
      "What was done is written to this file, from which the batch is resumed. Default: the CSV file's name and .journal"
    ),
    Options.optional
  ),
  concurrency: Options.integer("concurrency").pipe(
    Options.withDescription("How many accounts are closed at the same time. Default: 4"),
    Options.withDefault(4)
  ),
  json: jsonOption
}

/** What helps most of what failed: the first of these that any row has. */
const precedence: ReadonlyArray<Retry> = ["after_delay", "replan", "after_fix", "never"]

const rowText = (outcome: RowOutcome): ReadonlyArray<string> => {
  const { source } = outcome
  if (outcome.state === "closed") return [`  ${green("closed")}  ${short(source)}  ${brief(outcome.receivedLumens)} XLM arrived`]
  if (outcome.state === "submitted") return []
  return [`  ${red("failed")}  ${short(source)}  ${outcome.code}`, ...paragraph(displayed(outcome.message), "          ")]
}

/** Shows where everything goes, and asks once for all of it. */
const confirmed = (rows: ReadonlyArray<AccountRow>) =>
  Effect.gen(function*() {
    const into = new Map<string, number>()
    for (const { destination } of rows) into.set(destination, (into.get(destination) ?? 0) + 1)
    yield* print(
      bold(`${rows.length} accounts are closed. Nothing can be undone.`),
      ...[...into].slice(0, 20).map(([destination, count]) => `  ${count} into ${destination}`),
      ...(into.size > 20 ? [`  and ${into.size - 20} destinations more`] : [])
    )
    const [only, ...more] = into.keys()
    const [message, wanted] = only !== undefined && more.length === 0
      ? ["The last four characters of the destination", only.slice(-4)]
      : ["The number of destinations", String(into.size)]
    const typed = yield* Prompt.run(Prompt.text({ message }))
    if (typed.trim().toUpperCase() !== wanted) return yield* new Declined()
  })

const summary = (outcomes: ReadonlyArray<RowOutcome>): string => {
  const closed = outcomes.filter(({ state }) => state === "closed").length
  return `${closed} of ${outcomes.length} accounts are closed.`
}

/** `closeout batch`. */
export const batchCommand = Command.make("batch", input, (given) =>
  Effect.scoped(Effect.gen(function*() {
    const mayAsk = isInteractive && !given.json && !given.yes
    if (!mayAsk && !given.yes) {
      return yield* wrongInput("There is no terminal to ask on. Add --yes to close all of them without a question.")
    }
    const rows = yield* accountRows(readFileSync(given.file, "utf8"))
    const connection = yield* connectedClient(given)
    const { client, where } = connection
    const secrets = yield* givenSecrets(given)
    const decisions = yield* givenDecisions(given)
    const terms = { ...(yield* closingTerms(given)), ...(yield* feePayerOf(given.feePayer, secrets)) }
    const file = Option.getOrElse(given.journal, () => `${given.file}.journal`)
    const journal = yield* openJournal(file, rows, passphraseAt(connection))
    if (mayAsk) yield* confirmed(rows.filter(({ source }) => !journal.closed.has(source)))
    const sign = yield* signerOf(secrets, false)
    const named = yield* namedEntries(given)
    const optionsFor = ({ destination, memo, source }: AccountRow) =>
      Effect.gen(function*() {
        const payload = { source, destination, ...(memo === null ? {} : { memo }), ...named }
        const options: RowOptions = {
          ...where,
          ...terms,
          ...(yield* completedDecisions(decisions, client, { path: { network: where.network }, payload })).answers,
          decide: yield* answersOf({ given: decisions, destination, mayAsk: false }),
          sign
        }
        return options
      })
    const closing = Stream.mapEffect(
      Stream.fromIterable(rows),
      (row) => {
        const done = journal.closed.get(row.source)
        return done === undefined ? closeRow(row, optionsFor(row), journal) : Effect.succeed(done)
      },
      { concurrency: Math.max(1, given.concurrency) }
    )
    const outcomes: Array<RowOutcome> = []
    yield* Stream.runForEach(closing, (outcome) => {
      outcomes.push(outcome)
      const lines = given.json ? [jsonText(outcome)] : rowText(outcome)
      return Effect.zipRight(print(...lines), given.json ? Effect.void : progress(outcomes.length, rows.length, summary(outcomes)))
    })
    if (!given.json) yield* print("", bold(`${summary(outcomes)}`))
    const failures = new Set(outcomes.flatMap((one) => (one.state === "failed" ? [one.retry ?? "never"] : [])))
    const retry = precedence.find((one) => failures.has(one))
    if (retry !== undefined) return yield* new AnsweredNo({ retry })
  }))).pipe(Command.withDescription(description))
