/**
 * Reads every announcement of the factories of a contracts file, from where the file ends, and writes the file with what they deployed and up
 * to which ledger it is whole. The source must keep the events of all those ledgers: a contract RPC with full history for a file that is
 * written anew, any other one for a file that is younger than what it keeps. Nothing is written where a ledger is missing.
 *
 *   node scripts/contracts-scan.ts <mainnet|testnet> <contracts file> [first ledger of the factories]
 *
 * The endpoints are those of `*_RPC_URLS`.
 */
import { FileSystem } from "@effect/platform"
import { NodeFileSystem, NodeHttpClient } from "@effect/platform-node"
import { Data, Effect, Either, Layer, Option, Schema } from "effect"
import { ContractRpc } from "../src/chain/ContractRpc.ts"
import { LedgerApi } from "../src/chain/LedgerApi.ts"
import { LedgerEntries } from "../src/chain/LedgerEntries.ts"
import { type NetworkAddress, NetworkSettings } from "../src/chain/NetworkSettings.ts"
import { maxLedgersPerCall } from "../src/chain/RpcPolicy.ts"
import type { ContractAddress } from "../src/domain/Address.ts"
import { Network } from "../src/domain/Network.ts"
import type { ProtocolName } from "../src/domain/Position.ts"
import { ProtocolRegistry } from "../src/protocols/ProtocolRegistry.ts"
import type { Announcements } from "../src/protocols/reading/Announcements.ts"
import type { Discovery } from "../src/protocols/reading/Discovery.ts"
import { askUntilKnown } from "../src/protocols/reading/QuestionLoop.ts"
import { ContractAddresses, ContractsDocument } from "../src/registry/ContractAddresses.ts"
import { readRegistryFile } from "../src/registry/RegistryFile.ts"
import { codeOf, namedCode } from "../src/stellar/CodeReference.ts"
import { instanceKey } from "../src/stellar/ContractKeys.ts"
import { contract } from "../src/stellar/ScValCodec.ts"

/** Why nothing was written. */
export class ScanRefused extends Data.TaggedError("ScanRefused")<{ readonly reason: string }> {
  override get message() {
    return this.reason
  }
}

const refused = (reason: string) => Effect.fail(new ScanRefused({ reason }))

/** Every event from a ledger on, window after window; refuses where a window is not answered whole. */
const announcedSince = (rpc: ContractRpc["Type"], { contracts, topics }: Announcements, from: number, latest: number) =>
  Effect.gen(function*() {
    const found = new Set<ContractAddress>()
    for (let next = from; next <= latest;) {
      const answer = yield* rpc.events({ contracts, topics, from: next, to: Math.min(latest + 1, next + maxLedgersPerCall) })
      if (answer.from > next || answer.to <= next) return yield* refused(`the source does not tell of ledger ${next}`)
      for (const { data } of answer.events) {
        const named = contract.decode(data)
        if (Either.isLeft(named)) return yield* refused("an announcement does not name a contract")
        found.add(named.right)
      }
      next = answer.to
    }
    return [...found]
  })

/** Those that their factory knows; refuses where it does not know one that it announced. */
const confirmed = (
  sources: Parameters<typeof askUntilKnown>[0],
  confirm: NonNullable<Discovery["confirm"]>,
  sequence: number,
  found: ReadonlyArray<ContractAddress>
) =>
  Effect.gen(function*() {
    const known = yield* askUntilKnown(sources, { sequence, closeTime: 0n }, { first: [], most: 8 }, (view) => {
      const { further, places } = confirm(view, found)
      return [places.map(({ contract: confirmed }) => confirmed), further]
    })
    if (Either.isLeft(known)) return yield* refused(known.left)
    const strange = found.filter((one) => !known.right.value.includes(one))
    return strange.length === 0 ? found : yield* refused(`announced, and not known to a factory: ${strange.join(", ")}`)
  })

/** Hash of the code that a contract runs, also by a name that another contract keeps for it; null where there is none. */
const codeHash = (entries: LedgerEntries["Type"], address: ContractAddress) =>
  Effect.gen(function*() {
    const data = Option.getOrNull(yield* entries.one(instanceKey(address)))?.entry.data
    const value = data?.type === "contractData" ? data.contractData.val : null
    const code = value?.type === "scvContractInstance" ? codeOf(value.instance) : null
    if (code?._tag === "Wasm") return code.hash
    const kept = code?._tag === "Named" ? Option.getOrNull(yield* entries.one(code.key)) : null
    return kept === null ? null : Either.getOrNull(namedCode(kept.entry.data))
  })

/** The role of a contract by the code it runs: kinds of code that are roles as well. */
const roleOf =
  (entries: LedgerEntries["Type"], kinds: Readonly<Record<string, ReadonlyArray<string>>>, roles: ReadonlyArray<string>) =>
  (address: ContractAddress) =>
    Effect.gen(function*() {
      const hash = yield* codeHash(entries, address)
      const role = roles.find((one) => hash !== null && kinds[one]?.includes(hash))
      return role === undefined ? yield* refused(`${address} runs code that the file does not know (${hash ?? "none"})`) : { address, role }
    })

/** The first ledger to read for a protocol; refuses where none is known, and where the source no longer keeps it. */
const firstToRead = (name: ProtocolName, { since }: Announcements, firstLedger: number | null, oldestLedger: number) =>
  Effect.gen(function*() {
    const from = since > 1 ? since : firstLedger
    if (from === null) {
      return yield* refused(`the file does not say to which ledger it is whole for ${name}: name the first ledger of its factories`)
    }
    if (from < oldestLedger) return yield* refused(`the source keeps events from ledger ${oldestLedger} on, and ${from} is needed`)
    return from
  })

/** The contracts file with what its factories deployed since; and what that rests on, a line a protocol. */
export const scanned = (document: ContractsDocument, firstLedger: number | null) =>
  Effect.gen(function*() {
    const sources = { rpc: yield* ContractRpc, entries: yield* LedgerEntries }
    const registry = yield* ProtocolRegistry
    const { latestLedger, oldestLedger } = yield* sources.rpc.retention
    const lines: Array<string> = []
    const protocols: Record<string, ContractsDocument["protocols"][ProtocolName]> = { ...document.protocols }
    const listedTo: Record<string, number> = { ...document.listedTo }
    for (const { discovery, name } of registry.all) {
      const listed = document.protocols[name]
      if (discovery?.announcements === undefined || discovery.confirm === undefined || listed === "none") continue
      const { announcements } = discovery
      const from = yield* firstToRead(name, announcements, firstLedger, oldestLedger)
      const found = yield* announcedSince(sources.rpc, announcements, from, latestLedger)
      const fresh = (yield* confirmed(sources, discovery.confirm, latestLedger, found)).filter((one) =>
        !Object.values(listed).flat().includes(one)
      )
      const kinds = document.code?.[name] ?? {}
      const placed = yield* Effect.forEach(fresh, roleOf(sources.entries, kinds, Object.keys(kinds)))
      const grown: Record<string, ReadonlyArray<ContractAddress>> = { ...listed }
      for (const { address, role } of placed) grown[role] = [...(grown[role] ?? []), address]
      protocols[name] = grown as typeof listed
      for (const factory of announcements.contracts) listedTo[factory] = latestLedger
      lines.push(
        `${name}: ${fresh.length} more contracts, by the events of ${announcements.contracts.length} factories in ledgers ${from} to ${latestLedger}; whole to ${latestLedger}`
      )
    }
    const written = yield* Schema.decodeUnknown(ContractsDocument)({
      ...document,
      protocols,
      ...(Object.keys(listedTo).length === 0 ? {} : { listedTo })
    })
    return { document: written, lines }
  })

/** Scans over the endpoints of a network. */
export const scanOver = (address: NetworkAddress, document: ContractsDocument, firstLedger: number | null) =>
  scanned(document, firstLedger).pipe(
    Effect.provide(
      ProtocolRegistry.layer.pipe(
        Layer.provideMerge(LedgerEntries.layer),
        Layer.provideMerge(Layer.mergeAll(ContractRpc.layer, LedgerApi.layer)),
        Layer.provide(ContractAddresses.layerValue(document)),
        Layer.provide(Layer.succeed(NetworkSettings, address))
      )
    ),
    Effect.scoped
  )

const main = Effect.gen(function*() {
  const [name, file, first] = process.argv.slice(2)
  if (file === undefined) return yield* refused("usage: contracts:scan <mainnet|testnet> <contracts file> [first ledger of the factories]")
  const network = yield* Schema.decodeUnknown(Network)(name)
  const address = yield* NetworkSettings.config(network)
  if (Option.isNone(address)) return yield* refused(`${network} is not configured`)
  const document = yield* readRegistryFile(file, ContractsDocument)
  if (document.network !== network) return yield* refused(`${file} is of ${document.network}`)
  const { document: written, lines } = yield* scanOver(address.value, document, first === undefined ? null : Number(first))
  const files = yield* FileSystem.FileSystem
  yield* files.writeFileString(`${file}.new`, `${JSON.stringify(yield* Schema.encode(ContractsDocument)(written), null, 2)}\n`)
  yield* files.rename(`${file}.new`, file)
  return lines
})

if (import.meta.main) {
  const outcome = await Effect.runPromise(Effect.either(Effect.provide(main, [NodeHttpClient.layerUndici, NodeFileSystem.layer])))
  if (Either.isRight(outcome)) { for (const line of outcome.right) console.log(line) }
  else console.error(outcome.left.message)
  process.exitCode = Either.isRight(outcome) ? 0 : 1
}
