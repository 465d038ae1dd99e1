import { xdr } from "@stellar/stellar-sdk"
import { Effect, Either, Option, Schema } from "effect"
import type { ChainFailure } from "../../chain/ChainFailure.ts"
import type { LedgerEntries } from "../../chain/LedgerEntries.ts"
import type { AccountAddress, ContractAddress } from "../../domain/Address.ts"
import { AssetId } from "../../domain/Asset.ts"
import { sdkAsset } from "../../stellar/Assets.ts"
import { contractDataKey, instanceKey } from "../../stellar/ContractKeys.ts"
import { address, i128, string, symbol } from "../../stellar/ScValCodec.ts"

/** Token contracts that stand for an asset of the ledger, lumens among them. Their balances are trustlines and accounts. */
export type TokenAssets = ReadonlyMap<ContractAddress, AssetId>

const metadataKey = symbol.encode("METADATA").toXdr("base64")

/** The contract of an asset on a network. */
export const tokenOf = (asset: AssetId, passphrase: string): string => sdkAsset(asset).contractId(passphrase)

const nameIn = (value: xdr.ScVal): string | null => {
  if (value.type !== "scvContractInstance" || value.instance.executable.type !== "contractExecutableStellarAsset") return null
  const found = (value.instance.storage ?? []).find(({ key }) => key.toXdr("base64") === metadataKey)
  if (found === undefined || found.val.type !== "scvMap") return null
  const name = (found.val.map ?? []).find(({ key }) => key.type === "scvSymbol" && key.sym.toString() === "name")
  return name === undefined ? null : Either.getOrNull(string.decode(name.val))
}

/** What an instance says it stands for; believed only when the asset's contract has that very address. */
const assetIn = (token: ContractAddress, value: xdr.ScVal, passphrase: string): AssetId | null => {
  const name = nameIn(value)
  const asset = name === null ? null : Option.getOrNull(Schema.decodeUnknownOption(AssetId)(name))
  return asset !== null && tokenOf(asset, passphrase) === token ? asset : null
}

/** Which of these contracts stand for an asset of the ledger, by their instances (`getLedgerEntries`). */
export const readTokenAssets = (
  entries: LedgerEntries["Type"],
  passphrase: string,
  tokens: ReadonlyArray<ContractAddress>
): Effect.Effect<TokenAssets, ChainFailure> =>
  Effect.map(entries.many(tokens.map(instanceKey)), (found) =>
    new Map(tokens.flatMap((token, index) => {
      const data = Option.getOrNull(found[index] ?? Option.none())?.entry.data
      const asset = data?.type === "contractData" ? assetIn(token, data.contractData.val, passphrase) : null
      return asset === null ? [] : [[token, asset] as const]
    })))

const balanceKey = (token: ContractAddress, holder: AccountAddress): xdr.LedgerKey =>
  contractDataKey(token, xdr.ScVal.scvVec([symbol.encode("Balance"), address.encode(holder)]))

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
