import { Effect } from "effect"
import { embeddedSandbox } from "../../../../src/serving/EmbeddedSandbox.ts"
import { type Dice, dice } from "../../../client/support/Dice.ts"
import { proxyOf, withSlash } from "../../../close/support/LyingSources.ts"
import { rpcEndpoint, servingOver } from "../../../close/support/Sources.ts"
import { startTestService } from "../../../support/TestService.ts"

/** Base64 of some bytes: XDR, mostly. */
const isBase64 = (text: string): boolean => text.length >= 16 && text.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(text)

const mutated = (text: string, drawn: Dice): string => {
  const bytes = Buffer.from(text, "base64")
  for (let count = 1 + drawn.below(3); count > 0; count--) bytes[drawn.below(bytes.length)] = drawn.pick([0, 1, 127, 255, drawn.below(256)])
  const cut = drawn.chance(0.2) ? drawn.below(bytes.length) : bytes.length
  return bytes.subarray(0, cut).toString("base64")
}

/** The same answer with this many mutations of its XDR. */
const withMutations = (value: unknown, drawn: Dice, part: number): unknown => {
  if (typeof value === "string") return isBase64(value) && drawn.chance(part) ? mutated(value, drawn) : value
  if (Array.isArray(value)) return value.map((one) => withMutations(one, drawn, part))
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, withMutations(one, drawn, part)]))
}

/** The service over a sandbox with every protocol. Both of its sources can mutate their answers. */
export const mutatedSources = Effect.gen(function*() {
  const sandbox = yield* embeddedSandbox({ closeEvery: null, protocols: true, accounts: true })
  const rpc = yield* rpcEndpoint(sandbox.network)
  const api = yield* proxyOf(withSlash(sandbox.address.ledgerApiUrls[0]))
  const service = yield* startTestService({}, servingOver(sandbox, [rpc], [api.url]))
  /** Runs work while the sources mutate a part of the XDR in their answers, drawn from a seed. */
  const mutating = <A, E, R>(seed: number, part: number, work: Effect.Effect<A, E, R>) => {
    const drawn = dice(seed)
    const apiLie = Effect.acquireRelease(
      Effect.sync(() => {
        api.lie = (_, { body, status }) => ({ status, body: withMutations(body, drawn, part) })
      }),
      () =>
        Effect.sync(() => {
          api.lie = null
        })
    )
    return rpc.lying(
      (_, result) => withMutations(result, drawn, part) as Record<string, unknown>,
      Effect.scoped(Effect.zipRight(apiLie, work))
    )
  }
  return { ...service, mutating }
})
