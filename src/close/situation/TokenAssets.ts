import { Effect, Option } from "effect"
import type { ChainFailure } from "../../chain/ChainFailure.ts"
import type { LedgerEntries } from "../../chain/LedgerEntries.ts"
import type { ContractAddress } from "../../domain/Address.ts"
import type { AssetId } from "../../domain/Asset.ts"
import { assetIn } from "../../stellar/AssetTokens.ts"
import { instanceKey } from "../../stellar/ContractKeys.ts"

/** Token contracts that stand for an asset of the ledger, lumens among them. Their balances are trustlines and accounts. */
export type TokenAssets = ReadonlyMap<ContractAddress, AssetId>

/** Which of these contracts stand for an asset of the ledger, by their instances (`getLedgerEntries`). */
export const readTokenAssets = (
  entries: LedgerEntries["Type"],
  passphrase: string,
  tokens: ReadonlyArray<ContractAddress>
): Effect.Effect<TokenAssets, ChainFailure> =>
  Effect.map(entries.many(tokens.map(instanceKey)), (found) =>
    new Map(tokens.flatMap((token, index) => {
      const data = Option.getOrNull(found[index] ?? Option.none())?.entry?.data
      const value = data?.type === "contractData" ? data.contractData.val : null
      const asset = value?.type === "scvContractInstance" ? assetIn(token, value.instance, passphrase) : null
      return asset === null ? [] : [[token, asset] as const]
    })))
