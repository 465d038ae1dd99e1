import { Address, Keypair, xdr } from "@stellar/stellar-sdk"
import { Effect, Option } from "effect"
import type { LatestLedger } from "../../../../src/chain/contract-rpc/LatestLedger.ts"
import type { SimulationAnswer, StateChange } from "../../../../src/chain/contract-rpc/SimulationAnswer.ts"
import { tokenLimit } from "../../../../src/close/leaving/simulation/AnswerLimit.ts"
import type { SimulationContext } from "../../../../src/close/leaving/simulation/CallSimulator.ts"
import { AccountAddress, ContractAddress } from "../../../../src/domain/Address.ts"
import { native } from "../../../../src/domain/Asset.ts"
import { newAccount } from "../../../../src/ledger/entries/Account.ts"
import { newEntry } from "../../../../src/ledger/entries/LedgerEntry.ts"
import { contractData } from "../../../../src/ledger/soroban/ContractEntries.ts"
import { addressOf, addressVal, i128, variant, voidVal } from "../../../../src/ledger/soroban/Values.ts"
import { type ContractCall, invocationOf } from "../../../../src/operations/ContractCall.ts"
import { accountKey, keyOf, keyOfCode, keyText } from "../../../../src/xdr/LedgerKeys.ts"

export const user = AccountAddress.make(Keypair.random().publicKey())
export const stranger = AccountAddress.make(Keypair.random().publicKey())
export const pool = ContractAddress.make(Address.contract(Buffer.alloc(32, 1)).toString())
export const token = ContractAddress.make(Address.contract(Buffer.alloc(32, 2)).toString())
export const own = addressVal(addressOf(user))

/** Hash of the pool's code. */
export const poolCode = "07".repeat(32)

export const codeKey = (hash: string) => keyOfCode(Buffer.from(hash, "hex"))

/** Hashes of the code of these contracts; null: an asset contract. */
export type Running = Readonly<Record<string, string | null>>

/** The instance of a contract that runs code by its hash; null: the contract of an asset. */
export const instanceOf = (of: string, code: string | null) =>
  newEntry(contractData(
    addressOf(of),
    xdr.ScVal.scvLedgerKeyContractInstance(),
    "persistent",
    xdr.ScVal.scvContractInstance(
      new xdr.ScContractInstance({
        executable: code === null
          ? xdr.ContractExecutable.contractExecutableStellarAsset()
          : xdr.ContractExecutable.contractExecutableWasm(Buffer.from(code, "hex")),
        storage: null
      })
    )
  ))

/** The instances of these contracts and the code they run, as a footprint names them. */
export const touching = (running: Running): ReadonlyArray<xdr.LedgerKey> => [
  ...Object.entries(running).map(([of, code]) => keyOf(instanceOf(of, code))),
  ...[...new Set(Object.values(running))].flatMap((code) => (code === null ? [] : [codeKey(code)]))
]

export const leave: ContractCall = {
  contract: pool,
  code: poolCode,
  function: "leave",
  args: [own],
  payouts: [],
  holds: [],
  subCalls: [],
  recipients: []
}

export const invocation = (call: Pick<ContractCall, "contract" | "function" | "args">, ...below: Array<xdr.SorobanAuthorizedInvocation>) =>
  new xdr.SorobanAuthorizedInvocation({
    function: xdr.SorobanAuthorizedFunction.sorobanAuthorizedFunctionTypeContractFn(invocationOf(call)),
    subInvocations: below
  })

export const agreed = (rootInvocation: xdr.SorobanAuthorizedInvocation) =>
  new xdr.SorobanAuthorizationEntry({ credentials: xdr.SorobanCredentials.sorobanCredentialsSourceAccount(), rootInvocation })

export const resources = (
  readOnly: ReadonlyArray<xdr.LedgerKey> = [],
  readWrite: ReadonlyArray<xdr.LedgerKey> = [],
  minResourceFee = 1_000_000n
) => ({
  minResourceFee,
  data: new xdr.SorobanTransactionData({
    ext: xdr.SorobanTransactionDataExt.v0(),
    resourceFee: minResourceFee,
    resources: new xdr.SorobanResources({
      footprint: new xdr.LedgerFootprint({ readOnly: [...readOnly], readWrite: [...readWrite] }),
      instructions: 1_000_000,
      diskReadBytes: 0,
      writeBytes: 100
    })
  })
})

export type Simulated = Extract<SimulationAnswer, { readonly _tag: "Simulated" }>

/** A change of one entry of a contract's persistent data; null: deleted. */
export const changed = (of: string, key: xdr.ScVal, before: xdr.ScVal | null, after: xdr.ScVal | null): StateChange => {
  const entry = (value: xdr.ScVal) => newEntry(contractData(addressOf(of), key, "persistent", value))
  return { key: keyOf(entry(voidVal)), before: before === null ? null : entry(before), after: after === null ? null : entry(after) }
}

/** The account's position in the pool is gone. */
export const left = changed(pool, variant("Position", own), i128(1n), null)

export const simulated = (more: Partial<Simulated> = {}): Simulated => ({
  _tag: "Simulated",
  resources: resources(touching({ [pool]: poolCode })),
  auth: [agreed(invocation(leave))],
  result: voidVal,
  changes: [left],
  events: [],
  restore: null,
  latestLedger: 11,
  ...more
})

/** Entries of a ledger that has only the instances of these contracts. */
export const entriesOf = (running: Running): SimulationContext["entries"]["answers"] => (keys) => {
  const found = new Map(Object.entries(running).map(([of, code]) => [keyText(keyOf(instanceOf(of, code))), instanceOf(of, code)]))
  return Effect.succeed(keys.map((key) => {
    const entry = found.get(keyText(key))
    return {
      key,
      latestLedger: 11,
      live: entry === undefined ? Option.none() : Option.some({ key, entry, liveUntilLedger: 99, latestLedger: 11 })
    }
  }))
}

/** The header of a ledger that closed at 0. */
export const headerAt = (sequence: number): LatestLedger => ({
  sequence,
  closeTime: 0n,
  protocolVersion: 26,
  baseFee: 100,
  baseReserve: 5_000_000,
  idPool: 0n,
  flags: 0
})

/** A contract RPC that gives these answers one after the other, and then repeats the last one. */
export const context = (...answers: readonly [SimulationAnswer, ...ReadonlyArray<SimulationAnswer>]): SimulationContext => {
  let asked = 0
  let polled = 0
  const answerAt = (place: number) => answers[Math.min(place, answers.length - 1)] ?? answers[0]
  const newestAt = (place: number): LatestLedger => headerAt(answerAt(place).latestLedger)
  const never = Effect.dieMessage("not asked for here")
  return {
    user,
    currentSequence: 5n,
    assets: new Map([[token, native]]),
    knownCode: new Set(),
    lastChange: 10,
    mostResourceFee: 50_000_000n,
    feePayer: "source",
    limit: tokenLimit("a network of tests"),
    entries: {
      one: () => never,
      anew: () => never,
      answers: entriesOf({ [pool]: poolCode, [token]: null }),
      many: (keys) => Effect.succeed(keys.map(() => Option.none()))
    },
    rpc: {
      // Each request moves the network to the ledger of the next answer.
      latestLedger: Effect.sync(() => {
        polled += 1
        asked = Math.max(asked, polled)
        return newestAt(polled)
      }),
      recentLedger: Effect.sync(() => newestAt(polled)),
      closeInterval: Effect.succeed(null),
      closeTimeOf: () => Effect.succeed(null),
      ledgerEntries: () => never,
      feeStats: never,
      sendTransaction: () => never,
      transaction: () => never,
      transactions: () => never,
      retention: never,
      events: () => never,
      searchEvents: () => never,
      origins: [],
      each: [],
      newerXdr: Effect.succeed(null),
      endpoints: Effect.succeed([]),
      survey: never,
      simulateTransaction: () => Effect.sync(() => answerAt(asked++))
    }
  }
}

/** A change of an account's entry; lumens in stroops. */
const balance = (of: string, lumens: bigint) =>
  newEntry(
    xdr.LedgerEntryData.account(newAccount(xdr.PublicKey.publicKeyTypeEd25519(Keypair.fromPublicKey(of).rawPublicKey()), lumens, 1n))
  )
export const moved = (of: string, before: bigint, after: bigint): StateChange => ({
  key: accountKey(of),
  before: balance(of, before),
  after: balance(of, after)
})
