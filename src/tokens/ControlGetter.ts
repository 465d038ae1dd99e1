import type { Getter } from "../chain/Getter.ts"
import { native } from "../domain/Asset.ts"
import { assetContract } from "../stellar/AssetTokens.ts"

/**
 * A getter that every network answers: the decimals of lumens. Where a source answers it, but not a token's getter, the token is the cause.
 */
export const controlGetter = (passphrase: string): Getter => ({
  contract: assetContract(native, passphrase),
  function: "decimals",
  args: []
})
