import { type Asset, LiquidityPoolAsset, type OperationRecord, type Transaction } from "@stellar/stellar-sdk"

type Seen = Readonly<Record<string, unknown>>

const nameOf = (asset: Asset): string => (asset.isNative() ? "native" : `${asset.getCode()}:${asset.getIssuer()}`)

const lineOf = (line: Asset | LiquidityPoolAsset): string =>
  line instanceof LiquidityPoolAsset ? `pool:${nameOf(line.assetA)}/${nameOf(line.assetB)}` : nameOf(line)

const fieldsOf = (operation: OperationRecord): Seen => {
  switch (operation.type) {
    case "manageSellOffer":
      return {
        type: "manage_sell_offer",
        offerId: operation.offerId,
        selling: nameOf(operation.selling),
        buying: nameOf(operation.buying),
        amount: operation.amount
      }
    case "manageData":
      return { type: "manage_data", name: operation.name, value: operation.value ?? null }
    case "changeTrust":
      return {
        type: "change_trust",
        asset: lineOf(operation.line),
        limit: operation.limit
      }
    case "pathPaymentStrictSend":
      return {
        type: "path_payment_strict_send",
        sendAsset: nameOf(operation.sendAsset),
        sendAmount: operation.sendAmount,
        destination: operation.destination,
        destAsset: nameOf(operation.destAsset),
        destMin: operation.destMin,
        path: operation.path.map(nameOf)
      }
    case "payment":
      return { type: "payment", asset: nameOf(operation.asset), amount: operation.amount, destination: operation.destination }
    case "liquidityPoolWithdraw":
      return {
        type: "liquidity_pool_withdraw",
        poolId: operation.liquidityPoolId,
        shares: operation.amount,
        minAmountA: operation.minAmountA,
        minAmountB: operation.minAmountB
      }
    case "accountMerge":
      return { type: "account_merge", destination: operation.destination }
    default:
      return { type: operation.type }
  }
}

/** The operations of an envelope in the terms of an intent, read by the SDK alone. */
export const seenOperations = ({ operations, source }: Transaction): ReadonlyArray<Seen> =>
  operations.map((operation) => ({
    ...fieldsOf(operation),
    ...(operation.source === source ? {} : { source: operation.source })
  }))
