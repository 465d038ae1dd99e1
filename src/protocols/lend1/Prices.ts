import { Either } from "effect"
import type { Getter } from "../../chain/Getter.ts"
import type { ContractAddress } from "../../domain/Address.ts"
import { contract, variant } from "../../stellar/ScValCodec.ts"
import type { LedgerView, OpenQuestions } from "../kit/LedgerView.ts"
import { askPrice, freshPrice } from "../kit/OraclePrice.ts"

/** Prices of the pool's oracle (SEP-40), all with the same number of decimals; null where it has none that the pool would take. */
export type Prices = (asset: ContractAddress) => bigint | null

/** After so many seconds a pool no longer takes a price. */
const freshFor = 86_400n

/** Asks an oracle for its newest price of an asset, as pools do (`lastprice(asset)`). */
export const lastPrice = (oracle: ContractAddress, asset: ContractAddress): Getter =>
  askPrice(oracle, variant("Stellar", contract.encode(asset)))

/** The prices of these assets. */
export const pricesIn = (
  view: LedgerView,
  oracle: ContractAddress,
  assets: ReadonlyArray<ContractAddress>
): Either.Either<Prices, OpenQuestions> =>
  Either.map(
    Either.all(assets.map((asset) => Either.map(freshPrice(view, lastPrice(oracle, asset), freshFor), (price) => [asset, price] as const))),
    (all) => {
      const known = new Map(all)
      return (asset) => known.get(asset) ?? null
    }
  )
