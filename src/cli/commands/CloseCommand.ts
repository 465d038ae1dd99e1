import { Args, Command } from "@effect/cli"
import { Effect, Stream } from "effect"
import { closeAccount } from "../../client/CloseAccount.ts"
import type { CloseEvent } from "../../client/CloseEvent.ts"
import type { CloseOptions } from "../../client/CloseOptions.ts"
import type { Receipt } from "../../client/Receipt.ts"
import { agreedMediator } from "../AgreedMediator.ts"
import { answersOf } from "../Answers.ts"
import { closingOptions, closingTerms, namedEntries } from "../CloseInput.ts"
import { wrongInput } from "../CommandFailed.ts"
import { connectedClient, connectionOptions, jsonOption } from "../Connection.ts"
import { completedDecisions, givenDecisions, warnUnused } from "../DecisionOptions.ts"
import { feePayerOf } from "../FeePayer.ts"
import { jsonText } from "../Foreign.ts"
import { addLedger, ledgerOptions } from "../LedgerInput.ts"
import { memoOptions } from "../MemoOption.ts"
import { confirming } from "../MergeConfirmation.ts"
import { partiesOf, toOption } from "../Parties.ts"
import { checkReceiptFile, receiptOption, writeReceipt } from "../ReceiptFile.ts"
import { receiptText } from "../ReceiptText.ts"
import { bold, isInteractive, print } from "../Screen.ts"
import { givenSecrets, secretOptions, signerOf } from "../Secrets.ts"
import { withSubmissionNotice } from "../SubmissionNotice.ts"
import { teller } from "../Teller.ts"

/** A line of JSON for each event. Signed envelopes stay here: who has one can submit it. */
const tellAsJson = (event: CloseEvent) =>
  Effect.suspend(() => print(jsonText(event._tag === "signed" ? { ...event, envelope: undefined } : event)))

const args = { source: Args.text({ name: "account" }).pipe(Args.withDescription("The account to close (G...)"), Args.optional) }

const options = {
  ...connectionOptions,
  ...memoOptions,
  ...secretOptions,
  ...ledgerOptions,
  ...closingOptions,
  to: toOption,
  receipt: receiptOption,
  json: jsonOption
}

const description = `Closes an account: plans, asks, verifies, signs and submits every transaction, until the account is gone.
Run it again to go on after an interruption.

Examples:
  closeout close --embedded
  CLOSEOUT_URL=https://closeout.example closeout close --to GDEST... GSOURCE...
  closeout close --yes --json --secret-fd 3 --to GDEST... GSOURCE... 3< secret.txt
  closeout close --decide asset:USD-GISSUER...=return_to_issuer --to GDEST... GSOURCE...
  closeout close --wait "21 days" --to GDEST... GSOURCE...
  closeout close --ledger @ledgerhq/hw-transport-node-hid --small-envelopes --to GDEST...`

/** How the close is printed. */
interface PrintOptions {
  readonly json: boolean
  readonly mayAsk: boolean
}

/** Runs the close, tells each event, and gives the receipt. */
const receiptOf = (closing: CloseOptions, { json, mayAsk }: PrintOptions) => {
  const tell = json ? tellAsJson : teller(mayAsk)
  return Stream.runFoldEffect(withSubmissionNotice(closeAccount(closing).events, closing), null as Receipt | null, (last, event) => {
    return Effect.as(tell(event), event._tag === "receipt" ? event.receipt : last)
  })
}

/** `closeout close`. */
export const closeCommand = Command.make("close", { ...args, ...options }, (input) =>
  Effect.scoped(Effect.gen(function*() {
    const mayAsk = isInteractive && !input.json && !input.yes
    if (!mayAsk && !input.yes) return yield* wrongInput("There is no terminal to ask questions on. Add --yes to close without any.")
    yield* checkReceiptFile(input.receipt)
    const { client, ...connection } = yield* connectedClient(input)
    const secrets = yield* givenSecrets(input)
    yield* addLedger(input, secrets)
    const { destination, memo, source } = yield* partiesOf(input, connection, secrets, mayAsk)
    const request = { source, destination, ...(memo === null ? {} : { memo }) }
    const given = yield* givenDecisions(input)
    const signer = yield* signerOf(secrets, mayAsk)
    const { answers, unused } = yield* completedDecisions(given, client, {
      path: { network: connection.where.network },
      payload: { ...request, ...(yield* namedEntries(input)) }
    })
    const closing: CloseOptions = {
      ...connection.where,
      ...(yield* closingTerms(input)),
      ...(yield* agreedMediator(input.mediator, { client, network: connection.where.network, destination, mayAsk })),
      ...(yield* feePayerOf(input.feePayer, secrets)),
      ...request,
      ...answers,
      decide: yield* answersOf({ given, destination, mayAsk }),
      sign: mayAsk ? yield* confirming(signer, { destination, memo }) : signer
    }
    if (!input.json) yield* print(`${bold("Close")} ${source}`, `${bold(" into")} ${destination}`)
    yield* warnUnused(unused)
    const receipt = yield* receiptOf(closing, { json: input.json, mayAsk })
    if (receipt === null) return
    if (!input.json) yield* print(...receiptText(receipt))
    yield* writeReceipt(receipt, input.receipt)
  }))).pipe(Command.withDescription(description))
