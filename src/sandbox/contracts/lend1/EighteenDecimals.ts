import { hostFail } from "../../../ledger/soroban/HostError.ts"

/** One, with eighteen decimals. */
export const ONE = 10n ** 18n

/** A quotient rounded towards minus infinity. */
export const floor = (value: bigint, by: bigint): bigint => {
  if (by <= 0n) return hostFail("Object", "ArithDomain", "division by nothing")
  const quotient = value / by
  return value < 0n && quotient * by !== value ? quotient - 1n : quotient
}

/** A quotient rounded towards infinity. */
export const ceiling = (value: bigint, by: bigint): bigint => -floor(-value, by)
