import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, FastCheck, Layer, Metric, Option } from "effect"
import { Redis } from "ioredis"
import { createHash, randomUUID } from "node:crypto"
import { connect, createServer, type Server, type Socket } from "node:net"
import type { Bucket } from "../../src/http/rate/RateLimit.ts"
import { RateLimitStore } from "../../src/http/rate/RateLimitStore.ts"
import { loopback, orSkipped } from "../support/Loopback.ts"
import { serviceLog } from "../support/ServiceLog.ts"
import { arrivals } from "./support/Arrivals.ts"

const url = loopback.redis ?? "redis://none"

const storeAt = (address: string) =>
  Effect.map(Layer.build(Layer.fresh(RateLimitStore.layerRedis(address))), (context) => Context.get(context, RateLimitStore))

const redis = Effect.acquireRelease(Effect.sync(() => new Redis(url)), (client) => Effect.sync(() => client.disconnect()))

const fresh = (kind: Bucket["kind"] = "address"): Bucket => ({ kind, id: randomUUID() })

const setting = { limit: 4, windowSeconds: 60 }

const failures = Effect.map(Metric.snapshot, (pairs) => {
  const found = pairs.find(({ metricKey }) => metricKey.name === "closeout_rate_limit_store_failures_total")
  return found === undefined ? 0 : Number((found.metricState as { readonly count?: number | bigint }).count ?? 0)
})

/** Gives sockets a turn. */
const turn = Effect.async<void>((resume) => void setImmediate(() => resume(Effect.void)))

/** A proxy before the server that can be cut and restored at the same port. */
const cuttable = Effect.acquireRelease(
  Effect.promise(async () => {
    const target = new URL(url)
    const sockets = new Set<Socket>()
    let open = true
    const server: Server = createServer((near) => {
      if (!open) return void near.destroy()
      const far = connect(Number(target.port), target.hostname)
      for (const [from, to] of [[near, far], [far, near]] as const) {
        sockets.add(from)
        from.on("error", () => to.destroy()).on("close", () => to.destroy()).pipe(to)
      }
    })
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
    const address = server.address()
    const port = typeof address === "object" && address !== null ? address.port : 0
    const cut = () => {
      open = false
      for (const socket of sockets) socket.destroy()
      sockets.clear()
    }
    return { server, cut, mend: () => void (open = true), url: Object.assign(new URL(url), { port: String(port) }).href }
  }),
  ({ cut, server }) =>
    Effect.promise(async () => {
      cut()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    })
)

describe.skipIf(loopback.redis === null)(orSkipped("windows in Redis", "redis"), () => {
  it.live("are one for all instances, with exact headers, and keys and addresses apart", () =>
    Effect.scoped(Effect.gen(function*() {
      const stores = yield* Effect.all([storeAt(url), storeAt(url), storeAt(url)])
      const bucket = fresh()
      const remaining: Array<readonly [boolean, number]> = []
      for (let turn = 0; turn < 6; turn++) {
        const { allowed, limit, remaining: left, resetSeconds } = yield* stores[turn % 3]!.count(bucket, setting)
        assert.strictEqual(limit, 4)
        assert.include([59, 60], resetSeconds)
        remaining.push([allowed, left])
      }
      assert.deepStrictEqual(remaining, [[true, 3], [true, 2], [true, 1], [true, 0], [false, 0], [false, 0]])
      assert.strictEqual((yield* stores[0].count({ kind: "key", id: bucket.id }, setting)).remaining, 3)
      yield* Effect.forEach(stores, ({ probe }) => probe)
    })))

  it.live("let in exactly the limit of what arrives at once at three instances", () =>
    Effect.scoped(Effect.gen(function*() {
      const stores = yield* Effect.all([storeAt(url), storeAt(url), storeAt(url)])
      const bucket = fresh()
      const tallies = yield* Effect.forEach(
        Array.from({ length: 90 }, (_, index) => stores[index % 3]!),
        (store) => store.count(bucket, { limit: 17, windowSeconds: 60 }),
        { concurrency: "unbounded" }
      )
      assert.lengthOf(tallies.filter(({ allowed }) => allowed), 17)
    })))

  it.live("let in no more than the limit in any window, over random arrivals at three instances", () =>
    Effect.scoped(Effect.gen(function*() {
      const stores = yield* Effect.all([storeAt(url), storeAt(url), storeAt(url)])
      const client = yield* redis
      // Shortening a window in the store has the effect of time, without a wait.
      for (const stream of FastCheck.sample(arrivals(15_000), { numRuns: 25 })) {
        const buckets = [fresh(), fresh("key"), fresh()]
        const windows = buckets.map(() => ({ begun: -Infinity, letIn: 0 }))
        let now = 0
        for (const { after, caller, instance } of stream) {
          now += after
          if (after > 0) yield* Effect.promise(() => elapse(client, buckets, after))
          const { allowed, remaining } = yield* stores[instance]!.count(buckets[caller]!, { limit: 4, windowSeconds: 10 })
          if (!allowed) continue
          const window = windows[caller]!
          if (remaining === 3) {
            // Real time passes as well: by this count a window may end some milliseconds early.
            assert.isAtLeast(now - window.begun, 9_000)
            Object.assign(window, { begun: now, letIn: 0 })
          }
          window.letIn++
          assert.isAtMost(window.letIn, 4)
        }
      }
    })))

  it.live("end by themselves, whatever was done to them: without an end, or one too far away", () =>
    Effect.scoped(Effect.gen(function*() {
      const store = yield* storeAt(url)
      const client = yield* redis
      const bucket = fresh()
      yield* Effect.promise(() => client.set(keyOf(bucket), "4"))
      assert.isTrue((yield* store.count(bucket, setting)).allowed)
      yield* Effect.promise(() => client.set(keyOf(bucket), "4", "PX", 86_400_000))
      const { allowed, resetSeconds } = yield* store.count(bucket, setting)
      assert.deepStrictEqual([allowed, resetSeconds], [false, 60])
      yield* Effect.promise(() => client.set(keyOf(bucket), "no number", "PX", 60_000))
      assert.isTrue((yield* store.count(bucket, setting)).allowed)
    })))

  it.live("keep no address of anybody, and end", () =>
    Effect.scoped(Effect.gen(function*() {
      const store = yield* storeAt(url)
      const client = yield* redis
      const bucket = { kind: "address", id: "203.0.113.77" } as const
      yield* store.count(bucket, { limit: 1, windowSeconds: 30 })
      const all = yield* Effect.promise(() => client.keys("*"))
      assert.isTrue(all.every((name) => /^closeout:rate:[A-Za-z0-9_-]{43}$/.test(name)))
      assert.include(all, keyOf(bucket))
      assert.isAbove(yield* Effect.promise(() => client.pttl(keyOf(bucket))), 0)
      // -1 is a key without an end. Windows of other tests may end during these calls.
      for (const name of all) assert.notStrictEqual(yield* Effect.promise(() => client.pttl(name)), -1)
    })))

  it.live("go on in this process while the store is away, from what was seen, with one warning and a count", () => {
    const { layer, lines } = serviceLog()
    return Effect.scoped(Effect.gen(function*() {
      const way = yield* cuttable
      const store = yield* storeAt(way.url)
      const before = yield* failures
      const bucket = fresh()
      const counted = store.count(bucket, setting)
      assert.strictEqual((yield* counted).remaining, 3)
      assert.strictEqual((yield* counted).remaining, 2)
      way.cut()
      const alone = [yield* counted, yield* counted, yield* counted, yield* counted]
      assert.deepStrictEqual(alone.map(({ allowed, remaining }) => [allowed, remaining]), [[true, 1], [true, 0], [false, 0], [false, 0]])
      assert.isTrue(Option.isNone(yield* Effect.option(store.probe)))
      assert.strictEqual((yield* failures) - before, 4)
      assert.lengthOf(lines.filter(({ text }) => text.includes("the rate limit store does not respond")), 1)
      // After the outage, the requests admitted during it count in the shared window, for every other instance.
      way.mend()
      const other = yield* storeAt(url)
      yield* Effect.retry(Effect.zipRight(turn, store.probe), { while: () => true })
      yield* Effect.repeat(Effect.zipRight(turn, counted), {
        until: () => lines.some(({ text }) => text.includes("the rate limit store responds again"))
      })
      const { allowed } = yield* other.count(bucket, setting)
      assert.isFalse(allowed)
    })).pipe(Effect.provide(layer))
  })

  it.live("start with a wrong password, say so, and limit", () => {
    const { layer, lines } = serviceLog()
    return Effect.scoped(Effect.gen(function*() {
      const [wrong, none] = [new URL(url), new URL(url)]
      wrong.password = randomUUID()
      none.password = ""
      for (const address of [wrong, none]) {
        const store = yield* storeAt(address.href)
        assert.lengthOf(lines.filter(({ text }) => text.includes("RATE_LIMIT_STORE_URL")), address === wrong ? 1 : 2)
        const bucket = fresh()
        const tallies = yield* Effect.replicateEffect(store.count(bucket, setting), 5)
        assert.deepStrictEqual(tallies.map(({ allowed }) => allowed), [true, true, true, true, false])
      }
      assert.notInclude(JSON.stringify(lines), wrong.password)
      // A healthy store causes no log line.
      yield* storeAt(url)
      assert.lengthOf(lines.filter(({ text }) => text.includes("RATE_LIMIT_STORE_URL")), 2)
    })).pipe(Effect.provide(layer))
  })

  it.live("start without the store, and limit", () => {
    const { layer, lines } = serviceLog()
    return Effect.scoped(Effect.gen(function*() {
      const store = yield* storeAt("redis://127.0.0.1:1/0")
      const bucket = fresh()
      const tallies = yield* Effect.replicateEffect(store.count(bucket, setting), 6)
      assert.deepStrictEqual(tallies.map(({ allowed }) => allowed), [true, true, true, true, false, false])
      assert.lengthOf(lines.filter(({ text }) => text.includes("does not respond")), 1)
    })).pipe(Effect.provide(layer))
  })
})

/** The store's key for the window of a bucket. */
const keyOf = ({ id, kind }: Bucket): string => `closeout:rate:${createHash("sha256").update(`${kind} ${id}`).digest("base64url")}`

/** Moves these windows forward in time. */
const elapse = async (client: Redis, buckets: ReadonlyArray<Bucket>, millis: number): Promise<void> => {
  for (const bucket of buckets) {
    const left = await client.pttl(keyOf(bucket))
    if (left > millis) await client.pexpire(keyOf(bucket), left - millis)
    else await client.del(keyOf(bucket))
  }
}
