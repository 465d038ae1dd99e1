import { Transaction, TransactionBuilder } from "@stellar/stellar-sdk"
import type { Decision } from "../../../src/client/Client.ts"

/** A caller's agreement, from its own knowledge. */
export interface Agreed {
  readonly passphrase: string
  readonly source: string
  readonly destination: string
  readonly mediator: string | null
  readonly feeCap: bigint
  /** The decisions of the last plan that was shown. */
  readonly decisions: ReadonlyArray<Decision>
  /** The lowest market proceeds of a sale of this amount, in stroops; null: no check. */
  readonly market: ((asset: string, amount: string) => bigint) | null
}

const units = (text: string): bigint => {
  const [whole = "0", part = ""] = text.split(".")
  return BigInt(whole) * 10_000_000n + BigInt(part.padEnd(7, "0"))
}

type Made = Transaction["operations"][number]

const idOf = (asset: string): string => `asset:${asset.replace(":", "-")}`

const floorHarm = (made: Extract<Made, { type: "pathPaymentStrictSend" }>, { decisions, market }: Agreed): string | null => {
  const asset = made.sendAsset.toString()
  const decision = decisions.find(({ id }) => id === idOf(asset))
  if (decision?.choice !== "convert_to_native") return "a sale that was not agreed"
  const { amount, minReceive } = decision.params ?? {}
  if (minReceive === undefined) return "a sale without a floor"
  const [sold, agreed, floor] = [units(made.sendAmount), units(amount ?? made.sendAmount), units(minReceive)]
  const least = sold < agreed ? (floor * sold + agreed - 1n) / agreed : floor
  if (units(made.destMin) < least) return "a floor below the agreed one"
  return market !== null && units(made.destMin) < market(asset, made.sendAmount) ? "a floor below the market" : null
}

const isReturn = (made: Extract<Made, { type: "payment" }>, { decisions }: Agreed): boolean =>
  decisions.some(({ choice, id }) => choice === "return_to_issuer" && id === idOf(made.asset.toString())) &&
  made.destination === made.asset.getIssuer()

const harmOf = (made: Made, agreed: Agreed): string | null => {
  const { destination, mediator, source } = agreed
  const isMediators = made.type === "payment" && made.source === mediator && mediator !== null
  if (made.source !== undefined && made.source !== source && !isMediators) return "an operation of another account"
  switch (made.type) {
    case "accountMerge":
      return made.destination === (mediator ?? destination) ? null : "a merge into another account"
    case "payment":
      if (isMediators) return made.destination === destination && made.asset.isNative() ? null : "a payment to another than the exchange"
      return isReturn(made, agreed) ? null : "a payment that was not agreed"
    case "pathPaymentStrictSend":
      if (made.destination !== source || !made.destAsset.isNative()) return "a sale for another"
      return floorHarm(made, agreed)
    case "changeTrust":
      return units(made.limit) === 0n ? null : "a new trustline"
    case "manageSellOffer":
      return units(made.amount) === 0n ? null : "a new offer"
    case "manageData":
      return made.value === undefined || made.value === null ? null : "a data entry"
    case "claimClaimableBalance":
      return null
    case "liquidityPoolWithdraw":
      return units(made.minAmountA) > 0n && units(made.minAmountB) > 0n ? null : "shares for nothing"
    default:
      return `an operation of the kind ${made.type}`
  }
}

/** The reason why a caller must not sign an envelope, judged without the service's own code; null: no reason. */
export const harmIn = (envelope: string, agreed: Agreed): string | null => {
  const decoded = TransactionBuilder.fromXdr(envelope, agreed.passphrase)
  if (!(decoded instanceof Transaction)) return "a fee bump"
  if (decoded.source !== agreed.source) return "a transaction of another account"
  if (BigInt(decoded.fee) > agreed.feeCap) return "a fee above the cap"
  return decoded.operations.map((made) => harmOf(made, agreed)).find((harm) => harm !== null) ?? null
}
