import { Either } from "effect"
import type { ContractAddress } from "../../domain/Address.ts"
import { contractDataKey } from "../../stellar/ContractKeys.ts"
import { bool, contract, struct } from "../../stellar/ScValCodec.ts"
import { amount } from "../kit/Amount.ts"
import { type LedgerView, toldIn, type Unusable, valueIn } from "../kit/LedgerView.ts"
import { balance } from "./Keys.ts"

/** What the contract of an asset keeps for a holder that is a contract. */
const OfAsset = struct({ amount, authorized: bool, clawback: bool })

const kept = (view: LedgerView, token: ContractAddress, holder: ContractAddress): Either.Either<bigint | null, Unusable> =>
  Either.orElse(valueIn(view, token, balance(holder), amount), (failure) =>
    failure._tag === "Unread"
      ? Either.left(failure)
      : Either.map(valueIn(view, token, balance(holder), OfAsset), (found) => found === null ? null : found.amount))

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
  const found = kept(view, token, pair)
  if (Either.isLeft(found) && found.left._tag === "Unread") return Either.left(found.left)
  if (Either.isRight(found) && (found.right !== null || reserve === 0n)) return Either.right(found.right ?? 0n)
  const untold: Unusable = {
    _tag: "Undecodable",
    key: contractDataKey(token, balance(pair)),
    reason: "the token does not tell what the pair holds of it"
  }
  return Either.flatMap(
    toldIn(view, { contract: token, function: "balance", args: [contract.encode(pair)] }, amount),
    (told): Either.Either<bigint, Unusable> => (told === null ? Either.left(untold) : Either.right(told))
  )
}
