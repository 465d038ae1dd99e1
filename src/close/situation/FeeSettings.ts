import { BigInt as Big, Config, Context, Effect, Layer } from "effect"
import { lumen } from "../../domain/Amount.ts"
import { NetworkFeeAboveLimit } from "../../domain/failure/Upstream.ts"
import { wholeNumberSetting } from "../../domain/WholeNumberSetting.ts"

/** The largest resource fee that an owner may accept by name, stroops: 500 lumens. */
export const largestResourceFee = 500_0000000n

/** Stroops that the settings let an operation offer at most. */
const mostInclusionFee = 10_000_000

/**
 * The largest resource fee, stroops, of a transaction whose own account pays for it: the whole fee of a transaction is an unsigned number
 * of 32 bits, some 429 lumens, and what is offered for inclusion is part of it. That of a fee bump is wider.
 */
export const largestOwnResourceFee = 0xffffffffn - BigInt(mostInclusionFee)

/** `MAX_FEE_STROOPS_PER_OPERATION`, default 10000. */
export const mostFeeSetting = wholeNumberSetting("MAX_FEE_STROOPS_PER_OPERATION", { least: 100, most: mostInclusionFee, usual: 10_000 })

/** `MAX_RESOURCE_FEE_LUMENS`, default 5. */
export const mostResourceFeeSetting = wholeNumberSetting("MAX_RESOURCE_FEE_LUMENS", { least: 1, most: 500, usual: 5 })

/** How much an operation may offer to get into a ledger. */
export class FeeSettings extends Context.Tag("closeout/close/FeeSettings")<FeeSettings, {
  /** Stroops an operation offers: what it takes to get into a ledger, never below the base fee, never above the setting. */
  readonly perOperation: (asked: bigint, baseFee: number) => bigint
  /** Stroops: the setting itself. */
  readonly mostPerOperation: bigint
  /** Why nothing is offered to a network that asks for so many stroops an operation; null when it is within the setting. */
  readonly aboveLimit: (baseFee: number) => NetworkFeeAboveLimit | null
  /** Stroops: the largest resource fee a contract transaction may declare, unless the owner accepts another by name. */
  readonly mostResourceFee: bigint
}>() {
  /** `MAX_FEE_STROOPS_PER_OPERATION`, default 10000, and `MAX_RESOURCE_FEE_LUMENS`, default 5. */
  static readonly layer = Layer.effect(
    FeeSettings,
    Effect.map(
      Config.all([mostFeeSetting, mostResourceFeeSetting]),
      ([cap, lumens]) => ({
        perOperation: (asked: bigint, baseFee: number) => Big.max(BigInt(baseFee), Big.min(asked, BigInt(cap))),
        mostPerOperation: BigInt(cap),
        aboveLimit: (baseFee: number) =>
          baseFee > cap ? new NetworkFeeAboveLimit({ feeStroops: baseFee.toString(), limitStroops: cap.toString() }) : null,
        mostResourceFee: BigInt(lumens) * lumen
      })
    )
  )
}
