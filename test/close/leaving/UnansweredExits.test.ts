import { assert } from "@effect/vitest"
import { Keypair, Operation, type xdr } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { addressOf, strkeyOf } from "../../../src/ledger/soroban/Values.ts"
import { addLiquidity, pairOf, PairsMarket, transferToken } from "../../../src/sandbox/scenarios/PairsMarket.ts"
import { fund, perform } from "../../../src/sandbox/scenarios/Scenario.ts"
import { deployToken, mintToken, turnToken } from "../../../src/sandbox/scenarios/Tokens.ts"
import { laterLedger } from "../../sandbox/contracts/ProtocolsServed.ts"
import { layer } from "../../support/Layered.ts"
import { answersTo, echo, pointOf } from "../support/Answering.ts"
import { offered, plan, refusal } from "../support/Client.ts"
import { Service } from "../support/Service.ts"
import { type Lie, Sources, sourcesService } from "../support/Sources.ts"

const STROOPS = 10_000_000n

const idOf = (pair: xdr.ScAddress): string => `position:amm_2:${strkeyOf(pair)}:shares`

/** A provider, who also may be the owner, opens a pair of lumens and a new token. */
const OpenedPair = (provider: Keypair, lumens: xdr.ScAddress) =>
  Effect.gen(function*() {
    const token = yield* deployToken()
    yield* mintToken(token, provider.publicKey(), 1_000_000_000n)
    yield* addLiquidity("a pair", provider, { token: lumens, amount: 50n * STROOPS }, {
      token: addressOf(token),
      amount: 500_000_000n
    })
    return { token, pair: yield* pairOf(lumens, addressOf(token)) }
  })

const never = [{ _tag: "NeverEnds", functions: ["transfer"] }] as const

/** An account to which a stranger gives shares of this many pairs with lumens, whose other token never ends a transfer. */
const Gifted = (pairs: number) =>
  Effect.gen(function*() {
    const { on } = yield* Service
    const market = yield* on(PairsMarket)
    const [source, destination] = [Keypair.random(), Keypair.random()]
    yield* on(fund("1000", source, destination))
    const request = { source: source.publicKey(), destination: destination.publicKey() }
    const given = Effect.gen(function*() {
      const { pair, token } = yield* on(OpenedPair(market.provider, market.tokens.lumens))
      yield* on(transferToken("shares are given", market.provider, { token: pair, amount: 20n }, addressOf(request.source)))
      yield* on(turnToken(token, never))
      return idOf(pair)
    })
    const ids = yield* Effect.replicateEffect(given, pairs)
    yield* laterLedger
    return { ...market, source, request, given, ids }
  })

for (const endpoints of [1, 2]) {
  layer(sourcesService(endpoints, {}, ["amm_2"]), { excludeTestServices: true })(
    `a gift whose exit never ends, at ${endpoints} ${endpoints === 1 ? "endpoint" : "endpoints"}`,
    (it) => {
      it.effect("needs a decision, and stops neither plan nor build: given up, or left because it came later", () =>
        Effect.gen(function*() {
          const { given, ids: [id = ""], request } = yield* Gifted(1)
          const asked = yield* plan(request)
          assert.deepStrictEqual([asked.status, asked.blockers], ["needs_decisions", []])
          const point = pointOf(asked, id)
          assert.deepInclude(point, { required: true, answered: false, default: null })
          assert.match(point.options[0]?.note ?? "", /^It cannot be exited now\./)

          const decisions = [...answersTo(asked, "acknowledge_forfeit"), echo(pointOf(asked, "later"), "leave_what_came_later")]
          assert.deepStrictEqual((yield* offered({ ...request, decisions })).covers, ["MERGE"])
          const wished = [...decisions.filter((answer) => answer.id !== id), echo(point, "exit")]
          const refused = yield* refusal("next", { ...request, decisions: wished })
          assert.strictEqual(refused.code, "simulation_failed")
          assert.match(String(refused.details["reason"]), /^it was not simulated within 7 seconds/)

          yield* given
          yield* laterLedger
          const later = yield* plan({ ...request, decisions })
          assert.strictEqual(later.status, "ready", JSON.stringify(later.decisionPoints))
          assert.deepStrictEqual((yield* offered({ ...request, decisions })).covers, ["MERGE"])
        }))
    }
  )
}

/** Exits and the control getter get no answer, or an answer without meaning; what is queried while positions are read does. */
const silent = (answer: () => ReturnType<Lie>): Lie => (method, result, { resourceConfig, transaction }) => {
  const isExit = JSON.stringify(resourceConfig).includes("4000000")
  const isControl = Buffer.from(String(transaction), "base64").includes("decimals")
  return method === "simulateTransaction" && (isExit || isControl) ? answer() : result
}

const hangs = silent(() => new Promise(() => {}))
const fails = silent(() => null)

for (const whose of ["a gift", "the owner's own position"] as const) {
  layer(sourcesService(1, {}, ["amm_2"]), { excludeTestServices: true })(
    `a source that simulates nothing for a moment, and ${whose}`,
    (it) => {
      it.effect("fails the request, and not the exit, also where it was given up", () =>
        Effect.gen(function*() {
          const { on } = yield* Service
          const endpoint = (yield* Sources)[0] ?? assert.fail("there is no endpoint")
          const { request, source, tokens } = yield* Gifted(whose === "a gift" ? 1 : 0)
          if (whose !== "a gift") yield* on(OpenedPair(source, tokens.lumens))
          yield* laterLedger
          const decisions = answersTo(yield* plan(request), "acknowledge_forfeit")
          for (const lie of [hangs, fails]) {
            for (const route of ["plan", "next"] as const) {
              const refused = yield* endpoint.lying(lie, refusal(route, { ...request, decisions }))
              assert.include(route === "plan" ? ["network_unavailable"] : ["network_unavailable", "deadline_exceeded"], refused.code)
            }
          }
          assert.strictEqual((yield* plan({ ...request, decisions })).status, "ready")
        }))
    }
  )
}

layer(sourcesService(1, {}, ["amm_2"]), { excludeTestServices: true })("a position of the owner's own whose exit never ends", (it) => {
  it.effect("is never left behind without the owner's word, and can be given up by name", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const { request, source, tokens } = yield* Gifted(0)
      const { pair, token } = yield* on(OpenedPair(source, tokens.lumens))
      yield* laterLedger
      const before = yield* plan(request)
      const later = echo(pointOf(before, "later"), "leave_what_came_later")
      yield* on(turnToken(token, never))
      yield* laterLedger
      const asked = yield* plan(request)
      const point = pointOf(asked, idOf(pair))
      assert.deepInclude(point, { required: true, answered: false })
      const others = answersTo(asked, "acknowledge_residue").filter((answer) => answer.id !== point.id)
      assert.deepInclude(yield* refusal("next", { ...request, decisions: [...others, later] }), {
        code: "needs_decisions",
        details: { missing: [point.id] }
      })
      const decisions = [...others, echo(point, "acknowledge_forfeit")]
      assert.strictEqual((yield* plan({ ...request, decisions })).status, "ready")
    }))
})

/** More than the sixteen whose missing answers are waited for. */
const many = 40

layer(sourcesService(1, {}, ["amm_2"]), { excludeTestServices: true })(`${many} such gifts`, (it) => {
  it.effect("need one decision before the deadline, and delay no honest exit", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const { ids, pairs, provider, request, source, usdc } = yield* Gifted(many)
      yield* on(perform("it trusts", { as: source, operations: [Operation.changeTrust({ asset: usdc })] }))
      const shares = { token: pairs.lumensUsdc, amount: 100n * STROOPS }
      yield* on(transferToken("honest shares are given", provider, shares, addressOf(source.publicKey())))
      yield* laterLedger
      const asked = yield* plan(request)
      assert.strictEqual(asked.status, "needs_decisions")
      assert.deepInclude(pointOf(asked, idOf(pairs.lumensUsdc)), { required: false, default: "exit" })
      assert.deepStrictEqual(echo(pointOf(asked, "positions:amm_2"), "acknowledge_forfeit").params?.ids, ids.toSorted())
      const decisions = answersTo(asked, "acknowledge_forfeit")
      assert.deepStrictEqual((yield* offered({ ...request, decisions })).covers, ["EXIT_POSITIONS"])
    }))
})
