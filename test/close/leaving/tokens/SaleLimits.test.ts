import { assert } from "@effect/vitest"
import { Keypair } from "@stellar/stellar-sdk"
import { Effect, Layer } from "effect"
import { addressOf, strkeyOf } from "../../../../src/ledger/soroban/Values.ts"
import { PairsMarket, transferToken } from "../../../../src/sandbox/scenarios/PairsMarket.ts"
import { fund } from "../../../../src/sandbox/scenarios/Scenario.ts"
import { laterLedger } from "../../../sandbox/contracts/ProtocolsServed.ts"
import { layer } from "../../../support/Layered.ts"
import { acknowledges, echo, pointOf } from "../../support/Answering.ts"
import { offered, plan, refusal } from "../../support/Client.ts"
import { Service } from "../../support/Service.ts"
import { type Lie, Sources, sourcesService } from "../../support/Sources.ts"
import { tokenList } from "./support/DeclaredTokens.ts"

const service = Layer.unwrapScoped(Effect.map(tokenList, ({ file }) => sourcesService(1, { TESTNET_TOKENS_FILE: file }, ["amm_2"])))

/** An account that holds this many base units of a token that two pairs buy. */
const holding = (amount: bigint) =>
  Effect.gen(function*() {
    const { on } = yield* Service
    const { provider, tokens: { plain } } = yield* on(PairsMarket)
    const [source, destination] = [Keypair.random(), Keypair.random()]
    yield* on(fund("100", source, destination))
    yield* on(transferToken("plain tokens are given", provider, { token: plain, amount }, addressOf(source.publicKey())))
    yield* laterLedger
    const request = { source: source.publicKey(), destination: destination.publicKey() }
    return { id: `token:${strkeyOf(plain)}`, own: acknowledges(destination.publicKey()), request }
  })

/** Pools move between their read and the simulation of a swap. */
const moved: Lie = (method, result, params) =>
  method === "simulateTransaction" && Buffer.from(String(params["transaction"]), "base64").includes("swap_exact_tokens")
    ? { error: "HostError: Error(Contract, #507)", latestLedger: result["latestLedger"] }
    : result

layer(service, { excludeTestServices: true })("a sale through pools that moved after they were read", (it) => {
  it.effect("is quote_drifted: it is quoted again", () =>
    Effect.gen(function*() {
      const [endpoint] = yield* Sources
      const { id, own, request } = yield* holding(100_000_000n)
      const decisions = [own, echo(pointOf(yield* plan(request), id), "convert_to_native")]
      const { code, details, status } = yield* endpoint!.lying(moved, refusal("next", { ...request, decisions }))
      assert.deepStrictEqual([status, code, details["decisionId"]], [409, "quote_drifted", id])
      assert.deepStrictEqual((yield* offered({ ...request, decisions })).covers, ["HANDLE_TOKENS"])
    }))
})

layer(service, { excludeTestServices: true })("a sale through contracts that brings less than its call costs", (it) => {
  it.effect("is not offered, and made only where its owner names the fee", () =>
    Effect.gen(function*() {
      const { id, own, request } = yield* holding(300n)
      const point = pointOf(yield* plan(request), id)
      assert.deepStrictEqual(point.options.map((option) => option.id), ["transfer_to_account", "acknowledge_residue"])
      const sale = { id, choice: "convert_to_native", params: { minReceive: "0.0000001" } }
      const unasked = yield* refusal("next", { ...request, decisions: [own, sale] })
      assert.deepStrictEqual([unasked.code, unasked.details["missing"]], ["needs_decisions", [id]])
      const named = { ...sale, params: { ...sale.params, maxResourceFee: "1" } }
      assert.deepStrictEqual((yield* offered({ ...request, decisions: [own, named] })).covers, ["HANDLE_TOKENS"])
    }))
})
