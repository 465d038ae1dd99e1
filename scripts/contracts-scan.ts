/**
 * Updates a contracts file with later deployments of its protocols' factories, and the ledger up to which it is complete. Each factory
 * confirms its contracts, from any source.
 *
 *   node scripts/contracts-scan.ts <mainnet|testnet> <contracts file> [options]
 *
 *   --first LEDGER           a ledger before the factories' deployment, for a file that names no ledger up to which a factory is complete
 *   --query-events URL       a contract RPC that answers queryEvents
 *   --ledgers URL            a contract RPC whose getLedgers reaches further back than events
 *   --addresses FILE[@LEDGER]  contract addresses from an indexer; with @LEDGER you state that it is complete up to that ledger
 *
 * Sources may be named several times. Each serves the ledgers that earlier ones did not cover: the lists of addresses,
 * getEvents of `*_RPC_URLS`, queryEvents, getLedgers. A stopped scan resumes (`<contracts file>.scan`). Exits with 1 where ledgers
 * are missing: the file then has the found contracts, and is complete up to the first missing ledger.
 */
import { FileSystem, HttpClient } from "@effect/platform"
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { Effect, Either, Layer, Option, Schema, Struct } from "effect"
import { parseArgs } from "node:util"
import { jsonRpc } from "../src/chain/contract-rpc/JsonRpc.ts"
import type { LiveEntry } from "../src/chain/contract-rpc/LiveEntry.ts"
import { ContractRpc } from "../src/chain/ContractRpc.ts"
import { LedgerApi } from "../src/chain/LedgerApi.ts"
import { LedgerEntries } from "../src/chain/LedgerEntries.ts"
import { type NetworkAddress, NetworkSettings } from "../src/chain/NetworkSettings.ts"
import type { ContractAddress } from "../src/domain/Address.ts"
import { Network } from "../src/domain/Network.ts"
import { isOutside, ownProtocols, type ProtocolName } from "../src/domain/ProtocolName.ts"
import { type Protocol, ProtocolRegistry } from "../src/protocols/ProtocolRegistry.ts"
import type { Announcements } from "../src/protocols/reading/Announcements.ts"
import type { Discovery } from "../src/protocols/reading/Discovery.ts"
import { answerLoop } from "../src/protocols/reading/QuestionLoop.ts"
import { ContractAddresses, ContractsDocument } from "../src/registry/ContractAddresses.ts"
import { readRegistryFile } from "../src/registry/RegistryFile.ts"
import { codeOf, namedCode } from "../src/stellar/CodeReference.ts"
import { instanceKey } from "../src/stellar/ContractKeys.ts"
import { addressList } from "./scan/AddressList.ts"
import { eventsSource } from "./scan/EventsSource.ts"
import { ledgersSource } from "./scan/LedgersSource.ts"
import { queryEventsSource } from "./scan/QueryEventsSource.ts"
import { scanLedgers, spansText } from "./scan/ScanLedgers.ts"
import { passingProgress, progressIn, type ScanProgress } from "./scan/ScanProgress.ts"
import { type Named, ScanRefused, type ScanSource } from "./scan/ScanSource.ts"

const refused = (reason: string) => Effect.fail(new ScanRefused({ reason }))

/** The contracts that their factory confirms. Fails where the factory does not confirm one of its own announcements. */
const confirmed = (
  sources: Parameters<typeof answerLoop>[0],
  confirm: NonNullable<Discovery["confirm"]>,
  sequence: number,
  { announced, possible }: Named
) =>
  Effect.gen(function*() {
    const all = [...new Set([...announced, ...possible])]
    const known = yield* answerLoop(sources, { sequence, closeTime: 0n }, { first: [], most: 8 }, (view) => {
      const { further, places } = confirm(view, all)
      return [places.map(({ contract }) => contract), further]
    })
    if (Either.isLeft(known)) return yield* refused(known.left)
    const strange = announced.filter((one) => !known.right.value.includes(one))
    if (strange.length > 0) return yield* refused(`announced, and not known to a factory: ${strange.join(", ")}`)
    return all.filter((one) => known.right.value.includes(one))
  })

const hashIn = (live: LiveEntry | null) => (live === null || live.entry === null ? null : Either.getOrNull(namedCode(live.entry.data)))

/** Hash of a contract's code, also by reference to another contract; null without code. */
const codeHash = (entries: LedgerEntries["Type"], address: ContractAddress) =>
  Effect.gen(function*() {
    const data = Option.getOrNull(yield* entries.one(instanceKey(address)))?.entry?.data
    const value = data?.type === "contractData" ? data.contractData.val : null
    const code = value?.type === "scvContractInstance" ? codeOf(value.instance) : null
    if (code?._tag === "Wasm") return code.hash
    const kept = code?._tag === "Named" ? Option.getOrNull(yield* entries.one(code.key)) : null
    return hashIn(kept)
  })

/** The role of a contract by its code: kinds of code that are also roles. */
const roleOf =
  (entries: LedgerEntries["Type"], kinds: Readonly<Record<string, ReadonlyArray<string>>>, roles: ReadonlyArray<string>) =>
  (address: ContractAddress) =>
    Effect.gen(function*() {
      const hash = yield* codeHash(entries, address)
      const role = roles.find((one) => hash !== null && kinds[one]?.includes(hash))
      return role === undefined ? yield* refused(`${address} runs code that the file does not know (${hash ?? "none"})`) : { address, role }
    })

/** The first ledger to read for a protocol; fails where none is known. */
const firstToRead = (name: ProtocolName, { since }: Announcements, firstLedger: number | null) => {
  const from = since > 1 ? since : firstLedger
  return from === null
    ? refused(`the file does not say to which ledger it is whole for ${name}: name a ledger before its factories were deployed (--first)`)
    : Effect.succeed(from)
}

/** The document, sources and options of a scan. */
export interface ScanPlan {
  readonly document: ContractsDocument
  readonly firstLedger: number | null
  /** Sources before and after `getEvents` of the configured endpoints. */
  readonly before?: ReadonlyArray<ScanSource>
  readonly after?: ReadonlyArray<ScanSource>
  readonly progress?: ScanProgress
  readonly tell?: (line: string) => Effect.Effect<void>
}

/** A protocol that finds contracts by announcements, with those in the file. */
interface Scannable {
  readonly name: ProtocolName
  readonly announcements: Announcements
  readonly confirm: NonNullable<Discovery["confirm"]>
  readonly listed: Exclude<ContractsDocument["protocols"][ProtocolName], "none" | undefined>
}

const scannableIn = ({ protocols }: ContractsDocument) => ({ discovery, name }: Protocol): ReadonlyArray<Scannable> => {
  const listed = protocols[name]
  if (discovery?.announcements === undefined || discovery.confirm === undefined || listed === undefined || listed === "none") return []
  return [{ name, announcements: discovery.announcements, confirm: discovery.confirm, listed }]
}

/** The contracts of one protocol with later deployments of its factories, and the last ledger up to which they are complete. */
const scanProtocol = (plan: Required<ScanPlan>, { announcements, confirm, listed, name }: Scannable) =>
  Effect.gen(function*() {
    const sources = { rpc: yield* ContractRpc, entries: yield* LedgerEntries }
    const { latestLedger } = yield* sources.rpc.retention
    const from = yield* firstToRead(name, announcements, plan.firstLedger)
    const { progress, tell } = plan
    const found = yield* scanLedgers(
      { protocol: name, announcements, wanted: { from, to: latestLedger + 1 }, progress, tell },
      [...plan.before, eventsSource(sources.rpc), ...plan.after]
    )
    const fresh = (yield* confirmed(sources, confirm, latestLedger, found)).filter((one) => !Object.values(listed).flat().includes(one))
    const kinds = plan.document.code?.[name] ?? {}
    const grown: Record<string, ReadonlyArray<ContractAddress>> = { ...listed }
    for (const { address, role } of yield* Effect.forEach(fresh, roleOf(sources.entries, kinds, Object.keys(kinds)))) {
      grown[role] = [...(grown[role] ?? []), address]
    }
    const [firstMissing] = found.missing
    const wholeTo = firstMissing === undefined ? latestLedger : firstMissing.from - 1
    const rests = firstMissing === undefined ? `whole to ${latestLedger}` : `ledgers ${spansText(found.missing)} were told by no source`
    return {
      name,
      contracts: grown as typeof listed,
      isWhole: firstMissing === undefined,
      listedTo: wholeTo < from ? {} : Object.fromEntries(announcements.contracts.map((factory) => [factory, wholeTo])),
      lines: [...found.lines, `${name}: ${fresh.length} more contracts of ${announcements.contracts.length} factories; ${rests}`]
    }
  })

/** The contracts file with later deployments of its factories, whether it is complete to the newest ledger, and the sources of that. */
export const scanned = ({ document, ...given }: ScanPlan) =>
  Effect.gen(function*() {
    const plan = { before: [], after: [], progress: passingProgress(), tell: () => Effect.void, ...given, document }
    const { all } = yield* ProtocolRegistry
    const parts = yield* Effect.forEach(all.flatMap(scannableIn(document)), (one) => scanProtocol(plan, one))
    const listedTo = Object.assign({}, document.listedTo, ...parts.map((part) => part.listedTo))
    const written = yield* Schema.decodeUnknown(ContractsDocument)({
      ...document,
      protocols: { ...document.protocols, ...Object.fromEntries(parts.map(({ contracts, name }) => [name, contracts])) },
      ...(Object.keys(listedTo).length === 0 ? {} : { listedTo })
    })
    const outside = Struct.keys(document.protocols).filter((name) => isOutside(name))
    const skipped = outside.map((name) => `${name}: not scanned, because its decoder is in another package`)
    return {
      document: written,
      isWhole: parts.every(({ isWhole }) => isWhole),
      lines: [...parts.flatMap(({ lines }) => lines), ...skipped]
    }
  })

/** The file's entries for protocols that this version decodes; decoders from other packages are not loaded here. */
const ownPart = ({ code = {}, protocols, ...rest }: ContractsDocument) => ({
  ...rest,
  protocols: Struct.pick(protocols, ...ownProtocols),
  code: Struct.pick(code, ...ownProtocols)
})

/** Scans over the endpoints of a network. The file's entries for protocols from other packages stay unchanged. */
export const scanOver = (address: NetworkAddress, plan: ScanPlan) =>
  scanned(plan).pipe(
    Effect.provide(
      ProtocolRegistry.layer.pipe(
        Layer.provideMerge(LedgerEntries.layer),
        Layer.provideMerge(Layer.mergeAll(ContractRpc.layer, LedgerApi.layer)),
        Layer.provide(ContractAddresses.layerValue(ownPart(plan.document))),
        Layer.provide(Layer.succeed(NetworkSettings, address))
      )
    ),
    Effect.scoped
  )

const usage =
  "usage: contracts:scan <mainnet|testnet> <contracts file> [--first LEDGER] [--query-events URL] [--ledgers URL] [--addresses FILE[@LEDGER]]"

const options = Effect.try({
  try: () =>
    parseArgs({
      allowPositionals: true,
      options: {
        first: { type: "string" },
        "query-events": { type: "string", multiple: true, default: [] },
        ledgers: { type: "string", multiple: true, default: [] },
        addresses: { type: "string", multiple: true, default: [] }
      }
    }),
  catch: (problem) => new ScanRefused({ reason: `${problem instanceof Error ? problem.message : ""} ${usage}` })
})

const addressIn = (text: string) => URL.canParse(text) ? Effect.succeed(new URL(text)) : refused(`${text} is no URL`)

const main = Effect.gen(function*() {
  const { positionals: [name, file], values } = yield* options
  const firstLedger = values.first === undefined ? null : Number(values.first)
  if (file === undefined || (firstLedger !== null && !Number.isSafeInteger(firstLedger))) return yield* refused(usage)
  const network = yield* Schema.decodeUnknown(Network)(name)
  const address = yield* NetworkSettings.config(network)
  if (Option.isNone(address)) return yield* refused(`${network} is not configured`)
  const document = yield* readRegistryFile(file, ContractsDocument)
  if (document.network !== network) return yield* refused(`${file} is of ${document.network}`)
  const call = jsonRpc(yield* HttpClient.HttpClient)
  const progress = yield* progressIn(`${file}.scan`)
  const archives = yield* Effect.forEach(values["query-events"], addressIn)
  const ledgers = yield* Effect.forEach(values.ledgers, addressIn)
  const { document: written, isWhole, lines } = yield* scanOver(address.value, {
    document,
    firstLedger,
    progress,
    before: yield* Effect.forEach(values.addresses, addressList),
    after: [...archives.map((url) => queryEventsSource(call, url)), ...ledgers.map((url) => ledgersSource(call, url))],
    tell: (line) => Effect.sync(() => console.error(line))
  })
  const files = yield* FileSystem.FileSystem
  yield* files.writeFileString(`${file}.new`, `${JSON.stringify(yield* Schema.encode(ContractsDocument)(written), null, 2)}\n`)
  yield* files.rename(`${file}.new`, file)
  if (isWhole) yield* progress.forget
  return { isWhole, lines }
})

if (import.meta.main) {
  const outcome = await Effect.runPromise(Effect.either(Effect.provide(main, [NodeHttpClient.layerUndici, NodeFileSystem.layer])))
  if (Either.isRight(outcome)) { for (const line of outcome.right.lines) console.log(line) }
  else console.error(outcome.left.message)
  process.exitCode = Either.isRight(outcome) && outcome.right.isWhole ? 0 : 1
}
