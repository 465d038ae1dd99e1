import { assert, describe, it } from "@effect/vitest"
import { type Keypair, xdr } from "@stellar/stellar-sdk"
import type { AppliedTransaction } from "../../../src/ledger/Apply.ts"
import { contractFunction, type ContractModel } from "../../../src/ledger/soroban/Contract.ts"
import { entrySize } from "../../../src/ledger/soroban/EntrySize.ts"
import { simulateExtension, simulateRestore } from "../../../src/ledger/soroban/FootprintSimulation.ts"
import { rentFee } from "../../../src/ledger/soroban/ResourceFee.ts"
import { testNetworkSettings } from "../../../src/ledger/soroban/Settings.ts"
import { symbol, u32, voidVal } from "../../../src/ledger/soroban/Values.ts"
import { dataEntries } from "../../../src/sandbox/contracts/Deployment.ts"
import { accountKey, keyOfCode, keyOfContractData, keyOfInstance } from "../../../src/xdr/LedgerKeys.ts"
import { extend, restore } from "../support/Bodies.ts"
import { codesOf } from "../support/World.ts"
import { ample, ContractWorld, lostFee, withResources } from "./support/ContractWorld.ts"

/** Stores a number under a name, in either kind of entry. */
const keeper: ContractModel = {
  functions: {
    put: contractFunction(["symbol", "u32"], (host, [name, value]) => {
      host.persistent.set(symbol(name), u32(value))
      return voidVal
    }),
    get: contractFunction(["symbol"], (host, [name]) => host.persistent.get(symbol(name)) ?? voidVal),
    drop: contractFunction(["symbol"], (host, [name]) => {
      host.persistent.remove(symbol(name))
      return voidVal
    }),
    lend: contractFunction(["symbol", "u32"], (host, [name, value]) => {
      host.temporary.set(symbol(name), u32(value))
      return voidVal
    }),
    lent: contractFunction(["symbol"], (host, [name]) => host.temporary.get(symbol(name)) ?? voidVal),
    keep: contractFunction(["symbol", "u32", "u32"], (host, [name, threshold, extendTo]) => {
      host.persistent.extend(symbol(name), threshold, extendTo)
      return voidVal
    }),
    hold: contractFunction(["symbol", "u32", "u32"], (host, [name, threshold, extendTo]) => {
      host.temporary.extend(symbol(name), threshold, extendTo)
      return voidVal
    })
  }
}

const [a, b] = [symbol("a"), symbol("b")]

const setUp = () => {
  const world = new ContractWorld(keeper)
  const alice = world.account()
  const contract = world.deploy(keeper)
  const keyA = keyOfContractData(contract, a, "persistent")
  const keyB = keyOfContractData(contract, b, "persistent")
  const lent = keyOfContractData(contract, a, "temporary")
  world.put(
    ...dataEntries(contract, [a, u32(1)], "persistent", world.ledgerSeq + 10),
    ...dataEntries(contract, [b, u32(2)], "persistent", world.ledgerSeq + 1_000_000),
    ...dataEntries(contract, [a, u32(3)], "temporary", world.ledgerSeq + 10)
  )
  return { world, alice, contract, keyA, keyB, lent }
}

const leastPersistent = 120_960
const leastTemporary = 720

const told = (changes: ReadonlyArray<xdr.LedgerEntryChange>) =>
  changes.map((change) => [change.type, change.type === "ledgerEntryRemoved" ? "key" : change.value.data.type])

const run = (world: ContractWorld, source: Keypair, body: xdr.OperationBody, data: xdr.SorobanTransactionData) =>
  world.submit(world.envelope(source, body, data))

const rentIn = ({ receipt }: AppliedTransaction): bigint | undefined => {
  const meta = receipt?.toMeta().ext
  return meta?.type === "v1" ? meta.v1.rentFeeCharged : undefined
}

describe("lives", () => {
  it("new entries live as long as they must", () => {
    const { alice, contract, lent, world } = setUp()
    world.call(alice, contract, "put", symbol("c"), u32(1))
    assert.strictEqual(world.lifeOf(keyOfContractData(contract, symbol("c"), "persistent")), world.ledgerSeq + leastPersistent - 1)
    world.next(20)
    world.call(alice, contract, "lend", a, u32(9))
    assert.strictEqual(world.lifeOf(lent), world.ledgerSeq + leastTemporary - 1, "an entry that is over is made anew")
  })

  it("a changed entry keeps its life", () => {
    const { alice, contract, keyB, world } = setUp()
    const before = world.lifeOf(keyB)
    world.call(alice, contract, "put", b, u32(7))
    assert.strictEqual(world.lifeOf(keyB), before)
    assert.deepStrictEqual(world.valueOf(keyB), u32(7))
  })

  it("a removed entry takes its life with it", () => {
    const { alice, contract, keyB, world } = setUp()
    world.call(alice, contract, "drop", b)
    assert.isUndefined(world.state.get(keyB))
    assert.isUndefined(world.lifeOf(keyB))
  })

  it("is extended below the threshold only, never shortened, and cut to the longest there is", () => {
    const { alice, contract, keyA, keyB, world } = setUp()
    world.call(alice, contract, "keep", a, u32(5), u32(100))
    assert.strictEqual(world.lifeOf(keyA), 1_000 + 10, "it lives longer than the threshold")
    world.call(alice, contract, "keep", a, u32(50), u32(100))
    assert.strictEqual(world.lifeOf(keyA), world.ledgerSeq + 100)
    world.call(alice, contract, "keep", b, u32(2_000_000), u32(2_000_000))
    assert.strictEqual(world.lifeOf(keyB), world.ledgerSeq + 2_000_000)
    world.call(alice, contract, "keep", b, u32(9_000_000), u32(9_000_000))
    assert.strictEqual(world.lifeOf(keyB), world.ledgerSeq + 3_110_400 - 1)
    assert.strictEqual(world.refusal(alice, contract, "keep", a, u32(2), u32(1)), "Error(Storage, InvalidInput)")
    assert.strictEqual(world.refusal(alice, contract, "hold", a, u32(9_000_000), u32(9_000_000)), "Error(Storage, InvalidAction)")
    assert.strictEqual(world.refusal(alice, contract, "keep", symbol("z"), u32(1), u32(1)), "Error(Storage, MissingValue)")
  })

  it("a read-only entry may be extended and pays rent", () => {
    const { alice, contract, keyA, world } = setUp()
    const { estimate } = world.succeedSimulating(alice, contract, "keep", a, u32(50), u32(1_000_000))
    assert.deepStrictEqual(estimate.data.resources.footprint.readWrite, [])
    const applied = world.call(alice, contract, "keep", a, u32(50), u32(1_000_000))
    assert.deepStrictEqual(told(applied.meta.operations[0] ?? []), [["ledgerEntryState", "ttl"], ["ledgerEntryUpdated", "ttl"]])
    assert.strictEqual(world.lifeOf(keyA), world.ledgerSeq + 1_000_000)
    const meta = applied.receipt?.toMeta().ext
    assert.isAbove(Number(meta?.type === "v1" ? meta.v1.rentFeeCharged : 0n), 0)
  })
})

describe("archived entries", () => {
  it("sink a call that does not bring them back", () => {
    const { alice, contract, world } = setUp()
    const sent = world.callEnvelope(alice, contract, "get", [a])
    world.next(20)
    assert.deepStrictEqual(codesOf(world.submit(sent)), ["txFailed", "invokeHostFunctionEntryArchived"])
  })

  it("cannot be brought back to be read only", () => {
    const { alice, contract, keyA, world } = setUp()
    world.next(20)
    const { estimate } = world.succeedSimulating(alice, contract, "get", a)
    const { footprint } = estimate.data.resources
    const data = withResources(estimate.data, {
      readOnly: [...footprint.readOnly, keyA],
      readWrite: footprint.readWrite.filter((key) => key.toXdr("base64") !== keyA.toXdr("base64")),
      archived: [],
      resourceFee: 10n ** 7n
    })
    const body = xdr.OperationBody.invokeHostFunction(world.operation(contract, "get", [a]))
    assert.deepStrictEqual(codesOf(run(world, alice, body, data)), ["txFailed", "invokeHostFunctionEntryArchived"])
  })

  it("come back by the call that names them, and live as long as they must", () => {
    const { alice, contract, keyA, world } = setUp()
    world.next(20)
    const simulated = world.succeedSimulating(alice, contract, "get", a)
    assert.deepStrictEqual(simulated.returnValue, u32(1))
    assert.strictEqual(simulated.estimate.data.ext.type, "resourceExt")
    assert.isAbove(simulated.estimate.data.resources.diskReadBytes, 0)
    const applied = world.call(alice, contract, "get", a)
    assert.strictEqual(world.lifeOf(keyA), world.ledgerSeq + leastPersistent - 1)
    assert.deepStrictEqual(told(applied.meta.operations[0] ?? []), [["ledgerEntryRestored", "contractData"], [
      "ledgerEntryRestored",
      "ttl"
    ]])
  })

  it("come back and are changed in one call, told as both", () => {
    const { alice, contract, keyA, world } = setUp()
    world.next(20)
    const applied = world.call(alice, contract, "put", a, u32(5))
    assert.deepStrictEqual(told(applied.meta.operations[0] ?? []), [
      ["ledgerEntryRestored", "contractData"],
      ["ledgerEntryUpdated", "contractData"],
      ["ledgerEntryRestored", "ttl"]
    ])
    assert.deepStrictEqual(world.valueOf(keyA), u32(5))
  })

  it("include contracts and their code", () => {
    const { alice, contract, world } = setUp()
    const [instance, code] = [keyOfInstance(contract), keyOfCode(Buffer.from(world.hashOf(keeper), "hex"))]
    for (const key of [instance, code]) world.liveUntil(key, world.ledgerSeq - 1)
    const { estimate } = world.succeedSimulating(alice, contract, "get", b)
    assert.deepStrictEqual(estimate.data.resources.footprint.readWrite.map(({ type }) => type), ["contractData", "contractCode"])
    world.call(alice, contract, "get", b)
    assert.deepStrictEqual(
      [instance, code].map((key) => world.lifeOf(key)),
      [leastPersistent, leastPersistent].map((life) => world.ledgerSeq + life - 1)
    )
  })

  it("are not what temporary entries become", () => {
    const { alice, contract, lent, world } = setUp()
    assert.deepStrictEqual(world.read(alice, contract, "lent", a), u32(3))
    const sent = world.callEnvelope(alice, contract, "lent", [a])
    world.next(20)
    assert.deepStrictEqual(world.read(alice, contract, "lent", a), voidVal)
    assert.deepStrictEqual(codesOf(world.submit(sent)), ["txSuccess", "invokeHostFunctionSuccess"])
    assert.deepStrictEqual(simulateRestore(world.state, [lent]), { error: "Only persistent ledger entries with TTL can be restored." })
  })
})

describe("RESTORE_FOOTPRINT", () => {
  it("brings back what is archived, and passes over the rest", () => {
    const { alice, contract, keyA, keyB, world } = setUp()
    world.next(20)
    const missing = keyOfContractData(contract, symbol("z"), "persistent")
    const [lifeB, modified] = [world.lifeOf(keyB), world.state.get(keyA)?.lastModifiedLedgerSeq]
    const applied = run(world, alice, restore, ample([], [keyA, keyB, missing]))
    assert.deepStrictEqual(codesOf(applied), ["txSuccess", "restoreFootprintSuccess"])
    assert.strictEqual(world.lifeOf(keyA), world.ledgerSeq + leastPersistent - 1)
    assert.strictEqual(world.lifeOf(keyB), lifeB)
    assert.strictEqual(world.state.get(keyA)?.lastModifiedLedgerSeq, modified, "only its life changed")
    assert.deepStrictEqual(told(applied.meta.operations[0] ?? []), [["ledgerEntryRestored", "ttl"], [
      "ledgerEntryRestored",
      "contractData"
    ]])
  })

  it("is malformed over anything else", () => {
    const { alice, keyA, lent, world } = setUp()
    const malformed = ["txFailed", "restoreFootprintMalformed"]
    for (const data of [ample([keyA], []), ample([], [keyA, lent]), ample([], [accountKey(alice.publicKey())])]) {
      assert.deepStrictEqual(world.check(world.envelope(alice, restore, data)), malformed)
      assert.deepStrictEqual(codesOf(run(world, alice, restore, data)), malformed)
    }
  })

  it("needs bytes and rent for what it brings back", () => {
    const { alice, keyA, world } = setUp()
    world.next(20)
    const limited = ["txFailed", "restoreFootprintResourceLimitExceeded"]
    assert.deepStrictEqual(codesOf(run(world, alice, restore, withResources(ample([], [keyA]), { writeBytes: 1 }))), limited)
    assert.deepStrictEqual(codesOf(run(world, alice, restore, withResources(ample([], [keyA]), { diskReadBytes: 1 }))), limited)
    const simulated = simulateRestore(world.state, [keyA])
    assert("data" in simulated)
    const short = withResources(simulated.data, { resourceFee: lostFee(world.envelope(alice, restore, simulated.data)) + 1n })
    assert.deepStrictEqual(codesOf(run(world, alice, restore, short)), ["txFailed", "restoreFootprintInsufficientRefundableFee"])
    assert.deepStrictEqual(codesOf(run(world, alice, restore, simulated.data)), ["txSuccess", "restoreFootprintSuccess"])
  })

  it("needs bytes for all that it brings back, and rent for each at its price", () => {
    const { alice, keyA, keyB, world } = setUp()
    const code = keyOfCode(Buffer.from(world.hashOf(keeper), "hex"))
    const keys = [keyA, keyB, code]
    for (const key of keys) world.liveUntil(key, world.ledgerSeq - 1)
    const sizes = keys.map((key) => entrySize(world.state.get(key) ?? assert.fail("no entry")))
    const bytes = sizes.reduce((sum, size) => sum + size, 0)
    const within = (diskReadBytes: number, writeBytes: number) =>
      run(world, alice, restore, withResources(ample([], keys), { diskReadBytes, writeBytes }))
    for (const applied of [within(bytes - 1, bytes), within(bytes, bytes - 1)]) {
      assert.deepStrictEqual(codesOf(applied), ["txFailed", "restoreFootprintResourceLimitExceeded"])
    }
    const changes = keys.map((key, at) => ({
      durability: "persistent" as const,
      isCode: key === code,
      oldSize: 0,
      newSize: sizes[at]!,
      oldLiveUntil: 0,
      newLiveUntil: world.ledgerSeq + leastPersistent
    }))
    assert.strictEqual(rentIn(within(bytes, bytes)), rentFee(changes, testNetworkSettings, world.ledgerSeq))
  })

  it("may carry a memo", () => {
    const { alice, keyA, world } = setUp()
    world.next(20)
    assert.isNull(world.check(world.envelope(alice, restore, ample([], [keyA]), { memo: xdr.Memo.memoId(1n) })))
  })

  it("needs the low threshold of its source, as does EXTEND_FOOTPRINT_TTL", () => {
    const { alice, keyA, world } = setUp()
    for (const [low, outcome] of [[1, null], [2, ["txFailed", "opBadAuth"]]] as const) {
      const bob = world.account(10_000_000_000n, { thresholds: Uint8Array.of(1, low, 3, 3) })
      const shape = { signers: [alice, bob], operationSource: xdr.MuxedAccount.keyTypeEd25519(bob.rawPublicKey()) }
      for (const [body, data] of [[restore, ample([], [keyA])], [extend(10), ample([keyA], [])]] as const) {
        assert.deepStrictEqual(world.check(world.envelope(alice, body, data, shape)), outcome)
      }
    }
  })
})

describe("EXTEND_FOOTPRINT_TTL", () => {
  it("extends what lives, and passes over what is archived, missing or long-lived", () => {
    const { alice, contract, keyA, keyB, lent, world } = setUp()
    const missing = keyOfContractData(contract, symbol("z"), "persistent")
    const lifeB = world.lifeOf(keyB)
    const applied = run(world, alice, extend(5_000), ample([keyA, keyB, lent, missing], []))
    assert.deepStrictEqual(codesOf(applied), ["txSuccess", "extendFootprintTtlSuccess"])
    assert.deepStrictEqual([world.lifeOf(keyA), world.lifeOf(lent), world.lifeOf(keyB)], [
      world.ledgerSeq + 5_000,
      world.ledgerSeq + 5_000,
      lifeB
    ])
    world.next(6_000)
    const before = world.lifeOf(keyA)
    assert.deepStrictEqual(codesOf(run(world, alice, extend(5_000), ample([keyA], []))), ["txSuccess", "extendFootprintTtlSuccess"])
    assert.strictEqual(world.lifeOf(keyA), before)
  })

  it("takes the rent of each entry at its price", () => {
    const { alice, keyA, lent, world } = setUp()
    const code = keyOfCode(Buffer.from(world.hashOf(keeper), "hex"))
    world.liveUntil(code, world.ledgerSeq + 10)
    const changes = [keyA, lent, code].map((key) => {
      const size = entrySize(world.state.get(key) ?? assert.fail("no entry"))
      const durability = key === lent ? "temporary" as const : "persistent" as const
      return { durability, isCode: key === code, oldSize: size, newSize: size, oldLiveUntil: 1_010, newLiveUntil: world.ledgerSeq + 5_001 }
    })
    const applied = run(world, alice, extend(5_000), ample([keyA, lent, code], []))
    assert.strictEqual(rentIn(applied), rentFee(changes, testNetworkSettings, world.ledgerSeq))
  })

  it("leaves an entry alone that lives as long already", () => {
    const { alice, keyA, world } = setUp()
    world.liveUntil(keyA, world.ledgerSeq + 5_001)
    const applied = run(world, alice, extend(5_000), ample([keyA], []))
    assert.deepStrictEqual([rentIn(applied), told(applied.meta.operations[0] ?? [])], [0n, []])
  })

  it("is malformed over entries to be written, classic ones, or for too long", () => {
    const { alice, keyA, world } = setUp()
    const malformed = ["txFailed", "extendFootprintTtlMalformed"]
    assert.deepStrictEqual(world.check(world.envelope(alice, extend(10), ample([], [keyA]))), malformed)
    assert.deepStrictEqual(world.check(world.envelope(alice, extend(10), ample([accountKey(alice.publicKey()), keyA], []))), malformed)
    assert.deepStrictEqual(world.check(world.envelope(alice, extend(3_110_400), ample([keyA], []))), malformed)
    assert.isNull(world.check(world.envelope(alice, extend(3_110_399), ample([keyA], []))))
  })

  it("reaches an entry in the last ledger it lives in, and not after that", () => {
    const { alice, keyA, keyB, world } = setUp()
    const [last, over] = [world.ledgerSeq + 1, world.ledgerSeq]
    world.liveUntil(keyA, last)
    world.liveUntil(keyB, over)
    run(world, alice, extend(5_000), ample([keyA, keyB], []))
    assert.deepStrictEqual([world.lifeOf(keyA), world.lifeOf(keyB)], [last + 5_000, over])
  })

  it("keeps nothing, and brings nothing back, that is larger than entries may be by now", () => {
    const { alice, contract, keyA, world } = setUp()
    const large = keyOfContractData(contract, symbol("large"), "persistent")
    const put = (liveUntil: number): void => {
      world.put(...dataEntries(contract, [symbol("large"), xdr.ScVal.scvBytes(Buffer.alloc(65_536))], "persistent", liveUntil))
    }
    put(world.ledgerSeq + 10)
    assert.deepStrictEqual(codesOf(run(world, alice, extend(5_000), ample([keyA, large], []))), [
      "txFailed",
      "extendFootprintTtlResourceLimitExceeded"
    ])
    put(world.ledgerSeq - 1)
    assert.deepStrictEqual(codesOf(run(world, alice, restore, ample([], [large]))), ["txFailed", "restoreFootprintResourceLimitExceeded"])
  })

  it("is simulated with what must be restored first", () => {
    const { alice, keyA, keyB, world } = setUp()
    const { extension, restore: none } = simulateExtension(world.state, [keyA, keyB], 2_000_000)
    assert(none === undefined && "data" in extension)
    const short = withResources(extension.data, { resourceFee: lostFee(world.envelope(alice, extend(2_000_000), extension.data)) + 1n })
    assert.deepStrictEqual(codesOf(run(world, alice, extend(2_000_000), short)), [
      "txFailed",
      "extendFootprintTtlInsufficientRefundableFee"
    ])
    assert.deepStrictEqual(codesOf(run(world, alice, extend(2_000_000), extension.data)), ["txSuccess", "extendFootprintTtlSuccess"])
    world.liveUntil(keyA, world.ledgerSeq - 1)
    const again = simulateExtension(world.state, [keyA, keyB], 3_000_000)
    assert.deepStrictEqual(again.restore?.data.resources.footprint.readWrite, [keyA])
  })
})
