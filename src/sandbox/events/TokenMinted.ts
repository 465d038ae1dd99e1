import { Effect, Schema } from "effect"
import { addressOf, addressVal, i128 } from "../../ledger/soroban/Values.ts"
import { Network } from "../Network.ts"
import { byCall, outcomeOfTransaction } from "./EventOutcome.ts"
import { BaseUnits, ContractText, Party } from "./Subject.ts"

/** A stranger gives someone tokens of a contract that the sandbox put on the network, asked or not. */
export class TokenMinted extends Schema.TaggedClass<TokenMinted>("TokenMinted")("TokenMinted", {
  token: ContractText,
  holder: Party,
  amount: BaseUnits
}) {
  happen() {
    return Effect.gen(this, function*() {
      const { root } = yield* Network
      const args = [addressVal(addressOf(this.holder)), i128(this.amount)]
      const call = { source: root.publicKey(), contract: addressOf(this.token), fn: "mint", args }
      return outcomeOfTransaction(yield* byCall(this._tag, call))
    })
  }
}
