import { Effect } from "effect"
import type { AccountAddress } from "../../domain/Address.ts"
import { native } from "../../domain/Asset.ts"
import { UpstreamUnusable } from "../../domain/failure/Upstream.ts"
import { TransactionHash } from "../../domain/Ledger.ts"
import { assetContract } from "../../stellar/AssetTokens.ts"
import { address as addressCodec, symbol } from "../../stellar/ScValCodec.ts"
import { xdrBase64 } from "../../xdr/XdrBytes.ts"
import type { ChainFailure } from "../ChainFailure.ts"
import type { TopicEvent } from "../contract-rpc/EventSearch.ts"
import type { ListedTransaction } from "../contract-rpc/TransactionPage.ts"
import type { ContractRpc } from "../ContractRpc.ts"
import { pagingToken } from "../ledger-api/PagingToken.ts"
import type { TransactionRecord, UnreadableRecord } from "../ledger-api/TransactionRecord.ts"
import { maxLedgersPerCall } from "../RpcPolicy.ts"
import { decodeTransaction } from "../xdr/DecodedTransaction.ts"
import { transactionsOf } from "./LedgerTransactions.ts"

type Rpc = Pick<ContractRpc["Type"], "latestLedger" | "retention" | "searchEvents" | "transactions">

/** Pages of events, and ledgers with such events, that are read at most. */
const [mostPages, mostLedgers] = [5, 10] as const

const transferTopic = xdrBase64(symbol.encode("transfer"))

/** The place of an event's transaction in its ledger, by its id. */
const orderOf = ({ id }: TopicEvent): number => Number((BigInt(id.slice(0, 19)) >> 12n) & 0xf_ffffn)

/** Events of lumens that an account sent, in a range of ledgers, and from which ledger on they were read. */
const eventsOf = (rpc: Rpc, passphrase: string, address: AccountAddress) =>
  Effect.gen(function*() {
    const { latestLedger, oldestLedger } = yield* rpc.retention
    const from = Math.max(oldestLedger, latestLedger + 1 - maxLedgersPerCall)
    const search = { topics: [[transferTopic, xdrBase64(addressCodec.encode(address)), "**"]], to: latestLedger + 1 }
    const lumens = assetContract(native, passphrase)
    const events: Array<TopicEvent> = []
    let page = yield* rpc.searchEvents({ ...search, place: { from, to: latestLedger + 1 } })
    for (let pages = 1; page._tag === "Page"; pages++) {
      // Any contract can report a transfer; that of lumens only what happened.
      events.push(...page.events.filter(({ contract }) => contract === lumens))
      if (page.next === null) return { events, from }
      if (pages === mostPages) break
      page = yield* rpc.searchEvents({ ...search, place: { cursor: page.next } })
    }
    return { events: [], from: latestLedger }
  })

const unusable = () => new UpstreamUnusable({ source: "contract_rpc" })

const recordOf = (
  { applicationOrder, createdAt, envelopeXdr, ledger, resultXdr, txHash }: ListedTransaction
): Effect.Effect<TransactionRecord | UnreadableRecord, UpstreamUnusable> =>
  Effect.mapBoth(decodeTransaction(envelopeXdr, resultXdr), {
    onFailure: unusable,
    onSuccess: ({ envelope, result }): TransactionRecord | UnreadableRecord => {
      const place = { hash: txHash, ledger, pagingToken: pagingToken(ledger, applicationOrder) }
      return envelope === null || result === null
        ? { ...place, envelope: null, signed: null }
        : { ...place, closedAt: createdAt, envelope, result }
    }
  })

/** The transactions of a ledger that events name, newest first. One that events name and the ledger does not is no answer. */
const sentIn = (rpc: Rpc, ledger: number, events: ReadonlyArray<TopicEvent>) =>
  Effect.gen(function*() {
    const orders = new Set(events.filter((event) => event.ledger === ledger).map(orderOf))
    const all = yield* transactionsOf(rpc, ledger)
    const sent = all?.filter(({ applicationOrder }) => orders.has(applicationOrder)) ?? []
    return sent.length === orders.size ? sent.toReversed() : yield* unusable()
  })

/** Stands for everything before what was read, which may hold anything. */
const endAt = (ledger: number): UnreadableRecord => ({
  hash: TransactionHash.make("0".repeat(64)),
  ledger,
  pagingToken: pagingToken(ledger, 0),
  envelope: null,
  signed: null
})

/**
 * Successful transactions in which an account sent lumens, newest first, in the last 10,000 ledgers (`getEvents`, `getTransactions`); a merge is
 * one. The last record stands for everything before. An endpoint that reports no events of classic operations shows nothing but that.
 */
export const sentLumens =
  (rpc: Rpc, passphrase: string) =>
  (address: AccountAddress, before?: bigint): Effect.Effect<ReadonlyArray<TransactionRecord | UnreadableRecord>, ChainFailure> =>
    Effect.gen(function*() {
      const { events, from } = yield* eventsOf(rpc, passphrase, address)
      const ledgers = [...new Set(events.map(({ ledger }) => ledger))].toSorted((one, other) => other - one)
      const read = ledgers.slice(0, mostLedgers)
      const listed = yield* Effect.forEach(read, (ledger) => sentIn(rpc, ledger, events))
      const records = yield* Effect.forEach(listed.flat(), recordOf)
      const all = [...records, endAt(ledgers.length > read.length ? read.at(-1) ?? from : from)]
      return before === undefined ? all : all.filter(({ pagingToken }) => pagingToken < before)
    })
