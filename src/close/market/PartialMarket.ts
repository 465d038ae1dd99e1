import { Effect, Option } from "effect"
import type { ChainFailure } from "../../chain/ChainFailure.ts"
import type { LedgerEntries } from "../../chain/LedgerEntries.ts"
import type { Market } from "../situation/Market.ts"
import type { Sale } from "../situation/Routes.ts"
import { readMarket } from "./MarketReader.ts"
import type { MarketApi } from "./MarketSource.ts"
import type { MarketQuestion } from "./MarketSurvey.ts"

/** Sales that were surveyed already, for their whole amount. */
export const surveyedSales = ({ priorSurvey, sales }: Pick<Required<MarketQuestion>, "priorSurvey" | "sales">): ReadonlyArray<Sale> =>
  sales.filter(({ amount, asset }) => Option.exists(priorSurvey.get(asset) ?? Option.none(), (surveyed) => surveyed.amount === amount))

/** The market of some sales of a question. All its other sales are unquoted. */
export const readPartially = (
  api: MarketApi,
  entries: LedgerEntries["Type"],
  question: Required<MarketQuestion>,
  sales: ReadonlyArray<Sale>
): Effect.Effect<Market, ChainFailure> =>
  Effect.map(readMarket(api, entries, { ...question, sales }), (market) => ({
    ...market,
    unquoted: new Set(question.sales.flatMap(({ asset }) => (market.routes.has(asset) ? [] : [asset])))
  }))
