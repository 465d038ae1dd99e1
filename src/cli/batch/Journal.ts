import { Effect, Option, Schema } from "effect"
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, writeSync } from "node:fs"
import { wrongInput } from "../CommandFailed.ts"
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

/** The file that a batch is resumed from: one line of JSON for each thing that happened. */
export interface Journal {
  /** Accounts that were closed already. */
  readonly closed: ReadonlyMap<string, RowOutcome>
  /** Adds a line. It is on the disk when this ends. */
  readonly add: (outcome: RowOutcome) => Effect.Effect<void>
}

const decodeLine = Schema.decodeUnknownOption(Schema.parseJson(RowOutcome))

/** What a journal says; a last line that was cut off says nothing. */
const linesOf = (file: string): ReadonlyArray<RowOutcome> =>
  existsSync(file) ? readFileSync(file, "utf8").split("\n").flatMap((line) => Option.toArray(decodeLine(line))) : []

/** Opens the journal of these rows until the scope closes. One of other rows is refused. */
export const openJournal = (file: string, rows: ReadonlyArray<AccountRow>) =>
  Effect.gen(function*() {
    const wanted = new Map(rows.map(({ destination, source }) => [source, destination]))
    const known = yield* Effect.try({ try: () => linesOf(file), catch: () => wrongInput(`The journal ${file} cannot be read.`) })
    const other = known.find(({ destination, source }) => wanted.get(source) !== destination)
    if (other !== undefined) {
      return yield* wrongInput(`The journal ${file} is that of another list: there ${other.source} is closed into ${other.destination}.`)
    }
    const descriptor = yield* Effect.acquireRelease(
      Effect.try({ try: () => openSync(file, "a"), catch: () => wrongInput(`The journal ${file} cannot be written.`) }),
      (open) => Effect.sync(() => closeSync(open))
    )
    // A line that was cut off by the end of the process before must not join the next one.
    writeSync(descriptor, "\n")
    const journal: Journal = {
      closed: new Map(known.flatMap((one) => (one.state === "closed" ? [[one.source, one] as const] : []))),
      add: (outcome) =>
        Effect.sync(() => {
          writeSync(descriptor, `${JSON.stringify(outcome)}\n`)
          fsyncSync(descriptor)
        })
    }
    return journal
  })
