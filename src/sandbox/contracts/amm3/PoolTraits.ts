/** What tells one generation of pools from another. */
export interface PoolTraits {
  /** Where its settings, its reserves and the number of its shares are: in entries of their own, or in the instance. */
  readonly keptIn: "persistent" | "instance"
  /** Whether a withdrawal may unbond a stake on the way, by a sixth argument. */
  readonly unstakes: boolean
  /** Whether a withdrawal may ask for nothing at least; it traps where not. */
  readonly asksForNothing: boolean
  readonly errors: {
    readonly minimum: number
    readonly noShares: number
    readonly deadline: number
    /** A minimum below zero; a generation without a number for it traps. */
    readonly negative: number | null
  }
  /** How it swaps; null: that is not modelled. */
  readonly swap: SwapTraits | null
}

/** How one generation of constant product pools swaps. */
export interface SwapTraits {
  /** Whether a swap may pay a unit more than the price before it says, as rounding has it for small ones; it traps where not. */
  readonly mayBeatItsPrice: boolean
  readonly errors: {
    readonly spread: number
    readonly token: number
    readonly basisPoints: number
    readonly minimum: number
    readonly fee: number
  }
}

/** Hash of the code of pools whose withdrawal takes five arguments. */
export const fiveArgumentPoolHash = "14ed2bb1a025c22bcc730ffc9da3f5aa9f7c653f4be402812c32f249e20dee01"

export const fiveArgumentTraits: PoolTraits = {
  keptIn: "persistent",
  unstakes: false,
  asksForNothing: false,
  errors: { minimum: 4, noShares: 13, deadline: 22, negative: null },
  swap: { mayBeatItsPrice: false, errors: { spread: 1, token: 16, basisPoints: 19, minimum: 21, fee: 24 } }
}

/** Hash of the code of constant product pools whose withdrawal takes six. */
export const sixArgumentPoolHash = "7b8e336f2b6d855b45e7484f3435f4348efb82fe16ff570bd2790bf56b78ebb3"

export const sixArgumentTraits: PoolTraits = {
  keptIn: "persistent",
  unstakes: true,
  asksForNothing: true,
  errors: { minimum: 303, noShares: 312, deadline: 321, negative: 329 },
  swap: { mayBeatItsPrice: true, errors: { spread: 300, token: 315, basisPoints: 318, minimum: 320, fee: 323 } }
}

/** Hash of the code of stable pools, whose withdrawal takes six. */
export const amm3StablePoolHash = "1cd5fdafe3c70d9d062b4c75154b5a9d6309eea9f7b9a32fcf6692cf4e8bf669"

export const stableTraits: PoolTraits = {
  keptIn: "instance",
  unstakes: true,
  asksForNothing: true,
  errors: { minimum: 402, noShares: 404, deadline: 418, negative: 425 },
  swap: null
}
