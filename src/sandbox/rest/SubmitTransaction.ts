import { HttpRouter, HttpServerResponse } from "@effect/platform"
import type { xdr } from "@stellar/stellar-sdk"
import { Effect, Option } from "effect"
import { xdrBase64 } from "../../xdr/XdrBytes.ts"
import { Network } from "../Network.ts"
import type { TransactionRecord } from "../network/LedgerRecord.ts"
import { transactionFacts } from "../network/TransactionFacts.ts"
import { requestOrigin } from "../RequestOrigin.ts"
import { Problem } from "./Problem.ts"
import { resultCodes } from "./ResultCodes.ts"
import { submittedEnvelope } from "./SubmittedEnvelope.ts"
import { transactionResource } from "./TransactionResource.ts"

/** How long a submission waits for its ledger before it answers that it does not know. */
const patience = "30 seconds"

const timeout = (hash: string, raw: string) =>
  new Problem({
    status: 504,
    type: "transaction_submission_timeout",
    title: "Transaction Submission Timeout",
    detail: "The transaction is in no ledger yet and may still get into one: look it up by the hash in extras.hash.",
    extras: { hash, envelope_xdr: raw }
  })

const failed = (result: xdr.TransactionResult, raw: string) =>
  new Problem({
    status: 400,
    type: "transaction_failed",
    title: "Transaction Failed",
    detail: "The transaction failed when submitted to the network; extras.result_codes tells why.",
    extras: { envelope_xdr: raw, result_xdr: xdrBase64(result), result_codes: resultCodes(result) }
  })

/** `POST /transactions`: waits for the ledger. A transaction that is known already answers with its stored result. */
export const submitTransaction = HttpRouter.makeRoute(
  "POST",
  "/transactions",
  Effect.gen(function*() {
    const { envelope, raw } = yield* submittedEnvelope
    const network = yield* Network
    const { history } = yield* network.snapshot
    const { hash } = yield* Effect.sync(() => transactionFacts(envelope, network.passphrase))
    const origin = yield* requestOrigin
    const settled = (record: TransactionRecord) =>
      record.successful
        ? Effect.succeed(HttpServerResponse.unsafeJson(transactionResource(record, hash, origin)))
        : Effect.fail(failed(record.applied.result, raw))
    const known = history.transaction(hash)
    if (Option.isSome(known)) return yield* settled(known.value)
    const { verdict } = yield* network.submit(envelope)
    if (typeof verdict !== "string") return yield* failed(verdict.rejected, raw)
    const outcome = yield* network.outcome(hash).pipe(
      Effect.timeoutTo({ duration: patience, onSuccess: (record) => record, onTimeout: Option.none<TransactionRecord> })
    )
    return yield* Option.match(outcome, { onNone: () => Effect.fail(timeout(hash, raw)), onSome: settled })
  })
)
