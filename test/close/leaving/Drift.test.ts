import { assert, describe, it } from "@effect/vitest"
import { xdr } from "@stellar/stellar-sdk"
import { Option } from "effect"
import { mayBeWritten, widerFootprint } from "../../../src/close/leaving/simulation/Footprint.ts"
import { AccountAddress, ContractAddress } from "../../../src/domain/Address.ts"
import type { LedgerState } from "../../../src/ledger/LedgerState.ts"
import type { SimulatedCall } from "../../../src/ledger/soroban/Simulation.ts"
import { addressOf, u32 } from "../../../src/ledger/soroban/Values.ts"
import { keyOfContractData } from "../../../src/xdr/LedgerKeys.ts"
import { readRecording, scVal } from "../../ledger/soroban/Recording.ts"
import { enforce, ledgerBefore, readReplayed, type ReplayedCall, simulate } from "../../sandbox/contracts/CallReplay.ts"

/** The lowest limits of a network for the writes of one transaction (main network, 2025). */
const LIMITS = { entries: 50, bytes: 132_096 }

/** `MAX_RESOURCE_FEE_LUMENS`, in stroops. */
const MOST_FEE = 50_000_000n

const text = (keys: ReadonlyArray<xdr.LedgerKey>): ReadonlyArray<string> => keys.map((key) => key.toXdr("base64"))

const footprintOf = (data: xdr.SorobanTransactionData) => data.resources.footprint

/** The resources of the offered transaction. */
const handedOver = (
  call: Pick<ReplayedCall, "contract" | "source">,
  data: xdr.SorobanTransactionData,
  minResourceFee: bigint,
  sizeOf: (key: xdr.LedgerKey) => number
) => {
  const simulated = { data, minResourceFee }
  const keys = mayBeWritten(simulated, ContractAddress.make(call.contract), AccountAddress.make(call.source))
  return widerFootprint(simulated, keys.map((key) => ({ key, bytes: sizeOf(key) })))
}

const sizeIn = (state: LedgerState) => (key: xdr.LedgerKey): number =>
  Option.match(Option.fromNullable(state.get(key)), { onNone: () => 0, onSome: (entry) => entry.toXdr().length })

const assertWithinLimits = (data: xdr.SorobanTransactionData): void => {
  assert.isAtMost(footprintOf(data).readWrite.length, LIMITS.entries)
  assert.isAtMost(data.resources.writeBytes, LIMITS.bytes)
  assert.isAtMost(Number(data.resourceFee), Number(MOST_FEE))
}

/** Contract data that the same call writes in a simulation this much later, and did not write before. */
const writtenLater = (before: SimulatedCall, later: SimulatedCall): ReadonlyArray<string> => {
  const already = new Set(text(footprintOf(before.estimate.data).readWrite))
  return text(footprintOf(later.estimate.data).readWrite).filter((key) => !already.has(key))
}

const lending = ["lend_1", "lend_1_backstop", "lend_1_v1"].map((name) => ({ name, recording: readReplayed(name) }))

for (const { name, recording } of lending) {
  describe(`${name}: calls that are applied later than they were simulated`, () => {
    for (const call of recording.calls.filter(({ ok }) => ok)) {
      it(call.name, () => {
        const state = ledgerBefore(recording, call)
        const invocation = { contract: call.contract, function: call.function, source: call.source, args: call.args.map(scVal) }
        const simulated = simulate(recording, state, invocation)
        assert(simulated._tag === "SimulatedCall")
        const recorded = xdr.SorobanTransactionData.fromXdr(call.transactionData ?? "", "base64")
        const ours = handedOver(call, recorded, recorded.resourceFee, sizeIn(state))
        assertWithinLimits(ours)
        const writable = new Set(text(footprintOf(ours).readWrite))
        const data = handedOver(call, simulated.estimate.data, simulated.estimate.minResourceFee, sizeIn(state))
        assert.deepStrictEqual(text(footprintOf(data).readWrite), text(footprintOf(ours).readWrite))
        assertWithinLimits(data)
        const wide: SimulatedCall = { ...simulated, estimate: { data, minResourceFee: data.resourceFee } }
        for (const later of call.later) {
          const header = { ledgerSeq: call.ledger + later.ledgers, closeTime: BigInt(call.closeTime) + BigInt(later.seconds) }
          const again = simulate(recording, state.at(header), invocation)
          assert(again._tag === "SimulatedCall")
          const drifted = writtenLater(simulated, again)
          assert.strictEqual(drifted.length > 0, later.outcome !== "ok", "the recording and the model drift alike")
          for (const key of drifted) assert.isTrue(writable.has(key), JSON.stringify(xdr.LedgerKey.fromXdr(key, "base64").toJson()))
          assert.strictEqual(enforce(recording, state, call, invocation, wide, later).outcome, "ok", `${later.ledgers} ledgers later`)
        }
      })
    }
  })
}

it("calls that were recorded to fail when they are applied later are among them", () => {
  const failed = lending.flatMap(({ recording }) => recording.calls.flatMap(({ later }) => later.filter(({ outcome }) => outcome !== "ok")))
  assert.deepStrictEqual(
    failed.map(({ outcome }) => outcome),
    Array.from({ length: 8 }, () => "error invoke Error(Storage, ExceededLimit)")
  )
})

describe("more than a transaction may write", () => {
  const [first = assert.fail("no call")] = lending.flatMap(({ recording }) => recording.calls.filter(({ ok }) => ok))
  const data = xdr.SorobanTransactionData.fromXdr(first.transactionData ?? "", "base64")
  const keys = Array.from({ length: 100 }, (_, index) => keyOfContractData(addressOf(first.contract), u32(index), "persistent"))
  const opened = (bytes: number) => {
    const { resources } = widerFootprint({ data, minResourceFee: 1n }, keys.map((key) => ({ key, bytes })))
    return { resources, added: text(resources.footprint.readWrite).filter((key) => text(keys).includes(key)) }
  }

  it("is not opened: the likeliest entries are, as many as may be", () => {
    const { added, resources } = opened(100)
    assert.isAtMost(resources.footprint.readWrite.length, LIMITS.entries)
    assert.isAbove(added.length, 20)
    assert.deepStrictEqual(added, text(keys).slice(0, added.length))
  })

  it("is not opened: nor more bytes", () => {
    const { added, resources } = opened(50_000)
    assert.isAtMost(resources.writeBytes, LIMITS.bytes)
    assert.lengthOf(added, 2)
  })
})

describe("cdp_1: calls that are applied later than they were simulated", () => {
  for (const call of readRecording("cdp_1").calls.filter(({ ok }) => ok)) {
    it(`${call.name}: written as simulated, and within the limits`, () => {
      assert.deepStrictEqual(call.enforcedLater?.map(({ outcome }) => outcome), ["ok", "ok"])
      const recorded = xdr.SorobanTransactionData.fromXdr(call.transactionData ?? "", "base64")
      const data = handedOver(call, recorded, recorded.resourceFee, () => 300)
      assertWithinLimits(data)
      const [before, after] = [footprintOf(recorded), footprintOf(data)]
      assert.deepStrictEqual(text(after.readWrite).slice(0, before.readWrite.length), text(before.readWrite))
      assert.sameMembers([...text(after.readOnly), ...text(after.readWrite)], [...text(before.readOnly), ...text(before.readWrite)])
    })
  }
})
