import { assert, describe, it } from "@effect/vitest"
import { xdr } from "@stellar/stellar-sdk"
import { HostError } from "../../../src/ledger/soroban/HostError.ts"
import { Journal } from "../../../src/ledger/soroban/Journal.ts"
import { accountAddress, bytes, string, symbol, u32, vec, voidVal } from "../../../src/ledger/soroban/Values.ts"
import { idOf, World } from "../support/World.ts"
import { contract, contractAt } from "./support/Entries.ts"

assert(contract.type === "scAddressTypeContract")
const id = contract.contractId
const account = accountAddress(idOf(new World().account()))

/** Parts of an event: kind, contract, topics and data. */
const partsOf = ({ body, contractId, type }: xdr.ContractEvent) => ({
  type: type.name,
  contractId,
  topics: body.v0.topics,
  data: body.v0.data
})

const noted = (journal: Journal) =>
  journal.diagnosticEvents().map(({ event, inSuccessfulContractCall }) => ({ ...partsOf(event), held: inSuccessfulContractCall }))

describe("a journal", () => {
  it("has the events of contracts, and beside them notes of calls, in order", () => {
    const journal = new Journal()
    journal.noteCall(null, contract, "give", [u32(1)])
    journal.emit(contract, [symbol("given"), u32(2)], u32(3))
    journal.noteReturn(contract, "give", u32(4))
    const event = { type: "contract" as const, contractId: id, topics: [symbol("given"), u32(2)], data: u32(3) }
    assert.deepStrictEqual(journal.events().map(partsOf), [event])
    assert.deepStrictEqual(noted(journal), [
      {
        type: "diagnostic",
        contractId: null,
        topics: [symbol("fn_call"), bytes(new Uint8Array(32).fill(7)), symbol("give")],
        data: u32(1),
        held: true
      },
      { ...event, held: true },
      { type: "diagnostic", contractId: id, topics: [symbol("fn_return"), symbol("give")], data: u32(4), held: true }
    ])
  })

  it("cuts names of functions that no symbol holds", () => {
    const journal = new Journal()
    const long = "a".repeat(32)
    journal.noteCall(null, contract, `${long}b`, [])
    journal.noteReturn(contract, `${long}b`, voidVal)
    assert.deepStrictEqual(noted(journal).map(({ topics }) => topics.at(-1)), [symbol(long), symbol(long)])
  })

  it("notes who calls, and its arguments as one value", () => {
    const journal = new Journal()
    const other = contractAt(8)
    journal.noteCall(contract, other, "give", [])
    journal.noteCall(contract, other, "give", [u32(1)])
    journal.noteCall(contract, other, "give", [u32(1), u32(2)])
    assert.deepStrictEqual(noted(journal).map(({ contractId, data }) => [contractId, data]), [
      [id, voidVal],
      [id, u32(1)],
      [id, vec(u32(1), u32(2))]
    ])
    assert.deepStrictEqual(noted(journal)[0]?.topics, [symbol("fn_call"), bytes(new Uint8Array(32).fill(8)), symbol("give")])
  })

  it("names no contract where an address is none", () => {
    const journal = new Journal()
    journal.noteCall(account, account, "give", [])
    journal.emit(account, [], voidVal)
    assert.deepStrictEqual(noted(journal).map(({ contractId }) => contractId), [null, null])
    assert.deepStrictEqual(noted(journal)[0]?.topics, [symbol("fn_call"), voidVal, symbol("give")])
  })

  it("has as a failure what a call did that failed, and nothing before or after", () => {
    const journal = new Journal()
    journal.emit(contract, [], u32(1))
    const undo = journal.begin()
    journal.noteCall(null, contract, "give", [])
    journal.emit(contract, [], u32(2))
    undo()
    journal.emit(contract, [], u32(3))
    assert.deepStrictEqual(journal.events().map((event) => partsOf(event).data), [u32(1), u32(3)])
    assert.deepStrictEqual(noted(journal).map(({ held }) => held), [true, false, false, true])
  })

  it("keeps what a call inside did that held, until the one around it fails", () => {
    const journal = new Journal()
    const undo = journal.begin()
    journal.emit(contract, [], u32(1))
    journal.begin()
    journal.emit(contract, [], u32(2))
    assert.strictEqual(journal.events().length, 2)
    undo()
    assert.deepStrictEqual(journal.events(), [])
    assert.deepStrictEqual(noted(journal).map(({ held }) => held), [false, false])
  })

  it("ends with the error, its text, and the contract that raised it", () => {
    const journal = new Journal()
    const raised = new HostError({ type: "Contract", code: 5 }, "failing: with contract error")
    raised.raisedIn = contract
    journal.noteError(raised)
    journal.noteError(new HostError({ type: "Storage", code: "MissingValue" }))
    assert.deepStrictEqual(noted(journal), [
      {
        type: "diagnostic",
        contractId: id,
        topics: [symbol("error"), xdr.ScVal.scvError(xdr.ScError.sceContract(5))],
        data: string("failing: with contract error"),
        held: false
      },
      {
        type: "diagnostic",
        contractId: null,
        topics: [symbol("error"), xdr.ScVal.scvError(xdr.ScError.sceStorage(xdr.ScErrorCode.scecMissingValue))],
        data: string(""),
        held: false
      }
    ])
    assert.deepStrictEqual(journal.events(), [])
  })
})
