import { HttpApiBuilder } from "@effect/platform"
import { Effect } from "effect"
import { Api } from "../../api/Api.ts"
import { Submission } from "../../close/submit/Submission.ts"
import { Networks } from "../../Networks.ts"

/** Handlers of the group `submit`. */
export const layer = HttpApiBuilder.group(Api, "submit", (handlers) =>
  Effect.map(Networks, (networks) =>
    handlers
      .handle("submit", ({ path, payload }) =>
        Submission.pipe(Effect.flatMap((submission) => submission.submit(payload.signedXdr)), networks.on(path.network)))
      .handle("lookup", ({ path }) =>
        Submission.pipe(Effect.flatMap((submission) => submission.lookup(path.hash)), networks.on(path.network)))))
