import type { HttpServerRequest } from "@effect/platform"
import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import { Effect } from "effect"
import { BadRequest } from "../../domain/failure/Input.ts"
import { PayloadTooLarge } from "../../domain/failure/Request.ts"

const cutOff = () => new BadRequest({ reason: "The body ended early. Send the request again." })

/**
 * Reads the whole body, at most `maxBytes`. A larger one, declared or chunked, is answered: what still arrives of it is
 * thrown away unread, so that the connection is not reset under the answer.
 */
export const readBody = (
  request: HttpServerRequest.HttpServerRequest,
  maxBytes: number
): Effect.Effect<Uint8Array, PayloadTooLarge | BadRequest> =>
  Effect.async((resume) => {
    const source = NodeHttpServerRequest.toIncomingMessage(request)
    if (source.destroyed && !source.complete) return resume(cutOff())
    const chunks: Array<Uint8Array> = []
    let size = 0
    const onData = (chunk: Uint8Array) => {
      size += chunk.length
      if (size > maxBytes) {
        stop()
        resume(new PayloadTooLarge({ maxBytes }))
      } else {
        chunks.push(chunk)
      }
    }
    const onEnd = () => {
      stop()
      resume(Effect.succeed(Buffer.concat(chunks)))
    }
    const onBroken = () => {
      stop()
      resume(cutOff())
    }
    const stop = () => {
      source.off("data", onData).off("end", onEnd).off("close", onBroken).off("error", onBroken)
      // A request that breaks later must not bring the process down, and what is left of it must flow away.
      source.on("error", () => {}).resume()
    }
    source.on("data", onData).on("end", onEnd).on("close", onBroken).on("error", onBroken)
    return Effect.sync(stop)
  })
