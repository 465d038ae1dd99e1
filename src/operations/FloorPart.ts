/**
 * What a part of an amount must bring where all of it was agreed to bring `minReceive`: the same price, rounded up. The floor itself
 * where it does not say for how much it was made, or where no less is sold.
 */
export const partOfFloor = (minReceive: bigint, whole: bigint | null, part: bigint): bigint =>
  whole === null || whole <= part ? minReceive : (minReceive * part + whole - 1n) / whole
