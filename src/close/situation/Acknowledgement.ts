import type { DecisionPoint } from "../../domain/Decision.ts"
import type { DestinationAddress } from "../../domain/DestinationAddress.ts"
import { DecisionId } from "./DecisionId.ts"
import type { Situation } from "./Situation.ts"

/** The decision point that asks the owner to confirm that an unlisted address is their own. */
export const acknowledgement = ({ input, registry }: Situation, address: DestinationAddress): DecisionPoint => ({
  id: DecisionId.destination(address),
  type: "destination",
  subject: `Lumens and assets sent to ${address}`,
  about: { kind: "destination", address },
  options: [{
    id: "i_control_this_address",
    note: registry.fresh
      ? "It is in no exchange registry. If it is an exchange's deposit address, what arrives is credited to no one."
      : "The exchange registry has expired. If this is an exchange's deposit address, what arrives is credited to no one."
  }],
  default: null,
  required: true,
  answered: input.answers.destination(address) !== undefined
})
