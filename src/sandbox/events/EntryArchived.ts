import { xdr } from "@stellar/stellar-sdk"
import { Effect, Schema } from "effect"
import { createHash } from "node:crypto"
import { keyOfTtl } from "../../xdr/LedgerKeys.ts"
import { xdrBytes } from "../../xdr/XdrBytes.ts"
import { Network } from "../Network.ts"
import { EventRefused, outcomeOfLedger } from "./EventOutcome.ts"

/** The time of a contract entry runs out: a persistent one is archived, a temporary one gone. */
export class EntryArchived extends Schema.TaggedClass<EntryArchived>("EntryArchived")("EntryArchived", {
  /** `LedgerKey` of the entry, in base64. */
  key: Schema.String.pipe(Schema.filter((text) => xdr.LedgerKey.validateXdr(text, "base64") || "a LedgerKey in base64"))
}) {
  happen() {
    return Effect.gen(this, function*() {
      const network = yield* Network
      const key = xdr.LedgerKey.fromXdr(this.key, "base64")
      const keyHash = createHash("sha256").update(xdrBytes(key)).digest()
      const ttlKey = keyOfTtl(keyHash)
      const { state } = yield* network.snapshot
      if (state.get(key) === undefined || state.get(ttlKey) === undefined) {
        return yield* new EventRefused({ event: this._tag, reason: "there is no such entry whose time could run out" })
      }
      const ledger = yield* network.amend((state) => {
        const { ledgerSeq } = state.header
        const data = xdr.LedgerEntryData.ttl(new xdr.TtlEntry({ keyHash, liveUntilLedgerSeq: ledgerSeq - 1 }))
        return state.set([new xdr.LedgerEntry({ lastModifiedLedgerSeq: ledgerSeq, data, ext: xdr.LedgerEntryExt.v0() })])
      })
      return outcomeOfLedger(ledger)
    })
  }
}
