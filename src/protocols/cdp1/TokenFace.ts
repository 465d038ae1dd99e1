import { Either } from "effect"
import { string, struct, u32 } from "../../chain/ScValCodec.ts"
import { xdr } from "@stellar/stellar-sdk"
import type { ContractAddress } from "../../domain/Address.ts"
import { instanceIn, inInstance } from "../LedgerView.ts"
import type { LedgerView, Unusable } from "../LedgerView.ts"

const Metadata = struct({ decimal: u32, name: string, symbol: string })

/** How a token shows itself. Only an asset contract is believed: it is written by the host and not by whoever made the token. */
export interface TokenFace {
  readonly symbol: string | null
  readonly decimals: number | null
}

const faceless: TokenFace = { symbol: null, decimals: null }

/** The face of a stellar asset's contract; empty for any other token. */
export const faceIn = (view: LedgerView, token: ContractAddress): Either.Either<TokenFace, Extract<Unusable, { readonly _tag: "Unread" }>> => {
  const instance = instanceIn(view, token)
  if (Either.isLeft(instance)) return instance.left._tag === "Unread" ? Either.left(instance.left) : Either.right(faceless)
  if (instance.right?.executable.type !== "contractExecutableStellarAsset") return Either.right(faceless)
  const metadata = inInstance(token, instance.right, xdr.ScVal.scvSymbol("METADATA"), Metadata)
  return Either.right(
    Either.isRight(metadata) && metadata.right !== null
      ? { symbol: metadata.right.symbol, decimals: metadata.right.decimal }
      : faceless
  )
}

/** Base units in the token's own units, decimal; null when its decimals are not known. */
export const showUnits = (amount: bigint, decimals: number | null): string | null => {
  if (decimals === null) return null
  const digits = amount.toString().padStart(decimals + 1, "0")
  return decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`
}
