import { Effect, Schema } from "effect"
import { addressOf, addressVal, i128 } from "../../ledger/soroban/Values.ts"
import { byCall, outcomeOfTransaction } from "./EventOutcome.ts"
import { Address, BaseUnits, ContractText, Party } from "./Subject.ts"

/** An account sends tokens of a contract, in its own transaction. */
export class TokenSent extends Schema.TaggedClass<TokenSent>("TokenSent")("TokenSent", {
  token: ContractText,
  from: Address,
  to: Party,
  amount: BaseUnits
}) {
  happen() {
    return Effect.gen(this, function*() {
      const args = [addressVal(addressOf(this.from)), addressVal(addressOf(this.to)), i128(this.amount)]
      return outcomeOfTransaction(yield* byCall(this._tag, { source: this.from, contract: addressOf(this.token), fn: "transfer", args }))
    })
  }
}
