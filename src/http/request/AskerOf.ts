import { type Duration, Option, Schema } from "effect"
import type { Asker } from "../../close/load/Requester.ts"
import { AccountAddress } from "../../domain/Address.ts"
import type { Identity } from "./Caller.ts"

const isAccount = Schema.is(AccountAddress)

/**
 * Who waits for a turn, as far as fairness goes. An owner of an operator's key counts as one. Whoever made a key for themselves is named by
 * the account they proved; such keys are free to make, so all their owners count as one together, and are told apart by client address first.
 */
export const askerOf = (identity: Identity, client: string, deadline: Duration.Duration): Asker => {
  const owner = identity._tag === "Some" ? Option.getOrThrow(identity).owner : null
  return { path: owner === null || isAccount(owner) ? ["self-service", client, owner ?? ""] : ["operator", owner], deadline }
}
