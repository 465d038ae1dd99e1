import { Prompt } from "@effect/cli"
import { Transaction, TransactionBuilder } from "@stellar/stellar-sdk/base"
import { Effect } from "effect"
import { brief } from "../client/BriefAmount.ts"
import type { Sign, SigningRequest } from "../client/SigningRequest.ts"
import type { Memo } from "../domain/Memo.ts"
import { shownMemo } from "../domain/ShownMemo.ts"
import { Declined } from "./CommandFailed.ts"
import { displayed } from "./Foreign.ts"
import { bold, paragraph, print } from "./Screen.ts"

const merges = ({ envelope, networkPassphrase }: SigningRequest): boolean => {
  const transaction = TransactionBuilder.fromXdr(envelope, networkPassphrase)
  return transaction instanceof Transaction && transaction.operations.some(({ type }) => type === "accountMerge")
}

/** What the owner is shown before the account goes. */
interface Arrival {
  readonly destination: string
  readonly memo: Memo | null
}

const ask = ({ destination, memo }: Arrival, { explanation, guaranteedLumens: least, warnings }: SigningRequest) =>
  Effect.gen(function*() {
    yield* print(
      "",
      bold("The last transaction. Nothing can be undone after it."),
      ...explanation.flatMap((sentence) => paragraph(displayed(sentence), "   ")),
      `   ${least === null ? "All lumens" : `At least ${brief(least)} XLM`} arrive at`,
      `   ${bold(destination)}`,
      ...(memo === null ? [] : [`   with the memo ${shownMemo(memo)}`]),
      ...warnings.flatMap(({ message }) => paragraph(`Note: ${displayed(message)}`, "   "))
    )
    const typed = yield* Prompt.run(Prompt.text({ message: "The last four characters of the destination" }))
    if (typed.trim().toUpperCase() !== destination.slice(-4)) return yield* new Declined()
  })

/** Whether a transaction rests on one contract RPC, because no other one responded. */
const restsOnOne = ({ warnings }: SigningRequest): boolean => warnings.some(({ code }) => code === "single_source")

/** Signs, and has the destination confirmed before a merge: the first time, and each time that a merge rests on one contract RPC. */
export const confirming = (sign: Sign, arrival: Arrival) =>
  Effect.map(Effect.context<Prompt.Prompt.Environment>(), (context): Sign => {
    let isConfirmed = false
    return (request) =>
      Effect.gen(function*() {
        if (merges(request) && (!isConfirmed || restsOnOne(request))) {
          yield* ask(arrival, request)
          isConfirmed = true
        }
        const signed = sign(request)
        return yield* (Effect.isEffect(signed) ? signed : Effect.promise(() => Promise.resolve(signed)))
      }).pipe(Effect.provide(context))
  })
