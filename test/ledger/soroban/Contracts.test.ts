import { assert, describe, it } from "@effect/vitest"
import { xdr } from "@stellar/stellar-sdk"
import { contractFunction, type ContractModel } from "../../../src/ledger/soroban/Contract.ts"
import { addressVal as valOf, asU32, i128, symbol, u32, u64, vec, voidVal } from "../../../src/ledger/soroban/Values.ts"
import { contractEntries } from "../../../src/sandbox/contracts/Deployment.ts"
import { keyOfCode, keyOfInstance } from "../../../src/xdr/LedgerKeys.ts"
import { ContractWorld } from "./support/ContractWorld.ts"
import { contractAt, wasmHash } from "./support/Entries.ts"

const countKey = symbol("COUNT")

/** Counts in its instance, fails on demand, and calls others. */
const counter: ContractModel = {
  functions: {
    add: contractFunction(["u32"], (host, [step]) => {
      const next = asU32(host.instance.get(countKey) ?? u32(0)) + step
      host.instance.set(countKey, u32(next))
      host.emit([symbol("added")], u32(step))
      return u32(next)
    }),
    count: contractFunction([], ({ instance }) => instance.get(countKey) ?? u32(0)),
    clear: contractFunction([], ({ instance }) => {
      instance.remove(countKey)
      return voidVal
    }),
    add_and_fail: contractFunction(["u32", "u32"], (host, [step, code]) => {
      host.instance.set(countKey, u32(step))
      host.emit([symbol("added")], u32(step))
      return host.fail(code)
    }),
    add_and_panic: contractFunction(["u32"], (host, [step]) => {
      host.instance.set(countKey, u32(step))
      return host.trap()
    }),
    attempt: contractFunction(["address", "symbol", "vec"], (host, [other, fn, args]) => vec(host.tryCall(other, fn, ...args))),
    forward: contractFunction(["address", "symbol", "vec"], (host, [other, fn, args]) => {
      host.emit([symbol("before")], voidVal)
      return host.call(other, fn, ...args)
    }),
    now: contractFunction([], ({ ledger }) => vec(u32(ledger.sequence), u64(ledger.timestamp))),
    spin: contractFunction(["u32"], (host, [instructions]) => {
      host.charge(instructions)
      return voidVal
    }),
    overflow: contractFunction([], () => i128(1n << 127n))
  }
}

const twin: ContractModel = { ...counter }

const setUp = () => {
  const world = new ContractWorld(counter, twin)
  return { world, alice: world.account(), contract: world.deploy(counter), other: world.deploy(twin) }
}

const eventNames = (applied: ReturnType<ContractWorld["call"]>) =>
  applied.receipt?.events.map(({ body }) => {
    const [topic] = body.v0.topics
    return topic?.type === "scvSymbol" ? String(topic.sym) : ""
  })

describe("contract models", () => {
  it("keep data in their instance, in the order the host keeps it", () => {
    const { alice, contract, world } = setUp()
    world.call(alice, contract, "add", u32(2))
    world.call(alice, contract, "add", u32(3))
    assert.deepStrictEqual(world.read(alice, contract, "count"), u32(5))
    const value = world.valueOf(keyOfInstance(contract))
    assert(value?.type === "scvContractInstance")
    assert.deepStrictEqual(value.instance.storage?.map(({ key, val }) => [key, val]), [[countKey, u32(5)]])
    world.call(alice, contract, "clear")
    assert.deepStrictEqual(world.read(alice, contract, "count"), u32(0))
  })

  it("see the ledger they run in", () => {
    const { alice, contract, world } = setUp()
    const { closeTime, ledgerSeq } = world.state.header
    assert.deepStrictEqual(world.read(alice, contract, "now"), vec(u32(ledgerSeq), u64(closeTime)))
  })

  it("fail with numbers of their own or with a trap, and leave nothing", () => {
    const { alice, contract, world } = setUp()
    assert.strictEqual(world.refusal(alice, contract, "add_and_fail", u32(9), u32(77)), "Error(Contract, #77)")
    assert.strictEqual(world.refusal(alice, contract, "add_and_panic", u32(9)), "Error(WasmVm, InvalidAction)")
    assert.strictEqual(world.refusal(alice, contract, "overflow"), "Error(WasmVm, InvalidAction)")
    assert.deepStrictEqual(world.read(alice, contract, "count"), u32(0))
  })

  it("are held to their functions, the number of their arguments, and the types", () => {
    const { alice, contract, world } = setUp()
    assert.strictEqual(world.refusal(alice, contract, "subtract"), "Error(WasmVm, MissingValue)")
    assert.strictEqual(world.refusal(alice, contract, "hasOwnProperty"), "Error(WasmVm, MissingValue)")
    assert.strictEqual(world.refusal(alice, contract, "add"), "Error(WasmVm, UnexpectedSize)")
    assert.strictEqual(world.refusal(alice, contract, "add", u64(1n)), "Error(WasmVm, InvalidAction)")
  })

  it("must exist, with code and a model", () => {
    const { alice, world } = setUp()
    const nowhere = contractAt(1)
    assert.strictEqual(world.refusal(alice, nowhere, "count"), "Error(Storage, MissingValue)")
    const blind = new ContractWorld()
    const bob = blind.account()
    blind.put(...contractEntries(nowhere, wasmHash, [], blind.ledgerSeq + 10))
    assert.strictEqual(blind.refusal(bob, nowhere, "count"), "Error(WasmVm, InvalidAction)")
    blind.state = blind.state.delete([keyOfCode(Buffer.from(wasmHash, "hex"))])
    assert.strictEqual(blind.refusal(bob, nowhere, "count"), "Error(Storage, MissingValue)")
  })

  it("cannot be entered again while they run", () => {
    const { alice, contract, other, world } = setUp()
    const back = vec(valOf(contract), symbol("count"), vec())
    assert.strictEqual(world.refusal(alice, contract, "forward", valOf(other), symbol("forward"), back), "Error(Context, InvalidAction)")
    assert.strictEqual(world.refusal(alice, contract, "forward", valOf(contract), symbol("count"), vec()), "Error(Context, InvalidAction)")
  })

  it("spend instructions", () => {
    const { alice, contract, world } = setUp()
    const [little, much] = [u32(1_000), u32(50_000_000)].map((each) => world.succeedSimulating(alice, contract, "spin", each))
    assert.isAbove(
      (much?.estimate.data.resources.instructions ?? 0) - (little?.estimate.data.resources.instructions ?? 0),
      49_000_000
    )
    assert.strictEqual(world.refusal(alice, contract, "spin", u32(500_000_000)), "Error(Budget, ExceededLimit)")
  })
})

describe("calls between contracts", () => {
  it("carry results and events", () => {
    const { alice, contract, other, world } = setUp()
    const applied = world.call(alice, contract, "forward", valOf(other), symbol("add"), vec(u32(4)))
    assert.deepStrictEqual(applied.receipt?.toMeta().returnValue, u32(4))
    assert.deepStrictEqual(eventNames(applied), ["before", "added"])
    assert.deepStrictEqual(world.read(alice, other, "count"), u32(4))
  })

  it("carry errors up as they are", () => {
    const { alice, contract, other, world } = setUp()
    const args = [valOf(other), symbol("add_and_fail"), vec(u32(1), u32(42))]
    assert.strictEqual(world.refusal(alice, contract, "forward", ...args), "Error(Contract, #42)")
  })

  it("undo what a survived failure did, its events included", () => {
    const { alice, contract, other, world } = setUp()
    const applied = world.call(alice, contract, "attempt", valOf(other), symbol("add_and_fail"), vec(u32(1), u32(42)))
    assert.deepStrictEqual(applied.receipt?.toMeta().returnValue, vec(xdr.ScVal.scvError(xdr.ScError.sceContract(42))))
    assert.deepStrictEqual(eventNames(applied), [])
    assert.deepStrictEqual(world.read(alice, other, "count"), u32(0))
    const panicked = world.call(alice, contract, "attempt", valOf(other), symbol("add_and_panic"), vec(u32(1)))
    assert.deepStrictEqual(
      panicked.receipt?.toMeta().returnValue,
      vec(xdr.ScVal.scvError(xdr.ScError.sceContext(xdr.ScErrorCode.scecInvalidAction)))
    )
  })

  it("keep what a survived success did", () => {
    const { alice, contract, other, world } = setUp()
    const applied = world.call(alice, contract, "attempt", valOf(other), symbol("add"), vec(u32(6)))
    assert.deepStrictEqual(eventNames(applied), ["added"])
    assert.deepStrictEqual(world.read(alice, other, "count"), u32(6))
  })

  it("cannot survive running out of instructions", () => {
    const { alice, contract, other, world } = setUp()
    const args = [valOf(other), symbol("spin"), vec(u32(500_000_000))]
    assert.strictEqual(world.refusal(alice, contract, "attempt", ...args), "Error(Budget, ExceededLimit)")
  })
})

it("diagnostic events tell the calls, and mark what failed", () => {
  const { alice, contract, world } = setUp()
  const simulated = world.simulate(alice, contract, "add_and_fail", u32(1), u32(5))
  assert(simulated._tag === "FailedCall")
  assert.strictEqual(simulated.error.message, "HostError: Error(Contract, #5): failing with contract error")
  assert.deepStrictEqual(
    simulated.diagnosticEvents.map(({ event, inSuccessfulContractCall }) => [event.type.name, inSuccessfulContractCall]),
    [["diagnostic", false], ["contract", false], ["diagnostic", false]]
  )
})
