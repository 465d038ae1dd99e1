import { Effect } from "effect"
import { UpstreamUnusable } from "../../domain/failure/Upstream.ts"
import type { ChainFailure } from "../ChainFailure.ts"
import type { ListedTransaction, TransactionPage } from "../contract-rpc/TransactionPage.ts"
import type { ContractRpc } from "../ContractRpc.ts"

/** Pages of one ledger's transactions that are read at most: a ledger holds at most a few hundred. */
const mostPages = 10

/** Every transaction of a ledger, in the order in which they were applied (`getTransactions`); null where the endpoint does not keep it any more. */
export const transactionsOf = (
  rpc: Pick<ContractRpc["Type"], "transactions">,
  ledger: number
): Effect.Effect<ReadonlyArray<ListedTransaction> | null, ChainFailure> =>
  Effect.gen(function*() {
    const all: Array<ListedTransaction> = []
    let page: TransactionPage = yield* rpc.transactions({ from: ledger })
    for (let pages = 1; page._tag === "Page"; pages++) {
      all.push(...page.transactions.filter((one) => one.ledger === ledger))
      const last = page.transactions.at(-1)
      if (last === undefined || last.ledger > ledger) return all
      if (pages === mostPages) return yield* new UpstreamUnusable({ source: "contract_rpc" })
      page = yield* rpc.transactions({ cursor: page.next })
    }
    return null
  })
