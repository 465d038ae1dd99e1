import type { HttpServerRequest } from "@effect/platform"
import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import { Effect } from "effect"
import { BadRequest } from "../../domain/failure/Input.ts"

/** Headers of which a second one says something else to a proxy in front than to us. */
const once: ReadonlySet<string> = new Set(["host", "authorization", "content-type", "content-encoding", "transfer-encoding"])

/** Refuses a request that says twice what can be said once: whoever stands in front may have believed the other one. */
export const checkOnceHeaders = (request: HttpServerRequest.HttpServerRequest): Effect.Effect<void, BadRequest> => {
  const { rawHeaders } = NodeHttpServerRequest.toIncomingMessage(request)
  const seen = new Set<string>()
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = (rawHeaders[index] ?? "").toLowerCase()
    if (seen.has(name)) return new BadRequest({ reason: `The header ${name} was sent twice. Send it once.` })
    if (once.has(name)) seen.add(name)
  }
  return Effect.void
}
