/** A network that answers from memory, and a crowd that reads accounts on it in parallel, during a plan. */
import { Effect } from "effect"
import { parentPort } from "node:worker_threads"
import { Network } from "../../../src/sandbox/Network.ts"
import { startSandbox } from "../../../src/sandbox/Sandbox.ts"
import { memoryOf } from "../beside/Memory.ts"
import { type Closing, closing } from "../Closing.ts"
import type { NetworkElsewhere } from "../ServedHere.ts"

/** The number of parallel reads. */
export interface Order {
  readonly url: string
  readonly key: string
  readonly reads: number
}

/**
 * Answers by their code, 200 for a success; milliseconds of each plan beside them, also of rejected ones; and the time until the last read.
 */
export interface Seen {
  readonly reads: Readonly<Record<string, number>>
  readonly plans: Readonly<Record<string, number>>
  readonly planMillis: ReadonlyArray<number>
  readonly millis: number
  /** 503 answers without `Retry-After`. */
  readonly mute: number
}

const port = parentPort
if (port === null) throw new Error("this runs in a thread of its own")

const accounts = 20

const small: Closing = { balances: 4, bought: 4, emptyLines: 6, offers: 9, data: 7, claimable: 3 }

/** Milliseconds between two plans. */
const pause = 250

interface Answer {
  readonly code: string
  readonly mute: boolean
}

const told = async (answer: Response): Promise<Answer> => {
  const text = await answer.text()
  const code = answer.status === 200 ? "200" : String(JSON.parse(text).error?.code)
  return { code, mute: answer.status === 503 && answer.headers.get("retry-after") === null }
}

const tallied = (answers: ReadonlyArray<Answer>): Readonly<Record<string, number>> => {
  const counts: Record<string, number> = {}
  for (const { code } of answers) counts[code] = (counts[code] ?? 0) + 1
  return counts
}

const heard = Effect.async<Order>((resume) => void port.once("message", (order: Order) => resume(Effect.succeed(order))))

await Effect.runPromise(Effect.scoped(Effect.gen(function*() {
  const { ledgerApiUrl, network, passphrase, rpcUrl } = yield* startSandbox({ closeEvery: null })
  const made = yield* Effect.forEach(
    Array.from({ length: accounts }),
    () => Effect.provideService(closing(small), Network, network)
  )
  const { url: memory } = yield* Effect.promise(() => memoryOf(new URL(rpcUrl).origin))
  const through = (url: string) => `${memory}${new URL(url).pathname}`
  const elsewhere: NetworkElsewhere = { passphrase, rpcUrl: through(rpcUrl), ledgerApiUrl: through(ledgerApiUrl) }
  port.postMessage(elsewhere)
  for (;;) {
    const { key, reads, url } = yield* heard
    const headers = { authorization: `Bearer ${key}` }
    const read = (at: number) => fetch(`${url}/testnet/account/${made[at % accounts]?.source}`, { headers }).then(told)
    const plan = (at: number) => {
      const { destination, source } = made[at % accounts] ?? {}
      const body = JSON.stringify({ source, destination })
      return fetch(`${url}/v1/testnet/close/plan`, { method: "POST", headers: { ...headers, "content-type": "application/json" }, body })
        .then(told)
    }
    const seen = yield* Effect.promise(async (): Promise<Seen> => {
      const plans: Array<Promise<Answer>> = []
      const planMillis: Array<number> = []
      const timedPlan = async (): Promise<Answer> => {
        const sent = performance.now()
        const answer = await plan(plans.length)
        planMillis.push(performance.now() - sent)
        return answer
      }
      const began = performance.now()
      const crowd = Promise.all(Array.from({ length: reads }, (_, at) => read(at)))
      const rest = () => new Promise<"on">((resume) => setTimeout(() => resume("on"), pause))
      do plans.push(timedPlan())
      while (await Promise.race([crowd, rest()]) === "on")
      const answers = await crowd
      const millis = performance.now() - began
      const planned = await Promise.all(plans)
      return {
        reads: tallied(answers),
        plans: tallied(planned),
        planMillis,
        millis,
        mute: [...answers, ...planned].filter((one) => one.mute).length
      }
    })
    port.postMessage(seen)
  }
})))
