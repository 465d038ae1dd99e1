import type { Getter } from "../chain/Getter.ts"
import { native } from "../domain/Asset.ts"
import { assetContract } from "../stellar/AssetTokens.ts"

/**
 * What every network answers: the decimals of lumens. Where a source answers this and not what a token was asked, it is the token that gives no
 * answer.
 */
export const controlGetter = (passphrase: string): Getter => ({
  contract: assetContract(native, passphrase),
  function: "decimals",
  args: []
})
