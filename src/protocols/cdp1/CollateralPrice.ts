import { xdr } from "@stellar/stellar-sdk"
import { Either } from "effect"
import { i128, option, struct, symbol, u64, variant } from "../../chain/ScValCodec.ts"
import type { ContractAddress } from "../../domain/Address.ts"
import { gate } from "../CodeGate.ts"
import type { GateFailure, KnownCode } from "../CodeGate.ts"
import { valueIn } from "../LedgerView.ts"
import type { LedgerView, Unusable } from "../LedgerView.ts"
import type { Denomination } from "./VaultKey.ts"

/** After so many seconds the vaults contract itself no longer acts on a price. */
const freshFor = 1200n

const PriceRecord = struct({ next: option(u64), price: i128, timestamp: u64 })

const assetOf = (denomination: Denomination): xdr.ScVal => variant("Other", symbol.encode(denomination))

/** Where the oracle keeps the time of its newest price. Temporary. */
export const stampKey = (denomination: Denomination): xdr.ScVal => variant("AssetLastStamp", assetOf(denomination))

/** Where the oracle keeps the price of a time. Temporary. */
export const recordKey = (denomination: Denomination, timestamp: bigint): xdr.ScVal =>
  variant(
    "AssetRecord",
    xdr.ScVal.scvMap([
      new xdr.ScMapEntry({ key: xdr.ScVal.scvSymbol("asset"), val: assetOf(denomination) }),
      new xdr.ScMapEntry({ key: xdr.ScVal.scvSymbol("timestamp"), val: u64.encode(timestamp) })
    ])
  )

/**
 * The price of the collateral in a denomination, scale 10^7, from the oracle's own entries (what its `lastprice` answers). Null when
 * it is not known: the oracle's code is not one whose entries are understood, or its newest price is gone, too old or no price.
 */
export const priceIn = (
  view: LedgerView,
  oracle: ContractAddress,
  denomination: Denomination,
  known: KnownCode<"oracle">
): Either.Either<bigint | null, Extract<Unusable, { readonly _tag: "Unread" }>> => {
  const gated = gate(view, oracle, known)
  const stamp = valueIn(view, oracle, stampKey(denomination), u64, "temporary")
  const unread = [...unreadOf(gated), ...unreadOf(stamp)]
  if (unread.length > 0) return Either.left({ _tag: "Unread", keys: unread })
  if (Either.isLeft(gated) || Either.isLeft(stamp) || stamp.right === null) return Either.right(null)
  const record = valueIn(view, oracle, recordKey(denomination, stamp.right), PriceRecord, "temporary")
  if (Either.isLeft(record)) return record.left._tag === "Unread" ? Either.left(record.left) : Either.right(null)
  const { price, timestamp } = record.right ?? { price: 0n, timestamp: 0n }
  return Either.right(price > 0n && timestamp + freshFor >= view.closeTime ? price : null)
}

const unreadOf = (read: Either.Either<unknown, GateFailure>): ReadonlyArray<xdr.LedgerKey> =>
  Either.isLeft(read) && read.left._tag === "Unread" ? read.left.keys : []
