import type { xdr } from "@stellar/stellar-sdk"
import { Either } from "effect"
import type { Getter } from "../../chain/Getter.ts"
import type { ContractAddress } from "../../domain/Address.ts"
import { i128, struct, u64 } from "../../stellar/ScValCodec.ts"
import { getterValue } from "./LedgerView.ts"
import type { LedgerView, OpenQuestions } from "./LedgerView.ts"

const Price = struct({ price: i128, timestamp: u64 })

/** Asks an oracle for its newest price (`lastprice`, SEP-40), in the words of the contract that goes by it. */
export const askPrice = (oracle: ContractAddress, ...args: ReadonlyArray<xdr.ScVal>): Getter => ({
  contract: oracle,
  function: "lastprice",
  args
})

/**
 * What an oracle says to that, in its own decimals; null where it says nothing, or what the contract that goes by it would not take: a
 * price of nothing, or one older than `freshFor` seconds.
 */
export const freshPrice = (view: LedgerView, asked: Getter, freshFor: bigint): Either.Either<bigint | null, OpenQuestions> =>
  Either.map(
    getterValue(view, asked, Price),
    (quote) => quote !== null && quote.price > 0n && quote.timestamp + freshFor >= view.closeTime ? quote.price : null
  )
