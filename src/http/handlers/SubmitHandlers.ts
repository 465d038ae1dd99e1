import { HttpApiBuilder } from "@effect/platform"
import { type Context, Effect } from "effect"
import { Api } from "../../api/Api.ts"
import { SubmitBody } from "../../api/Submit.ts"
import { Submission } from "../../close/submit/Submission.ts"
import type { Network } from "../../domain/Network.ts"
import { Networks } from "../../Networks.ts"
import { countSubmission } from "../metrics/CloseMetrics.ts"
import { withBody } from "../request/Body.ts"

/** Submits a signed envelope and waits until it is in a ledger. */
export const submitSigned = (networks: Context.Tag.Service<Networks>, network: Network) => (signedXdr: string) =>
  Submission.pipe(
    Effect.flatMap((submission) => submission.submit(signedXdr)),
    networks.on(network),
    Effect.tapBoth({
      onFailure: (failure) => countSubmission(network, failure),
      onSuccess: () => countSubmission(network, null)
    })
  )

/** Handlers of the group `submit`. */
export const layer = HttpApiBuilder.group(Api, "submit", (handlers) =>
  Effect.map(Networks, (networks) =>
    handlers
      .handleRaw("submit", withBody(SubmitBody, ({ path, payload }) => submitSigned(networks, path.network)(payload.signedXdr)))
      .handle("lookup", ({ path }) =>
        Submission.pipe(Effect.flatMap((submission) => submission.lookup(path.hash)), networks.on(path.network)))))
