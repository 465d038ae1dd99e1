import type { FileSystem } from "@effect/platform"
import { Clock, Config, type ConfigError, Context, Effect, Layer, Option } from "effect"
import type { RegistryEntry } from "../domain/RegistryDocument.ts"
import { ExchangeRegistry as RegistryDocument } from "../domain/RegistryDocument.ts"
import example from "./exchange-registry.example.json" with { type: "json" }
import { decodeRegistryFile, readRegistryFile, RegistryFileInvalid } from "./RegistryFile.ts"

const exampleFile = "exchange-registry.example.json"

const dayMillis = 86_400_000

const startOf = (day: string): number => new Date(`${day}T00:00:00.000Z`).getTime()

const problemOf = (document: RegistryDocument, now: number): string | null => {
  const seen = new Set<string>()
  if (document.lastVerified > document.validUntil) return "lastVerified lies after validUntil"
  if (startOf(document.lastVerified) > now) return "lastVerified lies in the future"
  for (const entry of document.entries) {
    if (seen.has(entry.address)) return `${entry.address} is listed twice`
    seen.add(entry.address)
    if (entry.requiresMemo !== (entry.memoType !== "none")) {
      return `${entry.address}: memoType must be none exactly when no memo is required`
    }
    if (entry.evidence !== undefined && startOf(entry.evidence.date) > now) return `${entry.address}: the evidence is dated in the future`
  }
  return null
}

const make = Effect.fnUntraced(function*(file: string, document: RegistryDocument) {
  const problem = problemOf(document, yield* Clock.currentTimeMillis)
  if (problem !== null) return yield* new RegistryFileInvalid({ file, reason: problem })
  const byAddress = new Map<string, RegistryEntry>(document.entries.map((entry) => [entry.address, entry]))
  const end = startOf(document.validUntil) + dayMillis
  return ExchangeRegistry.of({
    document,
    lookup: (address) => Option.fromNullable(byAddress.get(address)),
    freshAt: (epochMillis) => epochMillis < end,
    expiresAt: end
  })
})

/** The registry of exchange deposit addresses, checked when it was loaded. An expired one is still served and only makes things stricter. */
export class ExchangeRegistry extends Context.Tag("closeout/registry/ExchangeRegistry")<ExchangeRegistry, {
  /** The registry as it goes over the wire. */
  readonly document: RegistryDocument
  /** The entry of a deposit address, fresh or expired. */
  readonly lookup: (address: string) => Option.Option<RegistryEntry>
  /** Whether the registry may be relied on at that time (milliseconds since the epoch): until the end of `validUntil`, UTC. */
  readonly freshAt: (epochMillis: number) => boolean
  /** The first millisecond at which it is no longer fresh. */
  readonly expiresAt: number
}>() {
  /** From the file that `EXCHANGE_REGISTRY_FILE` names, else the shipped example, which has expired. */
  static readonly layerFile: Layer.Layer<
    ExchangeRegistry,
    RegistryFileInvalid | ConfigError.ConfigError,
    FileSystem.FileSystem
  > = Layer.effect(
    ExchangeRegistry,
    Effect.gen(function*() {
      const file = yield* Config.option(Config.nonEmptyString("EXCHANGE_REGISTRY_FILE"))
      return Option.isSome(file)
        ? yield* make(file.value, yield* readRegistryFile(file.value, RegistryDocument))
        : yield* make(exampleFile, yield* decodeRegistryFile(exampleFile, RegistryDocument, example))
    })
  )

  /** From a value, held to the same rules. */
  static readonly layerValue = (document: RegistryDocument): Layer.Layer<ExchangeRegistry, RegistryFileInvalid> =>
    Layer.effect(ExchangeRegistry, make("exchange registry", document))
}
