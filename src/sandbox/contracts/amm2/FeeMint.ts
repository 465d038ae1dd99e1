import type { ContractHost } from "../../../ledger/soroban/Contract.ts"
import { asAddress, asBool, asI128, i128 } from "../../../ledger/soroban/Values.ts"
import { type Amounts, checked, factoryOf, pairInstanceKeys, reservesOf } from "./PairReserves.ts"
import { mintShares, totalSupply } from "./PairShares.ts"

/** The whole root of a number, rounded down. */
export const wholeRoot = (value: bigint): bigint => {
  if (value < 2n) return value
  let root = 1n << BigInt(Math.ceil(value.toString(2).length / 2))
  for (;;) {
    const next = (root + value / root) >> 1n
    if (next >= root) return root
    root = next
  }
}

export const lastProduct = (host: ContractHost): bigint => {
  const value = host.instance.get(pairInstanceKeys.lastProduct)
  return value === undefined ? 0n : asI128(value)
}

const setLastProduct = (host: ContractHost, product: bigint): void => host.instance.set(pairInstanceKeys.lastProduct, i128(product))

/**
 * Makes the shares the factory is due before shares are made or ended: a sixth of what the root of the product grew by. True where the
 * factory takes a part of the fees.
 */
export const mintFee = (host: ContractHost, [first, second]: Amounts): boolean => {
  const factory = factoryOf(host)
  const isOn = asBool(host.call(factory, "fees_enabled"))
  const last = lastProduct(host)
  if (!isOn) {
    if (last !== 0n) setLastProduct(host, 0n)
    return false
  }
  const to = asAddress(host.call(factory, "fee_to"))
  if (last === 0n) return true
  const [root, lastRoot] = [wholeRoot(checked(host, first * second)), wholeRoot(last)]
  if (root <= lastRoot) return true
  const due = checked(host, totalSupply(host) * (root - lastRoot)) / checked(host, root * 5n + lastRoot)
  if (due > 0n) mintShares(host, to, due)
  return true
}

/** Remembers the product from which the factory's next part is counted. */
export const rememberProduct = (host: ContractHost): void => {
  const [first, second] = reservesOf(host)
  setLastProduct(host, checked(host, first * second))
}
