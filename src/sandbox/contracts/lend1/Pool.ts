import type { xdr } from "@stellar/stellar-sdk"
import type { ContractHost } from "../../../ledger/soroban/Contract.ts"
import { addressVal, asAddress, asI128, asU32, asU64, asVec, field, strkeyOf, variant } from "../../../ledger/soroban/Values.ts"
import { readAndExtend, sharedLife } from "./ExtendedEntries.ts"
import { asPoolConfig, type PoolConfig } from "./PoolConfig.ts"
import { PoolError } from "./PoolError.ts"
import { poolInstanceKeys, reserveListKey } from "./PoolKeys.ts"
import type { PoolTraits } from "./PoolTraits.ts"
import { Reserve } from "./Reserve.ts"

const priceAge = 86_400n

export const readConfig = (host: ContractHost): PoolConfig => asPoolConfig(host.instance.get(poolInstanceKeys.config) ?? host.trap())

export const readReserveList = (host: ContractHost): ReadonlyArray<xdr.ScAddress> => {
  const value = readAndExtend(host, reserveListKey, sharedLife)
  return value === undefined ? [] : asVec(value).map(asAddress)
}

/** A pool while a call runs: reserves are read once, and written at the end where the call has to do with them. */
export class Pool {
  readonly config: PoolConfig
  private readonly host: ContractHost
  private readonly traits: PoolTraits
  private readonly reserves = new Map<string, Reserve>()
  private readonly toStore = new Set<string>()
  private readonly prices = new Map<string, bigint>()

  constructor(host: ContractHost, traits: PoolTraits) {
    this.host = host
    this.traits = traits
    this.config = readConfig(host)
  }

  reserve(asset: xdr.ScAddress): Reserve {
    return this.reserves.get(strkeyOf(asset)) ?? Reserve.load(this.host, this.traits, this.config.backstopRate, asset)
  }

  keep(reserve: Reserve): void {
    this.reserves.set(strkeyOf(reserve.asset), reserve)
  }

  /** Keeps a reserve that is to be written. */
  change(reserve: Reserve): void {
    this.keep(reserve)
    this.toStore.add(strkeyOf(reserve.asset))
  }

  store(): void {
    for (const asset of this.toStore) this.reserves.get(asset)?.store(this.host)
  }

  /** Decimals of the oracle's prices. */
  priceDecimals(): number {
    return asU32(this.host.call(this.config.oracle, "decimals"))
  }

  /** Price of a whole unit, in the oracle's decimals; fails when it is older than a day. */
  price(asset: xdr.ScAddress): bigint {
    const known = this.prices.get(strkeyOf(asset))
    if (known !== undefined) return known
    const answer = this.host.call(this.config.oracle, "lastprice", variant("Stellar", addressVal(asset)))
    if (answer.type === "scvVoid") this.host.trap()
    const [price, timestamp] = [asI128(field(answer, "price")), asU64(field(answer, "timestamp"))]
    const isStale = timestamp + priceAge < this.host.ledger.timestamp
    if (isStale || (this.traits.version === 2 && price <= 0n)) this.host.fail(PoolError.invalidPrice)
    this.prices.set(strkeyOf(asset), price)
    return price
  }
}
