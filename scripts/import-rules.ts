/**
 * Who may import whom. The table is the plan of the house; a file outside its room's row fails the check, and so does one in which two files
 * of one name meet.
 */
import { namesakesIn } from "./namesakes.ts"
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

const everyRoom = [
  "serving",
  "tracing",
  "domain",
  "xdr",
  "stellar",
  "operations",
  "ledger",
  "registry",
  "chain",
  "protocols",
  "account",
  "tokens",
  "close",
  "api",
  "http",
  "keys",
  "sandbox",
  "top"
]

const table: Readonly<Record<string, Row>> = {
  top: { rooms: everyRoom, packages: [effect, platform, "@effect/platform-node", sdk, "node:"] },
  serving: { rooms: everyRoom, packages: [effect, platform, "@effect/platform-node", sdk, "node:"] },
  tracing: { rooms: ["domain"], packages: [effect, platform, "@effect/opentelemetry", "node:crypto"] },
  domain: { rooms: [], packages: [effect, sdk] },
  xdr: { rooms: [], packages: [sdk] },
  stellar: { rooms: ["domain", "xdr"], packages: [effect, sdk] },
  operations: { rooms: ["domain", "xdr", "stellar"], packages: [effect, sdk] },
  ledger: { rooms: ["xdr"], packages: [sdk, "node:crypto"] },
  registry: { rooms: ["domain"], packages: [effect, platform, "node:"] },
  chain: { rooms: ["domain", "xdr", "stellar"], packages: [effect, platform, sdk] },
  protocols: { rooms: ["domain", "xdr", "stellar", "operations", "chain", "registry"], packages: [effect, sdk] },
  tokens: {
    rooms: ["domain", "xdr", "stellar", "operations", "chain", "registry", "protocols/ProtocolRegistry", "protocols/Coverage"],
    packages: [effect, platform, sdk]
  },
  account: { rooms: ["domain", "stellar", "chain", "tokens", "protocols/ProtocolRegistry", "protocols/Coverage"], packages: [effect, sdk] },
  close: {
    rooms: [
      "domain",
      "xdr",
      "stellar",
      "operations",
      "ledger",
      "account",
      "tokens",
      "registry",
      "chain",
      "protocols/ProtocolRegistry",
      "protocols/Coverage"
    ],
    packages: [effect, sdk, "node:crypto"]
  },
  verify: { rooms: ["domain", "stellar", "operations"], packages: [effect, sdk] },
  api: { rooms: ["domain"], packages: [effect, platform] },
  http: {
    rooms: ["api", "domain", "Networks", "account", "tokens", "close", "chain", "keys", "registry"],
    packages: [effect, platform, "@effect/platform-node", "ioredis", "node:"]
  },
  keys: {
    rooms: ["domain", "stellar", "chain"],
    packages: [effect, platform, "@effect/experimental", "@effect/sql", "@effect/sql-pg", sdk, "node:crypto", "node:sqlite"]
  },
  client: { rooms: ["api", "domain", "verify"], packages: [effect, platform, sdk] },
  cli: { rooms: ["client", "verify", "sandbox"], packages: [effect, platform, sdk, "node:"] },
  sandbox: { rooms: ["xdr", "ledger"], packages: [effect, platform, "@effect/platform-node", sdk, "node:"] }
}

/** What protocols are written with: the port, and the gate before their contracts. */
const port = ["HeldPosition", "Exit", "Place", "Protocol", "CodeGate", "TradingPool"]

/** Every protocol: a face, and a folder behind it. */
const faces = { lend1: "Lend1", amm1: "Amm1", amm2: "Amm2", amm3: "Amm3", cdp1: "Cdp1" }

const protocolRows = Object.fromEntries(
  Object.entries(faces).flatMap(([folder, face]) => [
    [folder, ["kit", "reading", ...port]],
    [face, [folder, "kit", "reading", ...port]]
  ])
)

/**
 * What the sub-rooms of a room may import of one another: downwards only. `protocols` has files beside them, each a floor of its own: the
 * port lies below, the face of every protocol above what is behind it, and no protocol knows another.
 */
const floors: Readonly<Record<string, Readonly<Record<string, ReadonlyArray<string>>>>> = {
  protocols: {
    kit: port,
    reading: ["kit", ...port],
    CodeGate: ["kit"],
    HeldPosition: ["kit"],
    Exit: ["kit"],
    TradingPool: ["kit", "CodeGate"],
    Place: ["kit", "HeldPosition", "Exit", "TradingPool"],
    Protocol: ["kit", "reading", "Place", "Exit"],
    ...protocolRows,
    All: Object.values(faces),
    ProtocolRegistry: ["All", "kit", "reading", ...port],
    Coverage: ["ProtocolRegistry"]
  },
  close: {
    model: [],
    read: ["model"],
    steps: ["model"],
    exits: ["model"],
    tokens: ["model"],
    mediator: ["model", "read"],
    gates: ["model", "exits", "mediator"],
    project: ["model", "steps", "exits", "tokens", "gates", "mediator"],
    answer: ["model", "read", "mediator", "project"],
    submit: ["model", "read", "mediator"],
    sweep: ["model", "read", "mediator", "submit"]
  }
}

const roomOf = (path: string): string => {
  const [, first = "", second] = path.split("/")
  return second === undefined ? "top" : first
}

const allows = (allowed: string, path: string): boolean =>
  allowed === "top" ? roomOf(path) === "top" : path.startsWith(`src/${allowed}/`) || path === `src/${allowed}.ts`

const allowsPackage = (allowed: string, name: string): boolean =>
  allowed.endsWith(":") ? name.startsWith(allowed) : name === allowed || name.startsWith(`${allowed}/`)

/** The sub-room of a file, or its own name where it lies beside them. One without a row may import nothing of its room. */
const floorOf = (path: string): string => path.split("/")[2]?.replace(/\.ts$/, "") ?? ""

/** Of two files of one room. */
const isBelow = (path: string, file: string): boolean => {
  const rows = floors[roomOf(path)]
  const [from, to] = [floorOf(path), floorOf(file)]
  return rows === undefined || from === to || (rows[from] ?? []).includes(to)
}

/** Folders behind faces: nobody beside them looks inside. */
const behindFaces = [{
  folder: "src/sandbox/contracts/",
  behind: ["src/sandbox/contracts/amm1/", "src/sandbox/contracts/amm2/", "src/sandbox/contracts/lend1/", "src/sandbox/contracts/vaults/"]
}]

const isOpen = (path: string, file: string): boolean =>
  behindFaces.every(({ behind, folder }) => path.startsWith(folder) || !behind.some((inside) => file.startsWith(inside)))

const breaches = ({ imports, path }: SourceFile): ReadonlyArray<string> => {
  const room = roomOf(path)
  const row = table[room]
  if (row === undefined) return [`${path}: no row for the room ${room}`]
  return imports.flatMap((imported) => {
    const file = target(path, imported)
    const fine = file === null
      ? row.packages.some((allowed) => allowsPackage(allowed, imported))
      : isOpen(path, file) &&
        ((roomOf(file) === room && file.startsWith("src/") && isBelow(path, file)) || row.rooms.some((allowed) => allows(allowed, file)))
    return fine ? [] : [`${path}: may not import ${file ?? imported}`]
  })
}

const sources = sourcesIn("src")
const found = sources.flatMap((file) => [...breaches(file), ...namesakesIn(file)])
for (const line of found) console.error(line)
console.log(`import rules: ${sources.length} files, ${found.length} breaches`)
process.exitCode = found.length === 0 ? 0 : 1
