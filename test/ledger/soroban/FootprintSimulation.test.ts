import { assert, describe, it } from "@effect/vitest"
import type { xdr } from "@stellar/stellar-sdk"
import { contractFunction, type ContractModel } from "../../../src/ledger/soroban/Contract.ts"
import { entrySize } from "../../../src/ledger/soroban/EntrySize.ts"
import {
  type ExtensionSimulation,
  simulateAfterRestore,
  simulateExtension,
  simulateRestore,
  withRestored
} from "../../../src/ledger/soroban/FootprintSimulation.ts"
import { ttlKeyOf } from "../../../src/ledger/soroban/Life.ts"
import type { RentChange } from "../../../src/ledger/soroban/ResourceFee.ts"
import { type Settings, settingsOf } from "../../../src/ledger/soroban/Settings.ts"
import { transactionData } from "../../../src/ledger/soroban/SimulatedResources.ts"
import { type SimulatedCall, simulateInvocation, type SimulationOptions } from "../../../src/ledger/soroban/Simulation.ts"
import { symbol, u32, vec } from "../../../src/ledger/soroban/Values.ts"
import { codeEntries, dataEntries } from "../../../src/sandbox/contracts/Deployment.ts"
import { accountKey, type Durability, keyOfCode, keyOfInstance } from "../../../src/xdr/LedgerKeys.ts"
import { extend, restore } from "../support/Bodies.ts"
import { idOf, networkPassphrase } from "../support/World.ts"
import { coreTestSettings } from "./CoreSettings.ts"
import { ContractWorld, recording } from "./support/ContractWorld.ts"
import { keyNamed } from "./support/Entries.ts"
import { resourcesOver } from "./support/Resources.ts"

/** Reads two of its entries, or fails. */
const reader: ContractModel = {
  functions: {
    read: contractFunction(
      ["symbol", "symbol"],
      ({ persistent }, [one, two]) => vec(...[one, two].flatMap((name) => persistent.get(symbol(name)) ?? []))
    ),
    fail: contractFunction([], (host) => host.fail(7))
  }
}

const now = 1_000

/** Where persistent entries live 20 ledgers at least, temporary ones 16. */
const setUp = () => {
  const world = new ContractWorld(reader)
  world.put(...coreTestSettings)
  const alice = world.account()
  const contract = world.deploy(reader)
  world.put(...codeEntries(world.hashOf(reader), world.ledgerSeq + 1_000_000, new Uint8Array(20_000)))
  const key = (name: string, durability?: Durability) => keyNamed(name, durability, contract)
  const put = (name: string, liveUntil: number, durability: Durability = "persistent") => {
    world.put(...dataEntries(contract, [symbol(name), u32(5)], durability, liveUntil))
    return key(name, durability)
  }
  const sizeOf = (key: xdr.LedgerKey): number => entrySize(world.state.get(key) ?? assert.fail("no entry"))
  const settings: Settings = settingsOf((id) => world.state.find(id))
  return { world, alice, contract, keyNamed: key, put, sizeOf, settings, code: keyOfCode(Buffer.from(world.hashOf(reader), "hex")) }
}
type Scene = ReturnType<typeof setUp>

/** What extending these entries must come to, in the order of the footprint. */
const extension = ({ settings }: Scene, extendTo: number, keys: Array<xdr.LedgerKey>, rent: ReadonlyArray<RentChange>) =>
  transactionData({
    settings,
    ledgerSeq: now,
    body: extend(extendTo),
    resources: resourcesOver(keys, []),
    archived: [],
    rent,
    eventBytes: 0,
    isRestore: false
  })

/** What restoring these entries must come to, in the order of the footprint. */
const restoration = ({ code, settings, sizeOf }: Scene, ...keys: Array<xdr.LedgerKey>) => {
  const size = keys.reduce((sum, key) => sum + sizeOf(key), 0)
  return transactionData({
    settings,
    ledgerSeq: now,
    body: restore,
    resources: resourcesOver([], keys, { diskReadBytes: size, writeBytes: size }),
    archived: [],
    rent: keys.map((key) => ({
      durability: "persistent",
      isCode: key === code,
      oldSize: 0,
      newSize: sizeOf(key),
      oldLiveUntil: 0,
      newLiveUntil: now + 19
    })),
    eventBytes: 0,
    isRestore: true
  })
}

const extended = ({ code, sizeOf }: Scene, key: xdr.LedgerKey, oldLiveUntil: number, newLiveUntil: number): RentChange => ({
  durability: key.type === "contractData" ? key.contractData.durability.name : "persistent",
  isCode: key === code,
  oldSize: sizeOf(key),
  newSize: sizeOf(key),
  oldLiveUntil,
  newLiveUntil
})

const without = (extensionOf: ExtensionSimulation["extension"]) => ({ extension: extensionOf, restore: undefined })

describe("a simulated extension", () => {
  it("is refused for keys of entries that pay no rent", () => {
    const { alice, put, world } = setUp()
    const classic = accountKey(alice.publicKey())
    const refused = without({ error: "only entries with TTL (contract data or code entries) can have it extended" })
    assert.deepStrictEqual([[classic], [put("a", now), classic]].map((keys) => simulateExtension(world.state, keys, 50)), [
      refused,
      refused
    ])
  })

  it("is empty for no keys, for keys of missing entries, and for temporary entries that are over", () => {
    const scene = setUp()
    const { keyNamed, put, world } = scene
    const nothing = without(extension(scene, 50, [], []))
    assert.deepStrictEqual(simulateExtension(world.state, [], 50), nothing)
    const lost = put("a", now - 1, "temporary")
    assert.deepStrictEqual(simulateExtension(world.state, [keyNamed("z"), lost], 50), nothing)
  })

  it("is of data, temporary data and code, each at its rent, with the keys in their order", () => {
    const scene = setUp()
    const { code, put, world } = scene
    const [b, a, lent] = [put("b", now + 10), put("a", now), put("a", now, "temporary")]
    world.liveUntil(code, now + 30)
    const rent = [[code, now + 30], [b, now + 10], [lent, now], [a, now]] as const
    assert.deepStrictEqual(
      simulateExtension(world.state, rent.map(([key]) => key), 50),
      without(extension(scene, 50, [lent, a, b, code], rent.map(([key, old]) => extended(scene, key, old, now + 50))))
    )
  })

  it("leaves out what lives as long already", () => {
    const scene = setUp()
    const { put, world } = scene
    const keys = [put("a", now + 51), put("b", now + 50), put("c", now + 49)]
    assert.deepStrictEqual(
      simulateExtension(world.state, keys, 50),
      without(extension(scene, 50, keys.slice(2), keys.slice(2).map((key) => extended(scene, key, now + 49, now + 50))))
    )
  })

  it("is of archived entries as if they were restored, and says what restores them", () => {
    const scene = setUp()
    const { code, put, world } = scene
    const [b, a, live] = [put("b", now - 1), put("a", now - 500), put("c", now)]
    world.liveUntil(code, now - 1)
    const keys = [code, b, live, a]
    const restore = restoration(scene, a, b, code)
    const changes = [code, b, a].map((key) => extended(scene, key, now + 19, now + 20))
    assert.deepStrictEqual(simulateExtension(world.state, keys, 20), {
      extension: extension(scene, 20, [a, b, live, code], [...changes, extended(scene, live, now, now + 20)]),
      restore
    })
    assert.deepStrictEqual(simulateExtension(world.state, keys, 19), {
      extension: extension(scene, 19, [live], [extended(scene, live, now, now + 19)]),
      restore
    })
  })
})

describe("a simulated restoration", () => {
  it("is refused for keys of classic and of temporary entries", () => {
    const { alice, put, world } = setUp()
    const refused = { error: "Only persistent ledger entries with TTL can be restored." }
    for (const key of [put("a", now, "temporary"), accountKey(alice.publicKey())]) {
      assert.deepStrictEqual(simulateRestore(world.state, [put("b", now - 1), key]), refused)
    }
  })

  it("is refused where an entry is missing", () => {
    const { keyNamed, put, world } = setUp()
    const missing = { error: "Missing entry to restore" }
    assert.deepStrictEqual(simulateRestore(world.state, [keyNamed("z"), put("a", now - 1)]), missing)
    world.state = world.state.delete([ttlKeyOf(keyNamed("a"))])
    assert.deepStrictEqual(simulateRestore(world.state, [keyNamed("a")]), missing)
  })

  it("is of what is archived, with the keys in their order", () => {
    const scene = setUp()
    const { code, put, world } = scene
    const [b, live, a] = [put("b", now - 1), put("c", now), put("a", now - 1)]
    world.liveUntil(code, now - 1)
    assert.deepStrictEqual(simulateRestore(world.state, [code, b, live, a]), restoration(scene, a, b, code))
    assert.deepStrictEqual(simulateRestore(world.state, [live]), restoration(scene))
    assert.deepStrictEqual(simulateRestore(world.state, []), restoration(scene))
  })
})

it("restored entries live again as long as they must, and nothing else changes", () => {
  const { keyNamed, put, world } = setUp()
  const keys = [put("a", now - 1), put("b", now - 500)]
  const other = put("c", now - 1)
  const before = world.state
  world.state = withRestored(before, keys)
  assert.deepStrictEqual([...keys, other].map((key) => world.lifeOf(key)), [now + 19, now + 19, now - 1])
  assert.deepStrictEqual([...keys, other].map((key) => world.state.get(key)), [...keys, other].map((key) => before.get(key)))
  world.state = before
  assert.strictEqual(world.lifeOf(keyNamed("a")), now - 1)
})

describe("a call simulated after what it needs is restored", () => {
  const called = ({ alice, contract, world }: Scene, fn: string, ...args: ReadonlyArray<xdr.ScVal>) => {
    const options: SimulationOptions = {
      networkPassphrase,
      contracts: world.options.contracts,
      authorization: recording
    }
    const call = [world.operation(contract, fn, args), idOf(alice), options] as const
    return {
      after: simulateAfterRestore(world.state, ...call),
      plain: simulateInvocation(world.state, ...call),
      restored: (keys: ReadonlyArray<xdr.LedgerKey>) => simulateInvocation(withRestored(world.state, keys), ...call)
    }
  }
  const [a, b] = [symbol("a"), symbol("b")]

  it("is the plain call where nothing is archived, and where it fails", () => {
    const scene = setUp()
    scene.put("a", now)
    for (const { after, plain } of [called(scene, "read", a, b), called(scene, "fail")]) {
      assert.deepStrictEqual(after, { simulated: plain })
    }
  })

  it("runs on a ledger with those entries restored, and comes with that restoration", () => {
    const scene = setUp()
    const { code, contract, put, world } = scene
    const [archivedB, archivedA] = [put("b", now - 1), put("a", now - 1)]
    world.liveUntil(code, now - 1)
    const keys = [archivedA, archivedB, code]
    const { after, plain, restored } = called(scene, "read", b, a)
    assert.deepStrictEqual(after, { simulated: restored(keys), restore: restoration(scene, ...keys) })
    const dataOf = (simulated: SimulatedCall | object) => ("estimate" in simulated ? simulated.estimate.data : assert.fail("failed"))
    assert.deepStrictEqual([dataOf(plain), dataOf(after.simulated)].map(({ ext }) => ext.type), ["resourceExt", "v0"])
    const { footprint } = dataOf(after.simulated).resources
    assert.deepStrictEqual([footprint.readOnly, footprint.readWrite], [[archivedA, archivedB, keyOfInstance(contract), code], []])
  })
})
