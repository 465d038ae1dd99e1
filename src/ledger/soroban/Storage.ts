import { xdr } from "@stellar/stellar-sdk"
import { idOf } from "../EntryId.ts"
import { hostFail } from "./HostError.ts"
import { durabilityOf, findLiving, type Lifetimes, type LivingEntry } from "./Life.ts"

export type Access = "readOnly" | "readWrite"

/** The entries a call may touch, or did. */
export interface Footprint {
  readonly readOnly: ReadonlyArray<xdr.LedgerKey>
  readonly readWrite: ReadonlyArray<xdr.LedgerKey>
}

interface FootprintAccess {
  readonly key: xdr.LedgerKey
  access: Access
}

/** What a call sees of the ledger, to return to when a part of it fails. */
export type StorageSnapshot = ReadonlyMap<string, LivingEntry | undefined>

/**
 * The ledger as contracts see it during one call. Enforcing, it limits a call to its declared footprint. Recording, it reads any key
 * requested, restores archived entries, and remembers which keys were touched and how.
 */
export class Storage {
  /** Over the live entries of a declared footprint, restored ones among them. */
  static enforcing(footprint: Footprint, entries: Iterable<readonly [xdr.LedgerKey, LivingEntry | undefined]>, lives: Lifetimes): Storage {
    const storage = new Storage(lives, undefined)
    for (const key of footprint.readOnly) storage.touched.set(idOf(key), { key, access: "readOnly" })
    for (const key of footprint.readWrite) storage.touched.set(idOf(key), { key, access: "readWrite" })
    for (const [key, living] of entries) storage.entries.set(idOf(key), living)
    return storage
  }

  /** Over a whole ledger. */
  static recording(find: (id: string) => xdr.LedgerEntry | undefined, lives: Lifetimes): Storage {
    return new Storage(lives, find)
  }

  readonly lives: Lifetimes
  private readonly source: ((id: string) => xdr.LedgerEntry | undefined) | undefined
  private readonly touched = new Map<string, FootprintAccess>()
  private entries = new Map<string, LivingEntry | undefined>()

  private constructor(lives: Lifetimes, source: ((id: string) => xdr.LedgerEntry | undefined) | undefined) {
    this.lives = lives
    this.source = source
  }

  get(key: xdr.LedgerKey): xdr.LedgerEntry | undefined {
    return this.living(key)?.entry
  }

  has(key: xdr.LedgerKey): boolean {
    return this.living(key) !== undefined
  }

  /** An entry that must be there. */
  require(key: xdr.LedgerKey): xdr.LedgerEntry {
    return this.get(key) ?? hostFail("Storage", "MissingValue", `trying to get non-existing value for ${kindOf(key)}`)
  }

  /** Creates or replaces an entry. One that is new lives as long as it must, or until `liveUntil`. */
  put(key: xdr.LedgerKey, data: xdr.LedgerEntryData, liveUntil?: number): void {
    const known = this.touch(key, "readWrite")
    const durability = durabilityOf(key)
    this.entries.set(idOf(key), {
      entry: new xdr.LedgerEntry({
        lastModifiedLedgerSeq: known?.entry.lastModifiedLedgerSeq ?? 0,
        data,
        ext: known?.entry.ext ?? xdr.LedgerEntryExt.v0()
      }),
      liveUntil: durability === undefined ? undefined : (liveUntil ?? known?.liveUntil ?? this.lives.minLiveUntil(durability))
    })
  }

  remove(key: xdr.LedgerKey): void {
    this.touch(key, "readWrite")
    this.entries.set(idOf(key), undefined)
  }

  /**
   * Makes an entry live `extendTo` ledgers on, if it would not live more than `threshold`. What is persistent is cut to
   * the longest life there is; what is temporary must not ask for more.
   */
  extend(key: xdr.LedgerKey, threshold: number, extendTo: number): void {
    if (threshold > extendTo) hostFail("Storage", "InvalidInput", "threshold must be <= extend_to")
    const living = this.living(key) ?? hostFail("Storage", "MissingValue", `trying to extend non-existing ${kindOf(key)}`)
    const { ledgerSeq, maxLiveUntil } = this.lives
    const liveUntil = living.liveUntil ?? hostFail("Storage", "InternalError", "trying to extend invalid entry")
    if (durabilityOf(key) === "temporary" && extendTo > maxLiveUntil - ledgerSeq) {
      hostFail("Storage", "InvalidAction", "trying to extend temporary entry past max TTL allowed by network")
    }
    const wanted = Math.min(ledgerSeq + extendTo, maxLiveUntil)
    if (liveUntil - ledgerSeq <= threshold && wanted > liveUntil) this.entries.set(idOf(key), { ...living, liveUntil: wanted })
  }

  /** The entries of the footprint as they stand now: in the order that it declares, or in which they were touched first. */
  final(): ReadonlyArray<{ readonly key: xdr.LedgerKey; readonly access: Access; readonly living: LivingEntry | undefined }> {
    return Array.from(this.touched, ([id, { access, key }]) => ({ key, access, living: this.entries.get(id) }))
  }

  snapshot(): StorageSnapshot {
    return new Map(this.entries)
  }

  restore(snapshot: StorageSnapshot): void {
    const read = Array.from(this.entries.keys()).filter((id) => !snapshot.has(id))
    this.entries = new Map(snapshot)
    for (const id of read) this.load(id)
  }

  private living(key: xdr.LedgerKey): LivingEntry | undefined {
    return this.touch(key, "readOnly")
  }

  private touch(key: xdr.LedgerKey, access: Access): LivingEntry | undefined {
    const id = idOf(key)
    const touched = this.touched.get(id)
    if (this.source === undefined) {
      if (touched === undefined || (access === "readWrite" && touched.access === "readOnly")) {
        hostFail("Storage", "ExceededLimit", `trying to access ${kindOf(key)} outside of the footprint`)
      }
      return this.entries.get(id)
    }
    if (touched === undefined) this.touched.set(id, { key, access })
    else if (access === "readWrite") touched.access = access
    if (!this.entries.has(id)) this.load(id)
    return this.entries.get(id)
  }

  /** Reads through to the ledger: what is temporary and over does not exist, what is archived comes back as if restored. */
  private load(id: string): void {
    const touched = this.touched.get(id)
    if (touched === undefined || this.source === undefined) return
    const found = findLiving(this.source, touched.key)
    if (found === undefined || this.lives.isLive(found)) {
      this.entries.set(id, found)
      return
    }
    const isArchived = durabilityOf(touched.key) === "persistent"
    if (isArchived) touched.access = "readWrite"
    this.entries.set(id, isArchived ? { ...found, liveUntil: this.lives.minLiveUntil("persistent") } : undefined)
  }
}

const kindOf = (key: xdr.LedgerKey): string => {
  switch (key.type) {
    case "contractData":
      return kindOfData(key.contractData.key)
    case "contractCode":
      return "contract code"
    case "account":
      return "account"
    case "trustline":
      return "account trustline"
    default:
      return "ledger key"
  }
}

const kindOfData = (key: xdr.ScVal): string => {
  switch (key.type) {
    case "scvLedgerKeyContractInstance":
      return "contract instance"
    case "scvLedgerKeyNonce":
      return "nonce"
    default:
      return "contract data key"
  }
}
