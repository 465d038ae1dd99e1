import { Effect } from "effect"
import { RevokeBuilder } from "../../close/answer/RevokeBuilder.ts"
import { admittedRead } from "../../close/load/Admission.ts"
import { Networks } from "../../Networks.ts"
import { AllowanceReader } from "../../tokens/AllowanceReader.ts"
import type { Handlers } from "./Handlers.ts"

/** Handlers of the group `allowances`. */
export const allowances = Effect.map(Networks, (networks): Handlers["allowances"] => ({
  list: ({ path: { address: owner, network }, urlParams: { spenders = [], tokens = [] } }) =>
    AllowanceReader.pipe(Effect.flatMap((reader) => reader.read({ owner, spenders, tokens })), admittedRead, networks.on(network)),
  revoke: ({ path: { network }, payload }) =>
    RevokeBuilder.pipe(
      Effect.flatMap((builder) => builder.revoke(payload)),
      Effect.map((transaction) => ({ transaction })),
      networks.on(network)
    )
}))
