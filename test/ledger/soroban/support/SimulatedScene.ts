import { assert } from "@effect/vitest"
import { xdr } from "@stellar/stellar-sdk"
import { newEntry } from "../../../../src/ledger/entries/LedgerEntry.ts"
import { contractFunction, type ContractHost, type ContractModel } from "../../../../src/ledger/soroban/Contract.ts"
import { compareKeys } from "../../../../src/ledger/soroban/KeyOrder.ts"
import type { RentChange } from "../../../../src/ledger/soroban/ResourceFee.ts"
import { testNetworkSettings } from "../../../../src/ledger/soroban/Settings.ts"
import { transactionData } from "../../../../src/ledger/soroban/SimulatedResources.ts"
import { type SimulatedCall, simulateInvocation, type SimulationOptions } from "../../../../src/ledger/soroban/Simulation.ts"
import { symbol, u32, voidVal } from "../../../../src/ledger/soroban/Values.ts"
import { dataEntries } from "../../../../src/sandbox/contracts/Deployment.ts"
import { type Durability, keyOfCode, keyOfInstance } from "../../../../src/xdr/LedgerKeys.ts"
import { idOf, networkPassphrase } from "../../support/World.ts"
import { ContractWorld, recording } from "./ContractWorld.ts"
import { dataNamed, keyNamed } from "./Entries.ts"
import { resourcesOver } from "./Resources.ts"

export const now = 1_000

/** Instructions of a call that does nothing. */
export const called = 150_000

/** A contract that does one thing, and one that is an account. */
export const sceneOf = (run: (host: ContractHost) => unknown) => {
  const worker: ContractModel = {
    instructions: 6_000,
    functions: {
      work: contractFunction([], (host) => {
        run(host)
        return u32(7)
      })
    }
  }
  const guard: ContractModel = {
    instructions: 6_000,
    functions: {
      __check_auth: contractFunction(["value", "value", "value"], () => voidVal),
      ask: contractFunction(["address"], ({ requireAuth }, [who]) => {
        requireAuth(who)
        return voidVal
      }),
      refuse: contractFunction(["address"], ({ fail, requireAuth }, [who]) => {
        requireAuth(who)
        return fail(1)
      })
    }
  }
  const world = new ContractWorld(worker, guard)
  const alice = world.account()
  const contract = world.deploy(worker)
  const codeOf = (model: ContractModel) => keyOfCode(Buffer.from(world.hashOf(model), "hex"))
  const put = (name: string, value: xdr.ScVal, liveUntil = now + 1_000, durability: Durability = "persistent") =>
    world.put(...dataEntries(contract, [symbol(name), value], durability, liveUntil))
  const key = (name: string, durability?: Durability) => keyNamed(name, durability, contract)
  const stored = (name: string, value: xdr.ScVal, durability?: Durability) => newEntry(dataNamed(name, value, durability, contract))
  const operation = (auth: ReadonlyArray<xdr.SorobanAuthorizationEntry> = []) => world.operation(contract, "work", [], auth)
  const simulate = (options: Partial<SimulationOptions> = {}, auth: ReadonlyArray<xdr.SorobanAuthorizationEntry> = []) =>
    simulateInvocation(world.state, operation(auth), idOf(alice), {
      networkPassphrase,
      contracts: world.options.contracts,
      authorization: recording,
      nonce: () => 5n,
      ...options
    })
  const succeed = (...args: Parameters<typeof simulate>): SimulatedCall => {
    const simulated = simulate(...args)
    return simulated._tag === "SimulatedCall" ? simulated : assert.fail(simulated.error.message)
  }
  const entryAt = (key: xdr.LedgerKey): xdr.LedgerEntry => world.state.get(key) ?? assert.fail("no entry")
  const own = { world, alice, contract, code: codeOf(worker), guard: world.deploy(guard), guardCode: codeOf(guard) }
  return { ...own, put, keyNamed: key, stored, entryAt, operation, simulate, succeed }
}
export type Scene = ReturnType<typeof sceneOf>

interface Found {
  readonly readOnly?: Array<xdr.LedgerKey>
  readonly readWrite?: Array<xdr.LedgerKey>
  readonly instructions?: number
  readonly diskReadBytes?: number
  readonly writeBytes?: number
  readonly archived?: ReadonlyArray<number>
  readonly rent?: ReadonlyArray<RentChange>
  readonly auth?: ReadonlyArray<xdr.SorobanAuthorizationEntry>
  readonly events?: ReadonlyArray<xdr.ContractEvent>
}

/** What a call must declare that found this, beside its contract and the code of that. */
export const estimate = (
  { code, contract, operation }: Scene,
  { archived = [], auth = [], events = [], rent = [], ...found }: Found = {}
) =>
  transactionData({
    settings: testNetworkSettings,
    ledgerSeq: now,
    body: xdr.OperationBody.invokeHostFunction(operation(auth)),
    resources: resourcesOver(
      [...found.readOnly ?? [], keyOfInstance(contract), code].toSorted(compareKeys),
      found.readWrite ?? [],
      { ...found, instructions: found.instructions ?? called + 50_000 }
    ),
    archived,
    rent,
    eventBytes: [u32(7), ...events].reduce((sum, each) => sum + each.toXdr().length, 0),
    isRestore: false
  })

export const sizeOf = (...entries: ReadonlyArray<xdr.LedgerEntry>): number => entries.reduce((sum, entry) => sum + entry.toXdr().length, 0)

/** Rent of an entry that was not there, or not alive. */
export const fresh = (entry: xdr.LedgerEntry, newLiveUntil: number, durability: Durability = "persistent"): RentChange => ({
  durability,
  isCode: false,
  oldSize: 0,
  newSize: sizeOf(entry),
  oldLiveUntil: 0,
  newLiveUntil
})
