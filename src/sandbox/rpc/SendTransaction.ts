import { xdr } from "@stellar/stellar-sdk"
import { Effect, Schema } from "effect"
import { xdrBase64 } from "../../xdr/XdrBytes.ts"
import { Network } from "../Network.ts"
import { RpcFault } from "./RpcFault.ts"
import { rpcMethod, xdrFormat } from "./RpcMethod.ts"

const statuses = { pending: "PENDING", duplicate: "DUPLICATE", try_again_later: "TRY_AGAIN_LATER" } as const

/** `sendTransaction`: answers what the queue said; the ledger named is the latest one before the submission. */
export const sendTransaction = rpcMethod(
  "sendTransaction",
  Schema.Struct({ transaction: Schema.String, ...xdrFormat }),
  Effect.fnUntraced(function*({ transaction }) {
    const envelope = yield* Effect.try({
      try: () => xdr.TransactionEnvelope.fromXdr(transaction, "base64"),
      catch: () => RpcFault.invalidParams("invalid_xdr")
    })
    const network = yield* Network
    const { history: { latest } } = yield* network.snapshot
    const { facts, verdict } = yield* network.submit(envelope)
    const answer = {
      hash: facts.hash,
      latestLedger: latest.sequence,
      latestLedgerCloseTime: latest.closeTime.toString()
    }
    return typeof verdict === "string"
      ? { status: statuses[verdict], ...answer }
      : { status: "ERROR", ...answer, errorResultXdr: xdrBase64(verdict.rejected) }
  })
)
