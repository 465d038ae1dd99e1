import { Effect } from "effect"
import { Networks } from "../../Networks.ts"
import { AllowanceReader } from "../../tokens/AllowanceReader.ts"
import { notYet } from "../NotYet.ts"
import type { Handlers } from "./Handlers.ts"

/** Handlers of the group `allowances`. */
export const allowances = Effect.map(Networks, (networks): Handlers["allowances"] => ({
  list: ({ path: { address: owner, network }, urlParams: { spenders = [], tokens = [] } }) =>
    AllowanceReader.pipe(Effect.flatMap((reader) => reader.read({ owner, spenders, tokens })), networks.on(network)),
  revoke: notYet
}))
