import { assert, describe, it } from "@effect/vitest"
import { Address } from "@stellar/stellar-sdk"
import { Effect, Either } from "effect"
import { closeAccount, type CloseEvent, type CloseFailure, type CloseOptions } from "../../src/client/Client.ts"
import { Inventory } from "../../src/client/Inventory.ts"
import { knowsPosition, type PlanWords } from "../../src/client/PlannedPositions.ts"
import type { Decision } from "../../src/client/Question.ts"
import { cameLaterWarning } from "../../src/close/situation/LaterGifts.ts"
import { warning } from "../../src/domain/Blocker.ts"
import type { Held } from "../../src/operations/Expected.ts"
import { lendingContracts } from "../../src/sandbox/scenarios/LendingContracts.ts"
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
const closedWhere = (isHidden: (requests: ReadonlyArray<string>) => boolean, decisions: ReadonlyArray<Decision> = []) =>
  Effect.gen(function*() {
    const service = yield* Service
    const [only] = yield* Sources
    const { destination, source } = yield* service.on(LendingSupply)
    yield* service.sandbox.closeLedger()
    const events: Array<CloseEvent> = []
    const requests: Array<string> = []
    const options: CloseOptions = {
      ...optionsFor(service, source, destination.publicKey()),
      decisions,
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

/** Whether the client reads the account once more after a build. */
const isVerified = (requests: ReadonlyArray<string>) => isReadAgain(requests) && requests.at(-1)?.startsWith("G") === true

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

  it.effect("is not taken for gone where only its rewards are given up", () =>
    Effect.gen(function*() {
      const id = `position:lend_1:${Address.fromScAddress(lendingContracts.pool).toString()}:reserves`
      const { events, outcome, source } = yield* closedWhere(isPlanned, [{ id, choice: "exit_without_rewards" }])
      assert.match(String(Either.getOrThrow(Either.flip(outcome))), /^PositionVanished/)
      assert.isFalse(events.some(({ _tag }) => _tag === "signed"))
      assert.isNotNull(yield* accountOf(source))
    }))

  it.effect("is merged over by no plan that a source hid it from", () =>
    Effect.gen(function*() {
      const { events, outcome, source } = yield* closedWhere((requests) => !isVerified(requests))
      assert.match(String(Either.getOrThrow(Either.flip(outcome))), /^PlanChanged/)
      assert.isFalse(events.some(({ _tag }) => _tag === "signed"))
      assert.isNotNull(yield* accountOf(source))
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
  const reading = (...all: ReadonlyArray<Held>) => ({ held: all, sequence: 7n })
  const call = (...names: ReadonlyArray<string>) => new Set(names)

  it("are missing where they are not shown and no call reached their contracts", () => {
    const inventory = new Inventory(reading(pool, pair, token))
    assert.isUndefined(inventory.missing(none))
    inventory.see(reading(pool))
    assert.strictEqual(inventory.missing(none), pair.id)
    inventory.signed(8n, call("Q"))
    assert.isUndefined(inventory.missing(none))
    inventory.see(reading())
    assert.strictEqual(inventory.missing(none), pool.id)
    assert.isUndefined(inventory.missing(new Set([pool.id])))
  })

  it("must be there again once they are shown after a call that left some of them, and so must what came since", () => {
    const inventory = new Inventory(reading(pool))
    inventory.signed(8n, call("P"))
    inventory.see(reading(pool, pair))
    inventory.see(reading(pair))
    assert.strictEqual(inventory.missing(none), pool.id)
    inventory.see(reading(pool))
    assert.strictEqual(inventory.missing(none), pair.id)
    assert.deepStrictEqual([inventory.has(pool.id), inventory.has(pair.id)], [true, false])
  })

  it("are missing again once the call that reached them has failed", () => {
    const inventory = new Inventory(reading(pool))
    inventory.signed(8n, call("P"))
    inventory.see(reading())
    assert.isUndefined(inventory.missing(none))
    inventory.failed()
    assert.strictEqual(inventory.missing(none), pool.id)
  })

  it("are withdrawn from a contract of several only where the call names them, or none of them", () => {
    const [euro, dollar] = [held("position:cdp_1:V:EUR", "V"), held("position:cdp_1:V:USD", "V")]
    const inventory = new Inventory(reading(euro, dollar, pool))
    inventory.signed(8n, call("V", "USD"))
    inventory.see(reading(pool))
    assert.strictEqual(inventory.missing(none), euro.id)
    const other = new Inventory(reading(euro, dollar, pool))
    other.signed(8n, call("V"))
    other.see(reading(pool))
    assert.isUndefined(other.missing(none))
  })

  it("may be withdrawn by a transaction that this close did not sign", () => {
    const inventory = new Inventory(reading(pool))
    inventory.signed(8n, call())
    inventory.landed()
    inventory.see({ held: [], sequence: 8n })
    assert.strictEqual(inventory.missing(none), pool.id)
    inventory.see({ held: [], sequence: 9n })
    assert.isUndefined(inventory.missing(none))
  })

  it("may be withdrawn by one that uses the number of a transaction that never landed", () => {
    const inventory = new Inventory(reading(pool))
    inventory.signed(8n, call())
    inventory.see({ held: [], sequence: 8n })
    assert.isUndefined(inventory.missing(none))
  })
})

describe("positions that appear during a close", () => {
  const shares = (contract: string): Held => ({ id: `position:amm_2:${contract}:shares`, contracts: [contract] })
  const plan: PlanWords = { decisionPoints: [], warnings: [] }
  const naming = (...all: ReadonlyArray<Held>): PlanWords => ({
    decisionPoints: [],
    warnings: all.map(({ id }) => warning("position_too_small", "", id))
  })
  const seen = (inventory: Inventory, ...all: ReadonlyArray<Held>) => {
    inventory.see({ held: all, sequence: 7n })
    return inventory.appeared()
  }

  it("are planned for, twice at most", () => {
    const inventory = new Inventory({ held: [shares("P")], sequence: 7n })
    assert.isUndefined(seen(inventory, shares("P")))
    for (const one of ["Q", "R"].map(shares)) {
      assert.strictEqual(seen(inventory, one), one.id)
      inventory.plannedBy(naming(one))
      assert.isUndefined(seen(inventory, one))
    }
    assert.isUndefined(seen(inventory, shares("S")))
  })

  it("are planned for without end where a plan that had to see them does not name them", () => {
    const inventory = new Inventory({ held: [], sequence: 7n })
    for (const _ of Array.from({ length: 5 })) {
      assert.strictEqual(seen(inventory, shares("Q")), shares("Q").id)
      inventory.plannedBy(plan)
    }
    inventory.plannedBy(naming(shares("Q")))
    assert.isUndefined(seen(inventory, shares("Q")))
  })

  it("are known to a plan that warns of dust in their protocol, or counts them, and not by a doubt about the protocol", () => {
    const [one, other] = [shares("Q"), shares("R")]
    const doubt: PlanWords = { ...plan, warnings: [warning("lists_have_gap", "", "amm_2"), warning("source_failed", "", "amm_2")] }
    assert.isFalse(knowsPosition(doubt)(one.id))
    const protocol: PlanWords = { ...plan, warnings: [warning("position_too_small", "", "amm_2")] }
    const together: PlanWords = {
      decisionPoints: [{
        id: "positions:amm_2",
        type: "positions",
        subject: "",
        about: { kind: "positions", protocol: null, label: null, count: 1 },
        options: [{ id: "exit", effect: "exits", needs: [], note: "", params: { ids: [one.id] } }],
        default: null,
        required: true,
        answered: true
      }],
      warnings: []
    }
    assert.deepStrictEqual([one, other].map(({ id }) => knowsPosition(together)(id)), [true, false])
    const counted: PlanWords = { ...plan, warnings: [cameLaterWarning("5 more positions", 3)] }
    for (const words of [protocol, counted]) assert.isTrue(knowsPosition(words)(one.id))
    assert.deepStrictEqual([one, other].map(({ id }) => knowsPosition(naming(one))(id)), [true, false])
  })
})
