import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { embeddedSandbox } from "../../src/serving/EmbeddedSandbox.ts"
import { jumping } from "../support/JumpingClock.ts"
import { serviceLog } from "../support/ServiceLog.ts"
import { startTestService } from "../support/TestService.ts"
import { Pair } from "./support/Accounts.ts"
import { coSign, offered, submit } from "./support/Client.ts"
import { exchanges } from "./support/Mediated.ts"
import { Service } from "./support/Service.ts"
import { signed } from "./support/Signing.ts"
import { type Lie, rpcEndpoint, servingOver } from "./support/Sources.ts"

/** A transaction result of a fee of 100 stroops, with a code that no version knows. */
const unknownArm = Buffer.from([0, 0, 0, 0, 0, 0, 0, 100, 0, 0, 127, 127, 0, 0, 0, 0]).toString("base64")

/** What the log says of the residue of a mediated close, whose transaction is answered for by a lie once the submit knows that it succeeded. */
const toldOf = (lie: Lie) =>
  Effect.gen(function*() {
    const sandbox = yield* embeddedSandbox({ closeEvery: null, protocols: false, accounts: false })
    const endpoint = yield* rpcEndpoint(sandbox.network)
    const log = serviceLog()
    const service = yield* startTestService({}, servingOver(sandbox, [endpoint]), log.layer)
    let known = false
    const later: Lie = (method, result, params) => {
      if (known) return method === "getTransaction" ? lie(method, result, params) : result
      known = method === "getTransaction" && result["status"] === "SUCCESS"
      return result
    }
    const { hash, source } = yield* Effect.provideService(
      Effect.gen(function*() {
        const { source } = yield* service.on(Pair())
        const { xdr } = yield* offered({ source: source.publicKey(), destination: (yield* exchanges).payments, memo: "customer 42" })
        const envelope = yield* signed({ xdr: yield* coSign(xdr) }, source)
        return { hash: (yield* endpoint.lying(later, submit(envelope))).hash, source: source.publicKey() }
      }),
      Service,
      service
    )
    return {
      hash,
      source,
      signed: log.lines.filter(({ text }) => text.startsWith("the mediator")),
      lines: log.lines.filter(({ text }) => text.includes("mediated close"))
    }
  }).pipe(Effect.provide(jumping))

describe("the residue of a mediated close", () => {
  it.scopedLive("is logged after the signature, for the operator's refund", () =>
    Effect.gen(function*() {
      const { hash, lines, signed: told, source } = yield* toldOf((_, result) => result)
      assert.deepStrictEqual(
        told.map(({ fields: { requestId: _id, ...fields }, text }) => [text, fields]),
        [["the mediator co-signed", {
          network: "testnet",
          hash,
          closing: `${source.slice(0, 4)}...${source.slice(-4)}`,
          lumens: "99.9999800"
        }]]
      )
      assert.deepStrictEqual(lines.map(({ fields, text }) => [text, fields["hash"], fields["residueLumens"]]), [
        ["a mediated close succeeded", hash, "0.0000000"]
      ])
    }))

  const uncounted = (cause: string, reason: string, lie: Lie) =>
    it.scopedLive(`is said not to be counted where the contract RPC ${cause}, and the submit succeeds`, () =>
      Effect.gen(function*() {
        const { hash, lines: [line, ...more] } = yield* toldOf(lie)
        assert.deepInclude(line, { text: "the residue of a mediated close was not counted" })
        assert.deepInclude(line?.fields, { hash, reason })
        assert.isEmpty(more)
      }))

  uncounted("fails", "NetworkUnavailable", () => null)
  uncounted("does not know the transaction any more", "UpstreamUnusable", (_, result) => ({ ...result, status: "NOT_FOUND" }))
  uncounted("answers in a form that cannot be read", "UpstreamUnusable", (_, result) => ({ ...result, resultXdr: unknownArm }))
})
