import { assert } from "@effect/vitest"
import { Keypair, xdr } from "@stellar/stellar-sdk"
import { Draft } from "../../../../src/ledger/Draft.ts"
import { newEntry } from "../../../../src/ledger/entries/LedgerEntry.ts"
import { LedgerState } from "../../../../src/ledger/LedgerState.ts"
import { contractFunction, type ContractModel, registerContracts } from "../../../../src/ledger/soroban/Contract.ts"
import { entrySize } from "../../../../src/ledger/soroban/EntrySize.ts"
import { invoke } from "../../../../src/ledger/soroban/Invocation.ts"
import { Receipt } from "../../../../src/ledger/soroban/Receipt.ts"
import type { Settings } from "../../../../src/ledger/soroban/Settings.ts"
import { bytes, symbol, u32, voidVal } from "../../../../src/ledger/soroban/Values.ts"
import { contractEntries, dataEntries } from "../../../../src/sandbox/contracts/Deployment.ts"
import { type Durability, keyOfAccount, keyOfCode, keyOfInstance } from "../../../../src/xdr/LedgerKeys.ts"
import { idOf, World } from "../../support/World.ts"
import { ample, withResources } from "./ContractWorld.ts"
import { accountEntry, contract, dataNamed, keyNamed, wasmHash } from "./Entries.ts"
import { operationOf, transactionOf } from "./Operations.ts"
import { free } from "./Settings.ts"

const { header } = new World()
export const now = header.ledgerSeq
const payer = Keypair.random()
export const owner = idOf(payer)
export const [instance, code] = [keyOfInstance(contract), keyOfCode(Buffer.from(wasmHash, "hex"))]
export const crash = new Error("no error of the host")

const done = (work: () => void): xdr.ScVal => {
  work()
  return voidVal
}

/** Does what a test wants, and nothing else. */
const keeper: ContractModel = {
  functions: {
    idle: contractFunction([], () => voidVal),
    put: contractFunction(["symbol", "bytes"], (host, [name, value]) => done(() => host.persistent.set(symbol(name), bytes(value)))),
    lend: contractFunction(["symbol", "bytes"], (host, [name, value]) => done(() => host.temporary.set(symbol(name), bytes(value)))),
    drop: contractFunction(["symbol"], (host, [name]) => done(() => host.persistent.remove(symbol(name)))),
    keep: contractFunction(
      ["symbol", "u32", "u32"],
      (host, [name, threshold, extendTo]) => done(() => host.persistent.extend(symbol(name), threshold, extendTo))
    ),
    tell: contractFunction(["u32"], (host, [count]) => {
      for (let at = 0; at < count; at++) host.emit([symbol("told")], u32(at))
      return u32(count)
    }),
    agree: contractFunction(["address"], (host, [who]) => done(() => host.requireAuth(who))),
    work: contractFunction(["u32"], (host, [instructions]) => done(() => host.charge(instructions))),
    fail: contractFunction([], (host) => host.fail(7)),
    crash: contractFunction([], () => {
      throw crash
    })
  }
}

/** A byte costs a stroop for each ledger it lives, and a stroop in an event; nothing else costs anything. */
export const settings: Settings = {
  ...free,
  feePerEvents1Kb: 1_024n,
  rentFee1KbLow: 1_024n,
  rentFee1KbHigh: 1_024n,
  persistentRentDenominator: 1n,
  temporaryRentDenominator: 1n,
  minPersistentTtl: 100,
  minTemporaryTtl: 20,
  maxEntryTtl: 10_000
}

export interface Call {
  readonly fn?: string
  readonly args?: ReadonlyArray<xdr.ScVal>
  readonly auth?: ReadonlyArray<xdr.SorobanAuthorizationEntry>
  readonly source?: xdr.PublicKey
  readonly entries?: ReadonlyArray<xdr.LedgerEntry>
  readonly readOnly?: ReadonlyArray<xdr.LedgerKey>
  readonly readWrite?: ReadonlyArray<xdr.LedgerKey>
  readonly resources?: Parameters<typeof withResources>[1]
  readonly settings?: Partial<Settings>
}

/** Calls the contract on a ledger with it and some entries, with its instance and code to be read. */
export const run = (given: Call) => {
  const deployed = contractEntries(contract, wasmHash, [], now + 1_000)
  const draft = Draft.of(LedgerState.make(header, [...deployed, ...given.entries ?? []]))
  const data = withResources(ample([...given.readOnly ?? [], instance, code], [...given.readWrite ?? []]), given.resources ?? {})
  const operation = operationOf(contract, given.fn ?? "idle", given.args, given.auth)
  const tx = transactionOf(payer, [xdr.OperationBody.invokeHostFunction(operation)], xdr.TransactionExt.sorobanData(data))
  const inForce = { ...settings, ...given.settings }
  const transaction = { _tag: "PlainTransaction", tx, signatures: [], hash: new Uint8Array(32), source: owner } as const
  const receipt = Receipt.of(transaction, data, inForce)
  const outcome = invoke(operation, given.source ?? owner, draft, {
    data,
    settings: inForce,
    networkId: new Uint8Array(32),
    contracts: registerContracts([{ model: keeper, wasmHashes: [wasmHash] }]),
    signatures: "assume",
    receipt
  })
  const meta = receipt.toMeta().ext
  const notes = receipt.diagnosticEvents.map(({ event }) => String(event.body.v0.topics[0]?.value))
  return { outcome, receipt, notes, changes: draft.changes(), rent: meta.type === "v1" ? meta.v1.rentFeeCharged : undefined }
}

/** Why a call fails, which then gives nothing back; "success" where it does not. */
export const outcomeOf = (given: Call) => {
  const { outcome, receipt } = run(given)
  if (!("failure" in outcome)) return "success"
  assert.deepStrictEqual(outcome, { failure: outcome.failure })
  assert.deepStrictEqual([receipt.returnValue, receipt.events, receipt.restoredEntries.size], [undefined, [], 0])
  return outcome.failure
}

export const filled = (size: number) => bytes(new Uint8Array(size))
export const [a, b, c, lent] = [keyNamed("a"), keyNamed("b"), keyNamed("c"), keyNamed("a", "temporary")]
export const put = (size: number) => ({ fn: "put", args: [symbol("a"), filled(size)] })
export const lend = (size: number) => ({ fn: "lend", args: [symbol("a"), filled(size)] })
export const keep = (extendTo: number, threshold = extendTo) => ({ fn: "keep", args: [symbol("a"), u32(threshold), u32(extendTo)] })
export const drop = { fn: "drop", args: [symbol("a")] }

export const entryOf = (name: string, size: number, durability: Durability = "persistent"): xdr.LedgerEntry =>
  newEntry(dataNamed(name, filled(size), durability))
export const sizeOf = (size: number) => entrySize(entryOf("a", size))
/** An entry with the one that says until when it lives. */
export const stored = (name: string, size: number, liveUntil: number, durability: Durability = "persistent") =>
  dataEntries(contract, [symbol(name), filled(size)], durability, liveUntil)

export const account = accountEntry(owner)
export const [accountKey, missingKey] = [keyOfAccount(owner), keyOfAccount(idOf(Keypair.random()))]
export const [live, over, least] = [now + 50, now - 1, now + 99]
