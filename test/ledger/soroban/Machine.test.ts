import { assert, describe, it } from "@effect/vitest"
import { xdr } from "@stellar/stellar-sdk"
import { HostError } from "../../../src/ledger/soroban/HostError.ts"
import type { Machine } from "../../../src/ledger/soroban/Machine.ts"
import { addressVal, bytes, contractAddress, strkeyOf, symbol, u32, vec } from "../../../src/ledger/soroban/Values.ts"
import { contractAt } from "./support/Entries.ts"
import { refusalOf } from "./support/HostErrors.ts"
import { recordingFor } from "./support/Machines.ts"
import { agreedIn, faults, keptBy, machineWith, one, other, source } from "./support/Workers.ts"

describe("a call", () => {
  /** Whether each note is of a call that held, and the note's contract (as JSON), topics and data. */
  const noted = ({ journal }: Machine) =>
    journal.diagnosticEvents().map(({ event: { body, contractId }, inSuccessfulContractCall }) => [
      inSuccessfulContractCall,
      contractId?.toJson() ?? null,
      body.v0.topics,
      body.v0.data
    ])

  it("is noted with its arguments, and with its result after what it announces", () => {
    const machine = machineWith()
    machine.call(one, "give", [u32(5)])
    machine.call(one, "pair", [u32(1), u32(2)])
    const [own, called, returned] = [strkeyOf(one), [symbol("fn_call"), bytes(new Uint8Array(32).fill(100))], symbol("fn_return")]
    assert.deepStrictEqual(noted(machine), [
      [true, null, [...called, symbol("give")], u32(5)],
      [true, own, [symbol("given")], u32(5)],
      [true, own, [returned, symbol("give")], u32(5)],
      [true, null, [...called, symbol("pair")], vec(u32(1), u32(2))],
      [true, own, [returned, symbol("pair")], vec(u32(1), u32(2))]
    ])
  })

  it("does not enter a contract that runs, however far up, and may do so when that is over", () => {
    const machine = machineWith()
    const text = "HostError: Error(Context, InvalidAction): Contract re-entry is not allowed"
    const back = [addressVal(one), symbol("give"), vec(u32(1))]
    assert.strictEqual(refusalOf(() => machine.call(one, "call", back)), text)
    assert.strictEqual(refusalOf(() => machine.call(one, "call", [addressVal(other), symbol("call"), vec(...back)])), text)
    assert.deepStrictEqual(machine.call(other, "call", back), u32(1))
    assert.deepStrictEqual(machine.call(one, "call", [addressVal(other), symbol("give"), vec(u32(2))]), u32(2))
  })

  it("is noted with the contract that makes it, even one whose failure is survived", () => {
    const machine = machineWith()
    machine.call(one, "attempt", [addressVal(other), symbol("trap"), vec()])
    machine.call(one, "call", [addressVal(other), symbol("give"), vec(u32(2))])
    const calls = noted(machine).filter(([, , topics]) => Array.isArray(topics) && topics.length === 3)
    assert.deepStrictEqual(calls.map(([held, contract]) => [held, contract]), [
      [true, null],
      [true, strkeyOf(one)],
      [true, null],
      [true, strkeyOf(one)]
    ])
  })

  it("reaches no function that only the host calls", () => {
    const text = "HostError: Error(Context, InvalidAction): can't invoke a reserved function directly"
    const refusals = ["__constructor", "__check_auth", "__"].map((fn) => refusalOf(() => machineWith().call(one, fn, [])))
    assert.deepStrictEqual(refusals, [text, text, text])
    assert.match(refusalOf(() => machineWith().call(one, "_give", [])), /non-existent contract function$/)
  })

  it("fails by an error that is its result, of which only a contract's own keeps its number", () => {
    const failed = (error: xdr.ScError) => {
      const machine = machineWith()
      return [refusalOf(() => machine.call(one, "keep_and_give", [xdr.ScVal.scvError(error)])), keptBy(machine, one)]
    }
    assert.deepStrictEqual(failed(xdr.ScError.sceContract(9)), [
      "HostError: Error(Contract, #9): escalating Ok(ScErrorType::Contract) frame-exit to Err",
      undefined
    ])
    assert.deepStrictEqual(failed(xdr.ScError.sceBudget(xdr.ScErrorCode.scecExceededLimit)), [
      "HostError: Error(Context, InvalidAction): frame-exit with Ok(Error) carrying a non-ScErrorType::Contract Error",
      undefined
    ])
  })

  it("is the last below ninety-eight others, and is refused for re-entry first", () => {
    const below = (calls: number, body: () => xdr.ScVal, machine: Machine): xdr.ScVal =>
      calls === 0
        ? body()
        : machine.inFrame(contractAddress(new xdr.ContractId(Buffer.alloc(32).fill(calls, 31))), () => below(calls - 1, body, machine))
    const under = (calls: number, called = one): string => {
      const machine = machineWith()
      return refusalOf(() => below(calls, () => machine.call(called, "give", [u32(1)]), machine))
    }
    assert.deepStrictEqual([under(98), under(99)], ["success", "HostError: Error(Context, ExceededLimit)"])
    const running = contractAddress(new xdr.ContractId(Buffer.alloc(32).fill(1, 31)))
    assert.strictEqual(under(99, running), "HostError: Error(Context, InvalidAction): Contract re-entry is not allowed")
  })

  it("leaves nothing when it fails but notes of what failed", () => {
    const machine = machineWith()
    assert.strictEqual(
      refusalOf(() => machine.call(one, "act_and_fail", [addressVal(source)])),
      "HostError: Error(Contract, #42): failing with contract error"
    )
    assert.deepStrictEqual([keptBy(machine, one), machine.journal.events(), agreedIn(machine)], [undefined, [], []])
    assert.deepStrictEqual(noted(machine).map(([held]) => held), [true, false])
    machine.call(one, "ask", [addressVal(source)])
    machine.call(other, "ask", [addressVal(source)])
    assert.strictEqual(agreedIn(machine).length, 2, "each of the two calls is an outermost one")
  })

  it("carries the agreement of the contract that makes it, and not of one further up", () => {
    const ask = [addressVal(other), symbol("ask"), vec(addressVal(one))]
    const machine = machineWith()
    machine.call(one, "call", ask)
    assert.deepStrictEqual(agreedIn(machine), [])
    const between = contractAt(0)
    assert.match(
      refusalOf(() => machine.inFrame(one, () => machine.inFrame(between, () => machine.call(other, "ask", [addressVal(one)])))),
      /^HostError: Error\(Auth, InvalidAction\)/
    )
  })

  it("ends with an error that knows where it was raised, if it is one of the host", () => {
    try {
      machineWith().call(one, "call", [addressVal(other), symbol("trap"), vec()])
      assert.fail("the call fails")
    } catch (error) {
      assert(error instanceof HostError)
      assert.deepStrictEqual(error.raisedIn, other)
    }
    const [fault] = faults
    assert.throws(() => machineWith().call(one, "break", [u32(0)]), fault)
    assert.deepStrictEqual(Object.keys(fault ?? {}), [])
  })
})

describe("a call that may fail", () => {
  const attempt = (machine: Machine, fn: string, ...args: ReadonlyArray<xdr.ScVal>): xdr.ScVal =>
    machine.call(one, "attempt", [addressVal(other), symbol(fn), vec(...args)])

  it("gives back what the other gives", () => {
    assert.deepStrictEqual(attempt(machineWith(), "give", u32(3)), vec(u32(3)))
  })

  it("gives back the number of a contract's error, and the same error for all of the host", () => {
    const number = xdr.ScVal.scvError(xdr.ScError.sceContract(42))
    const generic = xdr.ScVal.scvError(xdr.ScError.sceContext(xdr.ScErrorCode.scecInvalidAction))
    const machine = machineWith({ authorization: recordingFor(source, true) })
    assert.deepStrictEqual(attempt(machine, "act_and_fail", addressVal(source)), vec(number))
    assert.deepStrictEqual([keptBy(machine, other), machine.journal.events(), agreedIn(machine)], [undefined, [], []])
    assert.deepStrictEqual(["trap", "sink", "nothing"].map((fn) => attempt(machine, fn)), [1, 2, 3].map(() => vec(generic)))
  })

  it("fails with an error that nothing survives", () => {
    assert.deepStrictEqual(["stray", "spend", "fault"].map((fn) => refusalOf(() => attempt(machineWith(), fn))), [
      "HostError: Error(Storage, ExceededLimit)",
      "HostError: Error(Budget, ExceededLimit)",
      "HostError: Error(Auth, InternalError): a fault of the host"
    ])
  })

  it("fails with a fault of a model, whatever that looks like", () => {
    for (const [at, fault] of faults.entries()) assert.throws(() => attempt(machineWith(), "break", u32(at)), fault)
  })
})
