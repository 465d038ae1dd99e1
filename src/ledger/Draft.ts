import { xdr } from "@stellar/stellar-sdk"
import { keyOf } from "../xdr/LedgerKeys.ts"
import { accountId } from "./AccountId.ts"
import { idOf, idOfEntry } from "./EntryId.ts"
import type { EntryReader } from "./EntryReader.ts"
import { comesBefore, pairOf } from "./exchange/BookOrder.ts"
import type { Header } from "./Header.ts"
import type { EntryChange, LedgerState } from "./LedgerState.ts"

/** Accounts whose future reserves are being paid, by map key of the sponsored account. */
type Sponsors = ReadonlyMap<string, xdr.PublicKey>

const noSponsors: Sponsors = new Map()

/**
 * An entry that a draft touched. `now`: its value in the draft, null where removed. `before`: its value around the draft at first touch.
 */
export interface DraftEntry {
  readonly before: xdr.LedgerEntry | undefined
  readonly now: xdr.LedgerEntry | null
}

/**
 * Changes being made to a ledger, kept apart until they are committed.
 * Drafts nest (ledger, transaction, operation): `fork` starts one inside, `commit` hands its changes to the
 * one around it, and a draft that is dropped leaves no trace.
 *
 * An entry that is *loaded* counts as changed, even when its value stays the same: its last-modified ledger
 * moves and it appears in {@link changes}, as in the protocol. An entry that is only *peeked* at does not.
 */
export class Draft implements EntryReader {
  /** A draft on top of a finished ledger. */
  static of(state: LedgerState): Draft {
    return new Draft(state, undefined, state.header.idPool, new Map())
  }

  readonly header: Header
  private readonly state: LedgerState
  private readonly parent: Draft | undefined
  /** Entries of this draft, in the order in which they were first touched. */
  private readonly entries = new Map<string, DraftEntry>()
  private idPool: bigint
  private sponsors: Sponsors
  /** Ids of offers written by any draft over the same ledger, by pair: a superset, checked on use. */
  private readonly written: Map<string, Set<string>>
  /** How many of the best offers of the ledger's book are known to be gone, by pair. */
  private gone: Map<string, number> | null = null

  private constructor(state: LedgerState, parent: Draft | undefined, idPool: bigint, written: Map<string, Set<string>>) {
    this.state = state
    this.header = state.header
    this.parent = parent
    this.idPool = idPool
    this.sponsors = parent?.sponsors ?? noSponsors
    this.written = written
  }

  fork(): Draft {
    return new Draft(this.state, this, this.idPool, this.written)
  }

  /** Hands every change to the draft around this one. */
  commit(): void {
    const parent = this.parent
    if (parent === undefined) return
    for (const [id, { now }] of this.entries) parent.settle(id, now)
    parent.idPool = this.idPool
    parent.sponsors = this.sponsors
    if (this.gone !== null) { for (const [pair, count] of this.gone) parent.knowGone(pair, count) }
  }

  /** Hands every change to a draft some way around this one, through all between them. */
  commitTo(outer: Draft): void {
    if (this === outer) return
    this.commit()
    this.parent?.commitTo(outer)
  }

  /** The ledger with the changes of this draft, and of those around it. */
  toState(): LedgerState {
    return this.state.change(this.allChanges()).at({ idPool: this.idPool })
  }

  private allChanges(): ReadonlyArray<EntryChange> {
    const own = Array.from(this.entries, ([id, { now }]): EntryChange => [id, now ?? undefined])
    return this.parent === undefined ? own : [...this.parent.allChanges(), ...own]
  }

  get(key: xdr.LedgerKey): xdr.LedgerEntry | undefined {
    return this.peek(idOf(key))
  }

  /** The current value under an id, without counting as a change. */
  peek(id: string): xdr.LedgerEntry | undefined {
    const own = this.entries.get(id)
    return own === undefined ? this.around(id) : own.now ?? undefined
  }

  private around(id: string): xdr.LedgerEntry | undefined {
    return this.parent === undefined ? this.state.find(id) : this.parent.peek(id)
  }

  /** The current value under an id; an entry found counts as changed. */
  load(id: string): xdr.LedgerEntry | undefined {
    const own = this.entries.get(id)
    if (own !== undefined) return own.now ?? undefined
    const before = this.around(id)
    if (before === undefined) return undefined
    const now = this.stamped(before)
    this.enter(id, { before, now })
    return now
  }

  /** Creates or replaces an entry. */
  put(entry: xdr.LedgerEntry): void {
    this.replace(idOfEntry(entry), entry)
  }

  /** The same of an entry whose id is known. */
  replace(id: string, entry: xdr.LedgerEntry): void {
    this.settle(id, this.stamped(entry))
  }

  erase(id: string): void {
    this.settle(id, null)
  }

  /** The next free offer id. */
  nextId(): bigint {
    this.idPool += 1n
    return this.idPool
  }

  /** Who pays the future reserves of an account in this transaction, if anyone. */
  sponsorOf(account: xdr.PublicKey): xdr.PublicKey | undefined {
    return this.sponsors.get(accountId(account))
  }

  /** Whether an account pays someone's future reserves in this transaction. */
  isSponsoringFuture(account: xdr.PublicKey): boolean {
    const id = accountId(account)
    for (const sponsor of this.sponsors.values()) if (accountId(sponsor) === id) return true
    return false
  }

  hasOpenSponsorship(): boolean {
    return this.sponsors.size > 0
  }

  openSponsorship(sponsored: xdr.PublicKey, sponsor: xdr.PublicKey): void {
    this.sponsors = new Map(this.sponsors).set(accountId(sponsored), sponsor)
  }

  closeSponsorship(sponsored: xdr.PublicKey): void {
    const left = new Map(this.sponsors)
    left.delete(accountId(sponsored))
    this.sponsors = left
  }

  /** The best standing offer that sells and buys the given assets, without counting as a change. */
  bestOffer(selling: xdr.Asset, buying: xdr.Asset): xdr.OfferEntry | undefined {
    const pair = pairOf(selling, buying)
    let best = this.bestOfLedger(pair)
    for (const id of this.written.get(pair) ?? []) {
      const offer = this.offerOfPair(id, pair)
      if (offer !== undefined && (best === undefined || comesBefore(offer, best))) best = offer
    }
    return best
  }

  private bestOfLedger(pair: string): xdr.OfferEntry | undefined {
    const book = this.state.book(pair)
    for (let at = this.goneFrom(pair); at < book.size; at++) {
      const stored = book.at(at)
      const offer = stored === undefined ? undefined : this.offerOfPair(idOfEntry(stored.entry), pair)
      if (offer === undefined || stored === undefined) continue
      this.knowGone(pair, at)
      const moved = offer.price.n !== stored.offer.price.n || offer.price.d !== stored.offer.price.d
      if (!moved) return offer
    }
    return undefined
  }

  private goneFrom(pair: string): number {
    return this.gone?.get(pair) ?? this.parent?.goneFrom(pair) ?? 0
  }

  private knowGone(pair: string, count: number): void {
    this.gone ??= new Map()
    this.gone.set(pair, count)
  }

  private offerOfPair(id: string, pair: string): xdr.OfferEntry | undefined {
    const data = this.peek(id)?.data
    return data?.type === "offer" && pairOf(data.offer.selling, data.offer.buying) === pair ? data.offer : undefined
  }

  /** Ids of the trustlines, offers and data entries of an account as they stand now. */
  holdingsOf(account: xdr.PublicKey): ReadonlyArray<string> {
    const ids = new Set(this.state.holdingsOf(account))
    const owner = accountId(account)
    for (const id of this.changedIds()) if (id.split(":", 2)[1] === owner) ids.add(id)
    return Array.from(ids).filter((id) => this.peek(id) !== undefined)
  }

  private *changedIds(): Iterable<string> {
    if (this.parent !== undefined) yield* this.parent.changedIds()
    yield* this.entries.keys()
  }

  /**
   * What this draft changes, in the order the entries were first touched: the form of transaction metadata. It is the same before the changes
   * are committed and after.
   */
  changes(): Array<xdr.LedgerEntryChange> {
    return Array.from(this.entries.values()).flatMap(({ before, now }): Array<xdr.LedgerEntryChange> => {
      if (before === undefined) return now === null ? [] : [xdr.LedgerEntryChange.ledgerEntryCreated(now)]
      const state = xdr.LedgerEntryChange.ledgerEntryState(before)
      return now === null
        ? [state, xdr.LedgerEntryChange.ledgerEntryRemoved(keyOf(before))]
        : [state, xdr.LedgerEntryChange.ledgerEntryUpdated(now)]
    })
  }

  /** Every entry that this draft touched and that is not as if it had never been there. */
  touched(): ReadonlyArray<DraftEntry> {
    return Array.from(this.entries.values())
  }

  private stamped(entry: xdr.LedgerEntry): xdr.LedgerEntry {
    const { ledgerSeq } = this.header
    return entry.lastModifiedLedgerSeq === ledgerSeq ? entry : new xdr.LedgerEntry({ ...entry, lastModifiedLedgerSeq: ledgerSeq })
  }

  private settle(id: string, now: xdr.LedgerEntry | null): void {
    const own = this.entries.get(id)
    const before = own === undefined ? this.around(id) : own.before
    // What came and went within a draft was never there.
    if (now === null && before === undefined) this.entries.delete(id)
    else this.enter(id, { before, now })
  }

  private enter(id: string, touched: DraftEntry): void {
    this.entries.set(id, touched)
    if (touched.now?.data.type !== "offer") return
    const { buying, selling } = touched.now.data.offer
    const pair = pairOf(selling, buying)
    const ids = this.written.get(pair)
    if (ids === undefined) this.written.set(pair, new Set([id]))
    else ids.add(id)
  }
}
