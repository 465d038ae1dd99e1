import type { xdr } from "@stellar/stellar-sdk"
import type { AccountAddress } from "../../../domain/Address.ts"
import type { AssetId } from "../../../domain/Asset.ts"
import { assetIdOf } from "../../../stellar/Assets.ts"
import { fromMuxed } from "../../../stellar/Names.ts"
import type { OwnTransactions } from "../../situation/OwnTransactions.ts"
import { operationResults } from "../../situation/ResultCodes.ts"

/** Purchases of one shortage: `source` bought `asset` for itself with `spend`, after it had used a sequence number. */
interface Purchases {
  readonly source: AccountAddress
  readonly asset: AssetId
  readonly spend: AssetId
  readonly sequence: bigint
}

const soldIn = (atom: xdr.ClaimAtom): { readonly asset: xdr.Asset; readonly amount: bigint } => {
  switch (atom.type) {
    case "claimAtomTypeV0":
      return { asset: atom.v0.assetBought, amount: atom.v0.amountBought }
    case "claimAtomTypeOrderBook":
      return { asset: atom.orderBook.assetBought, amount: atom.orderBook.amountBought }
    case "claimAtomTypeLiquidityPool":
      return { asset: atom.liquidityPool.assetBought, amount: atom.liquidityPool.amountBought }
  }
}

/** Stroops that an operation took of what was spent; 0 for one that is no such purchase. */
const takenBy = (operation: xdr.Operation, result: xdr.OperationResult | undefined, { asset, source, spend }: Purchases): bigint => {
  const { body } = operation
  if (body.type !== "pathPaymentStrictReceive" || (operation.sourceAccount !== null && fromMuxed(operation.sourceAccount) !== source)) {
    return 0n
  }
  const { destAsset, destination, sendAsset } = body.pathPaymentStrictReceiveOp
  if (fromMuxed(destination) !== source || assetIdOf(destAsset) !== asset || assetIdOf(sendAsset) !== spend) return 0n
  const purchase = result?.type === "opInner" && result.tr.type === "pathPaymentStrictReceive"
    ? result.tr.pathPaymentStrictReceiveResult
    : null
  if (purchase?.type !== "pathPaymentStrictReceiveSuccess") return 0n
  return purchase.success.offers.map(soldIn).reduce((sum, sold) => (assetIdOf(sold.asset) === spend ? sum + sold.amount : sum), 0n)
}

/** Stroops that successful purchases of the account's own have taken since; null when history does not reach back so far. */
export const purchaseSpending = ({ transactions, whole }: OwnTransactions, purchases: Purchases): bigint | null => {
  const { sequence } = purchases
  if (!whole) return null
  return transactions.filter((one) => one.sequence > sequence && one.succeeded).reduce((sum, { operations, result }) => {
    const results = result === null ? [] : operationResults(result)
    return operations.reduce((all, operation, at) => all + takenBy(operation, results[at], purchases), sum)
  }, 0n)
}
