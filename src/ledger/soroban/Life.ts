import { xdr } from "@stellar/stellar-sdk"
import { objectMemo } from "../../fibers/ObjectMemo.ts"
import { type Durability, keyOfTtl, keyText } from "../../xdr/LedgerKeys.ts"
import { xdrBytes } from "../../xdr/XdrBytes.ts"
import { idOf } from "../EntryId.ts"
import { sha256 } from "../Signatures.ts"
import type { Settings } from "./Settings.ts"

/** Durability of the kinds of entry that pay rent; undefined for classic entries, which live until they are removed. */
export const durabilityOf = (key: xdr.LedgerKey): Durability | undefined => {
  switch (key.type) {
    case "contractCode":
      return "persistent"
    case "contractData":
      return key.contractData.durability.name
    default:
      return undefined
  }
}

export const isPersistent = (key: xdr.LedgerKey): boolean => durabilityOf(key) === "persistent"

/** Key of the entry that says how long another lives; made once for a key. */
export const ttlKeyOf = objectMemo((key: xdr.LedgerKey): xdr.LedgerKey => keyOfTtl(sha256(Buffer.from(keyText(key), "base64"))))

/** The entry that says an entry lives until a ledger, that ledger included. */
export const ttlEntry = (key: xdr.LedgerKey, liveUntilLedgerSeq: number): xdr.LedgerEntry =>
  new xdr.LedgerEntry({
    lastModifiedLedgerSeq: 0,
    data: xdr.LedgerEntryData.ttl(new xdr.TtlEntry({ keyHash: sha256(xdrBytes(key)), liveUntilLedgerSeq })),
    ext: xdr.LedgerEntryExt.v0()
  })

/** An entry and the last ledger it lives in; undefined for entries that pay no rent. */
export interface LivingEntry {
  readonly entry: xdr.LedgerEntry
  readonly liveUntil: number | undefined
}

/** Looks up an entry with its life, whether that has run out or not. A contract entry without one does not exist. */
export const findLiving = (find: (id: string) => xdr.LedgerEntry | undefined, key: xdr.LedgerKey): LivingEntry | undefined => {
  const entry = find(idOf(key))
  if (entry === undefined) return undefined
  if (durabilityOf(key) === undefined) return { entry, liveUntil: undefined }
  const ttl = find(idOf(ttlKeyOf(key)))?.data
  return ttl?.type === "ttl" ? { entry, liveUntil: ttl.ttl.liveUntilLedgerSeq } : undefined
}

/** How long entries may and must live, as of a ledger. */
export class Lifetimes {
  readonly ledgerSeq: number
  private readonly settings: Settings

  constructor(ledgerSeq: number, settings: Settings) {
    this.ledgerSeq = ledgerSeq
    this.settings = settings
  }

  isLive({ liveUntil }: LivingEntry): boolean {
    return liveUntil === undefined || liveUntil >= this.ledgerSeq
  }

  /** The last ledger an entry made or restored now lives in. */
  minLiveUntil(durability: Durability): number {
    const { minPersistentTtl, minTemporaryTtl } = this.settings
    return this.ledgerSeq + (durability === "persistent" ? minPersistentTtl : minTemporaryTtl) - 1
  }

  /** The last ledger anything may live in. */
  get maxLiveUntil(): number {
    return this.ledgerSeq + this.settings.maxEntryTtl - 1
  }
}
