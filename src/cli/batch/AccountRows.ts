import { Effect } from "effect"
import { isAccountAddress } from "../../domain/Address.ts"
import { baseAccount, type DestinationAddress, isDestinationAddress } from "../../domain/DestinationAddress.ts"
import { type Memo, MemoType } from "../../domain/Memo.ts"
import { type CommandFailed, wrongInput } from "../CommandFailed.ts"
import { memoFault } from "../MemoFault.ts"

/** An account of a batch. */
export interface AccountRow {
  readonly source: string
  readonly destination: DestinationAddress
  readonly memo: Memo | null
  /** The mediator that its lumens go through; null: the one that the command names, if it does. */
  readonly mediator: string | null
}

/** Fields of a line of CSV: a field in quotes may hold commas, and a quote as two. Null: a part of the line belongs to no field. */
const fieldsOf = (line: string): ReadonlyArray<string> | null => {
  const found = [...`,${line}`.matchAll(/,(?:"((?:[^"]|"")*)"|([^",]*))(?=,|$)/gy)]
  const covered = found.reduce((sum, [field]) => sum + field.length, 0)
  return covered < line.length + 1 ? null : found.map(([, quoted, plain]) => quoted?.replaceAll("\"\"", "\"") ?? (plain ?? "").trim())
}

const columns = ["source", "destination", "memo_type", "memo", "mediator"] as const

const isMemoType = (text: string): text is MemoType => MemoType.literals.some((one) => one === text)

const memoIn = (type: string, value: string): Memo | null | undefined => {
  if (value === "") return type === "" ? null : undefined
  if (type === "") return { type: "text", value }
  return isMemoType(type) ? { type, value } : undefined
}

const problemsWith = (rows: ReadonlyArray<AccountRow>): string | null => {
  const sources = new Set(rows.map(({ source }) => source))
  if (sources.size < rows.length) return "An account stands in it twice."
  const closed = rows.find(({ destination }) => sources.has(baseAccount(destination)))
  return closed === undefined ? null : `${closed.destination} is a destination, and is to be closed itself.`
}

/** The account of a line; null where a part of it is missing or cannot be used. */
const rowOf = (fields: ReadonlyArray<string>, names: ReadonlyArray<string>): AccountRow | null => {
  const field = (name: (typeof columns)[number]) => fields[names.indexOf(name)] ?? ""
  const [source, destination, memo] = [field("source"), field("destination"), memoIn(field("memo_type"), field("memo"))]
  const mediator = field("mediator") === "" ? null : field("mediator")
  if (!isAccountAddress(source) || !isDestinationAddress(destination) || memo === undefined) return null
  if (mediator !== null && !isAccountAddress(mediator)) return null
  return fields.length <= names.length ? { source, destination, memo, mediator } : null
}

/** The account of a line. `place`: where the line stands. */
const rowIn = (line: string, { names, place }: { readonly names: ReadonlyArray<string>; readonly place: string }) =>
  Effect.gen(function*() {
    const fields = fieldsOf(line)
    if (fields === null) {
      return yield* wrongInput(
        `${place} has a quote in a wrong place. Quotes stand around a whole field, and a quote inside it as two.`
      )
    }
    const row = rowOf(fields, names)
    if (row === null) {
      return yield* wrongInput(
        `${place} has no source (G...), no destination (G... or M...), or no usable memo or mediator.`
      )
    }
    const fault = row.memo === null ? null : memoFault(row.memo.value)
    return fault === null ? row : yield* wrongInput(`${place} cannot be used. ${fault}`)
  })

/** The rows of a CSV file, whose first line names the columns `source,destination` and, where wanted, `memo_type,memo,mediator`. */
export const accountRows = (text: string): Effect.Effect<ReadonlyArray<AccountRow>, CommandFailed> =>
  Effect.gen(function*() {
    const [head = "", ...lines] = text.replace(/^\uFEFF/, "").split(/\r?\n/)
    const names = fieldsOf(head) ?? []
    const unknown = names.find((name) => !columns.some((one) => one === name))
    if (unknown !== undefined || !names.includes("source") || !names.includes("destination")) {
      return yield* wrongInput(
        "The first line of the CSV file names its columns: source,destination and, where wanted, memo_type,memo,mediator."
      )
    }
    const rows: Array<AccountRow> = []
    for (const [index, line] of lines.entries()) {
      if (line.trim() === "") continue
      rows.push(yield* rowIn(line, { names, place: `Line ${index + 2} of the CSV file` }))
    }
    const problem = problemsWith(rows)
    return problem === null ? rows : yield* wrongInput(problem)
  })
