import { Console, Effect } from "effect"
import { mkdtempSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { noContracts } from "../../src/registry/ContractAddresses.ts"
import { answerText } from "./AnswerText.ts"
import type { Order, Told } from "./beside/Load.ts"
import { bundle } from "./Bundle.ts"
import { served } from "./ServedProcess.ts"
import { median, millis, row } from "./Table.ts"
import { thread } from "./Thread.ts"

const rounds = 3
const atOnce = 12

const adminToken = "operator".repeat(4)

/** The stores that instances share, as `scripts/ci-services start` names them. */
const sharedStores = () => {
  const [database, redis] = [process.env["TEST_POSTGRES_URL"], process.env["TEST_REDIS_URL"]]
  return database === undefined || redis === undefined ? null : { KEY_STORE_URL: database, RATE_LIMIT_STORE_URL: redis }
}

/** A request and its count in a round. */
const pagesOf = (source: string) =>
  [
    ["/config/exchange-registry", "the exchange registry", 1200],
    [`/testnet/account/${source}`, "read of 30 entries", 300]
  ] as const

/** A key that the first of these processes issued. */
const issued = async (url: string): Promise<string> =>
  JSON.parse(await answerText(`${url}/admin/api-keys`, { key: adminToken, body: JSON.stringify({ owner: "bench" }), statuses: [201] })).key

/**
 * Processes of the bundle over one network that answers from memory: one with stores of its own, one with PostgreSQL and Redis, and three
 * that share these. Requests go to the three in turn.
 */
export const instances = Effect.scoped(Effect.gen(function*() {
  const shared = sharedStores()
  if (shared === null) return yield* Effect.dieMessage("no PostgreSQL or no Redis, which scripts/ci-services starts")
  const { hear, tell } = yield* thread<Told>(new URL("./beside/Load.ts", import.meta.url))
  const network = yield* hear
  if (network.kind !== "network") return yield* Effect.dieMessage("the network comes first")
  const files = yield* bundle
  const contracts = join(files, "contracts.json")
  yield* Effect.sync(() => writeFileSync(contracts, JSON.stringify({ network: "testnet", protocols: noContracts, tokens: "none" })))
  const start = (stores: Readonly<Record<string, string>>) =>
    Effect.suspend(() =>
      served([join(files, "server.mjs")], {
        DATA_DIR: mkdtempSync(join(files, "data-")),
        ADMIN_TOKEN: adminToken,
        RATE_LIMIT: "1000000",
        TESTNET_RPC_URLS: network.rpcUrl,
        TESTNET_LEDGER_API_URLS: network.ledgerApiUrl,
        TESTNET_PASSPHRASE: network.passphrase,
        TESTNET_CONTRACTS_FILE: contracts,
        TESTNET_MAX_LEDGER_AGE_SECONDS: "0",
        ...stores
      })
    )
  /** Milliseconds of CPU of a request, and requests a second. */
  const costsOf = (count: number, stores: Readonly<Record<string, string>>) =>
    Effect.scoped(Effect.gen(function*() {
      const processes = yield* Effect.forEach(Array.from({ length: count }), () => start(stores))
      const origins = processes.map(({ url }) => url)
      const key = yield* Effect.promise(() => issued(origins[0] ?? ""))
      const cpu = Effect.sync(() => processes.reduce((sum, one) => sum + one.cpu(), 0))
      return yield* Effect.forEach(pagesOf(network.source), ([path, , times]) => {
        const order: Order = { urls: origins.map((origin) => `${origin}${path}`), key, times, atOnce }
        const once = Effect.gen(function*() {
          const [before, began] = [yield* cpu, performance.now()]
          yield* Effect.zipRight(tell(order), hear)
          const seconds = (performance.now() - began) / 1000
          return [((yield* cpu) - before) / times, times / seconds] as const
        })
        return Effect.map(Effect.zipRight(once, Effect.all(Array.from({ length: rounds }, () => once))), (all) => ({
          cpu: median(all.map(([spent]) => spent)),
          rate: median(all.map(([, rate]) => rate))
        }))
      })
    }))
  yield* Console.log(
    `Processes of npm run build over a network that answers from memory; ${atOnce} requests at once, to each process in turn; the median of ${rounds} rounds.`
  )
  yield* Console.log(
    "One with stores of its own, one with PostgreSQL and Redis, and three that share these. CPU: of these processes, for a request. " +
      "Share: of the CPU of the first; goal: at most 1.2."
  )
  yield* Console.log(row(["request, processes", "a second", "CPU", "share"]))
  const arrangements = [
    ["own stores", yield* costsOf(1, {})],
    ["shared ones", yield* costsOf(1, shared)],
    ["three, shared", yield* costsOf(3, shared)]
  ] as const
  for (const [at, [, page]] of pagesOf(network.source).entries()) {
    const alone = arrangements[0][1][at]?.cpu ?? Number.NaN
    for (const [name, costs] of arrangements) {
      const { cpu = Number.NaN, rate = Number.NaN } = costs[at] ?? {}
      yield* Console.log(row([`${page}, ${name}`, rate.toFixed(0), millis(cpu), (cpu / alone).toFixed(2)]))
    }
  }
}))
