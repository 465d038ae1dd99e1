import { Effect } from "effect"
import { AccountReader } from "../../account/AccountReader.ts"
import { admittedRead } from "../../close/load/Admission.ts"
import { Networks } from "../../Networks.ts"
import type { Handlers } from "./Handlers.ts"

/** Handlers of the group `account`. */
export const account = Effect.map(Networks, (networks): Handlers["account"] => ({
  read: ({ path, urlParams }) =>
    AccountReader.pipe(
      Effect.flatMap((reader) => reader.read(path.address, urlParams.tokens ?? [])),
      Effect.map(({ state }) => state),
      admittedRead,
      networks.on(path.network)
    )
}))
