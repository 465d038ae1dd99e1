import { FileSystem } from "@effect/platform"
import { Effect, Schema } from "effect"
import { ContractAddress } from "../../src/domain/Address.ts"
import { ScanRefused, type ScanSource } from "./ScanSource.ts"

const isContract = Schema.is(ContractAddress)

/**
 * A file of addresses, such as an indexer's export: every contract address in it counts, other text is skipped. `file@ledger`: the
 * operator's statement that the file has every deployment up to that ledger. Without it the file adds contracts, and covers no ledger.
 */
export const addressList = (setting: string): Effect.Effect<ScanSource, ScanRefused, FileSystem.FileSystem> =>
  Effect.gen(function*() {
    const [, file = setting, ledger] = /^(.*)@(\d+)$/.exec(setting) ?? []
    const files = yield* FileSystem.FileSystem
    const text = yield* Effect.mapError(files.readFileString(file), () => new ScanRefused({ reason: `${file} cannot be read` }))
    const possible = [...new Set([...text.matchAll(/\bC[A-Z2-7]{55}\b/g)].map(([address]) => address))].filter(isContract)
    if (possible.length === 0) return yield* new ScanRefused({ reason: `${file} names no contract` })
    const to = ledger === undefined ? 0 : Number(ledger) + 1
    return {
      name: ledger === undefined ? `the addresses in ${file}` : `the addresses in ${file}, whole to ${ledger} by the operator's word`,
      window: Number.MAX_SAFE_INTEGER,
      keeps: Effect.succeed({ from: 0, to }),
      read: () => Effect.succeed({ announced: [], possible })
    }
  })
