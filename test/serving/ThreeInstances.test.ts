import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { execFile } from "node:child_process"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import type { ApiKeyRecord } from "../../src/domain/ApiKeyRecord.ts"
import { Network } from "../../src/sandbox/Network.ts"
import { startSandbox } from "../../src/sandbox/Sandbox.ts"
import { FundedPair } from "../../src/sandbox/scenarios/FundedPair.ts"
import { databaseUrl } from "../keys/support/Databases.ts"
import { loopback, orSkipped } from "../support/Loopback.ts"
import { temporaryFolder } from "../support/TemporaryFolder.ts"
import { isThorough } from "../support/Thorough.ts"
import { balancerOver } from "./support/Balancer.ts"
import { closerOf } from "./support/Closer.ts"
import { ended, serviceProcess } from "./support/ServiceProcess.ts"
import { settingsFor } from "./support/Upstream.ts"

const areThere = loopback.postgres !== null && loopback.redis !== null

const adminToken = "operator".repeat(4)

const builder = fileURLToPath(new URL("../../scripts/build.ts", import.meta.url))

/** The service as one file, alone in a folder. */
const bundled = Effect.gen(function*() {
  const folder = yield* temporaryFolder
  yield* Effect.promise(() => promisify(execFile)(process.execPath, [builder, folder]))
  return join(folder, "server.mjs")
})

/** Three processes of the bundle with shared stores, a balancer before them, and a function to replace each. */
const deployment = Effect.gen(function*() {
  const sandbox = yield* startSandbox()
  const common = {
    ...(yield* settingsFor(sandbox)),
    ADMIN_TOKEN: adminToken,
    KEY_STORE_URL: yield* databaseUrl,
    RATE_LIMIT_STORE_URL: loopback.redis ?? "",
    TRUSTED_PROXY_HOPS: "1"
  }
  const file = yield* bundled
  const start = Effect.gen(function*() {
    const { child, logged } = yield* serviceProcess(common, file)
    return { child, url: String((yield* logged("listening"))["url"]) }
  })
  const instances = yield* Effect.all([start, start, start], { concurrency: 3 })
  const addresses = instances.map(({ url }) => url)
  const balancer = yield* balancerOver(addresses)
  /** A new one takes its place. */
  const replaced = (place: number) =>
    Effect.gen(function*() {
      const fresh = yield* start
      instances[place] = fresh
      addresses[place] = fresh.url
    })
  const pairs = (count: number) =>
    Effect.all(Array.from({ length: count }, () => Effect.provideService(FundedPair, Network, sandbox.network)))
  return { instances, balancer, replaced, pairs, closer: closerOf(balancer.url, sandbox.passphrase) }
})

type Deployment = Effect.Effect.Success<typeof deployment>

const operator = (url: string, method: string, path: string, body?: object) =>
  Effect.promise(async () => {
    const answer = await fetch(`${url}/admin/api-keys${path}`, {
      method,
      headers: { authorization: `Bearer ${adminToken}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) })
    })
    return await answer.json() as { readonly key: string; readonly record: ApiKeyRecord }
  })

const statusWith = (url: string, key: string) =>
  Effect.promise(() => fetch(`${url}/testnet/paths`, { headers: { authorization: `Bearer ${key}` } }).then(({ status }) => status))

const limitsHold = ({ balancer, instances }: Deployment) =>
  Effect.gen(function*() {
    const { key, record } = yield* operator(balancer.url, "POST", "", { owner: "acme", rateLimit: { limit: 7, windowSeconds: 600 } })
    const statuses = yield* Effect.all(Array.from({ length: 12 }, () => statusWith(balancer.url, key)), { concurrency: 12 })
    assert.deepStrictEqual(statuses.toSorted(), [...Array.from({ length: 7 }, () => 400), ...Array.from({ length: 5 }, () => 429)])
    const second = yield* operator(balancer.url, "POST", "", { owner: "acme" })
    for (const { url } of instances) assert.strictEqual(yield* statusWith(url, second.key), 400)
    yield* operator(balancer.url, "POST", `/${second.record.id}/revoke`)
    const since = Date.now()
    for (const { url } of instances) {
      yield* Effect.repeat(statusWith(url, second.key), { until: (status) => status === 401 })
    }
    assert.isBelow(Date.now() - since, 5000)
    assert.notStrictEqual(record.id, second.record.id)
  })

/** The documentation page is generated from the contract, which is in the bundle. */
const docsAreThere = ({ balancer }: Deployment) =>
  Effect.gen(function*() {
    const page = yield* Effect.promise(() => fetch(`${balancer.url}/docs`).then((answer) => answer.text()))
    assert.include(page, "Close an account in three steps")
    assert.include(page, "id=\"route-planClose\"")
  })

/** Closes as a caller that starts over after every failure. */
const closed = ({ closer }: Deployment, { destination, source }: Effect.Effect.Success<typeof FundedPair>) =>
  Effect.promise(async () => {
    const failures: Array<unknown> = []
    for (let round = 0; round < 5; round++) {
      const { body } = await closer.plan(source, destination)
      if (body["status"] === "complete") return failures
      const built = await closer.build(source, destination)
      const told = built.status === 200 ? await closer.submit(closer.signed(built, source)) : built
      if (told.status !== 200) failures.push(told)
    }
    throw new Error(`not closed: ${JSON.stringify(failures)}`)
  })

const oneIsKilled = (deployed: Deployment) =>
  Effect.gen(function*() {
    const accounts = yield* deployed.pairs(6)
    const closes = yield* Effect.fork(Effect.forEach(accounts, (pair) => closed(deployed, pair), { concurrency: 6 }))
    yield* Effect.promise(() => deployed.closer.plan(accounts[0]!.source, accounts[0]!.destination))
    const [first] = deployed.instances
    first.child.kill("SIGKILL")
    yield* ended(first.child)
    yield* closes
    yield* deployed.replaced(0)
  })

const rollingRestart = (deployed: Deployment) =>
  Effect.gen(function*() {
    const accounts = yield* deployed.pairs(2)
    const dropped = deployed.balancer.dropped()
    const asking = new AbortController()
    const callers = yield* Effect.fork(Effect.forEach(accounts, ({ destination, source }) =>
      Effect.promise(async () => {
        const outcomes: Array<string> = []
        while (!asking.signal.aborted) {
          const { body, status } = await deployed.closer.plan(source, destination)
          outcomes.push(status === 200 ? "planned" : `${status} ${JSON.stringify(body)}`)
        }
        return outcomes
      }), { concurrency: 2 }))
    for (const place of [0, 1, 2] as const) {
      const { child } = deployed.instances[place]
      child.kill("SIGTERM")
      assert.strictEqual(yield* ended(child), 0)
      yield* deployed.replaced(place)
    }
    asking.abort()
    const outcomes = (yield* callers).flat()
    assert.isAbove(outcomes.length, 3)
    assert.deepStrictEqual([...new Set(outcomes)], ["planned"])
    assert.strictEqual(deployed.balancer.dropped(), dropped)
  })

describe.skipIf(!areThere)(orSkipped(orSkipped("three processes of the bundle behind a balancer", "postgres"), "redis"), () => {
  it.scopedLive.runIf(isThorough)(
    "hold limits together, lose nothing with one of them, and are restarted in turn without dropping a request",
    () =>
      Effect.gen(function*() {
        const deployed = yield* deployment
        yield* docsAreThere(deployed)
        yield* limitsHold(deployed)
        yield* oneIsKilled(deployed)
        yield* rollingRestart(deployed)
      }),
    180_000
  )
})
