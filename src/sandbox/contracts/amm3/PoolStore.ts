import type { xdr } from "@stellar/stellar-sdk"
import type { ContractHost } from "../../../ledger/soroban/Contract.ts"
import { asAddress, asI128, field, i128, symbol, u32 } from "../../../ledger/soroban/Values.ts"
import { readAndExtend, writeAndExtend } from "./ExtendedEntries.ts"
import type { PoolTraits } from "./PoolTraits.ts"

export const poolConfigKey: xdr.ScVal = symbol("CONFIG")
export const totalSharesKey: xdr.ScVal = u32(0)
export const reserveAKey: xdr.ScVal = u32(1)
export const reserveBKey: xdr.ScVal = u32(2)

/** The contracts a pool works with. */
export interface PoolParts {
  readonly tokenA: xdr.ScAddress
  readonly tokenB: xdr.ScAddress
  readonly shareToken: xdr.ScAddress
  readonly stake: xdr.ScAddress
}

const read = (host: ContractHost, { keptIn }: PoolTraits, key: xdr.ScVal): xdr.ScVal =>
  (keptIn === "instance" ? host.instance.get(key) : readAndExtend(host, key)) ?? host.trap()

export const configOf = (host: ContractHost, traits: PoolTraits): xdr.ScVal => read(host, traits, poolConfigKey)

export const partsOf = (host: ContractHost, traits: PoolTraits): PoolParts => {
  const config = configOf(host, traits)
  const at = (name: string): xdr.ScAddress => asAddress(field(config, name))
  return { tokenA: at("token_a"), tokenB: at("token_b"), shareToken: at("share_token"), stake: at("stake_contract") }
}

/** How much a pool has of something: of one of its tokens, or of shares that were given out. Base units. */
export const amountUnder = (host: ContractHost, traits: PoolTraits, key: xdr.ScVal): bigint => asI128(read(host, traits, key))

export const setAmount = (host: ContractHost, traits: PoolTraits, key: xdr.ScVal, amount: bigint): void => {
  if (traits.keptIn === "instance") host.instance.set(key, i128(amount))
  else writeAndExtend(host, key, i128(amount))
}
