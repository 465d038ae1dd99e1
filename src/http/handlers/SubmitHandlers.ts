import { HttpApiBuilder } from "@effect/platform"
import { Effect } from "effect"
import { Api } from "../../api/Api.ts"
import { SubmitBody } from "../../api/Submit.ts"
import { Submission } from "../../close/submit/Submission.ts"
import { Networks } from "../../Networks.ts"
import { countSubmission } from "../metrics/CloseMetrics.ts"
import { withBody } from "../request/Body.ts"

/** Handlers of the group `submit`. */
export const layer = HttpApiBuilder.group(Api, "submit", (handlers) =>
  Effect.map(Networks, (networks) =>
    handlers
      .handleRaw(
        "submit",
        withBody(SubmitBody, ({ path, payload }) =>
          Submission.pipe(
            Effect.flatMap((submission) => submission.submit(payload.signedXdr)),
            networks.on(path.network),
            Effect.tapBoth({
              onFailure: (failure) => countSubmission(path.network, failure),
              onSuccess: () => countSubmission(path.network, null)
            })
          ))
      )
      .handle("lookup", ({ path }) =>
        Submission.pipe(Effect.flatMap((submission) => submission.lookup(path.hash)), networks.on(path.network)))))
