import { Effect } from "effect"
import { stripVTControlCharacters } from "node:util"
import { displayed } from "./Foreign.ts"

const { env, stdin, stdout } = process

/** Whether a person can answer prompts. */
export const isInteractive: boolean = stdin.isTTY && stdout.isTTY

/** Colours only on a terminal that shows them, and never where `NO_COLOR` is set. */
export const hasColour: boolean = stdout.isTTY && (env["NO_COLOR"] ?? "") === "" && env["TERM"] !== "dumb"

const styled = (code: string) => (text: string): string => (hasColour ? `\u001b[${code}m${text}\u001b[0m` : text)

export const bold = styled("1")
export const faint = styled("2")
export const red = styled("31")
export const green = styled("32")

/** Columns of the terminal, or of a file. */
export const columns = (): number => Math.max(40, stdout.isTTY ? stdout.columns : 100)

/** A text without the codes of colours. */
export const withoutCodes = (text: string): string => stripVTControlCharacters(text)

/** Cuts a text to so many columns. It has to be plain. */
export const cut = (text: string, width: number): string => (text.length <= width ? text : `${text.slice(0, Math.max(1, width - 1))}…`)

/** Breaks plain text into lines of at most so many columns, at blanks. */
export const wrapped = (text: string, width: number): ReadonlyArray<string> => {
  const lines: Array<string> = []
  let line = ""
  for (const word of text.split(" ")) {
    if (line !== "" && line.length + 1 + word.length > width) {
      lines.push(line)
      line = ""
    }
    line = line === "" ? word : `${line} ${word}`
  }
  return [...lines, line]
}

/** Removes a progress bar that is there. */
const clear = (): void => {
  if (stdout.isTTY) stdout.write("\r\u001b[K")
}

/** Writes lines. */
export const print = (...lines: ReadonlyArray<string>): Effect.Effect<void> =>
  Effect.sync(() => {
    clear()
    stdout.write(lines.map((line) => `${line}\n`).join(""))
  })

/** Writes a line beside the output, which scripts read. */
export const warn = (line: string): Effect.Effect<void> =>
  Effect.sync(() => {
    clear()
    process.stderr.write(`${red(displayed(line))}\n`)
  })

/** A text of several lines below a hanging indent. */
export const paragraph = (text: string, indent = "  "): ReadonlyArray<string> =>
  wrapped(text, columns() - indent.length).map((line) => `${indent}${line}`)

const barWidth = 24

/** A bar that the next line replaces; on a terminal only. */
export const progress = (done: number, of: number, what: string): Effect.Effect<void> =>
  Effect.sync(() => {
    if (!stdout.isTTY) return
    const filled = Math.round(barWidth * Math.min(1, done / Math.max(1, of)))
    clear()
    const bar = `${"█".repeat(filled)}${"░".repeat(barWidth - filled)}`
    stdout.write(`  ${bar} ${faint(cut(what, columns() - barWidth - 4))}`)
  })

/** Two columns, ruled above and below. */
export const table = (rows: ReadonlyArray<readonly [string, string]>): ReadonlyArray<string> => {
  const left = Math.max(...rows.map(([name]) => name.length))
  const room = columns() - left - 5
  const lines = rows.flatMap(([name, value]) =>
    value.length <= room ? [`   ${name.padEnd(left)}  ${value}`] : [`   ${name}`, `     ${value}`]
  )
  const rule = `  ${"─".repeat(Math.min(columns() - 2, Math.max(...lines.map((line) => line.length))))}`
  return [rule, ...lines, rule]
}
