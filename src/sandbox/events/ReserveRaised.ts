import { Effect, Schema } from "effect"
import { Network } from "../Network.ts"
import { outcomeOfLedger } from "./EventOutcome.ts"

/** Validators vote another base reserve. */
export class ReserveRaised extends Schema.TaggedClass<ReserveRaised>("ReserveRaised")("ReserveRaised", {
  /** Stroops. */
  baseReserve: Schema.Int.pipe(Schema.between(1, 0xffff_ffff))
}) {
  happen() {
    return Effect.gen(this, function*() {
      const { baseReserve } = this
      const network = yield* Network
      return outcomeOfLedger(yield* network.amend((state) => state.at({ baseReserve })))
    })
  }
}
