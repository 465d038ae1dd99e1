import { assert, describe, it } from "@effect/vitest"
import { Effect, Either } from "effect"
import { closeAccount, type CloseEvent, type CloseFailure, type CloseOptions } from "../../src/client/Client.ts"
import { Inventory } from "../../src/client/Inventory.ts"
import type { Held } from "../../src/operations/Expected.ts"
import { accountOf } from "../close/support/LedgerView.ts"
import { Service } from "../close/support/Service.ts"
import { Sources, sourcesService } from "../close/support/Sources.ts"
import { lyingTo } from "../deep/support/campaign/Lying.ts"
import { layer } from "../support/Layered.ts"
import { LendingSupply } from "../support/scenarios/LendingSupply.ts"
import { optionsFor } from "./support/Closes.ts"

/** The last part of a request's path. */
const routeOf = (input: string | URL | Request): string =>
  new URL(input instanceof Request ? input.url : input).pathname.split("/").at(-1) ?? ""

/** Closes an account that lends. The service's only source hides that while `isHidden` says so of the requests so far. */
const closedWhere = (isHidden: (requests: ReadonlyArray<string>) => boolean) =>
  Effect.gen(function*() {
    const service = yield* Service
    const [only] = yield* Sources
    const { destination, source } = yield* service.on(LendingSupply)
    yield* service.sandbox.closeLedger()
    const events: Array<CloseEvent> = []
    const requests: Array<string> = []
    const options: CloseOptions = {
      ...optionsFor(service, source, destination.publicKey()),
      fetch: (input, init) => {
        requests.push(routeOf(input))
        return fetch(input, init)
      }
    }
    const closing = Effect.tryPromise({
      try: () => closeAccount(options).promise((event) => events.push(event)),
      catch: (failure) => failure as CloseFailure
    })
    const { rpc } = lyingTo(source.publicKey(), ["entries"], () => isHidden(requests))
    return { events, source, outcome: yield* Effect.either(only!.lying(rpc, closing)) }
  })

const isPlanned = (requests: ReadonlyArray<string>) => requests.includes("plan")

const isPlannedAnew = (requests: ReadonlyArray<string>) => requests.lastIndexOf("plan") > requests.indexOf("transactions")

const isReadAgain = (requests: ReadonlyArray<string>) =>
  requests.indexOf("transactions") < requests.length - 1 && requests.includes("transactions")

layer(sourcesService(1, {}, ["lend_1"]), { excludeTestServices: true })("a position that the account had when its close began", (it) => {
  it.effect("is not taken for gone where nothing withdrew it", () =>
    Effect.gen(function*() {
      const { events, outcome, source } = yield* closedWhere(isPlanned)
      assert.match(String(Either.getOrThrow(Either.flip(outcome))), /^PositionVanished: The account had position:lend_1:C/)
      assert.isTrue(events.some((event) => event._tag === "built" && event.transaction.covers.includes("MERGE")))
      assert.isFalse(events.some(({ _tag }) => _tag === "signed"))
      assert.isNotNull(yield* accountOf(source))
    }))

  it.effect("is withdrawn where a source hid it until the merge was to be signed", () =>
    Effect.gen(function*() {
      const { events, outcome, source } = yield* closedWhere((requests) => !isReadAgain(requests))
      assert.strictEqual(outcome._tag, "Right")
      const built = events.flatMap((event) => (event._tag === "built" ? [event.transaction.covers.includes("EXIT_POSITIONS")] : []))
      assert.deepStrictEqual(built, [false, true, false])
      assert.isNull(yield* accountOf(source))
    }))

  it.effect("is withdrawn by a new plan once it is shown again", () =>
    Effect.gen(function*() {
      const { events, outcome, source } = yield* closedWhere((requests) =>
        isPlanned(requests) && !(requests.includes("transactions") && isPlannedAnew(requests))
      )
      assert.strictEqual(outcome._tag, "Right")
      const built = events.flatMap((event) => (event._tag === "built" ? [event.transaction.covers.includes("EXIT_POSITIONS")] : []))
      assert.deepStrictEqual(built, [false, true, false])
      assert.isNull(yield* accountOf(source))
    }))
})

describe("the positions that a close began with", () => {
  const held = (id: string, contract: string): Held => ({ id, contracts: [contract] })
  const [pool, pair] = [held("position:amm_3:P:shares", "P"), held("position:amm_2:Q:shares", "Q")]
  const token: Held = { id: "token:T", amount: 1n }
  const none = new Set<string>()

  it("are missing where they are not shown and no call reached their contracts", () => {
    const inventory = new Inventory([pool, pair, token])
    assert.isUndefined(inventory.missing(none))
    inventory.see([pool])
    assert.strictEqual(inventory.missing(none), pair.id)
    inventory.called(["Q"])
    assert.isUndefined(inventory.missing(none))
    inventory.see([])
    assert.strictEqual(inventory.missing(none), pool.id)
    assert.isUndefined(inventory.missing(new Set([pool.id])))
  })

  it("must be there again once they are shown after a call that left some of them, and so must what came since", () => {
    const inventory = new Inventory([pool])
    inventory.called(["P"])
    inventory.see([pool, pair])
    inventory.see([pair])
    assert.strictEqual(inventory.missing(none), pool.id)
    inventory.see([pool])
    assert.strictEqual(inventory.missing(none), pair.id)
    assert.deepStrictEqual([inventory.has(pool.id), inventory.has(pair.id)], [true, false])
  })

  it("are told of when they appear, twice at most", () => {
    const inventory = new Inventory([pool])
    const told = (...shown: ReadonlyArray<Held>) => {
      inventory.see(shown)
      return inventory.appeared()
    }
    assert.isUndefined(told(pool, token))
    inventory.see([pool, pair])
    assert.strictEqual(told(pool, pair), pair.id)
    assert.isUndefined(told(pool, pair))
    assert.deepStrictEqual([told(held("position:amm_2:R:shares", "R")), told(held("position:amm_2:S:shares", "S"))], [
      "position:amm_2:R:shares",
      undefined
    ])
  })
})
