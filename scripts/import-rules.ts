/**
 * Checks which room may import which. The table is the plan of the house. A file outside its room's row fails the check, and so does a file
 * in which two files of one name meet.
 */
import { namesakesIn } from "./namesakes.ts"
import { type SourceFile, sourcesIn, target } from "./sources.ts"

interface Row {
  /** Other rooms of this project that it may import. */
  readonly rooms: ReadonlyArray<string>
  /** Packages it may import; `node:` means Node's own modules. */
  readonly packages: ReadonlyArray<string>
}

const effect = "effect"
const platform = "@effect/platform"
const sdk = "@stellar/stellar-sdk"

/** Memoized functions, which need nothing but the language. */
const memos = ["fibers/ObjectMemo", "fibers/TextMemo", "fibers/TextPairMemo"]

const everyRoom = [
  "serving",
  "proof",
  "tracing",
  "fibers",
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
  proof: { rooms: everyRoom, packages: [effect, platform, sdk, "node:crypto"] },
  fibers: { rooms: [], packages: [effect] },
  tracing: { rooms: ["fibers", "domain"], packages: [effect, platform, "@effect/opentelemetry", "node:crypto"] },
  domain: { rooms: ["fibers"], packages: [effect, sdk] },
  xdr: { rooms: memos, packages: [sdk] },
  stellar: { rooms: ["fibers", "domain", "xdr"], packages: [effect, sdk] },
  operations: { rooms: ["fibers", "domain", "xdr", "stellar"], packages: [effect, sdk] },
  ledger: { rooms: ["xdr", ...memos], packages: [sdk, "node:crypto"] },
  registry: { rooms: ["fibers", "domain"], packages: [effect, platform, "node:"] },
  chain: { rooms: ["fibers", "domain", "xdr", "stellar"], packages: [effect, platform, sdk] },
  protocols: { rooms: ["fibers", "domain", "xdr", "stellar", "operations", "chain", "registry"], packages: [effect, sdk] },
  tokens: {
    rooms: ["fibers", "domain", "xdr", "stellar", "operations", "chain", "registry", "protocols/ProtocolRegistry", "protocols/Coverage"],
    packages: [effect, platform, sdk]
  },
  account: {
    rooms: ["fibers", "domain", "xdr", "stellar", "chain", "tokens", "protocols/ProtocolRegistry", "protocols/Coverage"],
    packages: [effect, sdk]
  },
  close: {
    rooms: [
      "fibers",
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
  verify: {
    rooms: ["domain", "xdr", "stellar", "operations", "registry/contracts.mainnet.json", "registry/contracts.testnet.json"],
    packages: [sdk]
  },
  api: { rooms: ["fibers", "domain"], packages: [effect, platform] },
  http: {
    rooms: ["fibers", "api", "domain", "Networks", "account", "tokens", "close", "chain", "keys", "registry", "verify/Explain"],
    packages: [effect, platform, "@effect/ai", "@effect/platform-node", "ioredis", "esbuild", "node:"]
  },
  keys: {
    rooms: ["fibers", "domain", "xdr", "stellar", "chain"],
    packages: [effect, platform, "@effect/experimental", "@effect/sql", "@effect/sql-pg", sdk, "node:crypto", "node:sqlite"]
  },
  client: {
    rooms: ["api", "domain", "verify", "operations/Expected"],
    packages: [effect, platform, sdk]
  },
  // In browsers: no server code.
  page: { rooms: ["client", "verify", "domain"], packages: [effect, sdk, "qrcode-generator"] },
  cli: {
    rooms: [
      "client",
      "verify",
      "sandbox",
      "domain",
      "operations/Expected",
      "api/ErrorRow",
      "api/ErrorTable",
      "proof",
      "serving/EmbeddedService",
      "serving/SavedPlan"
    ],
    packages: [effect, platform, "@effect/cli", "@effect/platform-node", sdk, "node:"]
  },
  sandbox: { rooms: ["xdr", "ledger", ...memos], packages: [effect, platform, "@effect/platform-node", sdk, "node:"] }
}

/** The modules that a protocol may use: the port, and the gate before its contracts. */
const port = ["HeldPosition", "Exit", "Place", "Protocol", "CodeGate", "TradingPool"]

const sources = sourcesIn("src")

/** The faces of protocols: the imports of `protocols/All.ts` from its room. */
const faces = (sources.find(({ path }) => path === "src/protocols/All.ts")?.imports ?? []).flatMap((imported) =>
  /^\.\/(\w+)\.ts$/.exec(imported)?.[1] ?? []
)

/** The modules below protocols. */
const below = ["OnePosition", "kit", "reading", ...port]

/** Every protocol has a face, and may have a folder of the same name behind it. */
const protocolRows = Object.fromEntries(
  faces.flatMap((face) => {
    const folder = `${face.slice(0, 1).toLowerCase()}${face.slice(1)}`
    return [[folder, below], [face, [folder, ...below]]]
  })
)

/**
 * Allowed imports between the sub-rooms of a room: downwards only. `protocols` also has files, each on a floor of its own. The port lies
 * below, and the face of every protocol above its other files. No protocol imports another.
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
    All: faces,
    OnePosition: ["kit", ...port],
    Port: ["kit", "OnePosition", ...port],
    ProtocolRegistry: ["All", "kit", "reading", ...port],
    Coverage: ["ProtocolRegistry"]
  },
  close: {
    situation: [],
    market: ["situation"],
    leaving: ["situation", "market"],
    claims: ["situation", "market", "leaving"],
    read: ["situation", "market", "leaving"],
    steps: ["situation", "market", "leaving", "claims"],
    mediator: ["situation", "read"],
    gates: ["situation", "leaving", "claims", "mediator"],
    load: [],
    project: ["situation", "market", "leaving", "claims", "steps", "gates", "mediator"],
    answer: ["situation", "market", "leaving", "claims", "read", "mediator", "load", "project"],
    submit: ["situation", "read", "mediator"],
    sweep: ["situation", "read", "mediator", "submit"],
    watch: ["situation", "mediator", "sweep"]
  }
}

const roomOf = (path: string): string => {
  const [, first = "", second] = path.split("/")
  return second === undefined ? "top" : first
}

const allows = (allowed: string, path: string): boolean =>
  allowed === "top"
    ? roomOf(path) === "top"
    : path.startsWith(`src/${allowed}/`) || path === `src/${allowed}.ts` || path === `src/${allowed}`

const allowsPackage = (allowed: string, name: string): boolean =>
  allowed.endsWith(":") ? name.startsWith(allowed) : name === allowed || name.startsWith(`${allowed}/`)

/** The sub-room of a file, or its own name where it is beside them. One without a row may import nothing of its room. */
const floorOf = (path: string): string => path.split("/")[2]?.replace(/\.ts$/, "") ?? ""

/** The same for folders among files of their room: a file beside them may import any of them, and each of them only its row. */
const folders: Readonly<Record<string, Readonly<Record<string, ReadonlyArray<string>>>>> = {
  "src/chain": {
    pace: ["RpcPolicy"],
    xdr: [],
    "contract-rpc": [
      "pace",
      "xdr",
      "DecodeError",
      "EndpointTip",
      "Exchange",
      "Fault",
      "ObservedCall",
      "NewerXdrSeen",
      "RpcHeaders",
      "RpcPolicy"
    ],
    "ledger-api": [
      "pace",
      "xdr",
      "ChainFailure",
      "DecodeError",
      "Endpoints",
      "EndpointTip",
      "Exchange",
      "Fault",
      "LedgerFacts",
      "NewerXdrSeen"
    ],
    history: ["pace", "xdr", "ledger-api", "ChainFailure", "LedgerApi"],
    "rpc-only": [
      "pace",
      "xdr",
      "contract-rpc",
      "ledger-api",
      "ChainFailure",
      "ContractRpc",
      "LedgerApi",
      "LedgerEntries",
      "NetworkSettings",
      "RpcPolicy"
    ],
    witness: ["pace", "contract-rpc", "ChainFailure", "ContractRpc", "EntryAnswer", "Getter", "LedgerAge", "Pin", "RpcOrigin", "RpcPolicy"]
  },
  "src/close/leaving": {
    payouts: [],
    simulation: ["payouts"],
    read: ["payouts", "simulation"],
    tokens: ["payouts", "simulation", "read"],
    buying: ["payouts"],
    points: ["payouts", "buying"]
  }
}

const stepsBelow = (folder: string, path: string): ReadonlyArray<string> => path.slice(folder.length + 1).replace(/\.ts$/, "").split("/")

/** Of two files of one room. */
const isBelow = (path: string, file: string): boolean => {
  const rows = floors[roomOf(path)]
  const [from, to] = [floorOf(path), floorOf(file)]
  if (rows !== undefined && from !== to && !(rows[from] ?? []).includes(to)) return false
  return Object.entries(folders).every(([folder, inner]) => {
    if (!path.startsWith(`${folder}/`) || !file.startsWith(`${folder}/`)) return true
    const [[room = ""], [other = ""]] = [stepsBelow(folder, path), stepsBelow(folder, file)]
    return room === other || inner[room] === undefined || inner[room].includes(other)
  })
}

/** Folders with faces beside them: no outside file imports from a folder behind a face. */
const behindFaces = [{ folder: "src/sandbox/contracts/", open: ["src/sandbox/contracts/tokens/"] }]

const isOpen = (path: string, file: string): boolean =>
  behindFaces.every(({ folder, open }) =>
    path.startsWith(folder) || !file.startsWith(folder) || !file.slice(folder.length).includes("/") ||
    open.some((inside) => file.startsWith(inside))
  )

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

const found = sources.flatMap((file) => [...breaches(file), ...namesakesIn(file)])
for (const line of found) console.error(line)
console.log(`import rules: ${sources.length} files, ${found.length} breaches`)
process.exitCode = found.length === 0 ? 0 : 1
