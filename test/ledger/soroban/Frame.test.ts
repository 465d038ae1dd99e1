import { assert, describe, it } from "@effect/vitest"
import { xdr } from "@stellar/stellar-sdk"
import { newEntry } from "../../../src/ledger/entries/LedgerEntry.ts"
import { idOf as idOfKey } from "../../../src/ledger/EntryId.ts"
import { LedgerState } from "../../../src/ledger/LedgerState.ts"
import { contractFunction, type ContractModel, registerContracts } from "../../../src/ledger/soroban/Contract.ts"
import { contractData, contractIdOf } from "../../../src/ledger/soroban/ContractEntries.ts"
import { frameOf } from "../../../src/ledger/soroban/Frame.ts"
import { ttlEntry } from "../../../src/ledger/soroban/Life.ts"
import type { Storage } from "../../../src/ledger/soroban/Storage.ts"
import { accountAddress, addressVal, contractAddress, symbol, u32, vec, voidVal } from "../../../src/ledger/soroban/Values.ts"
import { assetContractEntries, contractEntries } from "../../../src/sandbox/contracts/Deployment.ts"
import { instanceVal, keyOfCode, keyOfContractData, keyOfInstance } from "../../../src/xdr/LedgerKeys.ts"
import { assetOf } from "../support/Bodies.ts"
import { idOf, networkId, networkPassphrase, World } from "../support/World.ts"
import { callOf, madeBy } from "./support/Agreements.ts"
import { contract, wasmHash } from "./support/Entries.ts"
import { refusalOf, trapped } from "./support/HostErrors.ts"
import { machineOver, recordingFor } from "./support/Machines.ts"

const world = new World()
const [issuer, source] = [world.account(), world.account()]
const hash = Buffer.from(wasmHash, "hex")
const [a, b, c] = [symbol("a"), symbol("b"), symbol("c")]
const { header } = world

/** Keeps what it is made with. */
const child: ContractModel = {
  functions: {
    __constructor: contractFunction(["value", "value"], (host, [one, two]) => {
      host.persistent.set(a, vec(one, two))
      return voidVal
    })
  }
}

const deployed = (storage: ReadonlyArray<readonly [xdr.ScVal, xdr.ScVal]> = []): ReadonlyArray<xdr.LedgerEntry> =>
  contractEntries(contract, wasmHash, storage, header.ledgerSeq + 100)

/** The frame of a call of a contract on a ledger with some entries. */
const frameOver = (entries: ReadonlyArray<xdr.LedgerEntry>, address = contract) => {
  const contracts = registerContracts([{ model: child, wasmHashes: [wasmHash] }])
  const authorization = recordingFor(accountAddress(idOf(source)))
  const engine = machineOver({ state: LedgerState.make(header, entries) }, { contracts, authorization })
  const { meter, storage } = engine
  const frame = frameOf(engine, address, "work", [u32(1), u32(2)])
  const lifeOf = (key: xdr.LedgerKey) => storage.final().find((each) => idOfKey(each.key) === idOfKey(key))?.living?.liveUntil
  const charged = (work: () => unknown): number => {
    const before = meter.used
    work()
    return meter.used - before
  }
  return { frame, engine, storage, charged, lifeOf }
}

describe("what a contract sees of the ledger", () => {
  it("is its own address and the header", () => {
    const { engine, frame } = frameOver(deployed())
    assert.strictEqual(frame.engine, engine)
    assert.strictEqual(frame.address, contract)
    assert.deepStrictEqual(frame.ledger, {
      sequence: header.ledgerSeq,
      timestamp: header.closeTime,
      protocolVersion: header.ledgerVersion,
      networkId,
      maxLiveUntil: header.ledgerSeq + 3_110_399
    })
  })
})

describe("entries of a contract", () => {
  for (const [durability, least] of [["persistent", 120_959], ["temporary", 719]] as const) {
    const key = keyOfContractData(contract, a, durability)

    it(`that are ${durability} are had, set and removed`, () => {
      const { frame, lifeOf, storage } = frameOver([])
      const store = frame[durability]
      assert.deepStrictEqual([store.has(a), store.get(a)], [false, undefined])
      store.set(a, u32(1))
      store.set(b, u32(2))
      assert.deepStrictEqual([store.has(a), store.get(a), store.has(b), store.get(b)], [true, u32(1), true, u32(2)])
      assert.deepStrictEqual(storage.get(key)?.data, contractData(contract, a, durability, u32(1)))
      assert.strictEqual(lifeOf(key), header.ledgerSeq + least)
      store.extend(a, 200_000, 300_000)
      assert.strictEqual(lifeOf(key), header.ledgerSeq + 300_000)
      store.remove(a)
      assert.deepStrictEqual([store.has(a), store.get(a), store.has(b)], [false, undefined, true])
    })

    it(`that are ${durability} cost as much for each use`, () => {
      const { charged, frame } = frameOver([])
      const store = frame[durability]
      const uses = [
        () => store.set(a, u32(1)),
        () => store.get(a),
        () => store.has(a),
        () => store.extend(a, 1, 2),
        () => store.remove(a)
      ]
      assert.deepStrictEqual(uses.map(charged), uses.map(() => 12_000))
    })
  }

  it("are two under one key of both durabilities", () => {
    const { frame } = frameOver([])
    frame.persistent.set(a, u32(1))
    assert.isFalse(frame.temporary.has(a))
    frame.temporary.set(a, u32(2))
    frame.persistent.remove(a)
    assert.deepStrictEqual([frame.persistent.get(a), frame.temporary.get(a)], [undefined, u32(2)])
  })
})

describe("data in the instance", () => {
  const storedIn = (storage: Storage): xdr.ScContractInstance => {
    const { data } = storage.require(keyOfInstance(contract))
    assert(data.type === "contractData" && data.contractData.val.type === "scvContractInstance")
    assert.deepStrictEqual([data.contractData.key, data.contractData.durability.name], [instanceVal, "persistent"])
    return data.contractData.val.instance
  }
  const pairsIn = (storage: Storage) => storedIn(storage).storage?.map(({ key, val }) => [key, val])

  it("is had, set in the order of keys, replaced and removed", () => {
    const { frame, storage } = frameOver(deployed([[b, u32(2)]]))
    assert.deepStrictEqual([a, b].map((key) => frame.instance.has(key)), [false, true])
    assert.deepStrictEqual([a, b].map((key) => frame.instance.get(key)), [undefined, u32(2)])
    frame.instance.set(c, u32(3))
    frame.instance.set(a, u32(1))
    assert.deepStrictEqual(pairsIn(storage), [[a, u32(1)], [b, u32(2)], [c, u32(3)]])
    frame.instance.set(b, u32(9))
    assert.deepStrictEqual(pairsIn(storage), [[a, u32(1)], [b, u32(9)], [c, u32(3)]])
    frame.instance.remove(a)
    assert.deepStrictEqual([a, b, c].map((key) => frame.instance.has(key)), [false, true, true])
    assert.deepStrictEqual(pairsIn(storage), [[b, u32(9)], [c, u32(3)]])
    assert.deepStrictEqual(storedIn(storage).executable, xdr.ContractExecutable.contractExecutableWasm(hash))
  })

  it("begins in an instance that has no storage at all", () => {
    const bare = new xdr.ScContractInstance({ executable: xdr.ContractExecutable.contractExecutableWasm(hash), storage: null })
    const instance = newEntry(contractData(contract, instanceVal, "persistent", xdr.ScVal.scvContractInstance(bare)))
    const { frame, storage } = frameOver([...deployed(), instance])
    assert.deepStrictEqual([frame.instance.has(a), frame.instance.get(a)], [false, undefined])
    frame.instance.set(a, u32(1))
    assert.deepStrictEqual(pairsIn(storage), [[a, u32(1)]])
    frame.instance.remove(a)
    assert.deepStrictEqual(pairsIn(storage), [])
  })
})

describe("the life of an instance", () => {
  it("is extended with that of its code, each by what it has left", () => {
    const code = keyOfCode(hash)
    const longer = ttlEntry(code, header.ledgerSeq + 150)
    const { frame, lifeOf } = frameOver([...deployed(), longer])
    frame.extendInstance(149, 500)
    assert.deepStrictEqual([keyOfInstance(contract), code].map(lifeOf), [header.ledgerSeq + 500, header.ledgerSeq + 150])
    frame.extendInstance(500, 600)
    assert.deepStrictEqual([keyOfInstance(contract), code].map(lifeOf), [header.ledgerSeq + 600, header.ledgerSeq + 600])
  })

  it("is alone where the contract is built in", () => {
    const usd = assetOf(issuer)
    const entries = assetContractEntries(usd, networkPassphrase, header.ledgerSeq + 100)
    const [instance] = entries
    assert(instance?.data.type === "contractData")
    const { contract: address } = instance.data.contractData
    const { frame, lifeOf, storage } = frameOver(entries, address)
    frame.extendInstance(100, 500)
    assert.strictEqual(lifeOf(keyOfInstance(address)), header.ledgerSeq + 500)
    assert.strictEqual(storage.final().length, 1)
  })
})

describe("what a contract does beside its data", () => {
  it("needs agreement to its call, with the arguments it was given or with others", () => {
    for (const [agreed, args] of [[undefined, [u32(1), u32(2)]], [[u32(3)], [u32(3)]], [[], []]] as const) {
      const { charged, engine, frame } = frameOver(deployed())
      const who = accountAddress(idOf(source))
      assert.strictEqual(charged(() => engine.inFrame(contract, () => frame.requireAuth(who, agreed))), 15_000)
      const [found] = engine.authorization.recorded(false)
      assert.deepStrictEqual(
        found?.rootInvocation.function.toXdr("base64"),
        callOf(contract, "work", args).toXdr("base64")
      )
    }
  })

  it("makes a contract of its own under a salt, with arguments for its constructor", () => {
    const { engine, frame } = frameOver(deployed())
    const salt = new Uint8Array(32).fill(5)
    const made = engine.inFrame(contract, () => frame.deploy(salt, hash, u32(4), addressVal(contract)))
    assert.deepStrictEqual(made, contractAddress(contractIdOf(madeBy(contract, salt), networkId)))
    assert.deepStrictEqual(engine.instanceOf(made).executable, xdr.ContractExecutable.contractExecutableWasm(hash))
    const kept = engine.storage.require(keyOfContractData(made, a, "persistent")).data
    assert.deepStrictEqual(kept, contractData(made, a, "persistent", vec(u32(4), addressVal(contract))))
  })

  it("emits in its own name, and is charged for that and for its own work", () => {
    const { charged, engine, frame } = frameOver(deployed())
    assert.strictEqual(charged(() => frame.emit([a], u32(1))), 10_000)
    assert.strictEqual(charged(() => frame.charge(123)), 123)
    const [event] = engine.journal.events()
    assert.deepStrictEqual([event?.contractId, event?.body.v0.topics, event?.body.v0.data], [contract.value, [a], u32(1)])
  })

  it("fails with a number of its own, or as code that traps", () => {
    const { frame } = frameOver(deployed())
    assert.strictEqual(refusalOf(() => frame.fail(42)), "HostError: Error(Contract, #42): failing with contract error")
    assert.strictEqual(refusalOf(() => frame.trap()), trapped)
  })
})
