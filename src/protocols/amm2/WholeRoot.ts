/** The largest whole number whose square is no more than `value`, which is not below zero. One binary digit after the other. */
export const wholeRoot = (value: bigint): bigint => {
  let root = 0n
  let rest = value
  let digit = 1n << BigInt(Math.max(0, value.toString(2).length - 1) & ~1)
  while (digit > 0n) {
    const tried = root + digit
    root >>= 1n
    if (rest >= tried) {
      rest -= tried
      root += digit
    }
    digit >>= 2n
  }
  return root
}
