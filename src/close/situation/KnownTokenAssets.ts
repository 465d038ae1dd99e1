import { native } from "../../domain/Asset.ts"
import { assetContract } from "../../stellar/AssetTokens.ts"
import type { Situation } from "./Situation.ts"
import type { TokenAssets } from "./TokenAssets.ts"

/** Token contracts that stand for an asset of the ledger, as far as calls of the close move them: lumens, what is sold, what positions move. */
export const knownAssetsIn = (
  { exits, passphrase, tokenWork: { sales } }: Pick<Situation, "exits" | "passphrase" | "tokenWork">
): TokenAssets =>
  new Map([
    ...exits.assets,
    [assetContract(native, passphrase), native],
    ...sales.map(({ asset, contract }) => [contract, asset] as const)
  ])
