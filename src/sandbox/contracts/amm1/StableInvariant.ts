import type { ContractHost } from "../../../ledger/soroban/Contract.ts"
import { asU128, asU64 } from "../../../ledger/soroban/Values.ts"
import { stored } from "./Instance.ts"
import { PoolError } from "./PoolError.ts"
import { stableKeys } from "./PoolKeys.ts"
import { mulDiv, mulDiv256 } from "./Products.ts"

const maxRounds = 255

/** How strongly a pool keeps its tokens at par, which may be on its way from one value to another. */
export const amplification = (host: ContractHost): bigint => {
  const [from, to] = [stored(host, stableKeys.initialA, asU128), stored(host, stableKeys.futureA, asU128)]
  const [start, end] = [stored(host, stableKeys.initialATime, asU64), stored(host, stableKeys.futureATime, asU64)]
  const now = host.ledger.timestamp
  if (now >= end) return to
  return to > from ? from + mulDiv(to - from, now - start, end - start) : from - mulDiv(from - to, now - start, end - start)
}

/** What a pool's tokens are worth together at par: found in steps, until one more changes it by no more than one. */
export const invariant = (host: ContractHost, held: ReadonlyArray<bigint>, amp: bigint): bigint => {
  const sum = held.reduce((total, amount) => total + amount, 0n)
  if (sum === 0n) return 0n
  const count = BigInt(held.length)
  const ann = amp * count
  let d = sum
  for (let round = 0; round < maxRounds; round += 1) {
    const product = held.reduce((so, amount) => mulDiv256(so, d, amount * count), d)
    const before = d
    d = mulDiv256(ann * sum + product * count, d, (ann - 1n) * d + (count + 1n) * product)
    const change = d > before ? d - before : before - d
    if (change <= 1n) return d
  }
  return host.fail(PoolError.maxIterations)
}
