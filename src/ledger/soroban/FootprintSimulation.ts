import { xdr } from "@stellar/stellar-sdk"
import type { LedgerState } from "../LedgerState.ts"
import { entrySize } from "./EntrySize.ts"
import { compareKeys } from "./KeyOrder.ts"
import { durabilityOf, findLiving, isPersistent, Lifetimes, type LivingEntry, ttlEntry } from "./Life.ts"
import type { RentChange } from "./ResourceFee.ts"
import { settingsOf } from "./Settings.ts"
import { type Estimate, transactionData } from "./SimulatedResources.ts"
import { type FailedCall, type SimulatedCall, simulateInvocation, type SimulationOptions } from "./Simulation.ts"

/** What extending or restoring a footprint would take, or why it cannot be done. */
export type FootprintSimulation = Estimate | { readonly error: string }

/** An extension of the lives of entries; archived ones must be restored first, by what `restore` says. */
export interface ExtensionSimulation {
  readonly extension: FootprintSimulation
  readonly restore: Estimate | undefined
}

interface KeyedEntry {
  readonly key: xdr.LedgerKey
  readonly living: LivingEntry | undefined
}

/** Simulates an `EXTEND_FOOTPRINT_TTL` of these keys. */
export const simulateExtension = (state: LedgerState, keys: ReadonlyArray<xdr.LedgerKey>, extendTo: number): ExtensionSimulation => {
  const lives = livesOf(state)
  const unfit = keys.find((key) => durabilityOf(key) === undefined)
  if (unfit !== undefined) {
    return { extension: { error: "only entries with TTL (contract data or code entries) can have it extended" }, restore: undefined }
  }
  const newLiveUntil = lives.ledgerSeq + extendTo
  const archived: Array<KeyedEntry> = []
  const changes = entriesUnder(state, keys).flatMap(({ key, living }): ReadonlyArray<readonly [xdr.LedgerKey, RentChange]> => {
    if (living?.liveUntil === undefined) return []
    const isOver = !lives.isLive(living)
    if (isOver && !isPersistent(key)) return []
    if (isOver) archived.push({ key, living })
    const oldLiveUntil = isOver ? lives.minLiveUntil("persistent") : living.liveUntil
    if (newLiveUntil <= oldLiveUntil) return []
    const size = entrySize(living.entry)
    return [[key, {
      durability: isPersistent(key) ? "persistent" : "temporary",
      isCode: key.type === "contractCode",
      oldSize: size,
      newSize: size,
      oldLiveUntil,
      newLiveUntil
    }]]
  })
  return {
    extension: transactionData({
      ...common(state),
      body: xdr.OperationBody.extendFootprintTtl(new xdr.ExtendFootprintTtlOp({ ext: xdr.ExtensionPoint.v0(), extendTo })),
      resources: resourcesOf({ readOnly: changes.map(([key]) => key).toSorted(compareKeys), readWrite: [] }, 0),
      rent: changes.map(([, change]) => change),
      isRestore: false
    }),
    restore: archived.length === 0 ? undefined : restorationOf(state, archived)
  }
}

/** Simulates a `RESTORE_FOOTPRINT` of these keys; live ones are left out. */
export const simulateRestore = (state: LedgerState, keys: ReadonlyArray<xdr.LedgerKey>): FootprintSimulation => {
  if (!keys.every(isPersistent)) return { error: "Only persistent ledger entries with TTL can be restored." }
  const found = entriesUnder(state, keys)
  if (found.some(({ living }) => living === undefined)) return { error: "Missing entry to restore" }
  return restorationOf(state, found)
}

const restorationOf = (state: LedgerState, found: ReadonlyArray<KeyedEntry>): Estimate => {
  const lives = livesOf(state)
  const archived = found.flatMap(({ key, living }) =>
    living === undefined || lives.isLive(living) ? [] : [{ key, size: entrySize(living.entry) }]
  )
  const newLiveUntil = lives.minLiveUntil("persistent")
  return transactionData({
    ...common(state),
    body: xdr.OperationBody.restoreFootprint(new xdr.RestoreFootprintOp({ ext: xdr.ExtensionPoint.v0() })),
    resources: resourcesOf(
      { readOnly: [], readWrite: archived.map(({ key }) => key).toSorted(compareKeys) },
      archived.reduce((sum, { size }) => sum + size, 0)
    ),
    rent: archived.map(({ key, size }): RentChange => ({
      durability: "persistent",
      isCode: key.type === "contractCode",
      oldSize: 0,
      newSize: size,
      oldLiveUntil: 0,
      newLiveUntil
    })),
    isRestore: true
  })
}

/** A ledger on which these archived entries live again, as a `RESTORE_FOOTPRINT` leaves them. */
export const withRestored = (state: LedgerState, keys: ReadonlyArray<xdr.LedgerKey>): LedgerState => {
  const liveUntil = livesOf(state).minLiveUntil("persistent")
  return state.set(keys.map((key) => ttlEntry(key, liveUntil)))
}

const settingsIn = (state: LedgerState) => settingsOf((id) => state.find(id))

const livesOf = (state: LedgerState): Lifetimes => new Lifetimes(state.header.ledgerSeq, settingsIn(state))

const entriesUnder = (state: LedgerState, keys: ReadonlyArray<xdr.LedgerKey>): ReadonlyArray<KeyedEntry> =>
  keys.map((key) => ({ key, living: findLiving((id) => state.find(id), key) }))

const common = (state: LedgerState) => ({ settings: settingsIn(state), ledgerSeq: state.header.ledgerSeq, archived: [], eventBytes: 0 })

const resourcesOf = (
  footprint: { readonly readOnly: Array<xdr.LedgerKey>; readonly readWrite: Array<xdr.LedgerKey> },
  bytes: number
): xdr.SorobanResources =>
  new xdr.SorobanResources({
    footprint: new xdr.LedgerFootprint(footprint),
    instructions: 0,
    diskReadBytes: bytes,
    writeBytes: bytes
  })

/** A call as it would be once `restore` has been applied; `restore` is absent when nothing it touches is archived. */
export interface RestoredSimulation {
  readonly simulated: SimulatedCall | FailedCall
  readonly restore?: Estimate
}

/** Entries that a simulated call brings back by itself. */
const archivedIn = ({ estimate: { data: { ext, resources } } }: SimulatedCall): ReadonlyArray<xdr.LedgerKey> =>
  ext.type === "resourceExt" ? ext.resourceExt.archivedSorobanEntries.flatMap((index) => resources.footprint.readWrite[index] ?? []) : []

/**
 * Simulates a call for a transaction that brings nothing back by itself (before CAP-66 none did): what is archived is to be restored
 * before, by a transaction of its own, and counts as restored for the call.
 */
export const simulateAfterRestore = (
  state: LedgerState,
  operation: xdr.InvokeHostFunctionOp,
  source: xdr.PublicKey,
  options: SimulationOptions
): RestoredSimulation => {
  const simulated = simulateInvocation(state, operation, source, options)
  const archived = simulated._tag === "SimulatedCall" ? archivedIn(simulated) : []
  return archived.length === 0
    ? { simulated }
    : {
      simulated: simulateInvocation(withRestored(state, archived), operation, source, options),
      restore: restorationOf(state, entriesUnder(state, archived))
    }
}
