/** Order of two numbers, or of two texts by their characters. */
export const ascending = <Value extends bigint | string>(left: Value, right: Value): number => {
  if (left === right) return 0
  return left < right ? -1 : 1
}
