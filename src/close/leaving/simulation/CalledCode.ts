import { Address, StrKey, type xdr } from "@stellar/stellar-sdk"
import { Either, Option } from "effect"
import type { SimulatedResources } from "../../../chain/contract-rpc/SimulationAnswer.ts"
import type { EntryAnswer } from "../../../chain/EntryAnswer.ts"
import type { ContractAddress } from "../../../domain/Address.ts"
import type { ContractCall, SubCall } from "../../../operations/ContractCall.ts"
import { codeOf, isCodeName, namedCode } from "../../../stellar/CodeReference.ts"
import { keyText } from "../../../xdr/LedgerKeys.ts"
import type { TokenAssets } from "../../situation/TokenAssets.ts"
import { receivers } from "./CallSafety.ts"

/** What a contract runs: wasm by its hash (hex), an asset contract, or code that could not be identified. */
type Executable = { readonly wasm: string } | "asset" | "unknown"

const keysOf = ({ data }: SimulatedResources): ReadonlyArray<xdr.LedgerKey> => {
  const { readOnly, readWrite } = data.resources.footprint
  return [...readOnly, ...readWrite]
}

const isInstance = (key: xdr.LedgerKey): boolean =>
  key.type === "contractData" && key.contractData.key.type === "scvLedgerKeyContractInstance"

/** The instances that a call reads or writes, which are the contracts that may run in it, and what owners say runs for others. */
export const instancesIn = (resources: SimulatedResources): ReadonlyArray<xdr.LedgerKey> =>
  keysOf(resources).filter((key) => isInstance(key) || isCodeName(key))

const codesIn = (resources: SimulatedResources): ReadonlySet<string> =>
  new Set(
    keysOf(resources).flatMap((key) => (key.type === "contractCode" ? [Buffer.from(key.contractCode.hash.toXdr()).toString("hex")] : []))
  )

/** `names`: what stands under the keys in which owners say which code runs for others. */
const executableOf = ({ live }: EntryAnswer, names: ReadonlyMap<string, string>): Executable => {
  const data = Option.getOrNull(live)?.entry?.data
  const value = data?.type === "contractData" ? data.contractData.val : null
  if (value?.type !== "scvContractInstance") return "unknown"
  const code = codeOf(value.instance)
  switch (code._tag) {
    case "Asset":
      return "asset"
    case "Unknown":
      return "unknown"
    case "Wasm":
      return { wasm: code.hash }
    case "Named": {
      const wasm = names.get(keyText(code.key))
      return wasm === undefined ? "unknown" : { wasm }
    }
  }
}

const namesIn = (answers: ReadonlyArray<EntryAnswer>): ReadonlyMap<string, string> =>
  new Map(answers.flatMap(({ key, live }) => {
    const data = isCodeName(key) ? Option.getOrNull(live)?.entry?.data : undefined
    const hash = data === undefined ? null : Either.getOrNull(namedCode(data))
    return hash === null ? [] : [[keyText(key), hash] as const]
  }))

const contractOf = (
  key: xdr.LedgerKey
): string => (key.type === "contractData" ? Address.fromScAddress(key.contractData.contract).toString() : "")

const treeOf = (call: Pick<SubCall, "contract" | "subCalls">): ReadonlyArray<string> => [call.contract, ...call.subCalls.flatMap(treeOf)]

/** What decides whether a contract may stand in what the account agrees to. */
export interface CodeRules {
  readonly assets: TokenAssets
  /** SHA-256 of the wasm that the decoder of the call was written for, in hex. */
  readonly knownCode: ReadonlySet<string>
  /** The token that the call is about. It may run any code, because the effects of the call are checked. Left out: there is none. */
  readonly token?: ContractAddress
}

/**
 * Why the code that a simulated call runs is not the code it was made for; null when it is. `read`: at least the entries under
 * `instancesIn`, read after the simulation.
 *
 * - The footprint must name exactly the code that its contracts run. So a contract cannot hide other code behind a known hash.
 * - The called contract must run the code that was read of it.
 * - Any other contract that the account authorizes a call of, or hands tokens to, must run code of the decoder or be an asset contract.
 *
 * The account authorizes nothing for other contracts in the footprint (an oracle), so their code need not be known.
 */
export const calledCodeProblem = (
  call: ContractCall,
  resources: SimulatedResources,
  read: ReadonlyArray<EntryAnswer>,
  { assets, knownCode, token }: CodeRules
): string | null => {
  const names = namesIn(read)
  const executables = new Map(
    read.filter(({ key }) => isInstance(key)).map((answer) => [contractOf(answer.key), executableOf(answer, names)] as const)
  )
  const unknown = [...executables].find(([, executable]) => executable === "unknown")
  if (unknown !== undefined) return `it runs ${unknown[0]}, whose code cannot be identified`
  const running = new Set([...executables.values()].flatMap((one) => (typeof one === "string" ? [] : [one.wasm])))
  const named = codesIn(resources)
  if (named.size !== running.size || [...named].some((code) => !running.has(code))) {
    return "it would run other code than the code that was read of its contracts"
  }
  const wasmOf = (contract: string): string | null => {
    const executable = executables.get(contract)
    return executable === undefined || typeof executable === "string" ? null : executable.wasm
  }
  // What is looked at for itself need not be known: an asset of the ledger, and the token that the call is about.
  const unquestioned = new Set<string>([...assets.keys(), ...(token === undefined ? [] : [token])])
  const own = call.code ?? null
  if (!unquestioned.has(call.contract) && (own === null || wasmOf(call.contract) !== own)) {
    return "its contract runs other code than the code that was read"
  }
  const isKnown = (contract: string): boolean => {
    const wasm = wasmOf(contract)
    return unquestioned.has(contract) ||
      (wasm !== null && (wasm === own || knownCode.has(wasm) || call.codeBelow?.includes(wasm) === true))
  }
  // Whom a token's own function names is judged by what it does (`TokenSafety.ts`): a spender that loses its allowance receives nothing.
  const receiving = call.contract === token ? [] : receivers(call).filter((one) => StrKey.isValidContract(one))
  const stranger = [...treeOf(call), ...receiving].find((one) => !isKnown(one))
  return stranger === undefined ? null : `it reaches ${stranger}, a contract whose code this service does not know`
}
