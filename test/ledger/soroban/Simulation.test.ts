import { assert, describe, it } from "@effect/vitest"
import { type Keypair, xdr } from "@stellar/stellar-sdk"
import { withFields, withSequence } from "../../../src/ledger/entries/Account.ts"
import { newEntry } from "../../../src/ledger/entries/LedgerEntry.ts"
import { sha256 } from "../../../src/ledger/Signatures.ts"
import type { ContractHost } from "../../../src/ledger/soroban/Contract.ts"
import { HostError } from "../../../src/ledger/soroban/HostError.ts"
import { Journal } from "../../../src/ledger/soroban/Journal.ts"
import { compareKeys } from "../../../src/ledger/soroban/KeyOrder.ts"
import { simulateInvocation } from "../../../src/ledger/soroban/Simulation.ts"
import { bytes, i128, symbol, u32, voidVal } from "../../../src/ledger/soroban/Values.ts"
import { accountKey } from "../../../src/xdr/LedgerKeys.ts"
import { xlm } from "../support/Bodies.ts"
import { idOf, networkPassphrase } from "../support/World.ts"
import { coreTestSettings } from "./CoreSettings.ts"
import { addressVal, ContractWorld, recording } from "./support/ContractWorld.ts"
import { overBudget, textOf } from "./support/HostErrors.ts"
import { called, estimate, fresh, now, sceneOf, sizeOf } from "./support/SimulatedScene.ts"

describe("a simulated call", () => {
  it("that changes nothing tells its result and what it reads", () => {
    const scene = sceneOf(() => undefined)
    const journal = new Journal()
    journal.noteCall(null, scene.contract, "work", [])
    journal.noteReturn(scene.contract, "work", u32(7))
    assert.deepStrictEqual(scene.simulate(), {
      _tag: "SimulatedCall",
      returnValue: u32(7),
      auth: [],
      events: [],
      diagnosticEvents: journal.diagnosticEvents(),
      estimate: estimate(scene),
      changes: []
    })
  })

  it("tells what it makes, changes and removes, in the order of keys, and pays for it and its events", () => {
    const scene = sceneOf(({ emit, persistent, temporary }) => {
      temporary.set(symbol("over"), u32(2))
      for (const name of ["never", "dropped"]) persistent.remove(symbol(name))
      persistent.set(symbol("made"), u32(1))
      persistent.get(symbol("read"))
      persistent.set(symbol("changed"), bytes(new Uint8Array(100)))
      persistent.set(symbol("undone"), u32(1))
      persistent.remove(symbol("undone"))
      emit([symbol("one")], u32(1))
      emit([], voidVal)
    })
    const { contract, entryAt, keyNamed, put, stored } = scene
    for (const name of ["changed", "dropped", "read"]) put(name, u32(3))
    put("over", u32(4), now - 1, "temporary")
    const [changed, dropped, made, over] = [keyNamed("changed"), keyNamed("dropped"), keyNamed("made"), keyNamed("over", "temporary")]
    const journal = new Journal()
    journal.emit(contract, [symbol("one")], u32(1))
    journal.emit(contract, [], voidVal)
    const larger = stored("changed", bytes(new Uint8Array(100)))
    const first = stored("made", u32(1))
    const again = stored("over", u32(2), "temporary")
    const simulated = scene.succeed()
    assert.deepStrictEqual(simulated.events, journal.events())
    assert.deepStrictEqual(simulated.changes, [
      { key: changed, before: entryAt(changed), after: larger },
      { key: dropped, before: entryAt(dropped), after: undefined },
      { key: made, before: undefined, after: first },
      { key: over, before: undefined, after: again }
    ])
    const grown = { ...fresh(larger, now + 1_000), oldSize: sizeOf(entryAt(changed)), oldLiveUntil: now + 1_000 }
    assert.deepStrictEqual(
      simulated.estimate,
      estimate(scene, {
        readOnly: [keyNamed("read")],
        readWrite: [changed, dropped, made, keyNamed("never"), over, keyNamed("undone")],
        instructions: called + 8 * 12_000 + 2 * 10_000 + 50_000,
        writeBytes: sizeOf(larger, first, again),
        rent: [grown, fresh(first, now + 120_959), fresh(again, now + 719, "temporary")],
        events: simulated.events
      })
    )
  })

  it("brings back what is archived, the code among it, and keeps what is in its last ledger", () => {
    const scene = sceneOf(({ persistent }) => {
      persistent.set(symbol("d"), u32(9))
      for (const name of ["c", "b"]) persistent.get(symbol(name))
      persistent.set(symbol("a"), u32(9))
    })
    const { code, entryAt, keyNamed, put, stored, world } = scene
    for (const [name, liveUntil] of [["a", now], ["b", now - 1], ["c", now], ["d", now - 1]] as const) put(name, u32(3), liveUntil)
    const [a, b, d] = [keyNamed("a"), keyNamed("b"), keyNamed("d")]
    const simulated = scene.succeed()
    assert.deepStrictEqual(simulated.changes, [
      { key: a, before: entryAt(a), after: stored("a", u32(9)) },
      { key: b, before: undefined, after: entryAt(b) },
      { key: d, before: undefined, after: stored("d", u32(9)) }
    ])
    assert.deepStrictEqual(
      simulated.estimate,
      estimate(scene, {
        readOnly: [keyNamed("c")],
        readWrite: [a, b, d],
        archived: [1, 2],
        instructions: called + 4 * 12_000 + 50_000,
        diskReadBytes: sizeOf(entryAt(b), entryAt(d)),
        writeBytes: sizeOf(entryAt(a), entryAt(b), entryAt(d)),
        rent: [b, d].map((key) => fresh(entryAt(key), now + 120_959))
      })
    )
    world.liveUntil(code, now - 1)
    assert.deepStrictEqual(scene.succeed().estimate.data.resources.footprint.readWrite, [a, b, d, code])
  })

  it("names what was archived and is removed, neither before nor after", () => {
    const { keyNamed, put, succeed } = sceneOf(({ persistent }) => persistent.remove(symbol("gone")))
    put("gone", u32(3), now - 1)
    assert.deepStrictEqual(succeed().changes, [{ key: keyNamed("gone"), before: undefined, after: undefined }])
  })

  it("sees accounts with every extension, as their transaction leaves them", () => {
    const world = new ContractWorld()
    const [alice, bob] = [world.account(), world.account()]
    world.edit(bob, (account) => withSequence(account, account.seqNum, { seqLedger: 7, seqTime: 9n }))
    const args = [addressVal(alice), addressVal(bob), i128(5n)]
    const { changes, estimate: { data: { resources } } } = world.succeedSimulating(alice, world.asset(xlm), "transfer", ...args)
    const marked = (pair: Keypair, seqLedger: number, seqTime: bigint, more: bigint): xdr.LedgerEntry => {
      const account = world.entry(pair)
      const moved = withFields(account, { balance: account.balance + more })
      return newEntry(xdr.LedgerEntryData.account(withSequence(moved, account.seqNum, { seqLedger, seqTime })))
    }
    const expected = ([[alice, 0, 0n, -5n], [bob, 7, 9n, 5n]] as const)
      .map(([pair, seqLedger, seqTime, more]) => ({
        key: accountKey(pair.publicKey()),
        before: marked(pair, seqLedger, seqTime, 0n),
        after: marked(pair, seqLedger, seqTime, more)
      }))
      .toSorted((left, right) => compareKeys(left.key, right.key))
    assert.deepStrictEqual(changes, expected)
    const size = sizeOf(...expected.map(({ before }) => before))
    assert.deepStrictEqual([resources.diskReadBytes, resources.writeBytes], [size, size])
  })
})

describe("instructions", () => {
  it("are declared with four percent more, fifty thousand at least, or what was asked for", () => {
    const declared = (charge: number, instructionLeeway?: number): number =>
      sceneOf((host) => host.charge(charge)).succeed(instructionLeeway === undefined ? {} : { instructionLeeway }).estimate.data.resources
        .instructions
    assert.deepStrictEqual([declared(0), declared(0, 0), declared(0, 49_999), declared(0, 50_001)], [200_000, 200_000, 200_000, 200_001])
    assert.deepStrictEqual([declared(1_850_000), declared(1_850_000, 79_999), declared(1_850_000, 80_001)], [
      2_080_000,
      2_080_000,
      2_080_001
    ])
  })

  it("are limited as the ledger says", () => {
    for (const [settings, limit] of [[[], 400_000_000], [coreTestSettings, 100_000_000]] as const) {
      const outcomes = [0, 1].map((more) => {
        const { simulate, world } = sceneOf((host) => host.charge(limit - called + more))
        world.put(...settings)
        return textOf(simulate())
      })
      assert.deepStrictEqual(outcomes, ["success", overBudget])
    }
  })
})

describe("what a simulated call runs with", () => {
  it("is the ledger as it stands, and the network by its passphrase", () => {
    let seen: ContractHost["ledger"] | undefined
    const { succeed, world } = sceneOf(({ ledger }) => {
      seen = ledger
    })
    succeed({ networkPassphrase: "another network" })
    const { closeTime, ledgerVersion } = world.state.header
    assert.deepStrictEqual(seen, {
      sequence: now,
      timestamp: closeTime,
      protocolVersion: ledgerVersion,
      networkId: sha256(Buffer.from("another network")),
      maxLiveUntil: now + 3_110_399
    })
  })

  it("is no contract model where none is given", () => {
    const { alice, operation, world } = sceneOf(() => undefined)
    const simulated = simulateInvocation(world.state, operation(), idOf(alice), { networkPassphrase, authorization: recording })
    assert.strictEqual(textOf(simulated), "HostError: Error(WasmVm, InvalidAction): no model stands in for this code")
  })
})

describe("a simulated call that fails", () => {
  it("tells the error and everything that was noted", () => {
    for (const isEndless of [false, true]) {
      const { contract, simulate } = sceneOf(({ charge, emit, fail }) => {
        emit([symbol("one")], u32(1))
        if (isEndless) charge(Number.POSITIVE_INFINITY)
        fail(7)
      })
      const error = isEndless
        ? new HostError({ type: "Budget", code: "ExceededLimit" }, "operation instructions exceeds amount specified")
        : new HostError({ type: "Contract", code: 7 }, "failing with contract error")
      error.raisedIn = contract
      const journal = new Journal()
      const undo = journal.begin()
      journal.noteCall(null, contract, "work", [])
      journal.emit(contract, [symbol("one")], u32(1))
      undo()
      journal.noteError(error)
      const simulated = simulate()
      assert(simulated._tag === "FailedCall")
      const { error: raised, ...others } = simulated
      assert.deepStrictEqual([raised.message, raised.raisedIn], [error.message, contract])
      assert.deepStrictEqual(others, { _tag: "FailedCall", diagnosticEvents: journal.diagnosticEvents(), isEndless })
    }
  })

  it("does not hide an error of the program", () => {
    const { simulate } = sceneOf(() => {
      throw new TypeError("a fault of the model")
    })
    assert.throws(simulate, TypeError, "a fault of the model")
  })
})
