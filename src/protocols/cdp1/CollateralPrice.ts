import type { Either } from "effect"
import type { ContractAddress } from "../../domain/Address.ts"
import { contract, symbol, variant } from "../../stellar/ScValCodec.ts"
import type { LedgerView, OpenQuestions } from "../kit/LedgerView.ts"
import { askPrice, freshPrice } from "../kit/OraclePrice.ts"
import type { Denomination } from "./VaultKey.ts"

/** After so many seconds the vaults contract itself no longer acts on a price. */
const freshFor = 1200n

/** The price of the collateral in a denomination, scale 10^7, as the vaults contract asks for it (`lastprice(caller, asset)`); null when there is none. */
export const priceIn = (
  view: LedgerView,
  vaults: ContractAddress,
  oracle: ContractAddress,
  denomination: Denomination
): Either.Either<bigint | null, OpenQuestions> =>
  freshPrice(view, askPrice(oracle, contract.encode(vaults), variant("Other", symbol.encode(denomination))), freshFor)
