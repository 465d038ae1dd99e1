import { Either } from "effect"
import type { Getter } from "../../chain/Getter.ts"
import { contract, i128, struct, u64, variant } from "../../stellar/ScValCodec.ts"
import type { ContractAddress } from "../../domain/Address.ts"
import { toldIn } from "../kit/LedgerView.ts"
import type { LedgerView, Unread } from "../kit/LedgerView.ts"

/** Prices of the pool's oracle (SEP-40), all with the same number of decimals; null where it has none that the pool would take. */
export type Prices = (asset: ContractAddress) => bigint | null

const Price = struct({ price: i128, timestamp: u64 })

/** After so many seconds a pool no longer takes a price. */
const freshFor = 86_400n

/** Asks an oracle for its newest price of an asset, as pools do (`lastprice(asset)`). */
export const lastPrice = (oracle: ContractAddress, asset: ContractAddress): Getter => ({
  contract: oracle,
  function: "lastprice",
  args: [variant("Stellar", contract.encode(asset))]
})

/** The prices of these assets. */
export const pricesIn = (view: LedgerView, oracle: ContractAddress, assets: ReadonlyArray<ContractAddress>): Either.Either<Prices, Unread> =>
  Either.map(
    Either.all(assets.map((asset) => Either.map(toldIn(view, lastPrice(oracle, asset), Price), (told) => [asset, told] as const))),
    (all) => {
      const known = new Map(all.flatMap(([asset, told]) =>
        told !== null && told.price > 0n && told.timestamp + freshFor >= view.closeTime ? [[asset, told.price] as const] : []))
      return (asset) => known.get(asset) ?? null
    }
  )
