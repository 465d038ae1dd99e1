import type { xdr } from "@stellar/stellar-sdk"
import { bytesId } from "./AccountId.ts"
import { idOf, idOfEntry } from "./EntryId.ts"
import type { EntryReader } from "./EntryReader.ts"
import { pairOf } from "./exchange/BookOrder.ts"
import { type BookedOffer, OfferBook } from "./exchange/OfferBook.ts"
import type { Header } from "./Header.ts"
import { PersistentMap } from "./PersistentMap.ts"

/** What a change makes of one stored entry; undefined removes it. */
export type EntryChange = readonly [id: string, entry: xdr.LedgerEntry | undefined]

/** A ledger: its header and every entry. Immutable; versions share storage, so keeping old ones is cheap. */
export class LedgerState implements EntryReader {
  static make(header: Header, entries: Iterable<xdr.LedgerEntry> = []): LedgerState {
    const none = PersistentMap.empty<xdr.LedgerEntry>()
    return new LedgerState(header, none, PersistentMap.empty(), PersistentMap.empty()).set(entries)
  }

  readonly header: Header
  private readonly stored: PersistentMap<xdr.LedgerEntry>
  /** Offers of a pair of assets, best first. */
  private readonly books: PersistentMap<OfferBook>
  /** Ids of the trustlines, offers and data entries of an account. */
  private readonly holdings: PersistentMap<PersistentMap<string>>

  private constructor(
    header: Header,
    stored: PersistentMap<xdr.LedgerEntry>,
    books: PersistentMap<OfferBook>,
    holdings: PersistentMap<PersistentMap<string>>
  ) {
    this.header = header
    this.stored = stored
    this.books = books
    this.holdings = holdings
  }

  get(key: xdr.LedgerKey): xdr.LedgerEntry | undefined {
    return this.find(idOf(key))
  }

  /** The entry stored under an id made by `idOf`. */
  find(id: string): xdr.LedgerEntry | undefined {
    return this.stored.get(id)
  }

  /** Every entry, in an order that follows from their keys, not from how the ledger came about. */
  entries(): Iterable<xdr.LedgerEntry> {
    return this.stored.values()
  }

  /** Offers selling and buying the pair named by `pairOf`, best first. */
  book(pair: string): OfferBook {
    return this.books.get(pair) ?? OfferBook.empty
  }

  /** Ids of the trustlines, offers and data entries of an account, without order. */
  holdingsOf(account: xdr.PublicKey): Iterable<string> {
    return this.holdings.get(bytesId(account.ed25519.value))?.values() ?? []
  }

  /** The same entries themselves. */
  heldBy(account: xdr.PublicKey): Iterable<xdr.LedgerEntry> {
    const held = this.holdings.get(bytesId(account.ed25519.value))
    return held === undefined ? [] : this.stored.under(held)
  }

  /** Adds or replaces. */
  set(entries: Iterable<xdr.LedgerEntry>): LedgerState {
    return this.change(Array.from(entries, (entry): EntryChange => [idOfEntry(entry), entry]))
  }

  /** Adds those that are not there; what is there stays. */
  add(entries: Iterable<xdr.LedgerEntry>): LedgerState {
    const changes = Array.from(entries, (entry): EntryChange => [idOfEntry(entry), entry])
    return this.change(changes.filter(([id]) => this.find(id) === undefined))
  }

  delete(keys: Iterable<xdr.LedgerKey>): LedgerState {
    return this.change(Array.from(keys, (key): EntryChange => [idOf(key), undefined]))
  }

  /** The same entries under a header with other fields. */
  at(header: Partial<Header>): LedgerState {
    return new LedgerState({ ...this.header, ...header }, this.stored, this.books, this.holdings)
  }

  /** Changes by stored id, applied in order. */
  change(changes: ReadonlyArray<EntryChange>): LedgerState {
    const last = new Map(changes)
    return new LedgerState(this.header, this.stored.with(last), this.rebook(last), this.rehold(last))
  }

  private rebook(changes: ReadonlyMap<string, xdr.LedgerEntry | undefined>): PersistentMap<OfferBook> {
    const touched = new Map<string, OfferBook>()
    const rebooked = (entry: xdr.LedgerEntry | undefined, change: (book: OfferBook, booked: BookedOffer) => OfferBook): void => {
      if (entry?.data.type !== "offer") return
      const { offer } = entry.data
      const pair = pairOf(offer.selling, offer.buying)
      touched.set(pair, change(touched.get(pair) ?? this.book(pair), { entry, offer }))
    }
    for (const [id, next] of changes) {
      if (!id.startsWith("offer:")) continue
      rebooked(this.stored.get(id), (book, booked) => book.minus(booked))
      rebooked(next, (book, booked) => book.plus(booked))
    }
    return this.books.with(Array.from(touched, ([pair, book]) => [pair, book.size === 0 ? undefined : book] as const))
  }

  private rehold(changes: ReadonlyMap<string, xdr.LedgerEntry | undefined>): PersistentMap<PersistentMap<string>> {
    const touched = new Map<string, Array<readonly [id: string, held: string | undefined]>>()
    for (const [id, next] of changes) {
      const owner = holderOf(id)
      if (owner === undefined || (this.stored.get(id) === undefined) === (next === undefined)) continue
      const changed = touched.get(owner)
      const change = [id, next === undefined ? undefined : id] as const
      if (changed === undefined) touched.set(owner, [change])
      else changed.push(change)
    }
    return this.holdings.with(Array.from(touched, ([owner, changed]) => {
      const held = (this.holdings.get(owner) ?? PersistentMap.empty<string>()).with(changed)
      return [owner, held.size === 0 ? undefined : held] as const
    }))
  }
}

/** The owner in an id of `trustline:`, `offer:` or `data:`, which it stands behind; undefined for other kinds. */
const holderOf = (id: string): string | undefined => {
  const start = id.indexOf(":") + 1
  switch (id.slice(0, start)) {
    case "trustline:":
    case "offer:":
    case "data:":
      return id.slice(start, id.indexOf(":", start))
    default:
      return undefined
  }
}
