import { assert } from "@effect/vitest"
import { StrKey, xdr } from "@stellar/stellar-sdk"
import { Effect, Either, Option, Schema } from "effect"
import type { EntryAnswer } from "../../../src/chain/EntryAnswer.ts"
import type { LedgerEntries } from "../../../src/chain/LedgerEntries.ts"
import { AccountAddress, ContractAddress } from "../../../src/domain/Address.ts"
import { cdp1 } from "../../../src/protocols/Cdp1.ts"
import type { Cdp1Settings } from "../../../src/protocols/Cdp1.ts"
import { readExit, readProtocol } from "../../../src/protocols/reading/PositionReading.ts"
import { keyOfEntryData, keyText } from "../../../src/xdr/LedgerKeys.ts"
import { readRecording } from "../../ledger/soroban/Recording.ts"
import type { RecordedState } from "../../ledger/soroban/Recording.ts"
import { terms } from "../support/Leaving.ts"
import { rpcSaying } from "../support/Sources.ts"
import type { Say } from "../support/Sources.ts"

export const recording = readRecording("cdp_1")

export const contractNamed = (name: string): ContractAddress =>
  Schema.decodeSync(ContractAddress)(recording.contracts[name]?.address ?? assert.fail(`no contract ${name}`))

export const user = Schema.decodeSync(AccountAddress)(recording.user)

export const vaultsHash = recording.contracts["vaults"]?.wasmHash ?? assert.fail("no vaults")

export const stateNamed = (name: string): RecordedState => recording.states[name] ?? assert.fail(`no state ${name}`)

/** The entries of a contract RPC by key, each with the ledger that it lives until. */
export type Ledger = ReadonlyMap<string, { readonly data: xdr.LedgerEntryData; readonly liveUntil: number | null }>

export const ledgerOf = (state: RecordedState): Ledger =>
  new Map(state.entries.map(({ key, liveUntilLedgerSeq, xdr: data }) => [
    key,
    { data: xdr.LedgerEntryData.fromXdr(data, "base64"), liveUntil: liveUntilLedgerSeq ?? null }
  ]))

/** The same ledger with these entries added or replaced. */
export const having = (ledger: Ledger, ...entries: ReadonlyArray<xdr.LedgerEntryData>): Ledger =>
  new Map([...ledger, ...entries.map((data) => [keyText(keyOfEntryData(data)), { data, liveUntil: 99_000_000 }] as const)])

export const without = (ledger: Ledger, ...keys: ReadonlyArray<xdr.LedgerKey>): Ledger => {
  const gone = new Set(keys.map(keyText))
  return new Map([...ledger].filter(([key]) => !gone.has(key)))
}

/** Entries of a ledger, and the count of reads. */
export const entriesIn = (ledger: Ledger, latestLedger: number) => {
  const trips: Array<number> = []
  const answers = (keys: ReadonlyArray<xdr.LedgerKey>) =>
    Effect.sync(() => {
      trips.push(new Set(keys.map(keyText)).size)
      return keys.map((key): EntryAnswer => ({
        key,
        latestLedger,
        live: Option.map(Option.fromNullable(ledger.get(keyText(key))), ({ data, liveUntil }) => ({
          key,
          entry: new xdr.LedgerEntry({ lastModifiedLedgerSeq: 1, data, ext: xdr.LedgerEntryExt.fromXdr("AAAAAA==", "base64") }),
          liveUntilLedger: liveUntil,
          latestLedger
        }))
      }))
    })
  const many = (keys: ReadonlyArray<xdr.LedgerKey>) => Effect.map(answers(keys), (all) => all.map(({ live }) => live))
  const entries: LedgerEntries["Type"] = {
    answers,
    anew: answers,
    many,
    one: (key) => Effect.map(many([key]), ([live]) => live ?? Option.none())
  }
  return { entries, trips }
}

export const protocolOf = (settings: Partial<Cdp1Settings> = {}) =>
  cdp1({
    vaults: [contractNamed("vaults")],
    lockingPools: [],
    code: new Map([[vaultsHash, "vaults" as const]]),
    ...settings
  })

const readable = (settings?: Partial<Cdp1Settings>) => ({ protocol: protocolOf(settings), found: () => Effect.succeed(Either.right(null)) })

export const at = { sequence: 60_317_281, closeTime: 1_795_386_405n }

/** Reads the protocol; a failed read fails the test. */
export const read = (ledger: Ledger, settings?: Partial<Cdp1Settings>, of = user) =>
  Effect.gen(function*() {
    const { entries, trips } = entriesIn(ledger, at.sequence)
    const reading = yield* readProtocol({ entries, rpc: rpcSaying() }, at, of)(readable(settings))
    assert(reading._tag === "Read", reading._tag === "Broken" ? reading.reason : reading._tag)
    return { ...reading, trips }
  })

/** The balance of a token in the user's trustline on a ledger. */
export const balanceIn = (ledger: Ledger) => (token: ContractAddress): bigint => {
  const name = Object.entries(recording.contracts).find(([, { address }]) => address === token)?.[0]
  for (const { data } of ledger.values()) {
    if (data.type !== "trustline" || data.trustLine.asset.type !== "assetTypeCreditAlphanum4") continue
    const { accountId, asset: { alphaNum4 }, balance } = data.trustLine
    const holder = StrKey.encodeEd25519PublicKey(accountId.ed25519.value)
    if (holder === user && alphaNum4.assetCode.toString().toLowerCase() === name) return balance
  }
  return assert.fail(`no line for ${name}`)
}

/** `say`: the oracle's answer; omitted: none. */
export const leave = (ledger: Ledger, key: string, settings?: Partial<Cdp1Settings>, spendable = balanceIn(ledger), say?: Say) =>
  Effect.gen(function*() {
    const { entries, trips } = entriesIn(ledger, at.sequence)
    const exit = yield* readExit({ entries, rpc: rpcSaying(say) }, at, {
      readable: readable(settings),
      position: { contract: contractNamed("vaults"), key },
      context: { user, ...terms(at), spendable, withoutRewards: false }
    })
    return { exit, trips }
  })
