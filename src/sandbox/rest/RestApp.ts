import { HttpRouter, HttpServerResponse } from "@effect/platform"
import { Effect } from "effect"
import { Network } from "../Network.ts"
import { account } from "./Account.ts"
import { accountData } from "./AccountData.ts"
import { accounts } from "./Accounts.ts"
import { assets } from "./Assets.ts"
import { claimableBalance, claimableBalances } from "./ClaimableBalances.ts"
import { feeStats } from "./FeeStats.ts"
import { ledger, ledgers } from "./Ledgers.ts"
import { liquidityPool, liquidityPools } from "./LiquidityPools.ts"
import { accountOffers, offer, offers } from "./Offers.ts"
import { orderBook } from "./OrderBook.ts"
import { Problem, problemResponse } from "./Problem.ts"
import { root } from "./Root.ts"
import { strictReceivePaths } from "./StrictReceivePaths.ts"
import { strictSendPaths } from "./StrictSendPaths.ts"
import { submitTransaction } from "./SubmitTransaction.ts"
import { submitTransactionAsync } from "./SubmitTransactionAsync.ts"
import { accountTransactions, transaction, transactions } from "./Transactions.ts"
import { View } from "./View.ts"

const routes = HttpRouter.fromIterable([
  root,
  account,
  accountData,
  accountOffers,
  accountTransactions,
  accounts,
  assets,
  claimableBalance,
  claimableBalances,
  feeStats,
  ledger,
  ledgers,
  liquidityPool,
  liquidityPools,
  offer,
  offers,
  orderBook,
  strictReceivePaths,
  strictSendPaths,
  submitTransaction,
  submitTransactionAsync,
  transaction,
  transactions
])

/** The ledger API (Horizon-compatible REST). Every answer tells by `Latest-Ledger` which ledger it was read from. */
export const RestApp = Effect.gen(function* () {
  const chain = yield* Effect.flatMap(Network, ({ snapshot }) => snapshot)
  const response = yield* routes.pipe(
    Effect.provideService(View, chain),
    Effect.catchTags({
      Problem: (problem) => Effect.succeed(problemResponse(problem)),
      RouteNotFound: () => Effect.succeed(problemResponse(Problem.notFound))
    }),
    Effect.catchAllDefect((defect) =>
      Effect.as(Effect.logError("a ledger API endpoint broke", defect), problemResponse(Problem.internal)))
  )
  return HttpServerResponse.setHeader(response, "latest-ledger", chain.history.latest.sequence.toString())
})
