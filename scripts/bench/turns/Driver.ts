import { TransactionBuilder } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { createHash } from "node:crypto"
import { parentPort } from "node:worker_threads"
import { Network } from "../../../src/sandbox/Network.ts"
import { startSandbox } from "../../../src/sandbox/Sandbox.ts"
import { chosenOf } from "../Answers.ts"
import { answerText } from "../AnswerText.ts"
import { type Closing, closing } from "../Closing.ts"

/** Messages to the measured process, and its answers. */
export type Told =
  | { readonly kind: "network"; readonly passphrase: string; readonly rpcUrl: string; readonly ledgerApiUrl: string }
  | { readonly kind: "begin" | "end"; readonly name: string; readonly runs: number; readonly of: "cpu" | "turns" }
  | { readonly kind: "over" }

export interface Service {
  readonly url: string
  readonly key: string
}

interface Point {
  readonly id: string
  readonly required: boolean
  readonly options: ReadonlyArray<{
    readonly id: string
    readonly recommended?: boolean
    readonly needs: ReadonlyArray<string>
    readonly params?: Readonly<Record<string, unknown>>
  }>
}

const port = parentPort
if (port === null) throw new Error("this runs in a thread of its own")

const tell = (told: Told) => port.postMessage(told)

const heard = <A>() => Effect.async<A>((resume) => void port.once("message", (message: A) => resume(Effect.succeed(message))))

const large: Closing = { balances: 998, bought: 400, emptyLines: 0, offers: 0, data: 0, claimable: 0 }

const most = 4000

const mixed: Closing = { balances: 300, bought: 150, emptyLines: 199, offers: 300, data: 200, claimable: 0 }

const small: Closing = { balances: 4, bought: 4, emptyLines: 6, offers: 9, data: 7, claimable: 3 }

/** Numbers of a request's warm-up and measured runs. */
interface Often {
  readonly warmUp: number
  readonly runs: number
}

const seldom: Often = { warmUp: 1, runs: 3 }

const often: Often = { warmUp: 60, runs: 60 }

/** Well-formed answers without any effect here, up to the largest accepted number. */
const strangers = (count: number) =>
  Array.from(
    { length: count },
    (_, at) => ({ id: `claim:${createHash("sha256").update(String(at)).digest("hex").padStart(72, "0")}`, choice: "claim" })
  )

const answersTo = (points: ReadonlyArray<Point>) =>
  points.filter(({ required }) => required).flatMap(({ id, options }) => {
    const chosen = chosenOf(options)
    return chosen === undefined ? [] : [{ id, choice: chosen.id, ...(chosen.params === undefined ? {} : { params: chosen.params }) }]
  })

const drive = Effect.scoped(Effect.gen(function*() {
  const { ledgerApiUrl, network, passphrase, rpcUrl } = yield* startSandbox()
  const onNetwork = Effect.provideService(Network, network)
  const { destination, keys, source } = yield* onNetwork(closing(large))
  const [few, everything] = [yield* onNetwork(closing(small)), yield* onNetwork(closing(mixed))]
  tell({ kind: "network", passphrase, rpcUrl, ledgerApiUrl })
  const { key, url } = yield* heard<Service>()
  const ask = (path: string, body?: unknown) =>
    Effect.map(
      Effect.promise(() => answerText(`${url}${path}`, body === undefined ? { key } : { key, body: JSON.stringify(body) })),
      (text) => JSON.parse(text)
    )
  const measured = <A>(name: string, work: Effect.Effect<A>, { runs, warmUp } = seldom) =>
    Effect.gen(function*() {
      let last = yield* work
      for (let time = 1; time < warmUp; time++) last = yield* work
      yield* Effect.sleep(300)
      // Counting turns keeps the loop running, which also takes CPU.
      for (const  of of["cpu", "turns"] as const) {
        tell({ kind: "begin", name, runs, of })
        yield* heard()
        for (let time = 0; time < runs; time++) last = yield* work
        tell({ kind: "end", name, runs, of })
        yield* heard()
      }
      return last
    })
  const plan = (decisions: ReadonlyArray<unknown>) => ask("/v1/testnet/close/plan", { source, destination, decisions })
  const planOf = ({ destination, source }: typeof few) => ask("/v1/testnet/close/plan", { source, destination, decisions: [] })
  yield* measured("read of 30 entries", ask(`/testnet/account/${few.source}`), often)
  yield* measured("plan of 30 entries", planOf(few), often)
  yield* measured("read of 1000 mixed entries", ask(`/testnet/account/${everything.source}`))
  yield* measured("plan of 1000 mixed entries", planOf(everything))
  yield* measured("read", ask(`/testnet/account/${source}`))
  const planned = yield* measured("plan", plan([]))
  const decisions = answersTo(planned.decisionPoints)
  yield* measured(`plan with its ${decisions.length} answers`, plan(decisions))
  const many = [...decisions, ...strangers(most - decisions.length)]
  yield* measured(`plan with ${many.length} answers`, plan(many))
  const build = ask("/v1/testnet/close/transactions", { source, destination, decisions: many })
  const built = yield* measured(`build with ${many.length} answers`, build)
  const envelope = TransactionBuilder.fromXdr(built.transactions[0].xdr, passphrase)
  envelope.sign(keys)
  yield* measured("submit of 100 operations", ask("/v1/testnet/submit", { signedXdr: envelope.toXdr() }))
  tell({ kind: "over" })
}))

await Effect.runPromise(drive)
