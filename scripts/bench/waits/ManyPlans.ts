/**
 * A network with one account of 998 trustlines in a thread of its own, which plans its close this many times in parallel on each message.
 */
import { Effect } from "effect"
import { parentPort } from "node:worker_threads"
import { Network } from "../../../src/sandbox/Network.ts"
import { startSandbox } from "../../../src/sandbox/Sandbox.ts"
import { answerText } from "../AnswerText.ts"
import { closing } from "../Closing.ts"
import type { NetworkElsewhere } from "../ServedHere.ts"

/** Results of parallel plans: milliseconds until the last answer, and the count of temporary errors and timeouts. */
export interface Planned {
  readonly millis: number
  readonly refused: number
}

/** The service and the number of plans. */
export interface Wanted {
  readonly url: string
  readonly key: string
  readonly times: number
}

const port = parentPort
if (port === null) throw new Error("this runs in a thread of its own")

const heard = Effect.async<Wanted>((resume) => void port.once("message", (wanted: Wanted) => resume(Effect.succeed(wanted))))

const drive = Effect.scoped(Effect.gen(function*() {
  const { ledgerApiUrl, network, passphrase, rpcUrl } = yield* startSandbox()
  const { keys: _, ...request } = yield* Effect.provideService(
    closing({ balances: 998, bought: 400, emptyLines: 0, offers: 0, data: 0, claimable: 0 }),
    Network,
    network
  )
  const body = JSON.stringify(request)
  const elsewhere: NetworkElsewhere = { passphrase, rpcUrl, ledgerApiUrl }
  port.postMessage(elsewhere)
  for (;;) {
    const { key, times, url } = yield* heard
    const began = performance.now()
    const plan = Effect.promise(() => answerText(`${url}/v1/testnet/close/plan`, { key, body, statuses: [200, 503, 504] }))
    const answers = yield* Effect.all(Array.from({ length: times }, () => plan), { concurrency: "unbounded" })
    const told: Planned = {
      millis: performance.now() - began,
      refused: answers.filter((text) => text.startsWith("{\"error\"")).length
    }
    port.postMessage(told)
  }
}))

await Effect.runPromise(drive)
