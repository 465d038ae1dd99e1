import { xdr } from "@stellar/stellar-sdk"
import { Effect, Schema } from "effect"
import { objectMemo } from "../../fibers/ObjectMemo.ts"
import type { LedgerState } from "../../ledger/LedgerState.ts"
import { ttlKeyOf } from "../../ledger/soroban/Life.ts"
import { keyText } from "../../xdr/LedgerKeys.ts"
import { xdrBase64 } from "../../xdr/XdrBytes.ts"
import { RpcFault } from "./RpcFault.ts"
import { readingMethod, xdrFormat } from "./RpcMethod.ts"
import { ServerLimits } from "./ServerLimits.ts"

const maxKeys = 200

const mostKnown = 20_000

/** Keys as they were read, by their text: clients ask for the same ones again and again. */
const known = new Map<string, xdr.LedgerKey>()

const decodeKey = (text: string, index: number): Effect.Effect<xdr.LedgerKey, RpcFault> =>
  Effect.try({
    try: () => {
      const key = known.get(text) ?? xdr.LedgerKey.fromXdr(text, "base64")
      if (known.size >= mostKnown) known.clear()
      known.set(text, key)
      return key
    },
    catch: () => RpcFault.invalidParams(`cannot unmarshal key value ${text} at index ${index}`)
  })

/** The last ledger an entry lives in: 0 when it is archived; temporary entries past their time are gone. */
const lifeOf = (state: LedgerState, key: xdr.LedgerKey): number | "endless" | "gone" => {
  if (key.type !== "contractData" && key.type !== "contractCode") return "endless"
  const ttl = state.get(ttlKeyOf(key))
  if (ttl?.data.type !== "ttl") return "gone"
  const { liveUntilLedgerSeq } = ttl.data.ttl
  if (liveUntilLedgerSeq >= state.header.ledgerSeq) return liveUntilLedgerSeq
  return key.type === "contractData" && key.contractData.durability.name === "temporary" ? "gone" : 0
}

/** An entry as it goes over the wire. */
interface EntryText {
  readonly xdr: string
  readonly extXdr: string
}

/** Entries never change, so each is written once, however often it is requested. */
const textOf = objectMemo((entry: xdr.LedgerEntry): EntryText => ({ xdr: xdrBase64(entry.data), extXdr: xdrBase64(entry.ext) }))

/** `getLedgerEntries`: in the order asked, what is missing left out; the only place that shows an entry's sponsor. */
export const getLedgerEntries = readingMethod(
  "getLedgerEntries",
  Schema.Struct({ keys: Schema.Array(Schema.String), ...xdrFormat }),
  Effect.fnUntraced(function*(chain, { keys }) {
    if (keys.length > maxKeys) {
      return yield* RpcFault.invalidParams(`key count (${keys.length}) exceeds maximum supported (${maxKeys})`)
    }
    const decoded = yield* Effect.forEach(keys, decodeKey)
    if (decoded.some((key) => key.type === "ttl")) {
      return yield* RpcFault.invalidParams("ledger ttl entries cannot be queried directly")
    }
    if (new Set(decoded.map(keyText)).size < decoded.length) {
      return yield* RpcFault.internal("Duplicate keys")
    }
    const { hidesArchived } = yield* ServerLimits
    return {
      entries: decoded.flatMap((key) => {
        const entry = chain.state.get(key)
        const life = lifeOf(chain.state, key)
        return entry === undefined || life === "gone" || (hidesArchived && life === 0)
          ? []
          : [{
            key: keyText(key),
            lastModifiedLedgerSeq: entry.lastModifiedLedgerSeq,
            ...(life === "endless" ? {} : { liveUntilLedgerSeq: life }),
            ...textOf(entry)
          }]
      }),
      latestLedger: chain.history.latest.sequence
    }
  })
)
