import type { xdr } from "@stellar/stellar-sdk"
import { type ContractFunction, contractFunction, type ContractHost } from "../../../ledger/soroban/Contract.ts"
import { addressVal, asAddress, asU32, i128, symbol, vec } from "../../../ledger/soroban/Values.ts"
import { Borrower } from "./Borrower.ts"
import { decoding } from "./Decoding.ts"
import { extendInstance, requireAndExtend, sharedLife } from "./ExtendedEntries.ts"
import { readReserveList } from "./Pool.ts"
import { claimEmissions } from "./PoolEmissions.ts"
import { PoolError } from "./PoolError.ts"
import { poolInstanceKeys, reserveConfigKey, reserveDataKey } from "./PoolKeys.ts"
import type { PoolTraits } from "./PoolTraits.ts"
import { asReserveConfig, asReserveData } from "./ReserveEntries.ts"
import { transferFrom } from "./Tokens.ts"

const addressOfInstance = (host: ContractHost, key: xdr.ScVal): xdr.ScAddress => asAddress(host.instance.get(key) ?? host.trap())

/** What earns: the shares of a user in what is lent or owed of an asset. */
interface EmissionShare {
  readonly id: number
  readonly asset: xdr.ScAddress
  readonly borrower: Borrower
}

const claimOne = (host: ContractHost, traits: PoolTraits, { asset, borrower, id }: EmissionShare): bigint => {
  const config = asReserveConfig(requireAndExtend(host, reserveConfigKey(asset), sharedLife))
  const data = asReserveData(requireAndExtend(host, reserveDataKey(asset), sharedLife))
  const index = Math.floor(id / 2)
  const isDebt = id % 2 === 0
  return claimEmissions(host, traits, {
    id,
    supply: isDebt ? data.dSupply : data.bSupply,
    scalar: 10n ** BigInt(config.decimals),
    user: borrower.address,
    balance: isDebt ? borrower.shares("liabilities", index) : borrower.suppliedShares(index)
  })
}

/** Pays what a user has earned in BLND, out of the backstop by the pool's allowance. */
export const claimFunction = (traits: PoolTraits): ContractFunction =>
  contractFunction(["address", "vec", "address"], (host, [from, ids, to]) => {
    extendInstance(host)
    host.requireAuth(from)
    const borrower = new Borrower(host, traits, from)
    const list = readReserveList(host)
    const claimed = ids.reduce((sum, value) => {
      const id = decoding(host, () => asU32(value))
      const asset = list[Math.floor(id / 2)] ?? host.fail(PoolError.badRequest)
      return sum + claimOne(host, traits, { id, asset, borrower })
    }, 0n)
    if (claimed > 0n) {
      const [token, backstop] = [addressOfInstance(host, poolInstanceKeys.blnd), addressOfInstance(host, poolInstanceKeys.backstop)]
      transferFrom(host, { token, from: backstop, to, amount: claimed })
    }
    host.emit([symbol("claim"), addressVal(from)], vec(vec(...ids), i128(claimed)))
    return i128(claimed)
  })
