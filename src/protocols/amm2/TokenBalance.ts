import { Either } from "effect"
import type { ContractAddress } from "../../domain/Address.ts"
import { contractDataKey } from "../../stellar/ContractKeys.ts"
import { contract } from "../../stellar/ScValCodec.ts"
import { amount } from "../kit/Amount.ts"
import { balanceOf, keptFor } from "../kit/HeldBalance.ts"
import { getterValue, type LedgerView, type Unusable } from "../kit/LedgerView.ts"

/**
 * What a pair holds of a token, base units: by the entry that contracts of assets and the common family of tokens keep. One that keeps
 * nothing there, although the pair counts on it, is asked. Left: what stands there is no amount, or it does not tell.
 */
export const heldByPair = (
  view: LedgerView,
  token: ContractAddress,
  pair: ContractAddress,
  reserve: bigint
): Either.Either<bigint, Unusable> => {
  const found = keptFor(view, token, pair)
  if (Either.isLeft(found) && found.left._tag === "Unread") return Either.left(found.left)
  if (Either.isRight(found) && (found.right !== null || reserve === 0n)) return Either.right(found.right ?? 0n)
  const untold: Unusable = {
    _tag: "Undecodable",
    key: contractDataKey(token, balanceOf(pair)),
    reason: "the token does not tell what the pair holds of it"
  }
  return Either.flatMap(
    getterValue(view, { contract: token, function: "balance", args: [contract.encode(pair)] }, amount),
    (told): Either.Either<bigint, Unusable> => (told === null ? Either.left(untold) : Either.right(told))
  )
}
