import { Console, Effect } from "effect"
import { Network } from "../../src/sandbox/Network.ts"
import { Serving } from "../../src/serving/Serving.ts"
import { answerText } from "./AnswerText.ts"
import { type Closing, closing } from "./Closing.ts"
import { serving } from "./ServedHere.ts"
import { millis, row } from "./Table.ts"
import { thread } from "./Thread.ts"

/** The longest wait of `/health`, in milliseconds, during another request. */
const longestWaitBeside = (url: string, work: Effect.Effect<unknown>) =>
  Effect.scoped(Effect.gen(function*() {
    const { hear, tell } = yield* thread<number>(new URL("./waits/Pinger.ts", import.meta.url), `${url}/health`)
    yield* hear
    yield* work
    yield* tell("stop")
    return yield* hear
  }))

const nothing: Closing = { balances: 0, bought: 0, emptyLines: 0, offers: 0, data: 0, claimable: 0 }

const bodyBytes = 1024 * 1024

/** The request beside it. The sandbox answers from the same process, so its own turns count too. */
const scenarios: ReadonlyArray<readonly [name: string, holding: Closing, times: number]> = [
  ["nothing", nothing, 0],
  ["a plan of 998 trustlines with a balance", { ...nothing, balances: 998 }, 1],
  ["ten such plans at once", { ...nothing, balances: 998 }, 10],
  ["a plan of 1000 claimable balances", { ...nothing, claimable: 1000 }, 1]
]

/** The wait of a `/health` caller beside each heavy request. */
export const waits = Effect.scoped(Effect.gen(function*() {
  const { key, sandbox, url } = yield* serving(Serving.layerWith({ closeEvery: null, protocols: false, accounts: false }))
  if (sandbox === null) return yield* Effect.dieMessage("the service serves no sandbox")
  const post = (body: string, ...statuses: ReadonlyArray<number>) =>
    Effect.promise(() => answerText(`${url}/v1/testnet/close/plan`, { key, body, statuses }))
  yield* Console.log(
    "The longest wait of GET /health beside a request, the sandbox in the same process; goal: one turn at most 80 ms of CPU."
  )
  yield* Console.log(row(["beside", "longest wait"]))
  for (const [name, holding, times] of scenarios) {
    const { keys: _, ...request } = yield* Effect.provideService(closing(holding), Network, sandbox.network)
    // Of several parallel requests some may be rejected as too many; the row shows it.
    const plan = post(JSON.stringify(request), ...(times > 1 ? [200, 503] : [200]))
    const work = Effect.all(Array.from({ length: times }, () => plan), { concurrency: "unbounded" })
    const busy = (yield* work).filter((text) => text.includes("\"service_busy\"")).length
    yield* Console.log(row([busy === 0 ? name : `${name}, ${busy} refused`, millis(yield* longestWaitBeside(url, work))]))
  }
  for (const [name, text] of [["a body of 1 MiB of backslashes", "\\"], ["a body of 1 MiB of what could begin a seed", "SA"]] as const) {
    const refused = post(JSON.stringify({ source: text.repeat(bodyBytes).slice(0, bodyBytes / 2 - 100) }), 400)
    yield* refused
    yield* Console.log(row([name, millis(yield* longestWaitBeside(url, refused))]))
  }
}))
