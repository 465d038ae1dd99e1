import { HttpApiBuilder } from "@effect/platform"
import { Effect } from "effect"
import { Api } from "../../api/Api.ts"
import { Preflight } from "../../close/answer/Preflight.ts"
import { PreflightReport } from "../../domain/PreflightReport.ts"
import { Networks } from "../../Networks.ts"
import { answerInParts } from "../wire/AnswerInParts.ts"

const answer = answerInParts(PreflightReport)

/** Handlers of the group `preflight`. */
export const layer = HttpApiBuilder.group(
  Api,
  "preflight",
  (handlers) =>
    Effect.map(Networks, (networks) =>
      handlers.handle("report", ({ path }) =>
        Preflight.pipe(
          Effect.flatMap((preflight) => preflight.report(path.address)),
          networks.on(path.network),
          Effect.flatMap(answer)
        )))
)
