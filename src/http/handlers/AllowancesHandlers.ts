import { HttpApiBuilder } from "@effect/platform"
import { Effect } from "effect"
import { RevokeBody } from "../../api/Allowances.ts"
import { Api } from "../../api/Api.ts"
import { RevokeBuilder } from "../../close/answer/RevokeBuilder.ts"
import { admittedRead } from "../../close/load/Admission.ts"
import { AllowancesResult } from "../../domain/Allowance.ts"
import { Networks } from "../../Networks.ts"
import { AllowanceReader } from "../../tokens/AllowanceReader.ts"
import { withBody } from "../request/Body.ts"
import { answerInParts } from "../wire/AnswerInParts.ts"

const listed = answerInParts(AllowancesResult)

/** Handlers of the group `allowances`. */
export const layer = HttpApiBuilder.group(Api, "allowances", (handlers) =>
  Effect.map(Networks, (networks) =>
    handlers
      .handle("list", ({ path: { address: owner, network }, urlParams: { spenders = [], tokens = [] } }) =>
        AllowanceReader.pipe(
          Effect.flatMap((reader) => reader.read({ owner, spenders, tokens })),
          admittedRead,
          networks.on(network),
          Effect.flatMap(listed)
        ))
      .handleRaw(
        "revoke",
        withBody(RevokeBody, ({ path: { network }, payload }) =>
          RevokeBuilder.pipe(
            Effect.flatMap((builder) => builder.revoke(payload)),
            Effect.map((transaction) => ({ transaction })),
            networks.on(network)
          ))
      )))
