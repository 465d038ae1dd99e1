import { StrKey, xdr } from "@stellar/stellar-sdk"
import { ConfigProvider, Effect, Layer, Logger, LogLevel } from "effect"
import { randomBytes } from "node:crypto"
import { ContractRpc } from "../../../src/chain/ContractRpc.ts"
import { AccountAddress } from "../../../src/domain/Address.ts"
import { address, i128, symbol, u32, vec } from "../../../src/stellar/ScValCodec.ts"
import { OwnerEvents } from "../../../src/tokens/OwnerEvents.ts"
import { type Reaction, scripted, settings } from "../../chain/support/Scripted.ts"

/** An event as a node keeps it. */
export interface KeptEvent {
  readonly ledger: number
  /** Its index in the ledger. */
  readonly index: number
  readonly contract: string
  readonly topics: ReadonlyArray<xdr.ScVal>
  readonly data?: xdr.ScVal
}

/** A call of `getEvents` as a node sees it. */
export interface AskedEvents {
  readonly startLedger?: number
  readonly endLedger?: number
  readonly filters: ReadonlyArray<
    { readonly type: string; readonly contractIds?: unknown; readonly topics: ReadonlyArray<ReadonlyArray<string>> }
  >
  readonly pagination: { readonly cursor?: string; readonly limit: number }
}

/** A node with events; its content may change during a request. */
export interface EventNode {
  oldest: number
  latest: number
  events: ReadonlyArray<KeptEvent>
  /** Replaces the answer to the call of this number; null: the node answers. */
  meddle: (asked: AskedEvents, count: number) => Reaction | null
  /** Whether it does not even say what it remembers. */
  isDown?: boolean
}

export const newAccount = (): AccountAddress => AccountAddress.make(StrKey.encodeEd25519PublicKey(randomBytes(32)))

const idOf = (ledger: number, index: number): string =>
  `${((BigInt(ledger) << 32n) | 4096n).toString().padStart(19, "0")}-${index.toString().padStart(10, "0")}`

const result = (value: unknown): Reaction => ({ body: JSON.stringify({ jsonrpc: "2.0", id: 1, result: value }) })

/** An error answer of JSON-RPC. */
export const refused = (code: number): Reaction => ({ body: JSON.stringify({ jsonrpc: "2.0", id: 1, error: { code, message: "no" } }) })

const fits = (pattern: ReadonlyArray<string>, topics: ReadonlyArray<string>): boolean => {
  if (pattern.at(-1) === "**") return topics.length >= pattern.length - 1 && fits(pattern.slice(0, -1), topics.slice(0, pattern.length - 1))
  return pattern.length === topics.length && pattern.every((one, at) => one === "*" || one === topics[at])
}

const texts = new WeakMap<KeptEvent, KeptEvent & { readonly id: string; readonly topic: ReadonlyArray<string> }>()

const written = (event: KeptEvent) => {
  const text = texts.get(event) ??
    { ...event, id: idOf(event.ledger, event.index), topic: event.topics.map((topic) => topic.toXdr("base64")) }
  texts.set(event, text)
  return text
}

/** Ledgers that one call searches. */
const scanned = 10_000

const answer = ({ events, latest, oldest }: EventNode, { endLedger = 0, filters, pagination, startLedger = 0 }: AskedEvents): Reaction => {
  const { cursor, limit } = pagination
  const start = cursor === undefined ? startLedger : Number(BigInt(cursor.slice(0, 19)) >> 32n)
  if (start < oldest || start > latest) return refused(-32600)
  const end = Math.min(start + scanned, latest + 1, cursor === undefined && endLedger > 0 ? endLedger : Infinity)
  const found = events.map(written).filter(({ id, ledger, topic }) =>
    ledger >= start && ledger < end && (cursor === undefined || id > cursor) &&
    filters.some(({ topics }) => topics.some((pattern) => fits(pattern, topic)))
  )
    .toSorted((one, other) => (one.id < other.id ? -1 : 1))
    .slice(0, limit)
  const last = found.at(-1)
  return result({
    events: found.map(({ contract, data = xdr.ScVal.scvVoid(), id, ledger, topic }) => ({
      type: "contract",
      ledger,
      contractId: contract,
      id,
      topic,
      value: data.toXdr("base64"),
      inSuccessfulContractCall: true
    })),
    cursor: last !== undefined && found.length === limit ? last.id : idOf(end - 1, 4_294_967_295),
    latestLedger: latest,
    oldestLedger: oldest
  })
}

/** The approval event of an asset contract for an owner and a spender. */
export const approved = (ledger: number, contract: string, owner: string, spender: string, index = 0): KeptEvent => ({
  ledger,
  index,
  contract,
  topics: [symbol.encode("approve"), address.encode(owner), address.encode(spender), xdr.ScVal.scvString("native")],
  data: xdr.ScVal.scvVec([i128.encode(5n), u32.encode(ledger + 1000)])
})

/** A transfer event. */
export const transferred = (ledger: number, contract: string, from: string, to: string, index = 0): KeptEvent => ({
  ledger,
  index,
  contract,
  topics: [symbol.encode("transfer"), address.encode(from), address.encode(to)],
  data: i128.encode(5n)
})

/** A value that no token event has. */
export const odd = vec(u32).encode([1, 2])

const origins = ["https://first.example", "https://second.example", "https://third.example"] as const

/** The reader of events over nodes of an origin each, with its requests to all of them. */
export const overNodes = (nodes: ReadonlyArray<Partial<EventNode>>, config: Readonly<Record<string, string>> = {}) =>
  Effect.gen(function*() {
    const all = nodes.map((node) => ({
      node: { oldest: 1, latest: 25_000, events: [], meddle: () => null, ...node } as EventNode,
      count: 0
    }))
    const transport = yield* scripted(({ body, origin }) => {
      const place = all[origins.findIndex((one) => one === origin)]
      if (place === undefined) return "cut"
      const { method, params } = body as { readonly method: string; readonly params: AskedEvents }
      if (method === "getHealth") {
        const { latest, isDown, oldest } = place.node
        return isDown === true ? { status: 503, body: "" } : result({ status: "healthy", oldestLedger: oldest, latestLedger: latest })
      }
      place.count += 1
      return place.node.meddle(params, place.count) ?? answer(place.node, params)
    })
    const [first, ...others] = origins.slice(0, nodes.length).map((origin) => new URL(origin))
    if (first === undefined) return yield* Effect.dieMessage("no node")
    const services = yield* Logger.withMinimumLogLevel(LogLevel.None)(Layer.build(
      OwnerEvents.layer.pipe(
        Layer.provide(ContractRpc.layer),
        Layer.provide([transport.layer, settings([first, ...others])]),
        Layer.provide(Layer.setConfigProvider(ConfigProvider.fromMap(new Map(Object.entries(config)))))
      )
    ))
    const { again, of } = yield* Effect.provide(OwnerEvents, services)
    const asked = Effect.map(transport.seen, (seen) =>
      seen.flatMap(({ body }) => {
        const { method, params } = body as { readonly method: string; readonly params: AskedEvents }
        return method === "getEvents" ? [params] : []
      }))
    return { nodes: all.map(({ node }) => node), of, again, asked }
  })

/** The reader of events over a node, with its requests to the node. */
export const overNode = (node: Partial<EventNode>, config: Readonly<Record<string, string>> = {}) =>
  Effect.map(overNodes([node], config), ({ nodes: [only], ...reader }) => ({ ...reader, node: only! }))
