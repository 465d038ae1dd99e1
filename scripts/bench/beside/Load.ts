import { Effect } from "effect"
import { parentPort } from "node:worker_threads"
import { Network } from "../../../src/sandbox/Network.ts"
import { startSandbox } from "../../../src/sandbox/Sandbox.ts"
import { accountWith } from "../Accounts.ts"
import { answerText } from "../AnswerText.ts"
import { memoryOf, type Remembered } from "./Memory.ts"

/** Messages of this thread: addresses of the network and an account, a load's requests to the network, the end of a load. */
export type Told =
  | {
    readonly kind: "network"
    readonly passphrase: string
    readonly rpcUrl: string
    readonly ledgerApiUrl: string
    readonly source: string
  }
  | { readonly kind: "asked"; readonly text: string; readonly exchanges: ReadonlyArray<Remembered> }
  | { readonly kind: "over" }

/** `times` GETs of pages in turn, `atOnce` in parallel; a single one also returns its text and its requests. */
export interface Order {
  readonly urls: ReadonlyArray<string>
  readonly key?: string
  readonly times: number
  readonly atOnce: number
}

const port = parentPort
if (port === null) throw new Error("this runs in a thread of its own")

const tell = (told: Told) => port.postMessage(told)

const ordered = Effect.async<Order>((resume) => void port.once("message", (order: Order) => resume(Effect.succeed(order))))

await Effect.runPromise(Effect.scoped(Effect.gen(function*() {
  const { ledgerApiUrl, network, passphrase, rpcUrl } = yield* startSandbox({ closeEvery: null })
  const account = yield* Effect.provideService(
    accountWith({ lines: 10, offers: 10, data: 7, claimable: 3, sponsored: 0 }),
    Network,
    network
  )
  const { take, url: memory } = yield* Effect.promise(() => memoryOf(new URL(rpcUrl).origin))
  const through = (url: string) => `${memory}${new URL(url).pathname}`
  tell({
    kind: "network",
    passphrase,
    rpcUrl: through(rpcUrl),
    ledgerApiUrl: through(ledgerApiUrl),
    source: account.publicKey()
  })
  for (;;) {
    const { atOnce, key, times, urls } = yield* ordered
    const one = (at: number) => Effect.promise(() => answerText(urls[at % urls.length] ?? "", key === undefined ? {} : { key }))
    yield* Effect.promise(take)
    const [text = ""] = yield* Effect.all(Array.from({ length: times }, (_, at) => one(at)), { concurrency: atOnce })
    tell(times === 1 ? { kind: "asked", text, exchanges: yield* Effect.promise(take) } : { kind: "over" })
  }
})))
