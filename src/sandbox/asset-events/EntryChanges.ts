import type { xdr } from "@stellar/stellar-sdk"
import { idOf, idOfEntry } from "../../ledger/LedgerKey.ts"

/** What became of one entry. */
export interface EntryTurn {
  readonly before: xdr.LedgerEntry["data"] | undefined
  readonly after: xdr.LedgerEntry["data"] | undefined
}

/** The changes of an operation, entry by entry, in the order they were first touched. */
export const entryTurns = (changes: ReadonlyArray<xdr.LedgerEntryChange>): ReadonlyArray<EntryTurn> => {
  const turns = new Map<string, EntryTurn>()
  const end = (id: string, after: EntryTurn["after"]) => turns.set(id, { before: turns.get(id)?.before, after })
  for (const change of changes) {
    switch (change.type) {
      case "ledgerEntryState": {
        const id = idOfEntry(change.state)
        if (!turns.has(id)) turns.set(id, { before: change.state.data, after: change.state.data })
        break
      }
      case "ledgerEntryCreated":
        end(idOfEntry(change.created), change.created.data)
        break
      case "ledgerEntryUpdated":
        end(idOfEntry(change.updated), change.updated.data)
        break
      case "ledgerEntryRestored":
        end(idOfEntry(change.restored), change.restored.data)
        break
      case "ledgerEntryRemoved":
        end(idOf(change.removed), undefined)
        break
    }
  }
  return [...turns.values()]
}

/** How a pool's reserves changed. */
export interface PoolTurn {
  readonly poolId: xdr.PoolId
  /** In the order of the pool's assets; positive: more in the pool than before. */
  readonly gained: ReadonlyArray<readonly [asset: xdr.Asset, amount: bigint]>
}

const product = (data: EntryTurn["before"]) =>
  data?.type === "liquidityPool" ? { poolId: data.liquidityPool.liquidityPoolId, ...data.liquidityPool.body.constantProduct } : undefined

export const poolTurns = (turns: ReadonlyArray<EntryTurn>): ReadonlyArray<PoolTurn> =>
  turns.flatMap(({ after, before }): ReadonlyArray<PoolTurn> => {
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
