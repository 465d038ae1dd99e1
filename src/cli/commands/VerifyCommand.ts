import { Command } from "@effect/cli"
import { Effect } from "effect"
import { accountView } from "../../client/AccountView.ts"
import { agreementOf } from "../../client/Agreement.ts"
import { UnprovenContract } from "../../client/ClientFailure.ts"
import { type CloseOptions, settingsOf } from "../../client/CloseOptions.ts"
import { tooSmall } from "../../client/Dust.ts"
import { callsContract, decodePlain } from "../../client/Envelope.ts"
import { planFacts } from "../../client/PlanFacts.ts"
import { called, httpLayer, Service, serviceClient } from "../../client/ServiceClient.ts"
import { unixTime } from "../../client/UnixTime.ts"
import { expectation, onlyLeavesBehind, unprovenIn, wholeOf } from "../../client/Verification.ts"
import { type Verified, verify } from "../../verify/Verify.ts"
import { closingTerms, namedEntries, partyOptions, termOptions } from "../CloseInput.ts"
import { AnsweredNo, wrongInput } from "../CommandFailed.ts"
import { connectedClient, connectionOptions, jsonOption } from "../Connection.ts"
import { completedDecisions, givenDecisions, warnUnused } from "../DecisionOptions.ts"
import { displayed, jsonText } from "../Foreign.ts"
import { memoOptions, typedMemo } from "../MemoOption.ts"
import { passphraseAt } from "../Passphrase.ts"
import { envelopeInput, envelopeOf } from "../ReadInput.ts"
import { green, paragraph, print, red } from "../Screen.ts"

const description = `Compares a transaction of a close with what you want: destination, memo, answers, fees and what the account holds.
Name a witness, so that the account is read there and not from the service.

Examples:
  closeout verify --from GSOURCE... --to GDEST... --decisions answers.json < envelope.txt
  closeout verify --from GSOURCE... --to GDEST... --witness https://rpc.example --json AAAAAgAAAA...`

const input = {
  ...envelopeInput,
  ...connectionOptions,
  ...memoOptions,
  ...termOptions,
  ...partyOptions,
  json: jsonOption
}

const verdictText = (verdict: Verified): ReadonlyArray<string> =>
  verdict.ok ? [green("It does what you want, and nothing else."), `  ${verdict.hash}`] : [
    red("It is not what you want. Do not sign it."),
    ...verdict.violations.flatMap(({ message, operation, rule }) =>
      paragraph(`${operation === null ? "" : `Operation ${operation + 1}: `}${message} (${rule})`)
    )
  ]

/** `closeout verify`. */
export const verifyCommand = Command.make("verify", input, (given) =>
  Effect.scoped(Effect.gen(function*() {
    const memo = yield* typedMemo(given)
    const envelope = yield* envelopeOf(given)
    const { client, ...connection } = yield* connectedClient(given)
    const request = { source: given.from, destination: given.to, ...(memo === null ? {} : { memo }) }
    const plan = { path: { network: connection.where.network }, payload: { ...request, ...(yield* namedEntries(given)) } }
    const { answers: { decisions }, unused } = yield* completedDecisions(yield* givenDecisions(given), client, plan)
    yield* warnUnused(unused)
    const options: CloseOptions = {
      ...connection.where,
      ...(yield* closingTerms(given)),
      ...request,
      decisions,
      sign: () => Effect.fail(wrongInput("Nothing is signed here."))
    }
    const settings = yield* settingsOf(options)
    const agreement = yield* agreementOf(decisions)
    const view = yield* accountView(settings, 0n).pipe(
      Effect.provideServiceEffect(Service, serviceClient(options)),
      Effect.provide(httpLayer(undefined))
    )
    const transaction = yield* decodePlain(envelope, passphraseAt(connection))
    const now = yield* unixTime
    const had = new Set(view.held.map(({ id }) => id))
    const known = {
      now,
      feeCap: settings.feeCap(callsContract(transaction)),
      had,
      facts: planFacts({ decisionPoints: [] }),
      spent: new Map(),
      whole: wholeOf(view)
    }
    const expectedLeaving = (left: ReadonlySet<string>) => expectation(settings, agreement, view, { ...known, left })
    const first = verify(expectedLeaving(new Set()), envelope)
    const { warnings } = first.ok || view.dust.size === 0 || !onlyLeavesBehind(first.violations)
      ? { warnings: [] }
      : yield* called(client.close.plan({ ...plan, payload: { ...plan.payload, decisions } }))
    const expected = expectedLeaving(tooSmall(warnings, agreement, view.dust))
    const verdict = displayed(verify(expected, envelope))
    const unproven = verdict.ok ? null : yield* unprovenIn(settings, view, expected, envelope)
    if (unproven !== null) return yield* new UnprovenContract(unproven)
    yield* print(...(given.json ? [jsonText(verdict, 2)] : verdictText(verdict)))
    if (!verdict.ok) return yield* new AnsweredNo({ retry: "never" })
  }))).pipe(Command.withDescription(description))
