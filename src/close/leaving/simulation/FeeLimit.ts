import type { xdr } from "@stellar/stellar-sdk"
import { Effect, Option } from "effect"
import type { ChainFailure } from "../../../chain/ChainFailure.ts"
import type { LedgerEntries } from "../../../chain/LedgerEntries.ts"
import { showAmount } from "../../../domain/Amount.ts"
import { idOf } from "../../../ledger/EntryId.ts"
import { durabilityOf } from "../../../ledger/soroban/Life.ts"
import { eventsFee, nonRefundableFee, type RentChange, rentFee } from "../../../ledger/soroban/ResourceFee.ts"
import { settingKeys, type Settings, settingsOf } from "../../../ledger/soroban/Settings.ts"
import type { CallSimulation } from "../../situation/CallSimulation.ts"

/** A contract's code is rented by the memory it takes when it is made ready to run, which is a multiple of its bytes. */
const codeInMemory = 16

/** What a simulation leaves for a larger envelope and for what drifts, in hundredths: twice what the prices say. */
const room = 2n

interface EntrySize {
  readonly key: xdr.LedgerKey
  readonly bytes: number
}

/** An entry as if it were new and had to be paid for as long as an entry may live. */
const dearest = ({ bytes, key }: EntrySize, settings: Settings): RentChange => {
  const isCode = key.type === "contractCode"
  return {
    durability: durabilityOf(key) === "temporary" ? "temporary" : "persistent",
    isCode,
    oldSize: 0,
    newSize: isCode ? bytes * codeInMemory : bytes,
    oldLiveUntil: 0,
    newLiveUntil: settings.maxEntryTtl
  }
}

/** The most stroops that a transaction with these resources can come to by the ledger's own prices, with ample room. */
const ceilingOf = ({ resources }: xdr.SorobanTransactionData, entries: ReadonlyArray<EntrySize>, settings: Settings): bigint => {
  const written = resources.footprint.readWrite
  const declared = nonRefundableFee({
    instructions: resources.instructions,
    diskReadEntries: entries.length,
    diskReadBytes: resources.diskReadBytes,
    writeEntries: written.length,
    writeBytes: resources.writeBytes,
    transactionSize: settings.txMaxSize
  }, settings)
  const grown = written.slice(0, 1).map((key) => ({ key, bytes: resources.writeBytes }))
  const rents = [...entries, ...grown].filter(({ key }) => durabilityOf(key) !== undefined).map((one) => dearest(one, settings))
  return room * (declared + rentFee(rents, settings, 1) + eventsFee(settings.txMaxEventsSize, settings))
}

/**
 * The most stroops that a contract transaction can come to by the fee settings of the ledger (`getLedgerEntries`), so that a figure that
 * a simulation made up is not put before an owner; null when it touches more than any transaction may, or an entry
 * that cannot be read.
 */
const feeCeiling = (entries: LedgerEntries["Type"], data: xdr.SorobanTransactionData): Effect.Effect<bigint | null, ChainFailure> =>
  Effect.gen(function*() {
    const found = (yield* entries.many(settingKeys)).flatMap(Option.toArray)
    const byId = new Map(found.flatMap(({ entry, key }) => (entry === null ? [] : [[idOf(key), entry] as const])))
    if (byId.size < found.length) return null
    const settings = settingsOf((id) => byId.get(id))
    const { readOnly, readWrite } = data.resources.footprint
    const keys = [...readOnly, ...readWrite]
    if (keys.length > settings.txMaxFootprintEntries || data.resources.writeBytes > settings.txMaxWriteBytes) return null
    const sizes = yield* entries.many(keys)
    if (sizes.some(Option.exists(({ entry }) => entry === null))) return null
    const sized = keys.map((key, at) => ({
      key,
      bytes: Option.match(sizes[at] ?? Option.none(), { onNone: () => 0, onSome: ({ entry }) => entry?.toXdr().length ?? 0 })
    }))
    return ceilingOf(data, sized, settings)
  })

/**
 * A call that was simulated without regard to its price, compared with what may be declared for it. A figure above the settings is
 * believed only where the ledger's own prices can come to it.
 */
export const withinFeeLimit = (
  entries: LedgerEntries["Type"],
  simulation: CallSimulation,
  { accepted, setting }: { readonly accepted: bigint; readonly setting: bigint }
): Effect.Effect<CallSimulation, ChainFailure> => {
  if ((simulation._tag !== "Ready" && simulation._tag !== "Restore") || simulation.resources.resourceFee <= setting) {
    return Effect.succeed(simulation)
  }
  const { resourceFee } = simulation.resources
  return Effect.map(feeCeiling(entries, simulation.resources), (most): CallSimulation => {
    if (most === null || resourceFee > most) {
      return {
        _tag: "Unavailable",
        reason: `The simulation reports a resource fee of ${
          showAmount(resourceFee)
        } lumens, more than the ledger's own prices add up to. Try again.`
      }
    }
    return resourceFee > accepted ? { _tag: "TooDear", resourceFee } : simulation
  })
}
