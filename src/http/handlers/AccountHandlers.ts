import { HttpApiBuilder } from "@effect/platform"
import { Effect } from "effect"
import { AccountReader } from "../../account/AccountReader.ts"
import { Api } from "../../api/Api.ts"
import { admittedRead } from "../../close/load/Admission.ts"
import { AccountState } from "../../domain/Account.ts"
import { Networks } from "../../Networks.ts"
import { answerInParts } from "../wire/AnswerInParts.ts"

const answer = answerInParts(AccountState)

/** Handlers of the group `account`. */
export const layer = HttpApiBuilder.group(
  Api,
  "account",
  (handlers) =>
    Effect.map(Networks, (networks) =>
      handlers.handle("read", ({ path, urlParams }) =>
        AccountReader.pipe(
          Effect.flatMap((reader) => reader.read(path.address, urlParams.tokens ?? [])),
          Effect.map(({ state }) => state),
          admittedRead,
          networks.on(path.network),
          Effect.flatMap(answer)
        )))
)
