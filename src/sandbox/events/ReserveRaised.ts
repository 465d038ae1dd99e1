import { Effect, Schema } from "effect"
import { Network } from "../Network.ts"
import { happenedAt } from "./Happening.ts"

/** Validators vote another base reserve. */
export class ReserveRaised extends Schema.TaggedClass<ReserveRaised>("ReserveRaised")("ReserveRaised", {
  /** Stroops. */
  baseReserve: Schema.Int.pipe(Schema.between(1, 0xffff_ffff))
}) {
  happen() {
    return Effect.gen(this, function*() {
      const { baseReserve } = this
      const network = yield* Network
      return happenedAt(yield* network.amend((state) => state.at({ baseReserve })))
    })
  }
}
