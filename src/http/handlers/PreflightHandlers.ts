import { HttpApiBuilder } from "@effect/platform"
import { type Context, Effect } from "effect"
import { Api } from "../../api/Api.ts"
import { Preflight } from "../../close/answer/Preflight.ts"
import type { AccountAddress } from "../../domain/Address.ts"
import type { Network } from "../../domain/Network.ts"
import { PreflightReport } from "../../domain/PreflightReport.ts"
import { Networks } from "../../Networks.ts"
import { answerInParts } from "../wire/AnswerInParts.ts"

const answer = answerInParts(PreflightReport)

/** Whether an account can be merged, and what blocks it. */
export const preflight = (networks: Context.Tag.Service<Networks>, network: Network) => (address: AccountAddress) =>
  Preflight.pipe(Effect.flatMap(({ report }) => report(address)), networks.on(network))

/** Handlers of the group `preflight`. */
export const layer = HttpApiBuilder.group(
  Api,
  "preflight",
  (handlers) =>
    Effect.map(
      Networks,
      (networks) => handlers.handle("report", ({ path }) => Effect.flatMap(preflight(networks, path.network)(path.address), answer))
    )
)
