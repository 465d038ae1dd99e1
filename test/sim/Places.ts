import { HttpClient, HttpClientError, HttpClientResponse } from "@effect/platform"
import { Effect } from "effect"
import { Friendbot } from "../../src/sandbox/Friendbot.ts"
import { inMemoryAnswers } from "../../src/sandbox/InMemoryTransport.ts"
import { Network } from "../../src/sandbox/Network.ts"
import type { Lie as ApiLie } from "../close/support/LyingSources.ts"
import type { Lie as RpcLie } from "../close/support/Sources.ts"
import { digest, type EventLog } from "./EventLog.ts"
import { type HandedAnswer, wholeAnswer } from "./HandedRequests.ts"
import type { Process } from "./Process.ts"
import { soundWay, type Way, type Wire } from "./Wire.ts"

/** A place's lies in place of the truth, by kind. */
export interface PlaceLie {
  readonly rpc: RpcLie
  readonly api: ApiLie
}

/** One operator's contract RPC and ledger API, at `http://<name>.invalid/rpc` and `http://<name>.invalid/`. */
export interface Place {
  readonly name: string
  readonly way: Way
  /** Ledgers of its lag. */
  lag: number
  /** The lie that it tells until the end of all faults. */
  lastingLie: PlaceLie | null
  /** The lie that it tells now. */
  lie: PlaceLie | null
}

/** An honest place. */
export const honestPlace = (name: string): Place => ({ name, way: soundWay(), lag: 0, lastingLie: null, lie: null })

/** Base URLs of a place. */
export const urlsOf = ({ name }: Place) => ({ rpc: new URL(`http://${name}.invalid/rpc`), api: new URL(`http://${name}.invalid/`) })

const methodIn = (body: string): string => /"method":"(\w+)"/.exec(body)?.[1] ?? ""

interface RpcAnswer {
  readonly result?: Record<string, unknown>
}

/** A place's answer with its lies. */
const lied = async (lies: ReadonlyArray<PlaceLie>, asked: string, body: string, honest: HandedAnswer): Promise<HandedAnswer> => {
  if (body === "") {
    const truth = { status: honest.status, body: JSON.parse(honest.text) as unknown }
    const told = lies.reduce((now, { api }) => api(asked, now), truth)
    return told === truth ? honest : { ...honest, status: told.status, text: JSON.stringify(told.body) }
  }
  const answer = JSON.parse(honest.text) as RpcAnswer
  if (answer.result === undefined) return honest
  const { params = {} } = JSON.parse(body) as { readonly params?: Record<string, unknown> }
  let result = answer.result
  for (const { rpc } of lies) result = (await rpc(methodIn(body), result, params)) ?? result
  return result === answer.result ? honest : { ...honest, text: JSON.stringify({ ...answer, result }) }
}

/** An HTTP client for these places, over a network in a process of its own. */
export const placesClient = (
  places: ReadonlyArray<Place>,
  { log, network, process, wire }: {
    readonly network: Network["Type"]
    readonly process: Process
    readonly wire: Wire
    readonly log: EventLog
  },
  from: string
): Effect.Effect<HttpClient.HttpClient> =>
  Effect.gen(function*() {
    const known = new Map<string, readonly [Place, Effect.Effect.Success<typeof inMemoryAnswers>]>()
    for (const place of places) {
      const snapshot = Effect.suspend(() => (place.lag === 0 ? network.snapshot : network.past(place.lag)))
      const seen = { ...network, snapshot }
      const friendbot = Friendbot.of({ fund: () => Effect.dieMessage("no one is funded here") })
      const answer = yield* Effect.provideService(Effect.provideService(inMemoryAnswers, Network, seen), Friendbot, friendbot)
      known.set(`${place.name}.invalid`, [place, answer])
    }
    return HttpClient.make((request, url) => {
      const [place, answer] = known.get(url.host) ?? []
      if (place === undefined || answer === undefined) return Effect.dieMessage(`no one answers at ${url.host}`)
      const body = request.body._tag === "Uint8Array" ? new TextDecoder().decode(request.body.body) : ""
      const what = body === "" ? `${url.pathname}${url.search}` : methodIn(body)
      const answered = Effect.gen(function*() {
        const honest = wholeAnswer(yield* answer(request, url))
        const lies = [place.lastingLie, place.lie].flatMap((one) => one ?? [])
        const told = lies.length === 0 || honest.status !== 200
          ? honest
          : yield* Effect.promise(() => lied(lies, `${url.pathname}${url.search}`, body, honest))
        if (place.lag > 0 && place.name !== "witness") log.saw("a stale RPC")
        log.note(place.name, from, what, digest(body), told.status, digest(told.text), place.lag, told === honest ? "" : "lie")
        return told
      })
      return wire.carry(place.way, () => process, Effect.orDie(answered)).pipe(
        Effect.mapBoth({
          onFailure: () => new HttpClientError.RequestError({ request, reason: "Transport" }),
          onSuccess: ({ headers, status, text }) => HttpClientResponse.fromWeb(request, new Response(text, { status, headers }))
        })
      )
    })
  })
