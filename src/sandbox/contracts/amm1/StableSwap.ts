import type { ContractHost } from "../../../ledger/soroban/Contract.ts"
import { PoolError } from "./PoolError.ts"
import { less, mulDiv, mulDiv256, mulDivUp } from "./Products.ts"
import { amplification, invariant } from "./StableInvariant.ts"

const maxRounds = 255
const feeParts = 10_000n

/** What the pool holds of the token that is bought once it holds `sold` of the other: all in the decimals of the token with most. */
const heldAfter = (host: ContractHost, held: ReadonlyArray<bigint>, [from, to]: readonly [number, number], sold: bigint): bigint => {
  if (from === to) host.fail(PoolError.sameToken)
  if (to >= held.length) host.fail(PoolError.outTokenOutOfBounds)
  const count = BigInt(held.length)
  const amp = amplification(host)
  const d = invariant(host, held, amp)
  const ann = amp * count
  const others = held.map((amount, at) => (at === from ? sold : amount)).filter((_, at) => at !== to)
  const c = mulDiv256(others.reduce((so, amount) => mulDiv256(so, d, amount * count), d), d, ann * count)
  const b = others.reduce((sum, amount) => sum + amount, 0n) + mulDiv(d, 1n, ann)
  let y = d
  for (let round = 0; round < maxRounds; round += 1) {
    const before = y
    y = mulDiv256(y * y + c, 1n, less(2n * y + b, d))
    const change = y > before ? y - before : before - y
    if (change <= 1n) return y
  }
  return host.fail(PoolError.maxIterations)
}

/** A swap: which token for which, and how much of the first. */
export interface StableTrade {
  readonly from: number
  readonly to: number
  readonly amount: bigint
}

/** How a pool counts: what it holds, by what its tokens are multiplied to have the same decimals, and its fees in ten thousandths. */
export interface StableReserves {
  readonly held: ReadonlyArray<bigint>
  readonly scales: ReadonlyArray<bigint>
  readonly fee: bigint
  readonly protocolFraction: bigint
}

/** What a swap pays, its fee, and what of the fee is the protocol's: base units. */
export const stableSwap = (
  host: ContractHost,
  { fee, held, protocolFraction, scales }: StableReserves,
  { amount, from, to }: StableTrade
) => {
  const taken = mulDivUp(amount, fee, feeParts)
  const ofProtocol = mulDivUp(taken, protocolFraction, feeParts)
  const scaled = held.map((one, at) => one * (scales[at] ?? host.trap()))
  const [scaleIn, scaleOut] = [scales[from] ?? host.trap(), scales[to] ?? 1n]
  const after = heldAfter(host, scaled, [from, to], (scaled[from] ?? host.trap()) + (amount - taken) * scaleIn)
  return { paid: less(less(scaled[to] ?? host.trap(), after), 1n) / scaleOut, fee: taken, ofProtocol }
}
