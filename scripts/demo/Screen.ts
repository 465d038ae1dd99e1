/** What a person sees. */
const bold = (text: string) => (process.stdout.isTTY ? `\u001b[1m${text}\u001b[0m` : text)
const faint = (text: string) => (process.stdout.isTTY ? `\u001b[2m${text}\u001b[0m` : text)

const print = (text: string): void => {
  process.stdout.write(`${text}\n`)
}

export const chapter = (title: string): void => print(`\n${bold(title)}`)
export const line = (text: string): void => print(`  ${text}`)
export const aside = (text: string): void => print(`  ${faint(text)}`)

/** Addresses are long; both ends tell them apart. */
export const short = (text: string): string => text.replace(/\b(G[A-Z2-7]{4})[A-Z2-7]{47}([A-Z2-7]{4})\b/g, "$1…$2")

/** Stroops as lumens. */
export const lumens = (stroops: bigint): string => `${stroops / 10_000_000n}.${(stroops % 10_000_000n).toString().padStart(7, "0")}`

/** Two columns, ruled above and below. */
export const table = (rows: ReadonlyArray<readonly [string, string]>): void => {
  const left = Math.max(...rows.map(([name]) => name.length))
  const right = Math.max(...rows.map(([, value]) => value.length))
  const rule = "─".repeat(left + right + 4)
  print(`  ${rule}`)
  for (const [name, value] of rows) print(`   ${name.padEnd(left)}  ${value}`)
  print(`  ${rule}`)
}
