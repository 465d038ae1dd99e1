import { assert, describe, it } from "@effect/vitest"
import { Asset, Keypair, Operation } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { readFileSync } from "node:fs"
import { fund, perform } from "../../src/sandbox/scenarios/Scenario.ts"
import { Serving } from "../../src/serving/Serving.ts"
import { close } from "../support/PlainClient.ts"
import { startTestService, type TestService } from "../support/TestService.ts"
import { isThorough } from "../support/Thorough.ts"
import { Pair } from "./support/Accounts.ts"
import { accountOf, lumensOf } from "./support/LedgerView.ts"
import { exchanges, lumensAt } from "./support/Mediated.ts"
import { Service } from "./support/Service.ts"

/** The service over a sandbox that closes ledgers on a timer, as a real network does. */
const serving = (protocols: boolean) => startTestService({}, Serving.layerWith({ closeEvery: "1 second", protocols, accounts: false }))

/** Closes by the plain client with these answers, keyed by the beginning of an id. Returns the questions that it asked. */
const closed = ({ key, url }: TestService, source: Keypair, to: object, answers: Readonly<Record<string, string>>) =>
  Effect.gen(function*() {
    const asked: Array<string> = []
    yield* Effect.promise(() =>
      close({
        url,
        key,
        source,
        to,
        ask: ({ id, options }) => {
          asked.push(id)
          const choice = answers[id.split(":")[0] ?? ""] ?? assert.fail(`nothing answers ${id}`)
          const { params } = options.find((option: { readonly id: string }) => option.id === choice) ?? assert.fail(`${id}: no ${choice}`)
          return { id, choice, ...(params === undefined ? {} : { params }) }
        }
      })
    )
    assert.strictEqual(yield* accountOf(source), null)
    return asked
  })

const served = <A, E>(protocols: boolean, work: Effect.Effect<A, E, Service>) =>
  Effect.scoped(Effect.flatMap(serving(protocols), (service) => Effect.provideService(work, Service, service)))

/** An account of twenty assets, the first fifteen of which have a buyer. */
const TwentyAssets = Effect.gen(function*() {
  const { destination, source } = yield* Pair()
  const [issuer, maker] = [Keypair.random(), Keypair.random()]
  yield* fund("100", issuer)
  yield* fund("10000", maker)
  const assets = Array.from({ length: 20 }, (_, at) => new Asset(`ASSET${at}`, issuer.publicKey()))
  for (const as of [source, maker]) yield* perform("lines", { as, operations: assets.map((asset) => Operation.changeTrust({ asset })) })
  yield* perform("paid out", {
    as: issuer,
    operations: assets.map((asset) => Operation.payment({ destination: source.publicKey(), asset, amount: "10" }))
  })
  yield* perform("offers", {
    as: maker,
    operations: assets.slice(0, 15).map((buying) =>
      Operation.manageSellOffer({ selling: Asset.native(), buying, amount: "100", price: "1" })
    )
  })
  return { destination, source }
})

describe("a client of thirty lines, written from the OpenAPI document", () => {
  it("has at most thirty lines", () => {
    const text = readFileSync(new URL("../support/PlainClient.ts", import.meta.url), "utf8")
    const lines = text.slice(0, text.indexOf("/** The client's input")).split("\n").filter((line) => line.trim() !== "")
    assert.isAtMost(lines.length, 30)
  })

  it.live(
    "closes an account of twenty assets, of which it gives back the five that nobody buys, asked by name",
    () =>
      served(
        false,
        Effect.gen(function*() {
          const service = yield* Service
          const { destination, source } = yield* service.on(TwentyAssets)
          const before = yield* lumensOf(destination)
          const asked = yield* closed(service, source, { destination: destination.publicKey() }, {
            destination: "i_control_this_address",
            asset: "return_to_issuer"
          })
          assert.lengthOf(asked.filter((id) => id.startsWith("asset:")), 5)
          assert.isTrue((yield* lumensOf(destination)) - before > 249_0000000n)
        })
      ),
    120_000
  )

  it.live("closes into an exchange by the mediator", () =>
    served(
      false,
      Effect.gen(function*() {
        const service = yield* Service
        const { source } = yield* service.on(Pair("37.5"))
        const { payments } = yield* exchanges
        const before = yield* lumensAt(payments)
        assert.isEmpty(yield* closed(service, source, { destination: payments, memo: { type: "text", value: "customer 42" } }, {}))
        assert.isTrue((yield* lumensAt(payments)) - before > 37_4000000n)
      })
    ), 120_000)

  it.live.runIf(isThorough)("closes the richest account, and burns nothing", () =>
    served(
      true,
      Effect.gen(function*() {
        const service = yield* Service
        const { destination, source } = service.prepared.at(-1) ?? assert.fail("no account is prepared")
        const before = yield* lumensOf(destination)
        const asked = yield* closed(service, source, { destination: destination.publicKey() }, {
          destination: "i_control_this_address",
          token: "convert_to_native"
        })
        assert.lengthOf(asked, 2)
        assert.isTrue((yield* lumensOf(destination)) > before)
      })
    ), 300_000)
})
