import { Effect, Option, Schema } from "effect"
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, writeSync } from "node:fs"
import { Memo } from "../../domain/Memo.ts"
import { optional } from "../../domain/OptionalField.ts"
import { wrongInput } from "../CommandFailed.ts"
import { privateMode } from "../PrivateFile.ts"
import type { AccountRow } from "./AccountRows.ts"

/** How the close of an account of a batch ended. */
export const RowOutcome = Schema.Union(
  Schema.Struct({
    source: Schema.String,
    destination: Schema.String,
    state: Schema.Literal("closed"),
    receivedLumens: Schema.String,
    hash: Schema.String,
    ledger: Schema.Number
  }),
  Schema.Struct({
    source: Schema.String,
    destination: Schema.String,
    state: Schema.Literal("failed"),
    code: Schema.String,
    message: Schema.String,
    retry: Schema.NullOr(Schema.Literal("never", "after_fix", "after_delay", "replan"))
  }),
  Schema.Struct({
    source: Schema.String,
    destination: Schema.String,
    state: Schema.Literal("submitted"),
    hash: Schema.String
  })
)
export type RowOutcome = typeof RowOutcome.Type

/** A line of the file: an outcome, with the network and the memo of its row. Lines of older versions name neither. */
const JournalLine = Schema.extend(
  RowOutcome,
  Schema.Struct({
    networkPassphrase: optional(Schema.String),
    memo: optional(Schema.NullOr(Memo))
  })
)
type JournalLine = typeof JournalLine.Type

/** The file that a batch is resumed from: one line of JSON for each thing that happened. */
export interface Journal {
  /** Rows that are closed on this network, with the memo of the row, by their source. */
  readonly closed: ReadonlyMap<string, RowOutcome>
  /** Adds a line. It is on the disk when this ends. */
  readonly add: (outcome: RowOutcome) => Effect.Effect<void>
}

const decodeLine = Schema.decodeUnknownOption(Schema.parseJson(JournalLine))

/** The lines of a journal. A last line that was cut off is left out. */
const linesOf = (file: string): ReadonlyArray<JournalLine> =>
  existsSync(file) ? readFileSync(file, "utf8").split("\n").flatMap((line) => Option.toArray(decodeLine(line))) : []

/** Why a line shows that the journal is of another list; null where it fits its row. A row that failed may be corrected or left out. */
const mismatchOf = (wanted: ReadonlyMap<string, AccountRow>, { destination, source, state }: JournalLine): string | null => {
  if (state === "failed" || wanted.get(source)?.destination === destination) return null
  return state === "closed"
    ? `${source} was closed into ${destination}`
    : `a transaction of the close of ${source} into ${destination} was submitted`
}

const isSameMemo = Schema.equivalence(Schema.NullOr(Memo))

/**
 * Opens the journal of these rows on this network until the scope closes. One that closed or submitted other rows is refused. A line of
 * another network or memo, or of an older version that names neither, closes no row: the ledger then says what became of the account.
 */
export const openJournal = (file: string, rows: ReadonlyArray<AccountRow>, networkPassphrase: string) =>
  Effect.gen(function*() {
    const wanted = new Map(rows.map((row) => [row.source, row]))
    const known = yield* Effect.try({ try: () => linesOf(file), catch: () => wrongInput(`The journal ${file} cannot be read.`) })
    const mismatch = known.flatMap((line) => mismatchOf(wanted, line) ?? []).at(-1)
    if (mismatch !== undefined) {
      return yield* wrongInput(
        `The list does not fit the journal ${file}: there ${mismatch}. Put that row back, or name another file with --journal.`
      )
    }
    const descriptor = yield* Effect.acquireRelease(
      Effect.try({ try: () => openSync(file, "a", privateMode), catch: () => wrongInput(`The journal ${file} cannot be written.`) }),
      (open) => Effect.sync(() => closeSync(open))
    )
    // A line that was cut off by the end of the process before must not join the next one.
    writeSync(descriptor, "\n")
    const memoOf = (source: string): Memo | null => wanted.get(source)?.memo ?? null
    const closed = known.flatMap(({ memo, networkPassphrase: network, ...outcome }) => {
      const isOfRow = network === networkPassphrase && memo !== undefined && isSameMemo(memo, memoOf(outcome.source))
      return outcome.state === "closed" && isOfRow ? [[outcome.source, outcome] as const] : []
    })
    const journal: Journal = {
      closed: new Map(closed),
      add: (outcome) =>
        Effect.sync(() => {
          const line: JournalLine = { ...outcome, networkPassphrase, memo: memoOf(outcome.source) }
          writeSync(descriptor, `${JSON.stringify(line)}\n`)
          fsyncSync(descriptor)
        })
    }
    return journal
  })
