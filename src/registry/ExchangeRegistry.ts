import type { FileSystem } from "@effect/platform"
import { Clock, Config, type ConfigError, Context, Effect, Layer, Option } from "effect"
import { baseAccount, isDestinationAddress } from "../domain/DestinationAddress.ts"
import type { RegistryEntry, UnverifiedAddress } from "../domain/RegistryDocument.ts"
import { ExchangeRegistry as RegistryDocument } from "../domain/RegistryDocument.ts"
import { reloadable } from "../domain/Reloads.ts"
import shipped from "./exchange-registry.json" with { type: "json" }
import { decodeRegistryFile, readRegistryFile, RegistryFileInvalid } from "./RegistryFile.ts"

const shippedFile = "exchange-registry.json"

const dayMillis = 86_400_000

const startOf = (day: string): number => new Date(`${day}T00:00:00.000Z`).getTime()

/** What the registry says of an address. At most one of both is there. */
export interface Listing {
  /** The entry that the operator has checked, fresh or expired. */
  readonly listing: RegistryEntry | null
  /** Public lists name it as an exchange's, and the operator has not checked it. */
  readonly unverified: UnverifiedAddress | null
}

const unverifiedProblem = ({ unverified = [] }: RegistryDocument, now: number): string | null => {
  const seen = new Set<string>()
  for (const { address, evidence } of unverified) {
    if (seen.has(address)) return `${address} is listed twice as unverified`
    seen.add(address)
    if (evidence.some(({ checkedAt }) => startOf(checkedAt) > now)) return `${address}: the evidence is dated in the future`
  }
  return null
}

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
    if (entry.muxed === true && entry.evidence === undefined) return `${entry.address}: muxed needs evidence`
    if (entry.evidence !== undefined && startOf(entry.evidence.date) > now) return `${entry.address}: the evidence is dated in the future`
  }
  return unverifiedProblem(document, now)
}

const checked = Effect.fnUntraced(function*(file: string, document: RegistryDocument) {
  const problem = problemOf(document, yield* Clock.currentTimeMillis)
  if (problem !== null) return yield* new RegistryFileInvalid({ file, reason: problem })
  const byAddress = new Map<string, RegistryEntry>(document.entries.map((entry) => [entry.address, entry]))
  const unverified = new Map<string, UnverifiedAddress>((document.unverified ?? []).map((one) => [one.address, one]))
  const about = (text: string): Listing => {
    const address = text.startsWith("M") && isDestinationAddress(text) ? baseAccount(text) : text
    const doubtful = unverified.get(address) ?? null
    return { listing: doubtful === null ? byAddress.get(address) ?? null : null, unverified: doubtful }
  }
  const end = startOf(document.validUntil) + dayMillis
  return { document, about, end }
})

type Checked = Effect.Effect.Success<ReturnType<typeof checked>>

/** The service over what was read last. */
const over = (read: () => Checked) =>
  ExchangeRegistry.of({
    get document() {
      return read().document
    },
    get expiresAt() {
      return read().end
    },
    about: (address) => read().about(address),
    lookup: (address) => Option.fromNullable(read().about(address).listing),
    freshAt: (epochMillis) => epochMillis < read().end
  })

/** The registry of exchange deposit addresses, checked when it was loaded. What it says may change between two requests. An expired one is still served and only makes things stricter. */
export class ExchangeRegistry extends Context.Tag("closeout/registry/ExchangeRegistry")<ExchangeRegistry, {
  /** The registry as it goes over the wire. */
  readonly document: RegistryDocument
  /** What is known of an address; of a muxed one, what is known of its account. */
  readonly about: (address: string) => Listing
  /** The checked entry of a deposit address, fresh or expired; none where the address is also listed as unverified. */
  readonly lookup: (address: string) => Option.Option<RegistryEntry>
  /** Whether the registry may be relied on at that time (milliseconds since the epoch): until the end of `validUntil`, UTC. */
  readonly freshAt: (epochMillis: number) => boolean
  /** The first millisecond at which it is no longer fresh. */
  readonly expiresAt: number
}>() {
  /** From the file that `EXCHANGE_REGISTRY_FILE` names, read again on SIGHUP; else the shipped one, which has unverified addresses only. */
  static readonly layerFile: Layer.Layer<
    ExchangeRegistry,
    RegistryFileInvalid | ConfigError.ConfigError,
    FileSystem.FileSystem
  > = Layer.effect(
    ExchangeRegistry,
    Effect.gen(function*() {
      const file = yield* Config.option(Config.nonEmptyString("EXCHANGE_REGISTRY_FILE"))
      if (Option.isNone(file)) {
        const document = yield* checked(shippedFile, yield* decodeRegistryFile(shippedFile, RegistryDocument, shipped))
        return over(() => document)
      }
      const read = Effect.flatMap(readRegistryFile(file.value, RegistryDocument), (document) => checked(file.value, document))
      return over(yield* reloadable("EXCHANGE_REGISTRY_FILE", read))
    })
  )

  /** From a value, held to the same rules. */
  static readonly layerValue = (document: RegistryDocument): Layer.Layer<ExchangeRegistry, RegistryFileInvalid> =>
    Layer.effect(ExchangeRegistry, Effect.map(checked("exchange registry", document), (made) => over(() => made)))
}
