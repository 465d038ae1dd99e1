import { HashMap, Option } from "effect"
import { ledgerSeconds } from "../../ledger/Header.ts"
import type { LedgerRecord, TransactionRecord } from "./LedgerRecord.ts"

/** Ledgers by sequence number and transactions by hash, with the ends of the range. */
interface Window {
  readonly ledgers: HashMap.HashMap<number, LedgerRecord>
  readonly transactions: HashMap.HashMap<string, TransactionRecord>
  readonly oldest: Oldest
  readonly latest: LedgerRecord
  readonly retention: number
}

/** The first ledger of the window, whether it was kept or passed empty. */
type Oldest = Pick<LedgerRecord, "sequence" | "closeTime">

/** The closed ledgers within the retention window, newest included. Immutable; versions share storage. */
export class History {
  static make(first: LedgerRecord, retention: number): History {
    return new History({
      ledgers: HashMap.make([first.sequence, first]),
      transactions: HashMap.empty(),
      oldest: first,
      latest: first,
      retention: Math.max(1, retention)
    })
  }

  readonly oldest: Oldest
  readonly latest: LedgerRecord
  /** How many ledgers are kept. */
  readonly retention: number
  private readonly ledgers: HashMap.HashMap<number, LedgerRecord>
  private readonly transactions: HashMap.HashMap<string, TransactionRecord>

  private constructor({ latest, ledgers, oldest, retention, transactions }: Window) {
    this.ledgers = ledgers
    this.transactions = transactions
    this.oldest = oldest
    this.latest = latest
    this.retention = retention
  }

  /** The ledger of a sequence number; none outside the window, and none of those that passed empty. */
  ledger(sequence: number): Option.Option<LedgerRecord> {
    return HashMap.get(this.ledgers, sequence)
  }

  /** By the hash of the envelope or of the transaction inside a fee bump. */
  transaction(hash: string): Option.Option<TransactionRecord> {
    return HashMap.get(this.transactions, hash)
  }

  /** The ledgers from one sequence number on, oldest first. */
  from(sequence: number): IterableIterator<LedgerRecord> {
    return this.between(sequence, this.latest.sequence + 1)
  }

  /** The ledgers from one sequence number up to, and without, another, oldest first. */
  *between(sequence: number, end: number): IterableIterator<LedgerRecord> {
    for (let next = Math.max(sequence, this.oldest.sequence); next <= this.latest.sequence && next < end; next++) {
      const found = HashMap.get(this.ledgers, next)
      if (Option.isSome(found)) yield found.value
    }
  }

  /** The last ledgers, at most `count`, oldest first. */
  last(count: number): ReadonlyArray<LedgerRecord> {
    return [...this.from(this.latest.sequence - count + 1)]
  }

  /** Adds the next ledger; the ones that fall out of the window go, with their transactions. */
  add(ledger: LedgerRecord): History {
    let ledgers = HashMap.set(this.ledgers, ledger.sequence, ledger)
    let transactions = this.transactions
    for (const record of ledger.transactions) {
      for (const hash of hashes(record)) transactions = HashMap.set(transactions, hash, record)
    }
    const first = Math.max(this.oldest.sequence, ledger.sequence - this.retention + 1)
    for (const old of this.before(first)) {
      for (const record of old.transactions) {
        for (const hash of hashes(record)) transactions = HashMap.remove(transactions, hash)
      }
      ledgers = HashMap.remove(ledgers, old.sequence)
    }
    const oldest = first === this.oldest.sequence
      ? this.oldest
      : Option.getOrElse(HashMap.get(ledgers, first), () => this.passed(first, ledger))
    return new History({ ledgers, transactions, oldest, latest: ledger, retention: this.retention })
  }

  /** The ledgers that are kept, up to and without one: looked up one by one, or picked out where more passed empty than are kept. */
  private before(first: number): ReadonlyArray<LedgerRecord> {
    const span = first - this.oldest.sequence
    return span > HashMap.size(this.ledgers)
      ? Array.from(HashMap.values(this.ledgers)).filter(({ sequence }) => sequence < first)
      : Array.from({ length: span }, (_, at) => HashMap.get(this.ledgers, this.oldest.sequence + at)).flatMap(Option.toArray)
  }

  /** An empty ledger as the oldest one. Its close time assumes an even pace, and is never before that of the former oldest ledger. */
  private passed(sequence: number, { closeTime, sequence: latest }: LedgerRecord): Oldest {
    const paced = closeTime - BigInt(ledgerSeconds * (latest - sequence))
    return { sequence, closeTime: paced > this.oldest.closeTime ? paced : this.oldest.closeTime }
  }
}

const hashes = ({ facts }: TransactionRecord): ReadonlyArray<string> =>
  facts.innerHash === null ? [facts.hash] : [facts.hash, facts.innerHash]
