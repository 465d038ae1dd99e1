import { HttpRouter, HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { Cause, Effect } from "effect"
import { Network } from "../Network.ts"
import { accountData } from "./AccountData.ts"
import { account } from "./AccountResource.ts"
import { accounts } from "./Accounts.ts"
import { assets } from "./Assets.ts"
import { claimableBalance, claimableBalances } from "./ClaimableBalances.ts"
import { feeStats } from "./FeeStats.ts"
import { ledger, ledgers, ledgerTransactions } from "./Ledgers.ts"
import { liquidityPool, liquidityPools } from "./LiquidityPools.ts"
import { accountOffers, offer, offers } from "./Offers.ts"
import { orderBook } from "./OrderBook.ts"
import { Problem, problemResponse } from "./Problem.ts"
import { rateLimitHeaders } from "./RateLimitHeaders.ts"
import { root } from "./Root.ts"
import { strictReceivePaths } from "./StrictReceivePaths.ts"
import { strictSendPaths } from "./StrictSendPaths.ts"
import { submitTransaction } from "./SubmitTransaction.ts"
import { submitTransactionAsync } from "./SubmitTransactionAsync.ts"
import { accountTransactions, transaction, transactions } from "./Transactions.ts"
import { View } from "./View.ts"

const servedTypes = new Set(["*/*", "application/*", "application/json", "application/hal+json", "application/problem+json"])

/** Refuses a request whose `Accept` header allows none of the types that are served. Without one, everything is allowed. */
const acceptable = Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ headers }) => {
  const accept = headers["accept"]?.trim() ?? ""
  const types = accept.split(",").map((range) => range.split(";")[0]?.trim().toLowerCase() ?? "")
  return accept === "" || types.some((type) => servedTypes.has(type)) ? Effect.void : Effect.fail(Problem.notAcceptable)
})

/** What is read from the entries of the ledger. */
const stateRoutes = HttpRouter.fromIterable([
  account,
  accountData,
  accountOffers,
  accounts,
  assets,
  claimableBalance,
  claimableBalances,
  liquidityPool,
  liquidityPools,
  offer,
  offers,
  orderBook,
  strictReceivePaths,
  strictSendPaths
])

/** What is read from the history of ledgers, or changes it. */
const historyRoutes = HttpRouter.fromIterable([
  accountTransactions,
  feeStats,
  ledger,
  ledgers,
  ledgerTransactions,
  root,
  submitTransaction,
  submitTransactionAsync,
  transaction,
  transactions
])

/** Answers of the ledger's state, and only those, tell by `Latest-Ledger` which ledger they were read from. */
const routes = HttpRouter.concat(
  HttpRouter.use(stateRoutes, (app) =>
    Effect.flatMap(
      View,
      ({ history }) => Effect.map(app, HttpServerResponse.setHeader("latest-ledger", history.latest.sequence.toString()))
    )),
  historyRoutes
)

/** The ledger API (Horizon-compatible REST), reading from the ledger so many before the newest. */
export const restApp = Effect.fnUntraced(function*(ledgersBehind: number) {
  const chain = yield* Effect.flatMap(Network, ({ past }) => past(ledgersBehind))
  const response = yield* acceptable.pipe(
    Effect.zipRight(routes),
    Effect.provideService(View, chain),
    Effect.catchTags({
      Problem: (problem) => Effect.succeed(problemResponse(problem)),
      RouteNotFound: () => Effect.succeed(problemResponse(Problem.notFound))
    }),
    Effect.catchAllDefect((defect) =>
      Effect.as(Effect.logError("a ledger API endpoint broke", Cause.die(defect)), problemResponse(Problem.internal))
    )
  )
  return HttpServerResponse.setHeaders(response, rateLimitHeaders)
})
