import { BigInt as Big, Order } from "effect"
import type { LineRecord } from "../../chain/ledger-api/AccountRecord.ts"
import type { ClaimableBalance } from "../../domain/Account.ts"
import type { AccountAddress } from "../../domain/Address.ts"
import { largestAmount, stroops } from "../../domain/Amount.ts"
import { type AssetId, dashed, native } from "../../domain/Asset.ts"
import { isSale } from "../../domain/ChoiceEffect.ts"
import type { LedgerState } from "../../ledger/LedgerState.ts"
import type { CloseInput } from "../situation/CloseInput.ts"
import type { Exits } from "../situation/Exits.ts"
import { expectedMovesOf } from "../situation/ExpectedMoves.ts"
import { holdingsIn, poolPayouts } from "../situation/Holdings.ts"
import type { Sale } from "../situation/Routes.ts"

/** Everything that will have to be sold: what the lines hold now, what pools and positions would pay, less what debts take of it, and what can be claimed. */
export const salesOf = (
  ledgerState: LedgerState,
  source: AccountAddress,
  claimable: ReadonlyArray<ClaimableBalance>,
  exits: Exits
): ReadonlyArray<Sale> => {
  const holdings = holdingsIn(ledgerState, source)
  if (holdings === null) return []
  const fromPools = holdings.poolShares.flatMap(poolPayouts)
  const arriving = [
    ...fromPools,
    ...claimable,
    ...Array.from(expectedMovesOf(exits, ledgerState, source), ([asset, amount]) => ({ asset, amount }))
  ]
  const deauthorized = new Set(holdings.trustlines.filter(({ authorized }) => !authorized).map(({ asset }) => asset))
  const total = new Map<AssetId, bigint>()
  for (const { amount, asset } of [...holdings.trustlines.map(({ asset, balance }) => ({ asset, amount: balance })), ...arriving]) {
    total.set(asset, (total.get(asset) ?? 0n) + amount)
  }
  return [...total].flatMap((
    [asset, amount]
  ) => (asset === native || amount <= 0n || deauthorized.has(asset)
    ? []
    : [{ asset, amount: stroops(Big.min(amount, largestAmount)) }])
  )
}

/** Whether an answer lets an asset be sold; what is not answered may be. */
export const mayBeSold = ({ answers }: CloseInput, { asset }: Sale): boolean => isSale(answers.asset(asset)?.choice ?? "convert_to_native")

/**
 * Whether the answer about an asset bounds its sale by a price. A build quotes such a sale where its own transaction makes it, and plays it at
 * that price before.
 */
export const hasFloor = ({ answers }: CloseInput, { asset }: Pick<Sale, "asset">): boolean => {
  const answer = answers.asset(asset)
  return answer?.choice === "convert_to_native" && answer.params?.minReceive !== undefined
}

/** Lines that one transaction disposes of at most: each balance leaves with its line. */
const mostDisposals = 50

/** Sales in the order in which they are made. */
const inOrder = (sales: ReadonlyArray<Sale>): ReadonlyArray<Sale> =>
  sales.map((sale) => ({ sale, name: dashed(sale.asset) })).toSorted(Order.mapInput(Order.string, ({ name }) => name)).map(({ sale }) =>
    sale
  )

/** What the lines hold, in the order in which it leaves: all of it, or what one transaction may carry. */
export const foreseenSales = (input: CloseInput, trustlines: ReadonlyArray<LineRecord>, quotes: "all" | "next"): ReadonlyArray<Sale> => {
  const lines = inOrder(
    trustlines.filter(({ authorized, balance }) => authorized && balance > 0n).map(({ asset, balance }) => ({ asset, amount: balance }))
  )
  return quotes === "all" ? lines : lines.slice(0, mostDisposals).filter((sale) => mayBeSold(input, sale))
}
