import { StrKey } from "@stellar/stellar-sdk"
import { Either } from "effect"
import { createHash } from "node:crypto"
import { ContractAddress } from "../../../src/domain/Address.ts"
import type { ListedPool, OpenPool, TradingPool, Venue } from "../../../src/protocols/ProtocolRegistry.ts"

/** A contract address that depends only on the name. */
export const named = (name: string): ContractAddress =>
  ContractAddress.make(StrKey.encodeContract(createHash("sha256").update(name).digest()))

/** A made-up venue. */
export const venueOf = (mostLegs: 1 | 2 | 3): Venue => ({
  mostLegs,
  open: () => Either.left({ _tag: "Undecodable", key: null as never, reason: "not asked" })
})

/** A constant-product pool, also of several tokens, with the reserves of its tokens in their order. */
export const madePool = (name: string, venue: Venue, tokens: ReadonlyArray<ContractAddress>, reserves: ReadonlyArray<bigint>) => {
  const market: OpenPool["market"] = {
    pays: (from, to, amount) => {
      const [sold, bought] = [reserves[tokens.indexOf(from)], reserves[tokens.indexOf(to)]]
      if (sold === undefined || bought === undefined || amount <= 0n) return null
      const paid = (amount * 997n * bought) / (sold * 1_000n + amount * 997n)
      return paid > 0n ? paid : null
    },
    after: () => market
  }
  const pool: TradingPool = { contract: named(name), tokens, venue, index: null, market: () => Either.right(market) }
  return { pool, market }
}

type Made = ReturnType<typeof madePool>

export const listed = ({ pool }: Made): ListedPool => ({ protocol: "amm_1", pool })

export const open = ({ market, pool }: Made): OpenPool => ({
  pool,
  market,
  call: () => {
    throw new Error("nobody calls it")
  }
})
