import { Either } from "effect"
import type { AccountAddress, ContractAddress } from "../../domain/Address.ts"
import { underHolder } from "../../stellar/ContractKeys.ts"
import { address, bool, struct, variant } from "../../stellar/ScValCodec.ts"
import { amount } from "./Amount.ts"
import { type LedgerView, type Unusable, valueIn } from "./LedgerView.ts"

/** Under what the contracts of assets, and tokens of the common family, keep what someone holds. */
export const balanceOf = underHolder((holder: AccountAddress | ContractAddress) => variant("Balance", address.encode(holder)))

/** What the contract of an asset keeps for a holder that is a contract. */
const OfAsset = struct({ amount, authorized: bool, clawback: bool })

/** What a token keeps for a contract, base units; null: it keeps nothing there. Left: what stands there is no amount. */
export const keptFor = (view: LedgerView, token: ContractAddress, holder: ContractAddress): Either.Either<bigint | null, Unusable> =>
  Either.orElse(valueIn(view, token, balanceOf(holder), amount), (failure) =>
    failure._tag === "Unread"
      ? Either.left(failure)
      : Either.map(valueIn(view, token, balanceOf(holder), OfAsset), (found) => found === null ? null : found.amount))
