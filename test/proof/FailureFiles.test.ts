import { assert, it } from "@effect/vitest"
import { StrKey, xdr } from "@stellar/stellar-sdk"
import { Deferred, Effect, Layer, Logger } from "effect"
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { build } from "../close/support/RandomMarket.ts"
import { silentConsole } from "../support/ServiceLog.ts"
import { temporaryFolder } from "../support/TemporaryFolder.ts"
import { type ErrorBody, startTestService, type TestService } from "../support/TestService.ts"

/** A holder of shares in a pool that counts one trustline too few on this ledger. An exit removes the pool from under the other holders. */
const BrokenPool = ({ on, sandbox }: TestService) =>
  Effect.gen(function*() {
    const pool = { a: 0, b: 1, x: "100", y: "100", share: true }
    const { destination, source } = yield* on(build({ held: ["10", "10", "10"], makerOffers: [], ownOffers: [], pools: [pool], data: 1 }))
    yield* sandbox.amend((state) => {
      const [entry] = [...state.entries()].filter(({ data }) => data.type === "liquidityPool")
      if (entry?.data.type !== "liquidityPool") return assert.fail("there is no pool")
      const { body, liquidityPoolId } = entry.data.liquidityPool
      const { constantProduct } = body
      const changed = new xdr.LiquidityPoolEntryConstantProduct({ ...constantProduct, poolSharesTrustLineCount: 1n })
      const data = new xdr.LiquidityPoolEntry({ liquidityPoolId, body: xdr.LiquidityPoolEntryBody.liquidityPoolConstantProduct(changed) })
      return state.set([new xdr.LedgerEntry({ ...entry, data: xdr.LedgerEntryData.liquidityPool(data) })])
    })
    return { destination, source }
  })

/** The decoded bytes of all base64 texts in a text. */
const hiddenIn = (text: string): Buffer =>
  Buffer.concat([...text.matchAll(/[A-Za-z0-9+/]{16,}={0,2}/g)].map(([found]) => Buffer.from(found, "base64")))

it.live(
  "a broken invariant is answered with 500 and writes one report, in which nothing tells whose account it was",
  () =>
    Effect.scoped(Effect.gen(function*() {
      const directory = yield* temporaryFolder
      const proofs = join(directory, "proofs")
      mkdirSync(proofs)
      for (let at = 0; at < 25; at++) writeFileSync(join(proofs, `2000-01-01T00-00-${at + 10}.json`), "{}")
      const written = yield* Deferred.make<string>()
      const listener = Logger.make(({ message }) => {
        const [text, fields] = Array.isArray(message) ? message : [message]
        if (text === "a report of the failure was written") Deferred.unsafeDone(written, Effect.succeed((fields as { file: string }).file))
      })
      const service = yield* startTestService({ DATA_DIR: directory }, undefined, Layer.merge(Logger.add(listener), silentConsole))
      const { destination, source } = yield* BrokenPool(service)
      const memo = "a memo of my own"
      const { body, status } = yield* service.call<ErrorBody>("POST", "/v1/testnet/close/plan", {
        source: source.publicKey(),
        destination: destination.publicKey(),
        memo: { type: "text", value: memo }
      })
      assert.strictEqual(status, 500, JSON.stringify(body).slice(0, 600))
      assert.deepStrictEqual([status, body.error.code], [500, "internal_error"])
      const file = yield* Effect.timeout(Deferred.await(written), "30 seconds")
      assert.include(file, String(body.error.details["requestId"]))
      const names = readdirSync(proofs)
      assert.strictEqual(names.length, 20)
      assert.strictEqual(names.filter((name) => file.endsWith(name)).length, 1)
      const text = readFileSync(file, "utf8")
      assert.include(text, "breaks the ledger: ")
      const report = JSON.parse(text) as {
        readonly again: string
        readonly calls: ReadonlyArray<{ readonly end: { readonly text?: unknown } }>
      }
      assert.include(report.again, "a defect: a projected transaction breaks the ledger")
      assert.isAbove(report.calls.length, 3)
      assert.isTrue(report.calls.every(({ end }) => typeof end.text !== "string" || end.text.length < 100), "answers are not decoded")
      for (const { keys, name } of [{ name: "source", keys: source }, { name: "destination", keys: destination }]) {
        const raw = StrKey.decodeEd25519PublicKey(keys.publicKey())
        assert.notInclude(text, keys.publicKey(), name)
        assert.notInclude(text, Buffer.from(raw).toString("hex"), name)
        assert.isFalse(hiddenIn(text).includes(Buffer.from(raw)), name)
      }
      assert.notMatch(text, /[GMS][A-Z2-7]{55}/)
      assert.notInclude(text, memo)
      assert.notInclude(text, "127.0.0.1")
    })),
  60_000
)
