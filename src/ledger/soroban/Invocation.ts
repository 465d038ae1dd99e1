import { xdr } from "@stellar/stellar-sdk"
import { xdrBytes, xdrLength } from "../../xdr/XdrBytes.ts"
import type { Draft } from "../Draft.ts"
import { idOf } from "../EntryId.ts"
import { sha256 } from "../Signatures.ts"
import { Authorization } from "./Authorization.ts"
import { entrySize } from "./EntrySize.ts"
import { HostError } from "./HostError.ts"
import { durabilityOf, findLiving, isPersistent, Lifetimes, type LivingEntry, ttlEntry, ttlKeyOf } from "./Life.ts"
import { Machine } from "./Machine.ts"
import { Meter } from "./Meter.ts"
import { type RentChange, rentFee } from "./ResourceFee.ts"
import { archivedIndexes } from "./Resources.ts"
import { fitsEntry, type Settings } from "./Settings.ts"
import type { SorobanContext } from "./SorobanContext.ts"
import { Storage } from "./Storage.ts"
import { accountAddress } from "./Values.ts"

/** Why a contract call fails: the codes of `InvokeHostFunctionResult`. */
export type InvocationFailure = "trapped" | "resourceLimitExceeded" | "entryArchived" | "insufficientRefundableFee"

/** SHA-256 of return value and events, as the operation's result states it. */
export type InvocationOutcome = { readonly hash: Uint8Array } | { readonly failure: InvocationFailure }

const failed = (failure: InvocationFailure): InvocationOutcome => ({ failure })

/** One entry of the footprint before the call. */
interface FootprintEntry {
  readonly key: xdr.LedgerKey
  readonly living: LivingEntry | undefined
  readonly isRestored: boolean
}

/** Runs a host function against the ledger, held to the declared footprint, resources and agreements. */
export const invoke = (
  operation: xdr.InvokeHostFunctionOp,
  source: xdr.PublicKey,
  draft: Draft,
  soroban: SorobanContext
): InvocationOutcome => {
  const { header } = draft
  const { data, receipt, settings } = soroban
  const lives = new Lifetimes(header.ledgerSeq, settings)
  const loaded = loadFootprint(draft, data, lives, settings)
  if ("failure" in loaded) return loaded
  const before = new Map(loaded.entries.map((entry) => [idOf(entry.key), entry]))

  let machine: Machine | undefined
  let returnValue: xdr.ScVal
  const storage = Storage.enforcing(
    data.resources.footprint,
    loaded.entries.map(({ key, living }) => [key, living]),
    lives
  )
  try {
    machine = new Machine({
      header,
      networkId: soroban.networkId,
      contracts: soroban.contracts,
      storage,
      authorization: new Authorization({ _tag: "Enforcing", entries: operation.auth }, accountAddress(source)),
      meter: new Meter(data.resources.instructions),
      signatures: soroban.signatures
    })
    returnValue = machine.run(operation.hostFunction)
  } catch (error) {
    if (!(error instanceof HostError)) throw error
    machine?.journal.noteError(error)
    receipt.note(machine?.journal.diagnosticEvents() ?? [])
    return failed(error.code === "Error(Budget, ExceededLimit)" ? "resourceLimitExceeded" : "trapped")
  }
  receipt.note(machine.journal.diagnosticEvents())

  const changes = changesOf(storage, before, lives)
  if (!write(draft, changes, data, settings)) return failed("resourceLimitExceeded")
  const events = machine.journal.events()
  const eventBytes = events.reduce((sum, event) => sum + xdrLength(event), xdrLength(returnValue))
  if (eventBytes > settings.txMaxEventsSize) return failed("resourceLimitExceeded")
  if (!receipt.consume(rentFee(changes.flatMap(rentOf), settings, header.ledgerSeq), eventBytes)) {
    return failed("insufficientRefundableFee")
  }
  receipt.restored(restoredOf(loaded.entries, lives))
  receipt.complete({ returnValue, events })
  return { hash: sha256(xdrBytes(new xdr.InvokeHostFunctionSuccessPreImage({ returnValue, events: [...events] }))) }
}

/** The entries of the footprint, archived ones brought back where the transaction says so. */
const loadFootprint = (
  draft: Draft,
  data: xdr.SorobanTransactionData,
  lives: Lifetimes,
  settings: Settings
): { readonly entries: ReadonlyArray<FootprintEntry> } | { readonly failure: InvocationFailure } => {
  const { diskReadBytes, footprint } = data.resources
  const archived = new Set(archivedIndexes(data))
  const keys = [
    ...footprint.readOnly.map((key) => ({ key, mayRestore: false })),
    ...footprint.readWrite.map((key, at) => ({ key, mayRestore: archived.has(at) }))
  ]
  let fromDisk = 0
  const entries: Array<FootprintEntry> = []
  for (const { key, mayRestore } of keys) {
    const entry = livingBefore(draft, key, lives)
    if (entry.isRestored && !mayRestore) return { failure: "entryArchived" }
    const { isRestored, living } = entry
    const size = living === undefined ? 0 : entrySize(living.entry)
    if (!fitsEntry(key, size, settings)) return { failure: "resourceLimitExceeded" }
    if (durabilityOf(key) === undefined || isRestored) fromDisk += size
    if (fromDisk > diskReadBytes) return { failure: "resourceLimitExceeded" }
    entries.push(entry)
  }
  return { entries }
}

/** What a call finds under a key: nothing where it is temporary and over, what is archived as if restored. */
const livingBefore = (draft: Draft, key: xdr.LedgerKey, lives: Lifetimes): FootprintEntry => {
  const found = findLiving((id) => draft.peek(id), key)
  if (found === undefined || lives.isLive(found)) return { key, living: found, isRestored: false }
  if (!isPersistent(key)) return { key, living: undefined, isRestored: false }
  return { key, living: { ...found, liveUntil: lives.minLiveUntil("persistent") }, isRestored: true }
}

/** What a call made of one entry of its footprint. */
export interface EntryOutcome {
  readonly key: xdr.LedgerKey
  readonly isReadOnly: boolean
  readonly before: LivingEntry | undefined
  readonly after: LivingEntry | undefined
  readonly oldLiveUntil: number
  readonly oldSize: number
}

const changesOf = (storage: Storage, before: ReadonlyMap<string, FootprintEntry>, lives: Lifetimes): ReadonlyArray<EntryOutcome> =>
  storage.final().map(({ access, key, living }) => {
    const entry = before.get(idOf(key))
    return entryOutcome({
      key,
      isReadOnly: access === "readOnly",
      before: entry?.living,
      after: living,
      isRestored: entry?.isRestored === true
    }, lives)
  })

/** An entry that is new, or was restored, pays for its whole life; nothing ever shortens a life. */
export const entryOutcome = (
  entry: Pick<EntryOutcome, "key" | "isReadOnly" | "before" | "after"> & { readonly isRestored: boolean },
  lives: Lifetimes
): EntryOutcome => {
  const { after, before, isReadOnly, isRestored, key } = entry
  const isNew = before === undefined || isRestored
  const oldLiveUntil = isNew ? 0 : (before.liveUntil ?? 0)
  const minLiveUntil = isRestored ? lives.minLiveUntil("persistent") : oldLiveUntil
  return {
    key,
    isReadOnly,
    before,
    after: after === undefined || after.liveUntil === undefined ? after : { ...after, liveUntil: Math.max(after.liveUntil, minLiveUntil) },
    oldLiveUntil,
    oldSize: isNew ? 0 : entrySize(before.entry)
  }
}

/** The rent one entry owes; nothing where it neither grew nor lives longer. */
export const rentOf = ({ after, isReadOnly, key, oldLiveUntil, oldSize }: EntryOutcome): ReadonlyArray<RentChange> => {
  const durability = durabilityOf(key)
  if (durability === undefined || after?.liveUntil === undefined) return []
  const newSize = isReadOnly ? oldSize : entrySize(after.entry)
  if (oldLiveUntil >= after.liveUntil && oldSize >= newSize) return []
  return [{ durability, isCode: key.type === "contractCode", oldSize, newSize, oldLiveUntil, newLiveUntil: after.liveUntil }]
}

/** Writes what the call left; false where it wrote more than declared or allowed. */
const write = (draft: Draft, outcomes: ReadonlyArray<EntryOutcome>, data: xdr.SorobanTransactionData, settings: Settings): boolean => {
  let written = 0
  for (const { after, isReadOnly, key, oldLiveUntil } of outcomes) {
    if (!isReadOnly && after !== undefined) {
      const size = entrySize(after.entry)
      written += size
      if (!fitsEntry(key, size, settings) || written > data.resources.writeBytes) return false
      draft.put(after.entry)
    }
    if (after?.liveUntil !== undefined && after.liveUntil > oldLiveUntil) draft.put(ttlEntry(key, after.liveUntil))
    if (!isReadOnly && after === undefined) {
      draft.erase(idOf(key))
      draft.erase(idOf(ttlKeyOf(key)))
    }
  }
  return true
}

const restoredOf = (entries: ReadonlyArray<FootprintEntry>, lives: Lifetimes): ReadonlyMap<string, xdr.LedgerEntry> =>
  new Map(
    entries.flatMap(({ isRestored, key, living }) =>
      isRestored && living !== undefined
        ? [
          [idOf(key), living.entry] as const,
          [idOf(ttlKeyOf(key)), ttlEntry(key, lives.minLiveUntil("persistent"))] as const
        ]
        : []
    )
  )
