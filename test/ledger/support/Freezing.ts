import { xdr } from "@stellar/stellar-sdk"
import { newEntry } from "../../../src/ledger/entries/LedgerEntry.ts"
import type { World } from "./World.ts"

/** Freezes what is stored under some bytes, and nothing else. */
export const freezeBytes = (world: Pick<World, "put">, ...keys: ReadonlyArray<Uint8Array>): void =>
  world.put(
    newEntry(
      xdr.LedgerEntryData.configSetting(xdr.ConfigSettingEntry.configSettingFrozenLedgerKeys(new xdr.FrozenLedgerKeys({ keys: [...keys] })))
    )
  )

/** Freezes keys, and nothing else. */
export const freeze = (world: Pick<World, "put">, ...keys: ReadonlyArray<xdr.LedgerKey>): void =>
  freezeBytes(world, ...keys.map((key) => key.toXdr()))
