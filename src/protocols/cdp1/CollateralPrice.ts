import { Either } from "effect"
import type { Getter } from "../../chain/Getter.ts"
import { contract, i128, struct, symbol, u64, variant } from "../../stellar/ScValCodec.ts"
import type { ContractAddress } from "../../domain/Address.ts"
import { toldIn } from "../kit/LedgerView.ts"
import type { LedgerView, Unread } from "../kit/LedgerView.ts"
import type { Denomination } from "./VaultKey.ts"

/** After so many seconds the vaults contract itself no longer acts on a price. */
const freshFor = 1200n

const Price = struct({ price: i128, timestamp: u64 })

/** Asks an oracle what the collateral is worth in a denomination, as the vaults contract asks it (`lastprice(caller, asset)`). */
export const lastPrice = (vaults: ContractAddress, oracle: ContractAddress, denomination: Denomination): Getter => ({
  contract: oracle,
  function: "lastprice",
  args: [contract.encode(vaults), variant("Other", symbol.encode(denomination))]
})

/** The price of the collateral in a denomination, scale 10^7; null when the oracle gives none, or an old one. */
export const priceIn = (
  view: LedgerView,
  vaults: ContractAddress,
  oracle: ContractAddress,
  denomination: Denomination
): Either.Either<bigint | null, Unread> =>
  Either.map(toldIn(view, lastPrice(vaults, oracle, denomination), Price), (told) =>
    told !== null && told.price > 0n && told.timestamp + freshFor >= view.closeTime ? told.price : null)
