import { mulDown, mulUp, one7 } from "../kit/FixedPoint.ts"

// The contract's ratios, fees and prices have seven decimal places.

/** What the contract keeps of the collateral when a vault is closed: its share, rounded up. */
export const closingFee = (collateral: bigint, fee: bigint): bigint => mulUp(collateral, fee, one7)

/** What a full payment of the debt gives back, in base units of the collateral token. */
export const payout = (collateral: bigint, fee: bigint): bigint => collateral - closingFee(collateral, fee)

/** Collateral over debt at a price of the collateral in the denomination (scale 10^7); the ratio has the same scale. */
export const ratio = (price: bigint, collateral: bigint, debt: bigint): bigint => mulDown(price, collateral, debt)
