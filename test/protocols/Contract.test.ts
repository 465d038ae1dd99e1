import { assert, describe, it } from "@effect/vitest"
import { xdr } from "@stellar/stellar-sdk"
import { Context, Effect, Layer, Option } from "effect"
import type { Getter } from "../../src/chain/Getter.ts"
import { LedgerEntries } from "../../src/chain/LedgerEntries.ts"
import { ContractAddress } from "../../src/domain/Address.ts"
import { NetworkUnavailable } from "../../src/domain/failure/Upstream.ts"
import { ownProtocols } from "../../src/domain/ProtocolName.ts"
import { type Decoded, type HeldPosition, noPositions } from "../../src/protocols/HeldPosition.ts"
import type { EntryState, GetterState, LedgerView } from "../../src/protocols/kit/LedgerView.ts"
import { questionText } from "../../src/protocols/kit/Question.ts"
import { contractsOf, decodePlaces, keysOf } from "../../src/protocols/Place.ts"
import type { Protocol } from "../../src/protocols/Protocol.ts"
import { ProtocolRegistry } from "../../src/protocols/ProtocolRegistry.ts"
import { ContractAddresses } from "../../src/registry/ContractAddresses.ts"
import { contractDataKey, instanceKey } from "../../src/stellar/ContractKeys.ts"
import { nameOfAddress } from "../../src/stellar/ScAddresses.ts"
import { account, i128, variant } from "../../src/stellar/ScValCodec.ts"
import { keyText } from "../../src/xdr/LedgerKeys.ts"
import { bare } from "./support/Bare.ts"
import { type Case, cases } from "./support/Cases.ts"
import { exitIn, terms } from "./support/Leaving.ts"
import { noEntries, type Say, sourcesOf } from "./support/Sources.ts"
import { written } from "./support/Written.ts"

const decode = ({ protocol, user }: Case, view: LedgerView): Decoded => {
  return decodePlaces(protocol.places, user, view)
}

/** A view that records the read keys, and changes the state of some of them. */
const through = (
  view: LedgerView,
  change: (key: xdr.LedgerKey, state: EntryState) => EntryState,
  told: (getter: Getter, state: GetterState) => GetterState = (_, state) => state
) => {
  const seen = new Map<string, xdr.LedgerKey>()
  return {
    seen,
    view: {
      ...view,
      state: (key: xdr.LedgerKey) => {
        seen.set(keyText(key), key)
        return change(key, view.state(key))
      },
      answer: (getter: Getter) => told(getter, view.answer(getter))
    }
  }
}

const positionsOf = ({ positions }: Decoded) => positions.map(({ contract, key }) => `${contract}:${key}`)

const withValue = (state: EntryState, value: (data: xdr.ContractDataEntry) => xdr.ScVal): EntryState => {
  if (state._tag !== "Present" || state.data.type !== "contractData") return state
  const { contract, contractData: { durability, ext, key } } = {
    contract: state.data.contractData.contract,
    contractData: state.data.contractData
  }
  return {
    ...state,
    data: xdr.LedgerEntryData.contractData(
      new xdr.ContractDataEntry({ ext, contract, key, durability, val: value(state.data.contractData) })
    )
  }
}

/** Gifted shares, base units. */
const given = 1_000_000n

/** Ledgers on which an account without holdings has a share of each declared or read token. */
const gifts = (one: Case) => {
  const { seen, view } = through(one.held, (_, state) => state)
  const balanceIn = (token: ContractAddress) => contractDataKey(token, variant("Balance", account.encode(one.user)))
  decode(one, view)
  const declared = one.protocol.places.flatMap(({ shares = [] }) => shares)
  const looked = [...seen.values()].flatMap((key) =>
    key.type === "contractData" ? [ContractAddress.make(nameOfAddress(key.contractData.contract))] : []
  ).filter((token) => seen.has(keyText(balanceIn(token))))
  return [...new Set([...declared, ...looked])].map((token) => {
    const key = balanceIn(token)
    const data = written(key, i128.encode(given))
    const changed = through(
      { ...one.nothing, answer: one.held.answer },
      (asked, state) => (keyText(asked) === keyText(key) ? { _tag: "Present", data, archived: false } : state)
    )
    return { token, key, view: changed.view }
  })
}

describe("the protocols of this version", () => {
  it.scoped("are all among the cases here: one without is not known to keep the contract of decoders", () =>
    Effect.gen(function*() {
      const { all } = yield* Effect.map(
        Layer.build(ProtocolRegistry.layer.pipe(Layer.provide([ContractAddresses.layerNone, sourcesOf(noEntries)]))),
        Context.get(ProtocolRegistry)
      )
      assert.isNotEmpty(all)
      const tried = new Set(cases.map(({ protocol }) => protocol.name))
      assert.deepStrictEqual(all.map(({ name }) => name).filter((name) => !tried.has(name)), [])
    }))
})

describe.each(cases)("the decoder contract: $name", (one) => {
  it("sees what is held", () => {
    const decoded = decode(one, one.held)
    assert.isNotEmpty(decoded.positions)
    assert.isEmpty(decoded.unrecognized)
    assert.isEmpty(decoded.further)
    for (const position of decoded.positions) {
      assert.isNotEmpty(position.rows)
      assert.match(position.key, /^[^:]+$/)
    }
    assert.strictEqual(new Set(positionsOf(decoded)).size, decoded.positions.length)
  })

  it("sees nothing where there is nothing, and nothing after everything was left", () => {
    for (const view of [one.nothing, one.emptied]) {
      assert.deepStrictEqual(decode(one, view), { further: [], positions: [], unrecognized: [], enrichment: {} })
    }
  })

  it("asks for what it needs, comes to an end, and then sees the same", () => {
    const read = new Set(keysOf(one.protocol.places, one.user).map(questionText))
    let decoded = decode(one, one.held)
    const whole = decoded
    let rounds = 0
    do {
      decoded = decode(
        one,
        through(
          one.held,
          (key, state) => (read.has(keyText(key)) ? state : { _tag: "Unread" }),
          (getter, state) => read.has(questionText(getter)) ? state : { _tag: "Unread" }
        ).view
      )
      const fresh = decoded.further.filter((question) => !read.has(questionText(question)))
      assert.strictEqual(fresh.length > 0, decoded.further.length > 0)
      for (const question of fresh) read.add(questionText(question))
      rounds++
    } while (decoded.further.length > 0)
    assert.deepStrictEqual(decoded, whole)
    // One round, and another for the details of the holdings.
    assert.isAtMost(rounds, 2)
  })

  it("makes nothing of entries that were not read", () => {
    const decoded = decode(one, through(one.held, () => ({ _tag: "Unread" })).view)
    assert.isNotEmpty(decoded.further)
    assert.isEmpty(decoded.positions)
  })

  it("sees archived entries like live ones", () => {
    const archived = through(one.held, (_, state) => (state._tag === "Present" ? { ...state, archived: true } : state)).view
    assert.deepStrictEqual(decode(one, archived), decode(one, one.held))
  })

  it("never loses a position to an entry that does not decode", () => {
    const { seen, view } = through(one.held, (_, state) => state)
    const whole = positionsOf(decode(one, view))
    let reported = 0
    for (const text of seen.keys()) {
      const decoded = decode(
        one,
        through(one.held, (key, state) => (keyText(key) === text ? withValue(state, () => xdr.ScVal.scvVoid()) : state)).view
      )
      const lost = whole.filter((position) => !positionsOf(decoded).includes(position))
      if (lost.length > 0) {
        reported++
        assert.isNotEmpty(decoded.unrecognized, lost.join(", "))
      }
    }
    assert.isAbove(reported, 0)
  })

  it("leaves what is held, nothing that is gone, and never takes what it cannot read for gone", () => {
    const leave = (position: Pick<HeldPosition, "contract" | "key">, view: LedgerView) =>
      exitIn(one.protocol, position, { user: one.user, view, ...terms(view), spendable: () => 10n ** 15n, withoutRewards: false })._tag
    for (const position of decode(one, one.held).positions) {
      const { seen, view } = through(one.held, (_, state) => state)
      const whole = leave(position, view)
      assert.include(["Calls", "Refused"], whole)
      assert.strictEqual(leave(position, one.emptied), "Gone")
      assert.strictEqual(leave(position, through(one.held, () => ({ _tag: "Unread" })).view), "Further")
      for (const text of seen.keys()) {
        const garbled = through(one.held, (key, state) => (keyText(key) === text
          ? withValue(state, () => xdr.ScVal.scvVoid())
          : state)).view
        assert.include(["Calls", "Refused"], leave(position, garbled), text)
        const unread = through(one.held, (key, state) => (keyText(key) === text ? { _tag: "Unread" } : state)).view
        assert.include(["Further", whole], leave(position, unread), text)
      }
    }
  })

  it("says so of what others can give: a share that arrives is a position under the entry that changed", () => {
    for (const { key, token, view } of gifts(one)) {
      const { positions, unrecognized } = decode(one, view)
      assert.isNotEmpty([...positions, ...unrecognized], token)
      for (const { givenUnder } of positions) assert.strictEqual(givenUnder === null ? null : keyText(givenUnder), keyText(key))
    }
  })

  it("asks about a share that arrives, or leaves it by calls that hand over what the account holds and nothing else", () => {
    for (const { token, view } of gifts(one)) {
      for (const position of decode(one, view).positions) {
        const spendable = (of: ContractAddress) => (of === token ? given : 0n)
        const exit = exitIn(one.protocol, position, { user: one.user, view, ...terms(view), spendable, withoutRewards: false })
        // A position without an exit is a question. A position without a payout stays behind with a warning.
        assert.include(position.dust === undefined ? ["Calls", "Refused"] : ["Gone"], exit._tag, token)
        if (exit._tag !== "Calls") continue
        const [{ holds }] = exit.calls
        assert.isTrue(holds.every((one) => one.amount <= spendable(one.token)), `${token} hands over ${JSON.stringify(holds.map(String))}`)
        assert.deepStrictEqual(exit.calls.flatMap((call) => call.holds).filter((one) => one.token !== token), [])
      }
    }
  })

  it("reads and calls no code that it does not know", () => {
    // A factory of the contracts file is read by its shape, for any code.
    for (const contract of contractsOf(one.protocol.places.filter(({ role }) => role !== "factory"))) {
      const text = keyText(instanceKey(contract))
      const changed = through(one.held, (key, state) =>
        keyText(key) !== text ?
          state :
          withValue(state, ({ val }) =>
            val.type !== "scvContractInstance" ? val : xdr.ScVal.scvContractInstance(
              new xdr.ScContractInstance({
                executable: xdr.ContractExecutable.contractExecutableWasm(new Uint8Array(32)),
                storage: val.instance.storage
              })
            ))).view
      const decoded = decode(one, changed)
      assert.include(
        decoded.unrecognized.map((item) => item.contract),
        contract
      )
      assert.notInclude(
        decoded.positions.map((position) => position.contract),
        contract
      )
      for (const position of decode(one, one.held).positions.filter((held) => held.contract === contract)) {
        const exit = exitIn(one.protocol, position, {
          user: one.user,
          view: changed,
          ...terms(changed),
          spendable: () => 0n,
          withoutRewards: false
        })
        assert.strictEqual(exit._tag === "Refused" ? exit.refusal._tag : exit._tag, "UnknownCode")
      }
    }
  })
})

const entriesOf = (view: LedgerView, count: { calls: number }, fails: (key: xdr.LedgerKey) => boolean = () => false) => {
  const answers: LedgerEntries["Type"]["answers"] = (keys) =>
    Effect.suspend(() => {
      count.calls++
      if (keys.some(fails)) return Effect.fail(new NetworkUnavailable({ network: "testnet" }))
      return Effect.succeed(keys.map((key) => {
        const state = view.state(key)
        return {
          key,
          latestLedger: view.sequence,
          live: state._tag !== "Present" ? Option.none() : Option.some({
            key,
            entry: new xdr.LedgerEntry({ lastModifiedLedgerSeq: 1, data: state.data, ext: xdr.LedgerEntryExt.v0() }),
            liveUntilLedger: state.archived ? 0 : view.sequence + 1,
            latestLedger: view.sequence
          })
        }
      }))
    })
  return LedgerEntries.of({ answers, anew: answers, many: () => Effect.dieMessage("not asked"), one: () => Effect.dieMessage("not asked") })
}

/** The getters' results in a state. */
const saidIn = (view: LedgerView): Say => (getter) => {
  const state = view.answer(getter)
  return state._tag === "Returned" ? state.value : null
}

const registry = (entries: LedgerEntries["Type"], view: LedgerView, ...protocols: ReadonlyArray<Protocol>) =>
  Effect.map(
    Layer.build(ProtocolRegistry.layerOf(protocols).pipe(Layer.provide([ContractAddresses.layerNone, sourcesOf(entries, saidIn(view))]))),
    Context.get(ProtocolRegistry)
  )

describe("reading all protocols", () => {
  it.scoped.each(cases)("tells a source that failed from nothing held: $name", (one) =>
    Effect.gen(function*() {
      const [quiet = "amm_1", odd = "amm_3"] = ownProtocols.filter((name) => name !== one.protocol.name)
      const other = bare(quiet)
      const broken = bare(odd, {
        decode: () => {
          throw new Error("broken")
        }
      })
      const count = { calls: 0 }
      const entries = entriesOf(one.held, count, () => true)
      const readings = yield* (yield* registry(entries, one.held, one.protocol, broken, other)).read(one.held, one.user)
      // A protocol without keys cannot fail; the others are read even when the first fails.
      assert.deepStrictEqual(
        readings.map(({ _tag, protocol }) => [protocol.name, _tag]).toSorted(),
        [[quiet, "Read"], [odd, "Broken"], [one.protocol.name, "Unread"]].toSorted()
      )
    }).pipe(Effect.asVoid))

  it.scoped("an endless decoder is broken, not nothing", () =>
    Effect.gen(function*() {
      const [one] = cases
      if (one === undefined) return
      let asked = 0
      const endless = bare("lend_1", {
        decode: () => ({
          ...noPositions,
          further: [xdr.LedgerKey.ttl(new xdr.LedgerKeyTtl({ keyHash: new Uint8Array(32).fill(++asked) }))]
        })
      })
      const [reading] = yield* (yield* registry(entriesOf(one.held, { calls: 0 }), one.held, endless)).read(one.held, one.user)
      assert.strictEqual(reading?._tag, "Broken")
    }))

  it.scoped("names every key it read, and reads positions in two rounds", () =>
    Effect.gen(function*() {
      for (const one of cases) {
        const count = { calls: 0 }
        const { read } = yield* registry(entriesOf(one.held, count), one.held, one.protocol)
        yield* read(one.held, one.user)
        // Discovered contracts are cached for all accounts by now.
        count.calls = 0
        const [reading] = yield* read(one.held, one.user)
        assert.strictEqual(reading?._tag, "Read")
        if (reading?._tag !== "Read") return
        assert.isAtMost(count.calls, 2)
        assert.deepStrictEqual(reading.positions, decode(one, one.held).positions)
        assert.strictEqual(new Set(reading.keys.map(keyText)).size, reading.keys.length)
      }
    }))

  it.scoped("leaves a position through entries read anew", () =>
    Effect.gen(function*() {
      const [one] = cases
      const [position] = one === undefined ? [] : decode(one, one.held).positions
      if (one === undefined || position === undefined) throw new Error("nothing held")
      const context = { user: one.user, ...terms(one.held), spendable: () => 10n ** 12n, withoutRewards: false }
      const exit = yield* (yield* registry(entriesOf(one.held, { calls: 0 }), one.held, one.protocol)).exit(one.held, position, context)
      assert.deepStrictEqual(exit._tag === "Calls" ? exit.calls.map((call) => call.function) : exit, ["submit", "claim"])
      const failed = yield* Effect.flip(
        (yield* registry(entriesOf(one.held, { calls: 0 }, () => true), one.held, one.protocol)).exit(one.held, position, context)
      )
      assert.strictEqual(failed._tag, "NetworkUnavailable")
    }))
})
