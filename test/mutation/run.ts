/**
 * `npm run mutate -- <room>` changes the sources of a room in one place after the other, and runs the tests of `Rooms.ts` against each change.
 * Changes that no test noticed are printed, unless `<room>.md` names them. Options of Stryker may follow, for instance `--mutate <file>`.
 */
import { spawnSync } from "node:child_process"
import { cpSync, existsSync, mkdirSync, readFileSync } from "node:fs"
import { basename, join } from "node:path"
import { fileURLToPath } from "node:url"
import { rooms } from "./Rooms.ts"

const here = fileURLToPath(new URL(".", import.meta.url))
const root = join(here, "..", "..")
const stryker = join(root, "node_modules/.cache/stryker")

const [room = "", ...options] = process.argv.slice(2)
if (!Object.hasOwn(rooms, room)) {
  console.error(`Name a room: ${Object.keys(rooms).join(", ")}.`)
  process.exit(2)
}

const run = (command: string, ...args: ReadonlyArray<string>): void => {
  const { status } = spawnSync(command, args, { cwd: root, stdio: "inherit", env: { ...process.env, MUTATED_ROOM: room } })
  if (status !== 0) throw new Error(`${command} ended with ${status}`)
}

const textIn = (file: string): string => (existsSync(file) ? readFileSync(file, "utf8") : "")

/** Stryker has a folder of its own: `npm ci` of the project stays light. Its peer vitest is the project's. */
const install = (): void => {
  if (textIn(join(stryker, "package-lock.json")) === textIn(join(here, "package-lock.json")) && existsSync(join(stryker, "node_modules"))) {
    return
  }
  mkdirSync(stryker, { recursive: true })
  for (const name of ["package.json", "package-lock.json"]) cpSync(join(here, name), join(stryker, name))
  run("npm", "ci", "--prefix", stryker, "--legacy-peer-deps", "--no-audit", "--no-fund")
}

interface Place {
  readonly line: number
  readonly column: number
}

interface Mutant {
  readonly status: string
  readonly replacement: string
  readonly location: { readonly start: Place; readonly end: Place }
}

/** The parts of the report that are read (https://github.com/stryker-mutator/mutation-testing-elements). */
interface Report {
  readonly files: Readonly<Record<string, { readonly source: string; readonly mutants: ReadonlyArray<Mutant> }>>
}

/** One line of a table in Markdown. */
const cell = (text: string): string => `\`${text.replaceAll(/\s+/g, " ").replaceAll("|", "\\|").slice(0, 120)}\``

const original = (source: string, { end, start }: Mutant["location"]): string => {
  const lines = source.split("\n").slice(start.line - 1, end.line)
  const last = lines.length - 1
  return lines.map((line, index) => line.slice(index === 0 ? start.column - 1 : 0, index === last ? end.column - 1 : undefined)).join("\n")
}

install()
run(
  process.execPath,
  join(stryker, "node_modules/@stryker-mutator/core/bin/stryker.js"),
  "run",
  join(here, "stryker.config.mjs"),
  ...options
)

const { files } = JSON.parse(readFileSync(join(root, `node_modules/.cache/mutation/${room}.json`), "utf8")) as Report
const mutants = Object.entries(files).flatMap(([file, { mutants: all, source }]) =>
  all.map((mutant) => ({
    ...mutant,
    place: `${file}:${mutant.location.start.line}`,
    row: `| ${basename(file)} | ${cell(original(source, mutant.location))} | ${cell(mutant.replacement)} |`
  }))
)
const counted = mutants.filter(({ status }) => ["Killed", "Timeout", "Survived", "NoCoverage"].includes(status))
const survivors = counted.filter(({ status }) => status === "Survived" || status === "NoCoverage")
const list = textIn(join(here, `${room}.md`))
const unnamed = survivors.filter(({ row }) => !list.includes(row))
for (const { place, row, status } of unnamed) console.log(`${place} ${status}\n${row}`)
const killed = counted.length - survivors.length
console.log(
  `${room}: ${counted.length} mutants, ${killed} killed (${(100 * killed / counted.length).toFixed(1)} %), ` +
    `${survivors.length - unnamed.length} named in ${room}.md, ${unnamed.length} neither`
)
process.exitCode = unnamed.length === 0 ? 0 : 1
