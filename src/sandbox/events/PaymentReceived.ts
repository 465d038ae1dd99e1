import { Operation } from "@stellar/stellar-sdk"
import { Effect, Schema } from "effect"
import { Network } from "../Network.ts"
import { byTransaction, outcomeOfTransaction } from "./EventOutcome.ts"
import { Address, AmountText, assetNamed, AssetText, issuerNamed } from "./Subject.ts"

/** The least there is of an asset. */
const oneUnit = "0.0000001"

/** Someone sends the holder an asset, a single unit of it unless an amount is given: the issuer, or lumens the root account. */
export class PaymentReceived extends Schema.TaggedClass<PaymentReceived>("PaymentReceived")("PaymentReceived", {
  holder: Address,
  asset: AssetText,
  amount: Schema.optionalWith(AmountText, { exact: true })
}) {
  happen() {
    return Effect.gen(this, function*() {
      const { amount = oneUnit, asset, holder } = this
      const { root } = yield* Network
      const payer = asset === "native" ? root.publicKey() : issuerNamed(asset)
      const operation = Operation.payment({ destination: holder, asset: assetNamed(asset), amount })
      return outcomeOfTransaction(yield* byTransaction(this._tag, payer, [operation]))
    })
  }
}
