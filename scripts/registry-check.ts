/**
 * Compares an exchange registry with public directories and reports every difference: addresses missing in the registry, checked entries that
 * no directory names, and memo types that disagree. The script writes and fetches nothing: the directories are JSON files.
 *
 *   node scripts/registry-check.ts <registry file> <directory file> [<directory file> ...]
 *
 * Three shapes of directory are read, at any depth: records with an `address` or `id`, records below `data`, and objects keyed by address.
 * Exits with 1 on a difference, with 2 on an unreadable file.
 */
import { FileSystem } from "@effect/platform"
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import { Data, Effect, Either, Schema } from "effect"
import { AccountAddress } from "../src/domain/Address.ts"
import { ExchangeRegistry } from "../src/domain/RegistryDocument.ts"
import { readRegistryFile } from "../src/registry/RegistryFile.ts"

/** The reason why the comparison failed. */
class CheckRefused extends Data.TaggedError("CheckRefused")<{ readonly reason: string }> {
  override get message() {
    return this.reason
  }
}

/** One directory's record of an address. */
export interface DirectoryRecord {
  readonly directory: string
  readonly address: AccountAddress
  readonly name: string | null
  /** `text`, `id`, `hash` or `return`; null: the directory names no memo type. */
  readonly memoType: string | null
}

const isAddress = Schema.is(AccountAddress)

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** The first text among some fields; null: none. */
const textIn = (record: Readonly<Record<string, unknown>>, names: ReadonlyArray<string>): string | null => {
  const found = names.map((name) => record[name]).find((value) => typeof value === "string")
  return typeof found === "string" ? found : null
}

const memoTypeIn = (record: Readonly<Record<string, unknown>>): string | null =>
  textIn(record, ["memoType", "requiredMemoType", "memo_type"])?.toLowerCase().replace(/^memo_/, "") ?? null

const recordOf = (directory: string, address: AccountAddress, fields: Readonly<Record<string, unknown>>): DirectoryRecord => {
  const record = isObject(fields["data"]) ? { ...fields, ...fields["data"] } : fields
  return { directory, address, name: textIn(record, ["name"]), memoType: memoTypeIn(record) }
}

/** Every address that a directory names, in the order of the file. */
export const recordsIn = (directory: string, value: unknown): ReadonlyArray<DirectoryRecord> => {
  if (Array.isArray(value)) return value.flatMap((item) => recordsIn(directory, item))
  if (!isObject(value)) return []
  const own = textIn(value, ["address", "id"])
  if (own !== null && isAddress(own)) return [recordOf(directory, own, value)]
  return Object.entries(value).flatMap(([key, item]) =>
    isAddress(key) && isObject(item) ? [recordOf(directory, key, item)] : recordsIn(directory, item)
  )
}

const missing = (registry: ExchangeRegistry, records: ReadonlyArray<DirectoryRecord>): ReadonlyArray<string> => {
  const known = new Set<string>([...registry.entries, ...registry.unverified ?? []].map(({ address }) => address))
  return records.filter(({ address }) => !known.has(address))
    .map(({ address, directory, name }) => `missing: ${address} (${name ?? "no name"}) is named by ${directory}`)
}

const unnamed = ({ entries }: ExchangeRegistry, records: ReadonlyArray<DirectoryRecord>): ReadonlyArray<string> => {
  const named = new Set<string>(records.map(({ address }) => address))
  return entries.filter(({ address }) => !named.has(address)).map(({ address, name }) => `not named by any directory: ${address} (${name})`)
}

/** Memo types of one address that differ, between directories or from the registry's entry. */
const memoTypes = ({ entries }: ExchangeRegistry, records: ReadonlyArray<DirectoryRecord>): ReadonlyArray<string> => {
  const told = new Map<string, Array<readonly [source: string, memoType: string]>>()
  for (const { address, memoType } of entries) told.set(address, [["the registry", memoType]])
  for (const { address, directory, memoType } of records) {
    if (memoType !== null) told.set(address, [...told.get(address) ?? [], [directory, memoType]])
  }
  return [...told].filter(([, types]) => new Set(types.map(([, type]) => type)).size > 1)
    .map(([address, types]) => `memo types differ: ${address}: ${types.map(([source, type]) => `${type} (${source})`).join(", ")}`)
}

/** Every difference between a registry and the directories, a line each. */
export const differences = (registry: ExchangeRegistry, records: ReadonlyArray<DirectoryRecord>): ReadonlyArray<string> => [
  ...missing(registry, records),
  ...unnamed(registry, records),
  ...memoTypes(registry, records)
]

const readDirectory = (file: string) =>
  Effect.gen(function*() {
    const files = yield* FileSystem.FileSystem
    const text = yield* Effect.mapError(files.readFileString(file), () => new CheckRefused({ reason: `${file}: cannot be read` }))
    const value = yield* Effect.mapError(
      Schema.decode(Schema.parseJson())(text),
      () => new CheckRefused({ reason: `${file}: is not JSON` })
    )
    const records = recordsIn(file, value)
    return records.length === 0 ? yield* new CheckRefused({ reason: `${file}: names no account address` }) : records
  })

/** The differences between a registry file and directory files. */
export const checked = (file: string, directories: ReadonlyArray<string>) =>
  Effect.gen(function*() {
    const registry = yield* readRegistryFile(file, ExchangeRegistry)
    return differences(registry, (yield* Effect.forEach(directories, readDirectory)).flat())
  })

const main = Effect.gen(function*() {
  const [file, ...directories] = process.argv.slice(2)
  if (file === undefined || directories.length === 0) {
    return yield* new CheckRefused({ reason: "usage: registry:check <registry file> <directory file> [<directory file> ...]" })
  }
  return yield* checked(file, directories)
})

if (import.meta.main) {
  const outcome = await Effect.runPromise(Effect.either(Effect.provide(main, NodeFileSystem.layer)))
  if (Either.isLeft(outcome)) console.error(outcome.left.message)
  else console.log([...outcome.right, `${outcome.right.length} differences`].join("\n"))
  process.exitCode = Either.match(outcome, { onLeft: () => 2, onRight: ({ length }) => (length === 0 ? 0 : 1) })
}
