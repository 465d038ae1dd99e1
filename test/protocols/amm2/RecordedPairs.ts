import type { ContractAddress } from "../../../src/domain/Address.ts"
import { amm2 } from "../../../src/protocols/Amm2.ts"
import type { LedgerView } from "../../../src/protocols/kit/LedgerView.ts"
import type { Protocol } from "../../../src/protocols/Protocol.ts"
import type { Finds } from "../../../src/protocols/reading/Discovery.ts"
import { WasmHash } from "../../../src/registry/ContractAddresses.ts"
import { recorded } from "../support/Recorded.ts"

export type PairsRecording = ReturnType<typeof recorded>

export const pairsRecorded = (file: "amm_2" | "amm_2_more"): PairsRecording => recorded(file)

const codeOf = ({ contracts }: PairsRecording) => {
  const hash = (name: string) => [WasmHash.make(contracts[name]?.wasmHash ?? "")] as const
  return { factory: hash("factory"), router: hash("router"), pair: hash("pairXlmUsdc") }
}

/** The decoder over the contracts of a recording. */
export const decoderOf = (recording: PairsRecording, but: Partial<Parameters<typeof amm2>[0]> = {}): Protocol =>
  amm2({ factories: [recording.contract("factory")], routers: [recording.contract("router")], code: codeOf(recording), ...but })

/** The contracts that discovery finds in a fully read view. */
export const foundIn = ({ discovery }: Protocol, view: LedgerView): Finds => {
  if (discovery === undefined) throw new Error("nothing is looked for")
  return discovery.find(view, [])
}

/** The same decoder with the pairs of its factory in a view listed in the contracts file. */
export const withPairs = (protocol: Protocol, view: LedgerView): Protocol => {
  const { discovery: _, ...listed } = protocol
  return { ...listed, places: [...protocol.places, ...foundIn(protocol, view).places] }
}

export const nameOf = ({ contracts }: PairsRecording, address: ContractAddress): string =>
  Object.entries(contracts).find(([, one]) => one.address === address)?.[0] ?? "a stranger"
