/** Styles of the terminal. */
const bold = (text: string) => (process.stdout.isTTY ? `\u001b[1m${text}\u001b[0m` : text)
const faint = (text: string) => (process.stdout.isTTY ? `\u001b[2m${text}\u001b[0m` : text)

/** Removes the line of `progress`. */
const clear = (): void => {
  if (process.stdout.isTTY) process.stdout.write("\r\u001b[K")
}

const print = (text: string): void => {
  clear()
  process.stdout.write(`${text}\n`)
}

export const chapter = (title: string): void => print(`\n${bold(title)}`)
export const line = (text: string): void => print(`  ${text}`)
export const aside = (text: string): void => print(`  ${faint(text)}`)

const barWidth = 30

/** A bar that the next line replaces; on a terminal only. */
export const progress = (done: number, of: number, what: string): void => {
  if (!process.stdout.isTTY) return
  const filled = Math.round(barWidth * Math.min(1, done / Math.max(1, of)))
  clear()
  process.stdout.write(`  ${"█".repeat(filled)}${"░".repeat(barWidth - filled)} ${faint(what)}`)
}

/** Two columns, ruled above and below. */
export const table = (rows: ReadonlyArray<readonly [string, string]>): void => {
  const left = Math.max(...rows.map(([name]) => name.length))
  const right = Math.max(...rows.map(([, value]) => value.length))
  const rule = "─".repeat(left + right + 4)
  print(`  ${rule}`)
  for (const [name, value] of rows) print(`   ${name.padEnd(left)}  ${value}`)
  print(`  ${rule}`)
}
