import { Effect, Schema } from "effect"
import { addressOf, addressVal, i128, u32 } from "../../ledger/soroban/Values.ts"
import { byCall, outcomeOfTransaction } from "./EventOutcome.ts"
import { Address, BaseUnits, ContractText, Party } from "./Subject.ts"

/** An account lets a spender take tokens of it, up to and with a ledger, in its own transaction. */
export class SpenderApproved extends Schema.TaggedClass<SpenderApproved>("SpenderApproved")("SpenderApproved", {
  token: ContractText,
  owner: Address,
  spender: Party,
  amount: BaseUnits,
  liveUntilLedger: Schema.Int.pipe(Schema.between(0, 0xffff_ffff))
}) {
  happen() {
    return Effect.gen(this, function*() {
      const parties = [this.owner, this.spender].map((party) => addressVal(addressOf(party)))
      const args = [...parties, i128(this.amount), u32(this.liveUntilLedger)]
      return outcomeOfTransaction(yield* byCall(this._tag, { source: this.owner, contract: addressOf(this.token), fn: "approve", args }))
    })
  }
}
