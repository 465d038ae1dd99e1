/**
 * Who may import whom. The table is the plan of the house; a file outside its room's row fails the check.
 */
import { type SourceFile, sourcesIn, target } from "./sources.ts"

interface Row {
  /** Rooms of ours it may import besides itself. */
  readonly rooms: ReadonlyArray<string>
  /** Packages it may import; `node:` stands for Node's own modules. */
  readonly packages: ReadonlyArray<string>
}

const effect = "effect"
const platform = "@effect/platform"
const sdk = "@stellar/stellar-sdk"

const everyRoom = ["domain", "operations", "ledger", "registry", "chain", "protocols", "account", "close", "api", "http", "keys", "sandbox", "top"]

const table: Readonly<Record<string, Row>> = {
  top: { rooms: everyRoom, packages: [effect, platform, "@effect/platform-node", sdk, "node:"] },
  domain: { rooms: [], packages: [effect, sdk] },
  operations: { rooms: ["domain"], packages: [effect, sdk] },
  ledger: { rooms: [], packages: [sdk, "node:crypto"] },
  registry: { rooms: ["domain"], packages: [effect, platform, "node:"] },
  chain: { rooms: ["domain"], packages: [effect, platform, sdk] },
  protocols: { rooms: ["domain", "operations", "chain", "registry"], packages: [effect, sdk] },
  account: { rooms: ["domain", "chain", "tokens", "protocols/ProtocolRegistry", "protocols/Coverage"], packages: [effect, sdk] },
  close: {
    rooms: ["domain", "operations", "ledger", "account", "tokens", "registry", "chain", "protocols/ProtocolRegistry", "protocols/Coverage"],
    packages: [effect, sdk, "node:crypto"]
  },
  verify: { rooms: ["domain", "operations"], packages: [effect, sdk] },
  api: { rooms: ["domain"], packages: [effect, platform] },
  http: {
    rooms: ["api", "domain", "Networks", "account", "close", "chain", "keys", "registry"],
    packages: [effect, platform, "@effect/platform-node", "node:"]
  },
  keys: { rooms: ["domain", "chain"], packages: [effect, platform, sdk, "node:crypto"] },
  client: { rooms: ["api", "domain", "verify"], packages: [effect, platform, sdk] },
  cli: { rooms: ["client", "verify", "sandbox"], packages: [effect, platform, sdk, "node:"] },
  sandbox: { rooms: ["ledger"], packages: [effect, platform, "@effect/platform-node", sdk, "node:"] }
}

const roomOf = (path: string): string => {
  const [, first = "", second] = path.split("/")
  return second === undefined ? "top" : first
}

const allows = (allowed: string, path: string): boolean =>
  allowed === "top" ? roomOf(path) === "top" : path.startsWith(`src/${allowed}/`) || path === `src/${allowed}.ts`

const allowsPackage = (allowed: string, name: string): boolean =>
  allowed.endsWith(":") ? name.startsWith(allowed) : name === allowed || name.startsWith(`${allowed}/`)

const breaches = ({ imports, path }: SourceFile): ReadonlyArray<string> => {
  const room = roomOf(path)
  const row = table[room]
  if (row === undefined) return [`${path}: no row for the room ${room}`]
  return imports.flatMap((imported) => {
    const file = target(path, imported)
    const fine = file === null
      ? row.packages.some((allowed) => allowsPackage(allowed, imported))
      : (roomOf(file) === room && file.startsWith("src/")) || row.rooms.some((allowed) => allows(allowed, file))
    return fine ? [] : [`${path}: may not import ${file ?? imported}`]
  })
}

const sources = sourcesIn("src")
const found = sources.flatMap(breaches)
for (const line of found) console.error(line)
console.log(`import rules: ${sources.length} files, ${found.length} breaches`)
process.exitCode = found.length === 0 ? 0 : 1
