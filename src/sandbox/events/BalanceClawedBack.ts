import { Operation } from "@stellar/stellar-sdk"
import { Effect, Schema } from "effect"
import { assetId } from "../../ledger/Asset.ts"
import { showAmount } from "../DecimalAmount.ts"
import { indexOf } from "../LedgerIndex.ts"
import { Network } from "../Network.ts"
import { byTransaction, EventRefused, outcomeOfTransaction } from "./EventOutcome.ts"
import { Address, AmountText, assetNamed, IssuedAssetText, issuerNamed } from "./Subject.ts"

/** The issuer claws back a holder's balance of its asset, all of it unless an amount is given. The line must allow it. */
export class BalanceClawedBack extends Schema.TaggedClass<BalanceClawedBack>("BalanceClawedBack")("BalanceClawedBack", {
  holder: Address,
  asset: IssuedAssetText,
  amount: Schema.optionalWith(AmountText, { exact: true })
}) {
  happen() {
    return Effect.gen(this, function*() {
      const { asset, holder } = this
      const { state } = yield* Effect.flatMap(Network, ({ snapshot }) => snapshot)
      const id = assetId(assetNamed(asset).toXdrObject())
      const line = (indexOf(state).trustlines.get(holder) ?? []).find(({ body }) => assetId(body.asset) === id)
      if (line === undefined) return yield* new EventRefused({ event: this._tag, reason: "the holder has no such trustline" })
      const amount = this.amount ?? showAmount(line.body.balance)
      const operation = Operation.clawback({ asset: assetNamed(asset), from: holder, amount })
      return outcomeOfTransaction(yield* byTransaction(this._tag, issuerNamed(asset), [operation]))
    })
  }
}
