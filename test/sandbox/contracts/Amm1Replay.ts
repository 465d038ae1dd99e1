import { assert } from "@effect/vitest"
import { xdr } from "@stellar/stellar-sdk"
import { newAccount } from "../../../src/ledger/entries/Account.ts"
import { newEntry } from "../../../src/ledger/entries/LedgerEntry.ts"
import { LedgerState } from "../../../src/ledger/LedgerState.ts"
import { ttlEntry } from "../../../src/ledger/soroban/Life.ts"
import { addressOf, bool, strkeyOf } from "../../../src/ledger/soroban/Values.ts"
import { rewardKeys } from "../../../src/sandbox/contracts/amm1/RewardKeys.ts"
import { contractEntries } from "../../../src/sandbox/contracts/Deployment.ts"
import { accountId, codes, headerOf, linesOf, type ReplayedCall, type ReplayedRecording, withLife } from "./CallReplay.ts"

const far = 70_000_000
/** Contracts whose entries no state lists: only their instance, which is empty. */
const unlisted = ["plane", "boostFeed"]
const onlyKeeps = 2

const entriesOf = (recording: ReplayedRecording, name: string): ReadonlyArray<xdr.LedgerEntry> =>
  (recording.states[name] ?? assert.fail(`no state ${name}`)).entries.flatMap(({ key, liveUntilLedgerSeq, xdr: data }) => [
    newEntry(xdr.LedgerEntryData.fromXdr(data, "base64")),
    ...(liveUntilLedgerSeq === undefined ? [] : [ttlEntry(xdr.LedgerKey.fromXdr(key, "base64"), liveUntilLedgerSeq)])
  ])

/** The other provider's trustline beside each of the user's: other accounts were not recorded. */
const lineOf = (provider: string) => (entry: xdr.LedgerEntry): ReadonlyArray<xdr.LedgerEntry> =>
  entry.data.type === "trustline"
    ? [newEntry(xdr.LedgerEntryData.trustline(new xdr.TrustLineEntry({ ...entry.data.trustLine, accountId: accountId(provider) })))]
    : []

/** The state with an applied call's effects. */
const withEffects = (state: LedgerState, call: ReplayedCall, which: "before" | "after"): LedgerState =>
  (call.stateChanges ?? []).reduce((so, change) => {
    const entry = change[which]
    return entry === null
      ? so.delete([xdr.LedgerKey.fromXdr(change.key, "base64")])
      : so.set(withLife(xdr.LedgerEntry.fromXdr(entry, "base64")))
  }, state)

/** The plane's storage before a call, which no state lists: the `before` of the first call from then on that changed it. */
const withPlane = (state: LedgerState, recording: ReplayedRecording, call: ReplayedCall): LedgerState => {
  const label = /^plane /
  const laterFirst = recording.calls.slice(recording.calls.indexOf(call)).toReversed()
  return laterFirst.flatMap(({ stateChanges = [] }) => stateChanges).reduce(
    (so, { before, key }) =>
      before !== null && xdr.LedgerKey.fromXdr(key, "base64").type === "contractData" && label.test(labelOf(recording, key))
        ? so.set(withLife(xdr.LedgerEntry.fromXdr(before, "base64")))
        : so,
    state
  )
}

/** The recording's name for the contract of an entry. */
const labelOf = ({ contracts }: ReplayedRecording, key: string): string => {
  const ledgerKey = xdr.LedgerKey.fromXdr(key, "base64")
  if (ledgerKey.type !== "contractData") return ""
  const address = strkeyOf(ledgerKey.contractData.contract)
  return `${Object.keys(contracts).find((name) => contracts[name]?.address === address) ?? ""} `
}

const withInstance = (state: LedgerState, contract: string, key: xdr.ScVal, value: xdr.ScVal): LedgerState =>
  state.set(
    Array.from(state.entries()).flatMap((entry) => {
      if (entry.data.type !== "contractData") return []
      const data = entry.data.contractData
      if (data.val.type !== "scvContractInstance" || data.contract.toXdr("base64") !== addressOf(contract).toXdr("base64")) return []
      const { executable, storage } = data.val.instance
      const instance = new xdr.ScContractInstance({ executable, storage: [...(storage ?? []), new xdr.ScMapEntry({ key, val: value })] })
      const val = xdr.ScVal.scvContractInstance(instance)
      return [newEntry(xdr.LedgerEntryData.contractData(new xdr.ContractDataEntry({ ...data, val })))]
    })
  )

const withKeepingLine = (state: LedgerState, code: string): LedgerState =>
  state.set(
    linesOf(state, code).flatMap((key) => {
      const data = state.get(key)?.data
      return data?.type === "trustline"
        ? [newEntry(xdr.LedgerEntryData.trustline(new xdr.TrustLineEntry({ ...data.trustLine, flags: onlyKeeps })))]
        : []
    })
  )

/** The ledger with the changes that were made for one call only. */
const prepared = (state: LedgerState, call: ReplayedCall): LedgerState => {
  const gone = /^the (\w+) trustline of the state was removed/.exec(call.note ?? "")?.[1]
  const kept = /^the (\w+) trustline had only/.exec(call.note ?? "")?.[1]
  if (gone !== undefined) return state.delete(linesOf(state, gone))
  if (kept !== undefined) return withKeepingLine(state, kept)
  return call.name.startsWith("gauges_claim while that is switched off")
    ? withInstance(state, call.contract, rewardKeys.gaugesKilled, bool(true))
    : state
}

const isApplied = (call: ReplayedCall): boolean => call.ok && /^(concentrated |stable )?exit/.test(call.name)

/** A recorded state as a ledger. It adds entries of earlier states that this one does not list, and the effects of calls in between. */
export const ammLedgerOf = (recording: ReplayedRecording, name: string): LedgerState => {
  const first = recording.states[Object.keys(recording.states)[0] ?? ""] ?? assert.fail("no states")
  const issuers = ["issuer", "aquaIssuer", "otherProvider"].flatMap((who) => recording.accounts[who] ?? [])
  const provider = recording.accounts["otherProvider"] ?? assert.fail("no other provider")
  const start = LedgerState.make(headerOf(first), [
    ...issuers.map((who) => newEntry(xdr.LedgerEntryData.account(newAccount(accountId(who), 1_000_000_000n, 0n)))),
    ...entriesOf(recording, Object.keys(recording.states)[0] ?? "").flatMap(lineOf(provider)),
    ...codes(recording),
    ...unlisted.flatMap((contract) => {
      const found = recording.contracts[contract] ?? assert.fail(`no ${contract}`)
      return contractEntries(addressOf(found.address), found.wasmHash, [], far)
    })
  ])
  const names = Object.keys(recording.states)
  const upTo = names.slice(0, names.indexOf(name) + 1)
  const ended = upTo.reduce((state, each) => {
    const stood = state.set(entriesOf(recording, each))
    return each === name ? stood : recording.calls.filter((call) => call.state === each && isApplied(call)).reduce(
      (so, call) => withEffects(so, call, "after"),
      stood
    )
  }, start)
  return ended.at(headerOf(recording.states[name] ?? assert.fail(`no state ${name}`)))
}

/** The ledger of a recorded call. */
export const ammLedgerBefore = (recording: ReplayedRecording, call: ReplayedCall): LedgerState => {
  const earlier = recording.calls.slice(0, recording.calls.indexOf(call)).filter((other) => other.state === call.state && isApplied(other))
  const state = earlier.reduce((so, other) => withEffects(so, other, "after"), ammLedgerOf(recording, call.state))
  return prepared(withEffects(withPlane(state, recording, call), call, "before").at(headerOf(call)), call)
}
