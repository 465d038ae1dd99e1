import { Effect, Option } from "effect"
import type { ChainFailure } from "../../chain/ChainFailure.ts"
import type { LedgerEntries } from "../../chain/LedgerEntries.ts"
import type { ContractAddress } from "../../domain/Address.ts"
import { assetIn } from "../../stellar/AssetTokens.ts"
import { codeOf } from "../../stellar/CodeReference.ts"
import { instanceKey } from "../../stellar/ContractKeys.ts"
import { metadataIn, type TokenNames } from "../TokenNames.ts"

/** What runs in a token, and what it calls itself. */
export interface TokenCode {
  /** Whether it is the contract of an asset of the ledger, at that asset's own address. */
  readonly isAsset: boolean
  /** SHA-256 of its wasm (hex); null where it has none of its own. */
  readonly code: string | null
  /** Null where its instance has no metadata of the common form. */
  readonly names: TokenNames | null
}

/** Those of some tokens that are contracts (`getLedgerEntries`). */
export const readTokenCode = (
  entries: LedgerEntries["Type"],
  passphrase: string,
  tokens: ReadonlyArray<ContractAddress>
): Effect.Effect<ReadonlyMap<ContractAddress, TokenCode>, ChainFailure> =>
  Effect.map(
    entries.many(tokens.map(instanceKey)),
    (found) =>
      new Map(tokens.flatMap((token, index): ReadonlyArray<readonly [ContractAddress, TokenCode]> => {
        const data = Option.getOrNull(found[index] ?? Option.none())?.entry?.data
        const value = data?.type === "contractData" ? data.contractData.val : null
        if (value === null) return []
        // In a form of a newer protocol: the contract is there, and is asked.
        if (value.type !== "scvContractInstance") return [[token, { isAsset: false, code: null, names: null }]]
        const code = codeOf(value.instance)
        return [[token, {
          isAsset: assetIn(token, value.instance, passphrase) !== null,
          code: code._tag === "Wasm" ? code.hash : null,
          names: metadataIn(value.instance)
        }]]
      }))
  )
