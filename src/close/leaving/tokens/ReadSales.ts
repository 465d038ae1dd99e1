import { Array as Arr, Effect, Option } from "effect"
import type { ChainFailure } from "../../../chain/ChainFailure.ts"
import type { AccountRecord } from "../../../chain/ledger-api/AccountRecord.ts"
import type { ContractAddress } from "../../../domain/Address.ts"
import { largestAmount } from "../../../domain/Amount.ts"
import { type AssetId, native } from "../../../domain/Asset.ts"
import { parseTotal } from "../../../domain/Total.ts"
import type { ReadAt } from "../../../protocols/ProtocolRegistry.ts"
import { assetContract } from "../../../stellar/AssetTokens.ts"
import type { HeldToken } from "../../../tokens/HeldToken.ts"
import type { PoolTrade, TokenRoute, TokenRoutes, TokenSale } from "../../../tokens/TokenRoutes.ts"
import type { CloseInput } from "../../situation/CloseInput.ts"
import { classicAssetsOf, type Exits, toBeLeft } from "../../situation/Exits.ts"
import { expectedMovesOf } from "../../situation/ExpectedMoves.ts"
import { type HeldTrustline, holdingsIn, sellingLiabilitiesIn } from "../../situation/Holdings.ts"
import type { Sale } from "../../situation/Routes.ts"
import type { Situation } from "../../situation/Situation.ts"
import { isQuoted, type PlannedSale, type TokenWork } from "../../situation/TokenWork.ts"
import { paidTokens } from "../../situation/UnclaimedRewards.ts"
import { isOffered } from "./OfferedSales.ts"
import { quotedInTurn } from "./RouteSearch.ts"
import { soldThroughContracts } from "./TokenDisposals.ts"

/** Lines for which a way through contracts is searched unasked: three plans get to all that an account can have. */
const mostSearched = 400

/** Lines that are searched at the same time. */
const atOnce = 20

/** What sales are read with. */
interface SalesQuestion {
  /** Until when the transaction of a call may be applied, Unix seconds. */
  readonly deadline: bigint
  /** The contract of lumens. */
  readonly lumens: ContractAddress
  readonly purpose: "plan" | "build"
  /** Of each asset all that will be sold: what claims and pools bring too. */
  readonly arriving: ReadonlyArray<Sale>
  /** What sales of tokens trade, which are made before. */
  readonly made: ReadonlyArray<PoolTrade>
  /** The ledger that ways are searched on; left out: the newest. */
  readonly at?: ReadAt
}

/** Assets that positions which are still to be left pay, or owe. */
const neededBy = (exits: Exits): ReadonlySet<AssetId> =>
  new Set(classicAssetsOf(exits, toBeLeft(exits).flatMap((one) => [...paidTokens(one), ...one.position.owes.map(({ token }) => token)])))

/** The fields of a trustline that a search for its routes needs. */
type Line = Pick<HeldTrustline, "asset" | "authorized" | "balance">

/** A line, with all that it will hold: what claims and pools bring too, after any sale through contracts. */
interface FilledLine extends Line {
  readonly whole: bigint
}

/**
 * Lines with what can be sold of each through contracts: what it holds and what leaving positions is expected to pay, less what debts take
 * of it. Of payouts without a line as if it were there: it is added before the exit.
 */
const sellableLines = ({ exits, input: { source }, ledgerState }: Situation): ReadonlyArray<Line> => {
  const [lines, coming] = [holdingsIn(ledgerState, source)?.trustlines ?? [], expectedMovesOf(exits, ledgerState, source)]
  const there = new Set(lines.map(({ asset }) => asset))
  const sold = [
    ...[...coming].flatMap(([asset, balance]) => (asset === native || there.has(asset) ? [] : [{ asset, authorized: true, balance }])),
    ...lines.map(({ asset, authorized, balance }) => ({ asset, authorized, balance: balance + (coming.get(asset) ?? 0n) }))
  ]
  // More than a trustline can hold never arrives: such a payout fails on the ledger.
  return sold.filter(({ balance }) => balance <= largestAmount)
}

/** Lines as they will be filled. Last, those that only claims and pools fill. */
const filledLines = (situation: Situation, arriving: ReadonlyArray<Sale>): ReadonlyArray<FilledLine> => {
  const lines = sellableLines(situation)
  const [there, whole] = [new Set(lines.map(({ asset }) => asset)), new Map(arriving.map(({ amount, asset }) => [asset, amount]))]
  return [
    ...lines.map((line) => ({ ...line, whole: whole.get(line.asset) ?? line.balance })),
    ...arriving.flatMap(({ amount, asset }) => (there.has(asset) ? [] : [{ asset, authorized: true, balance: 0n, whole: amount }]))
  ]
}

const isSold = (answers: CloseInput["answers"], { asset }: Pick<Line, "asset">): boolean =>
  answers.asset(asset)?.choice === "convert_through_contracts"

/**
 * Lines for which ways through contracts are searched: those that answers sell so, all that would be returned because nothing is known to buy
 * them, and in a plan some of which nothing was decided.
 */
export const searchedLines = <A extends Line>(
  { answers }: CloseInput,
  lines: ReadonlyArray<A>,
  purpose: "plan" | "build"
): ReadonlyArray<A> => {
  const named = lines.filter(({ asset }) => answers.coversUnsold(asset))
  const open = purpose === "build" ? [] : lines.filter(({ asset }) => answers.asset(asset) === undefined && !answers.coversUnsold(asset))
  return [...lines.filter((line) => isSold(answers, line)), ...named, ...open.slice(0, mostSearched)]
}

/** Lines that hold something that may leave. */
const filled = <A extends Line>(lines: ReadonlyArray<A>): ReadonlyArray<A> =>
  lines.filter(({ authorized, balance }) => authorized && balance > 0n)

/** The search for some lines at a time: the more are searched at once, the fewer ways are looked at for each. */
const inParts = (routes: TokenRoutes["Type"]): TokenRoutes["Type"] => ({
  best: (sales, at) => Effect.map(Effect.forEach(Arr.chunksOf(sales, atOnce), (part) => routes.best(part, at)), (parts) => parts.flat())
})

/** What is searched of a line that may be returned for want of a buyer. */
interface Searches {
  readonly routes: TokenRoutes["Type"]
  readonly at: ReadAt | undefined
  readonly saleOf: (line: Line, amount: bigint) => TokenSale
}

/**
 * Amounts that ways were searched for. What claims and pools bring cannot be sold together with the rest: where a way is found for all of it,
 * that amount has a buyer and counts as not searched.
 */
const amountsOf = (
  { at, routes, saleOf }: Searches,
  lines: ReadonlyArray<FilledLine>
): Effect.Effect<ReadonlyMap<AssetId, ReadonlyArray<bigint>>, ChainFailure> => {
  const growing = lines.filter(({ balance, whole }) => whole !== balance)
  return Effect.map(routes.best(growing.map((line) => saleOf(line, line.whole)), at), (found) => {
    const bought = new Set(growing.filter((_, index) => (found[index] ?? null) !== null).map(({ asset }) => asset))
    return new Map(
      lines.map(({ asset, balance, whole }) =>
        [asset, [...(balance > 0n ? [balance] : []), ...(bought.has(asset) ? [] : [whole])]] as const
      )
    )
  })
}

/** Sales and ways through contracts, and the amounts that ways were searched for. */
interface SalesRead extends Pick<TokenWork, "assetRoutes" | "sales"> {
  readonly searchedAmounts: ReadonlyMap<AssetId, ReadonlyArray<bigint>>
}

/** Assets of the ledger that answers sell through contracts; a plan also looks for ways of those that nothing was decided about. */
export const readSales = (
  allRoutes: TokenRoutes["Type"],
  situation: Situation,
  { arriving, at, deadline, lumens, made, purpose }: SalesQuestion
): Effect.Effect<SalesRead, ChainFailure> =>
  Effect.gen(function*() {
    const { exits, input, ledgerState, passphrase } = situation
    const { answers, source } = input
    const routes = inParts(allRoutes)
    const lines = searchedLines(
      input,
      filledLines(situation, arriving).filter(({ authorized, whole }) => authorized && whole > 0n),
      purpose
    )
    const searched = filled(lines)
    const contractOf = (asset: AssetId): ContractAddress => assetContract(asset, passphrase)
    const needed = neededBy(exits)
    const waits = (asset: AssetId): boolean => needed.has(asset) || sellingLiabilitiesIn(ledgerState, source, asset) > 0n
    const saleOf = ({ asset }: Line, amount: bigint): TokenSale => ({ from: contractOf(asset), to: lumens, amount })
    const inTurn = searched.map((line) => ({
      sale: saleOf(line, line.balance),
      waits: waits(line.asset),
      isMade: (route: TokenRoute) => isSold(answers, line) || isOffered(situation, new Map([[line.asset, route]]), line)
    }))
    const { routes: best } = yield* quotedInTurn({ routes, at }, inTurn, made)
    const found = new Map(searched.flatMap(({ asset }, index): ReadonlyArray<readonly [AssetId, TokenRoute]> => {
      const route = best[index] ?? null
      return route === null ? [] : [[asset, route]]
    }))
    const searchedAmounts = yield* amountsOf({ routes, at, saleOf }, lines.filter((line) => !isSold(answers, line)))
    const sales = searched.filter((line) => isSold(answers, line)).flatMap(({ asset, balance }): ReadonlyArray<PlannedSale> => {
      const answer = answers.asset(asset)
      if (answer === undefined) return []
      const route = found.get(asset) ?? null
      return [{
        id: answer.id,
        asset,
        contract: contractOf(asset),
        answer,
        amount: balance,
        waits: waits(asset),
        route,
        disposal: soldThroughContracts(
          { situation, amount: balance, route, deadline },
          answer,
          parseTotal(answer.params?.amount ?? "")
        ),
        simulation: null
      }]
    })
    return { sales, assetRoutes: found, searchedAmounts }
  })

/** Whose search is foreseen, and on which ledger. */
interface Foreseeable {
  readonly routes: TokenRoutes["Type"]
  readonly input: CloseInput
  readonly passphrase: string
  readonly at: Effect.Effect<ReadAt, ChainFailure>
}

const search = ({ at, passphrase, routes }: Foreseeable, sales: ReadonlyArray<Omit<TokenSale, "to">>): Effect.Effect<void> =>
  sales.length === 0 ?
    Effect.void :
    Effect.ignore(
      Effect.flatMap(
        at,
        ({ closeTime, sequence }) =>
          inParts(routes).best(sales.map((sale) => ({ ...sale, to: assetContract(native, passphrase) })), { closeTime, sequence })
      )
    )

/** Searches ways through contracts for what the ledger API says the account holds, while the rest of it is read. It never fails: it is searched again. */
export const foreseeAssets = (
  question: Foreseeable,
  account: Effect.Effect<Option.Option<AccountRecord>, ChainFailure>
): Effect.Effect<void> =>
  Effect.ignore(Effect.flatMap(account, (found) => {
    const lines = Option.match(found, { onNone: () => [], onSome: ({ trustlines }) => trustlines })
    return search(
      question,
      searchedLines(question.input, filled(lines), "plan").map(({ asset, balance }) => ({
        from: assetContract(asset, question.passphrase),
        amount: balance
      }))
    )
  }))

/**
 * Runs the same search for contract tokens, while exits are still being read. Tokens that exits pay or take are then searched again, for
 * another amount.
 */
export const foreseeTokens = (question: Foreseeable, held: ReadonlyArray<HeldToken>): Effect.Effect<void> =>
  search(
    question,
    held.filter(({ balance, contract }) => isQuoted({ amount: balance, answer: question.input.answers.token(contract) }))
      .map(({ balance, contract }) => ({ from: contract, amount: balance }))
  )
