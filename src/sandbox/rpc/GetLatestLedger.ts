import { Effect, Schema } from "effect"
import { closeMetaText } from "./CloseMetaText.ts"
import { readingMethod, xdrFormat } from "./RpcMethod.ts"

/** `getLatestLedger`: `headerXdr` is a bare `LedgerHeader`, unlike in `getLedgers`. */
export const getLatestLedger = readingMethod(
  "getLatestLedger",
  Schema.Struct(xdrFormat),
  ({ history: { latest }, state }) =>
    Effect.succeed({
      id: latest.hash,
      protocolVersion: state.header.ledgerVersion,
      sequence: latest.sequence,
      closeTime: latest.closeTime.toString(),
      headerXdr: Buffer.from(latest.headerXdr).toString("base64"),
      metadataXdr: closeMetaText(latest)
    })
)
