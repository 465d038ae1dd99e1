import { assert } from "@effect/vitest"
import { Effect } from "effect"
import type { HealthReport } from "../../src/domain/Health.ts"
import { layer } from "../support/Layered.ts"
import { Pair } from "./support/Accounts.ts"
import { coSign, offered, plan, refusal, submit } from "./support/Client.ts"
import { acknowledged } from "./support/Judged.ts"
import { exchanges, forge } from "./support/Mediated.ts"
import { Service } from "./support/Service.ts"
import { signed } from "./support/Signing.ts"
import { type Lie, Sources, sourcesService } from "./support/Sources.ts"

const year = 31_536_000n

/** Returns a newest ledger with a changed header. The change is made on bytes, because the SDK cannot parse headers of protocol 30. */
const withHeader =
  (change: (header: Buffer) => void, more: (result: Record<string, unknown>) => object = () => ({})): Lie => (method, result) => {
    if (method !== "getLatestLedger") return result
    const header = Buffer.from(String(result["headerXdr"]), "base64")
    change(header)
    return { ...result, ...more(result), headerXdr: header.toString("base64") }
  }

/** `closeTime` follows the version and two hashes. */
const later = (seconds: bigint): Lie =>
  withHeader(
    (header) => void header.writeBigUInt64BE(header.readBigUInt64BE(68) + seconds, 68),
    ({ closeTime }) => ({ closeTime: String(BigInt(String(closeTime)) + seconds) })
  )

/** `baseFee` precedes the reserve, the size of transaction sets, the skip list and an empty extension. */
const dear = withHeader((header) => void header.writeUInt32BE(100_000_000, header.length - 4 - 128 - 4 - 4 - 4))

/** An account that could be merged into its destination, one ready for the mediator, and the envelope of that. */
const scene = Effect.gen(function*() {
  const { on } = yield* Service
  const { destination, source } = yield* on(Pair())
  const { source: closing } = yield* on(Pair())
  const plain = acknowledged(source, destination)
  const mediated = { source: closing.publicKey(), destination: (yield* exchanges).payments, memo: "customer 42" }
  const early = yield* offered(mediated)
  return { plain, mediated, early, signedEarly: yield* signed({ xdr: yield* coSign(early.xdr) }, closing) }
})

/** The component of the contract RPC in deep health. */
const rpcHealth = Effect.flatMap(
  Service,
  ({ call }) => Effect.map(call<HealthReport>("GET", "/health/deep"), ({ body }) => body.details["rpc_testnet"])
)

layer(sourcesService(1, { TESTNET_MAX_LEDGER_AGE_SECONDS: "60" }), { excludeTestServices: true })("a header", (it) => {
  const refusedAtEveryGate = (name: string, lie: Lie, status: number, code: string, isAge: (seconds: number) => boolean) =>
    it.effect(`${name} is ${code} wherever something is built, signed or passed on, and the plan warns`, () =>
      Effect.gen(function*() {
        const { early, mediated, plain, signedEarly } = yield* scene
        const [rpc] = yield* Sources
        yield* rpc!.lying(
          lie,
          Effect.gen(function*() {
            const refusals = [
              yield* refusal("next", plain),
              yield* refusal("next", mediated),
              yield* refusal("coSign", { transaction: early.xdr }),
              yield* refusal("submit", { signedXdr: signedEarly })
            ]
            for (const refused of refusals) {
              assert.deepInclude(refused, { status, code })
              assert.isTrue(isAge(Number(refused.details["ageSeconds"])), String(refused.details["ageSeconds"]))
            }
            const warned = (yield* plan(plain)).warnings.filter((one) =>
              one.code === "source_lagging" && /this machine's clock is wrong/.test(one.message)
            )
            assert.lengthOf(warned, 1)
          })
        )
        yield* submit(signedEarly)
      }))

  refusedAtEveryGate("of the year 2036", later(10n * year), 502, "upstream_unusable", (seconds) => seconds < -300_000_000)
  refusedAtEveryGate("of ten minutes ago", later(-600n), 503, "contract_rpc_lagging", (seconds) => seconds >= 590)

  it.effect("within a minute of the clock is believed", () =>
    Effect.gen(function*() {
      const { plain } = yield* scene
      const [rpc] = yield* Sources
      for (const seconds of [-40n, 40n]) yield* rpc!.lying(later(seconds), offered(plain))
    }))

  it.effect("that is not built on is named by deep health, which the network passes", () =>
    Effect.gen(function*() {
      const [rpc] = yield* Sources
      const healthAt = (seconds: bigint) =>
        // Health is shared for two seconds.
        Effect.zipRight(Effect.sleep("3 seconds"), rpc!.lying(later(seconds), rpcHealth))
      assert.deepStrictEqual(yield* healthAt(0n), { status: "up" })
      for (const [seconds, age] of [[200n, /closes \d+ seconds from now/], [-200n, /closed \d+ seconds ago/]] as const) {
        const { message = "", status } = (yield* healthAt(seconds)) ?? {}
        assert.strictEqual(status, "up")
        assert.match(message, age)
        assert.match(message, /, or this machine's clock is wrong, so nothing is built$/)
      }
    }))

  it.effect("of a while ago keeps the mediator from nothing that may begin by the clock", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const { source } = yield* on(Pair())
      const { early } = yield* scene
      const { payments } = yield* exchanges
      const [rpc] = yield* Sources
      const now = Math.floor(Date.now() / 1000)
      const begun = yield* forge({
        source,
        mediator: early.intent.guarantees.mergeDestination ?? "",
        destination: payments,
        shape: (builder) => builder.setTimebounds(now - 10, now + 200)
      })
      yield* rpc!.lying(later(-40n), coSign(begun.toXdr()))
    }))

  it.effect("that asks for ten lumens an operation is refused wherever something is built or signed, and blocks the plan", () =>
    Effect.gen(function*() {
      const { early, mediated, plain } = yield* scene
      const [rpc] = yield* Sources
      yield* rpc!.lying(
        dear,
        Effect.gen(function*() {
          const above = { status: 503, code: "network_fee_above_limit", details: { feeStroops: "100000000", limitStroops: "10000" } }
          for (
            const refused of [
              yield* refusal("next", plain),
              yield* refusal("next", mediated),
              yield* refusal("coSign", { transaction: early.xdr })
            ]
          ) {
            assert.deepInclude(refused, above)
            assert.isNotNull(refused.retryAfter)
          }
          const { blockers, status } = yield* plan(plain)
          assert.strictEqual(status, "blocked")
          assert.include(blockers.map(({ reason }) => reason), "network_fee_above_limit")
        })
      )
    }))
})

layer(sourcesService(2, { TESTNET_MAX_LEDGER_AGE_SECONDS: "60" }), { excludeTestServices: true })("headers of two contract RPCs", (it) => {
  /** The same lie, with entries of so many ledgers ago. */
  const behindBy = (ledgers: number, lie: Lie): Lie => (method, result, params) =>
    method === "getLedgerEntries" ? { ...result, latestLedger: Number(result["latestLedger"]) - ledgers } : lie(method, result, params)

  it.effect("that both are not believed are refused for what the newer one says", () =>
    Effect.gen(function*() {
      const { early } = yield* scene
      const [one, other] = yield* Sources
      const [future, past] = [later(10n * year), later(-600n)]
      const refusedOver = (first: Lie, second: Lie) =>
        one!.lying(first, other!.lying(second, Effect.map(refusal("coSign", { transaction: early.xdr }), ({ code }) => code)))
      assert.deepStrictEqual(
        [
          yield* refusedOver(future, behindBy(1, past)),
          yield* refusedOver(behindBy(1, future), past),
          yield* refusedOver(past, behindBy(1, future)),
          yield* refusedOver(past, future),
          yield* refusedOver(future, past)
        ],
        ["upstream_unusable", "contract_rpc_lagging", "contract_rpc_lagging", "contract_rpc_lagging", "upstream_unusable"]
      )
    }))

  it.effect("of which one is not believed are the other's", () =>
    Effect.gen(function*() {
      const { early } = yield* scene
      const [one, other] = yield* Sources
      yield* one!.lying(later(10n * year), coSign(early.xdr))
      yield* other!.lying(later(-600n), coSign(early.xdr))
    }))
})

layer(sourcesService(1), { excludeTestServices: true })("a header of a sandbox", (it) => {
  it.effect("has a clock of its own", () =>
    Effect.gen(function*() {
      const { on, sandbox } = yield* Service
      const { destination, source } = yield* on(Pair())
      yield* sandbox.closeLedger({ advanceSeconds: 100_000 })
      yield* submit(yield* signed(yield* offered(acknowledged(source, destination)), source))
    }))
})
