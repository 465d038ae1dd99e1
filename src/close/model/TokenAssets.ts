import { xdr } from "@stellar/stellar-sdk"
import { Effect, Either, Option } from "effect"
import type { ChainFailure } from "../../chain/ChainFailure.ts"
import type { LedgerEntries } from "../../chain/LedgerEntries.ts"
import type { AccountAddress, ContractAddress } from "../../domain/Address.ts"
import type { AssetId } from "../../domain/Asset.ts"
import { assetIn } from "../../stellar/AssetTokens.ts"
import { contractDataKey, instanceKey } from "../../stellar/ContractKeys.ts"
import { address, i128, symbol } from "../../stellar/ScValCodec.ts"

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
      const data = Option.getOrNull(found[index] ?? Option.none())?.entry.data
      const value = data?.type === "contractData" ? data.contractData.val : null
      const asset = value?.type === "scvContractInstance" ? assetIn(token, value.instance, passphrase) : null
      return asset === null ? [] : [[token, asset] as const]
    })))

const balanceKey = (token: ContractAddress, holder: AccountAddress): xdr.LedgerKey =>
  contractDataKey(token, xdr.ScVal.scvVec([symbol.encode("Balance"), address.encode(holder)]))

/** What `readTokenAssets` and `readTokenBalances` ask for. */
export const tokenAssetKeys = (holder: AccountAddress, tokens: ReadonlyArray<ContractAddress>): ReadonlyArray<xdr.LedgerKey> =>
  tokens.flatMap((token) => [instanceKey(token), balanceKey(token, holder)])

/** What an account holds of token contracts of the common family, base units; nothing is said of one that keeps balances otherwise. */
export const readTokenBalances = (
  entries: LedgerEntries["Type"],
  holder: AccountAddress,
  tokens: ReadonlyArray<ContractAddress>
): Effect.Effect<ReadonlyMap<ContractAddress, bigint>, ChainFailure> =>
  Effect.map(entries.many(tokens.map((token) => balanceKey(token, holder))), (found) =>
    new Map(tokens.flatMap((token, index) => {
      const data = Option.getOrNull(found[index] ?? Option.none())?.entry.data
      const amount = data?.type === "contractData" ? Either.getOrNull(i128.decode(data.contractData.val)) : null
      return amount === null ? [] : [[token, amount] as const]
    })))
