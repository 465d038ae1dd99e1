import type { Keypair } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { closeAccount, type CloseOptions, type Decision } from "../../../src/client/Client.ts"
import type { TestService } from "../../support/TestService.ts"
import { dice } from "./Dice.ts"
import { harmIn } from "./Harm.ts"
import { rewritten, type Target } from "./Rewritten.ts"

/** The end of a close through a lying service. */
export interface Ended {
  /** The tag of the client's failure; `signed` where a transaction was signed. */
  readonly by: string
  /** The harm of the envelope that was to be signed; null: no harm, or no envelope. */
  readonly harm: string | null
}

/** A `fetch` that rewrites the service's answers by the seed. */
const lying = (seed: number, service: TestService): typeof globalThis.fetch => {
  const thrown = dice(seed)
  const target = thrown.pick<Target>(["plan", "build", "build", "build", "everything"])
  return async (input, init) => {
    const response = await globalThis.fetch(input, init)
    const isOwn = String(input instanceof Request ? input.url : input).startsWith(service.url)
    const text = await response.text()
    const body = isOwn && response.status === 200 ? rewritten(text, { dice: thrown, target, passphrase: service.passphrase }) : text
    const headers = new Headers({ "content-type": "application/json" })
    if (isOwn && thrown.chance(0.02)) return new Response(body, { status: 503, headers: { ...headers, "retry-after": "999999" } })
    return new Response(body, { status: response.status, headers })
  }
}

/** A close of an account through a lying service, without any submission: the account stays unchanged. */
export const closedThrough = (
  seed: number,
  service: TestService,
  { options, source }: { readonly source: Keypair; readonly options: CloseOptions },
  market: ((asset: string, amount: string) => bigint) | null
): Effect.Effect<Ended> =>
  Effect.promise(async () => {
    let decisions: ReadonlyArray<Decision> = []
    let envelope: string | null = null
    const closing = closeAccount({
      ...options,
      fetch: lying(seed, service),
      maxWaitMillis: 1,
      feeCap: "0.1",
      sign: (request) => {
        envelope = request.envelope
        throw new Error("enough was seen")
      }
    })
    let by = "receipt"
    try {
      await closing.promise((event) => {
        if (event._tag === "planned") decisions = event.decisions
      })
    } catch (failure) {
      by = failure instanceof Error && "_tag" in failure ? String(failure._tag) : String(failure)
    }
    const agreed = {
      passphrase: service.passphrase,
      source: source.publicKey(),
      destination: options.destination,
      mediator: options.mediator ?? null,
      feeCap: 1_000_000n,
      decisions,
      market
    }
    return { by: envelope === null ? by : "signed", harm: envelope === null ? null : harmIn(envelope, agreed) }
  })
