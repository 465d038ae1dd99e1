import { Address, xdr } from "@stellar/stellar-sdk"
import type { Lie } from "../../support/Sources.ts"

/** A lie about some contracts, and the count of its uses. */
export interface LieAbout {
  readonly lie: Lie
  readonly met: () => number
}

const counted = (
  told: ReturnType<Lie>,
  isAbout: (method: string, params: Record<string, unknown>) => boolean
): LieAbout => {
  let count = 0
  return {
    met: () => count,
    lie: (method, result, params) => {
      if (!isAbout(method, params)) return result
      count++
      return told
    }
  }
}

const contractIn = (text: unknown): string | null => {
  const key = xdr.LedgerKey.fromXdr(String(text), "base64")
  return key.type === "contractData" ? Address.fromScAddress(key.contractData.contract).toString() : null
}

/** Requests for entries of these contracts get no answer. */
export const keysNaming = (contracts: ReadonlyArray<string>): LieAbout =>
  counted(
    null,
    (method, { keys }) =>
      method === "getLedgerEntries" && Array.isArray(keys) && keys.some((text) => contracts.includes(contractIn(text) ?? ""))
  )

/** Simulations of calls that name these contracts get another answer. */
export const simulationNaming = (contracts: ReadonlyArray<string>): LieAbout => {
  const raw = contracts.map((contract) => Buffer.from(Address.fromString(contract).toBuffer()))
  return counted(
    {},
    (method, { transaction }) =>
      method === "simulateTransaction" && raw.some((bytes) => Buffer.from(String(transaction), "base64").includes(bytes))
  )
}
