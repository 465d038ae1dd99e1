import { hostFail } from "./HostError.ts"

/**
 * Counts the work of a call. The figures are round estimates of what the real host measures, of the same order and the
 * same in a simulation and on the ledger; they are not its metering.
 */
export const Work = {
  /** Setting up the host, decoding the call and its entries. */
  base: 120_000,
  /** A call into the native asset contract. */
  nativeCall: 60_000,
  /** A call into compiled code: loading it and running it. */
  compiledCall: 550_000,
  storageAccess: 12_000,
  event: 10_000,
  authorization: 15_000,
  signature: 400_000
} as const

export class Meter {
  private readonly limit: number
  private count = 0

  constructor(limit: number) {
    this.limit = limit
  }

  get used(): number {
    return this.count
  }

  /** Whether something ran that never ends by itself: it was charged for without bound. */
  get isEndless(): boolean {
    return this.count === Number.POSITIVE_INFINITY
  }

  charge(instructions: number): void {
    this.count += instructions
    if (this.count > this.limit) hostFail("Budget", "ExceededLimit", "operation instructions exceeds amount specified")
  }
}
