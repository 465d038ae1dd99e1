import { Command } from "@effect/cli"
import { Effect, Schema } from "effect"
import { brief } from "../../client/BriefAmount.ts"
import { called } from "../../client/ServiceClient.ts"
import { PreflightReport } from "../../domain/PreflightReport.ts"
import { connectedClient } from "../Connection.ts"
import { displayed, jsonText, short } from "../Foreign.ts"
import { accountInput, accountNamed } from "../ReadInput.ts"
import { bold, green, paragraph, print, red } from "../Screen.ts"

const encode = Schema.encodeSync(PreflightReport)

const verdicts: Readonly<Record<(typeof PreflightReport.Encoded)["status"], string>> = {
  ready: green("It can be closed now."),
  needs_decisions: "It can be closed once you have decided what only you can decide.",
  blocked: red("It cannot be closed now.")
}

const waiting = "It cannot be closed yet: a position has to be left first. A plan shows the next step."

const rows = (
  { address, blockers, decisions, lumens, mergeable, status, transactionCount }: typeof PreflightReport.Encoded
): ReadonlyArray<string> => [
  `${bold("Account")} ${address}`,
  `  ${status === "ready" && !mergeable ? waiting : verdicts[status]}`,
  `  ${brief(lumens.held)} XLM on it, ${
    lumens.atLeast === null ? "not known how many" : `at least ${brief(lumens.atLeast)} XLM`
  } come back`,
  `  ${transactionCount === null ? "waits for something" : `${transactionCount} transaction${transactionCount === 1 ? "" : "s"}`}`,
  ...blockers.flatMap(({ count, message }) => paragraph(`Blocked${count > 1 ? ` (${count} times)` : ""}: ${short(message)}`).map(red)),
  ...decisions.flatMap(({ message }) => paragraph(`To decide: ${short(message)}`))
]

const description = `Shows whether an account can be closed, what blocks it, and what comes back at least.

Examples:
  closeout preflight --embedded
  closeout preflight --json GADDRESS...`

/** `closeout preflight`. */
export const preflightCommand = Command.make("preflight", accountInput, (input) =>
  Effect.scoped(Effect.gen(function*() {
    const { client, ...connection } = yield* connectedClient(input)
    const address = yield* accountNamed(input.address, connection)
    const path = { network: connection.where.network, address }
    const report = encode(yield* called(client.preflight.report({ path })))
    yield* print(...(input.json ? [jsonText(report, 2)] : rows(displayed(report))))
  }))).pipe(Command.withDescription(description))
