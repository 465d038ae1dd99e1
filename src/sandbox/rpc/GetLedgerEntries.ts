import { xdr } from "@stellar/stellar-sdk"
import { Effect, Schema } from "effect"
import { createHash } from "node:crypto"
import type { LedgerState } from "../../ledger/LedgerState.ts"
import { ArchivalSupport } from "./ArchivalSupport.ts"
import { RpcFault } from "./RpcFault.ts"
import { readingMethod, xdrFormat } from "./RpcMethod.ts"

const MAX_KEYS = 200

const decodeKey = (key: string, index: number): Effect.Effect<xdr.LedgerKey, RpcFault> =>
  Effect.try({
    try: () => xdr.LedgerKey.fromXdr(key, "base64"),
    catch: () => RpcFault.invalidParams(`cannot unmarshal key value ${key} at index ${index}`)
  })

/** The last ledger an entry lives in: 0 when it is archived; temporary entries past their time are gone. */
const lifeOf = (state: LedgerState, key: xdr.LedgerKey): number | "endless" | "gone" => {
  if (key.type !== "contractData" && key.type !== "contractCode") return "endless"
  const keyHash = createHash("sha256").update(key.toXdr()).digest()
  const ttl = state.get(xdr.LedgerKey.ttl(new xdr.LedgerKeyTtl({ keyHash })))
  if (ttl?.data.type !== "ttl") return "gone"
  const { liveUntilLedgerSeq } = ttl.data.ttl
  if (liveUntilLedgerSeq >= state.header.ledgerSeq) return liveUntilLedgerSeq
  return key.type === "contractData" && key.contractData.durability.name === "temporary" ? "gone" : 0
}

/** `getLedgerEntries`: in the order asked, what is missing left out; the only place that shows an entry's sponsor. */
export const getLedgerEntries = readingMethod(
  "getLedgerEntries",
  Schema.Struct({ keys: Schema.Array(Schema.String), ...xdrFormat }),
  Effect.fnUntraced(function*(chain, { keys }) {
    if (keys.length > MAX_KEYS) {
      return yield* RpcFault.invalidParams(`key count (${keys.length}) exceeds maximum supported (${MAX_KEYS})`)
    }
    const decoded = yield* Effect.forEach(keys, decodeKey)
    if (decoded.some((key) => key.type === "ttl")) {
      return yield* RpcFault.invalidParams("ledger ttl entries cannot be queried directly")
    }
    if (new Set(decoded.map((key) => key.toXdr("base64"))).size < decoded.length) {
      return yield* RpcFault.internal("Duplicate keys")
    }
    const { hidesArchived } = yield* ArchivalSupport
    return {
      entries: decoded.flatMap((key) => {
        const entry = chain.state.get(key)
        const life = lifeOf(chain.state, key)
        return entry === undefined || life === "gone" || (hidesArchived && life === 0)
          ? []
          : [{
            key: key.toXdr("base64"),
            xdr: entry.data.toXdr("base64"),
            lastModifiedLedgerSeq: entry.lastModifiedLedgerSeq,
            ...(life === "endless" ? {} : { liveUntilLedgerSeq: life }),
            extXdr: entry.ext.toXdr("base64")
          }]
      }),
      latestLedger: chain.history.latest.sequence
    }
  })
)
