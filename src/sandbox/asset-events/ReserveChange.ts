import type { xdr } from "@stellar/stellar-sdk"
import type { EntryChange } from "../network/EntryChanges.ts"

/** How a pool's reserves changed. */
export interface ReserveChange {
  readonly poolId: xdr.PoolId
  /** In the order of the pool's assets; positive: more in the pool than before. */
  readonly gained: ReadonlyArray<readonly [asset: xdr.Asset, amount: bigint]>
}

const product = (data: EntryChange["before"]) =>
  data?.type === "liquidityPool" ? { poolId: data.liquidityPool.liquidityPoolId, ...data.liquidityPool.body.constantProduct } : undefined

export const reserveChanges = (turns: ReadonlyArray<EntryChange>): ReadonlyArray<ReserveChange> =>
  turns.flatMap(({ after, before }): ReadonlyArray<ReserveChange> => {
    const [earlier, later] = [product(before), product(after)]
    const one = later ?? earlier
    return one === undefined
      ? []
      : [{
        poolId: one.poolId,
        gained: [
          [one.params.assetA, (later?.reserveA ?? 0n) - (earlier?.reserveA ?? 0n)],
          [one.params.assetB, (later?.reserveB ?? 0n) - (earlier?.reserveB ?? 0n)]
        ]
      }]
  })
