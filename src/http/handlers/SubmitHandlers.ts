import { Effect } from "effect"
import { Submission } from "../../close/submit/Submission.ts"
import { Networks } from "../../Networks.ts"
import { countSubmission } from "../metrics/CloseMetrics.ts"
import type { Handlers } from "./Handlers.ts"

/** Handlers of the group `submit`. */
export const submit = Effect.map(Networks, (networks): Handlers["submit"] => ({
  submit: ({ path, payload }) =>
    Submission.pipe(
      Effect.flatMap((submission) => submission.submit(payload.signedXdr)),
      networks.on(path.network),
      Effect.tapBoth({
        onFailure: (failure) => countSubmission(path.network, failure),
        onSuccess: () => countSubmission(path.network, null)
      })
    ),
  lookup: ({ path }) => Submission.pipe(Effect.flatMap((submission) => submission.lookup(path.hash)), networks.on(path.network))
}))
