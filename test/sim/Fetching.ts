import { HttpClientRequest } from "@effect/platform"
import { TransactionBuilder } from "@stellar/stellar-sdk"
import { Effect, Exit } from "effect"
import type { Dice } from "../client/support/Dice.ts"
import { rewritten, type Target } from "../client/support/Rewritten.ts"
import { digest } from "./EventLog.ts"
import { type HandedAnswer, type HandedRequest, serviceOrigin } from "./HandedRequests.ts"
import { type Place, placesClient } from "./Places.ts"
import type { ServiceProcess } from "./ServiceProcess.ts"
import type { World } from "./World.ts"

/** Transactions whose submission got no success answer, by hash. */
export type Unanswered = Set<string>

const hashIn = (body: string, passphrase: string): string => {
  const { signedXdr } = JSON.parse(body) as { readonly signedXdr: string }
  return Buffer.from(TransactionBuilder.fromXdr(signedXdr, passphrase).hash()).toString("hex")
}

const codeIn = (text: string): string => /"code":"([a-z_]+)"/.exec(text)?.[1] ?? "none"

/** Errors of a build about an account that changed since its plan. */
const changedSince: ReadonlySet<string> = new Set(["plan_changed", "quote_drifted", "needs_decisions", "below_accepted_minimum"])

/** The events that a run looks for in the service's answers. */
const watched = ({ log }: World, { path }: HandedRequest, { status, text }: HandedAnswer): void => {
  if (status < 400) return
  const code = codeIn(text)
  log.saw(`refused: ${code}`)
  if (code === "internal_error") log.fault(`${path} answers ${text}`)
  if (path.endsWith("/close/transactions") && changedSince.has(code)) log.saw("a plan changed between plan and build")
  if (code === "position_exit_unsafe") log.saw("an exit refused as unsafe")
  if (code === "sources_disagree") log.saw("a lie detected")
}

/** Rewrites the service's answers to one client. */
export interface Liar {
  readonly dice: Dice
  readonly target: Target
}

/** The path of a client's requests. */
export interface Path {
  readonly world: World
  readonly service: ServiceProcess
  readonly unanswered: Unanswered
  readonly client: string
  readonly liar: Liar | null
  /** The answers of the client's own contract RPC about transactions, by hash. */
  readonly looked: Map<string, unknown>
}

const requestOf = async (input: string | URL | Request, init: RequestInit | undefined): Promise<HandedRequest> => {
  const request = new Request(input, { ...init, signal: null, cache: "default", credentials: "omit" })
  const url = new URL(request.url)
  const body = await request.text()
  const headers = Object.fromEntries([...request.headers, ...(body === "" ? [] : [["content-length", Buffer.byteLength(body).toString()]])])
  return { method: request.method, path: `${url.pathname}${url.search}`, headers, body }
}

const ofService = ({ client, liar, service, unanswered, world }: Path, request: HandedRequest): Effect.Effect<HandedAnswer, unknown> => {
  const { log, network, wire } = world
  const submitted = request.path.endsWith("/submit") ? hashIn(request.body, network.passphrase) : null
  log.note(client, "asks", request.method, request.path, digest(request.body))
  const work = Effect.map(service.answer(request), (answer) => {
    log.note(
      "service",
      client,
      request.path,
      answer.status,
      answer.status < 400 ? "" : codeIn(answer.text),
      digest(answer.text.replaceAll(/"requestId":"[^"]*"/g, ""))
    )
    watched(world, request, answer)
    return answer
  })
  return wire.carry(world.entrance, () => service.process, work).pipe(
    Effect.tap(({ status }) => Effect.sync(() => void (status !== 200 && submitted !== null && unanswered.add(submitted)))),
    Effect.tapError(() => Effect.sync(() => void (submitted !== null && unanswered.add(submitted)))),
    Effect.map((answer) =>
      liar === null || answer.status !== 200
        ? answer
        : { ...answer, text: rewritten(answer.text, { ...liar, passphrase: network.passphrase }) }
    )
  )
}

/** The hash of the transaction that a contract RPC request is about; null for other requests. */
const askedAbout = (body: string): string | null => {
  const { method, params } = (body === "" ? {} : JSON.parse(body)) as {
    readonly method?: string
    readonly params?: { readonly hash: string }
  }
  return method === "getTransaction" ? params?.hash ?? null : null
}

const ofPlace = (
  { client, looked, world }: Path,
  place: Place,
  url: URL,
  { body, method }: HandedRequest
): Effect.Effect<HandedAnswer, unknown> =>
  Effect.gen(function*() {
    const http = yield* placesClient([place], { ...world, process: world.ledgers }, client)
    const bare = method === "POST" ? HttpClientRequest.post(url) : HttpClientRequest.get(url)
    const response = yield* http.execute(body === "" ? bare : HttpClientRequest.bodyText(bare, body, "application/json"))
    const text = yield* response.text
    const hash = askedAbout(body)
    if (hash !== null && response.status === 200) looked.set(hash, (JSON.parse(text) as { readonly result?: unknown }).result)
    return { status: response.status, headers: response.headers, text }
  })

/** A `fetch` for one client: to the service, and to the client's own source of the ledger. */
export const fetching = (path: Path): typeof globalThis.fetch => async (input, init) => {
  const request = await requestOf(input, init)
  const url = new URL(input instanceof Request ? input.url : input)
  const { witness } = path.world
  const work = url.origin === serviceOrigin ? ofService(path, request) : ofPlace(path, witness, url, request)
  return new Promise((resolve, reject) => {
    path.world.ledgers.fork(work).addObserver((exit) => {
      if (Exit.isSuccess(exit)) resolve(new Response(exit.value.text, { status: exit.value.status, headers: exit.value.headers }))
      else reject(new TypeError("fetch failed"))
    })
  })
}
