import { getterText } from "../../../src/chain/Getter.ts"
import { ContractAddress } from "../../../src/domain/Address.ts"
import type { LedgerState } from "../../../src/ledger/LedgerState.ts"
import { amm1 } from "../../../src/protocols/Amm1.ts"
import type { EntryState, GetterState, LedgerView } from "../../../src/protocols/kit/LedgerView.ts"
import type { Protocol } from "../../../src/protocols/Protocol.ts"
import { type ProtocolCode, WasmHash } from "../../../src/registry/ContractAddresses.ts"
import { readReplayed, type ReplayedRecording, simulate } from "../../sandbox/contracts/CallReplay.ts"

/** A recorded ledger as a decoder's view: missing entries do not exist, and the contracts themselves answer getters. */
export const viewOver = (recording: ReplayedRecording, state: LedgerState): LedgerView => {
  const told = new Map<string, GetterState>()
  return {
    sequence: state.header.ledgerSeq,
    closeTime: state.header.closeTime,
    state: (key): EntryState => {
      const entry = state.get(key)
      return entry === undefined ? { _tag: "Absent" } : { _tag: "Present", data: entry.data, archived: false }
    },
    answer: (getter) => {
      const { args, contract, function: called } = getter
      const known = told.get(getterText(getter))
      if (known !== undefined) return known
      const ran = simulate(recording, state, { contract, function: called, source: recording.user, args })
      const answer: GetterState = ran._tag === "SimulatedCall"
        ? { _tag: "Returned", value: ran.returnValue }
        : { _tag: "Failed", reason: ran.error.message }
      told.set(getterText(getter), answer)
      return answer
    }
  }
}

const hashOf = ({ contracts }: ReplayedRecording, name: string) => [WasmHash.make(contracts[name]?.wasmHash ?? "0".repeat(64))] as const

/** The code of a recording, by its kind. */
export const codeIn = (recording: ReplayedRecording): ProtocolCode => ({
  router: hashOf(recording, "router"),
  constantProductPool: hashOf(recording, "cpPool"),
  stablePool: hashOf(recording, "stablePool"),
  concentratedPool: hashOf(recording, "clPool"),
  shareToken: hashOf(recording, "cpPoolShare"),
  rewardsGauge: hashOf(recording, "gauge")
})

export const contractNamed = ({ contracts }: ReplayedRecording, name: string): ContractAddress =>
  ContractAddress.make(contracts[name]?.address ?? "")

/** The decoder over the router of a recording. */
export const amm1Of = (recording: ReplayedRecording, but: Partial<Parameters<typeof amm1>[0]> = {}): Protocol =>
  amm1({ routers: [contractNamed(recording, "router")], code: codeIn(recording), byInterface: false, ...but })

/** The same with the places that its discovery finds on a ledger. */
export const foundOn = (protocol: Protocol, view: LedgerView): Protocol => ({
  ...protocol,
  places: [...protocol.places, ...(protocol.discovery?.find(view, []).places ?? [])]
})

export const recordedAmm1 = readReplayed
