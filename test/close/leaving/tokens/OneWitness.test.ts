import { assert } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { ContractAddress } from "../../../../src/domain/Address.ts"
import type { AllowancesResult } from "../../../../src/domain/Allowance.ts"
import { i128 } from "../../../../src/ledger/soroban/Values.ts"
import { layer } from "../../../support/Layered.ts"
import { firstOf } from "../../../support/Thorough.ts"
import { approve } from "../../../tokens/support/Approving.ts"
import { acknowledges, pointOf } from "../../support/Answering.ts"
import { type Asked, next, plan, refusal } from "../../support/Client.ts"
import { type OtherWord, saying, tellingNothing } from "../../support/GetterLies.ts"
import { Service } from "../../support/Service.ts"
import { type Lie, Sources, sourcesService } from "../../support/Sources.ts"
import { tokenList } from "./support/DeclaredTokens.ts"
import { gift, holder } from "./support/Holder.ts"

const alone = { excludeTestServices: true }

const service = (count: number) =>
  Layer.unwrapScoped(Effect.map(tokenList, ({ file }) => sourcesService(count, { TESTNET_TOKENS_FILE: file })))

/** Answers that the token has no holders, or that the call fails. */
const denying = (token: string, value: ReturnType<OtherWord>): Lie =>
  saying(({ contract, name }) => (contract === token && name === "balance" ? value : undefined))

const planAndRefusal = (asked: Asked) => Effect.all({ told: plan(asked), refused: refusal("next", asked) })

for (const [place, name] of firstOf(1, [[0, "first"], [1, "second"]] as const)) {
  layer(service(2), alone)(`of two contract RPCs the ${name}`, (it) => {
    it.effect(
      "says of a token with books of its own that nothing is held: the token is asked about, and nothing is merged over it",
      () =>
        Effect.gen(function*() {
          const liar = (yield* Sources)[place]!
          const { destination, request, source } = yield* holder
          const { token } = yield* gift(source, 500n, { family: "book" })
          const asked = { ...request, decisions: [acknowledges(destination.publicKey())] }
          const { refused, told } = yield* liar.lying(denying(token, i128(0n)), planAndRefusal(asked))
          assert.include(pointOf(told, `token:${token}`).subject, "500 base units")
          assert.deepInclude(refused, { status: 422, code: "needs_decisions" })
        }),
      60_000
    )

    it.effect(
      "says of such a token that the question fails: what the other says is held counts, and that nothing is held does not",
      () =>
        Effect.gen(function*() {
          const [first, second] = yield* Sources
          const [liar, other] = place === 0 ? [first!, second!] : [second!, first!]
          const { destination, request, source } = yield* holder
          const { token } = yield* gift(source, 500n, { family: "book" })
          const asked = { ...request, decisions: [acknowledges(destination.publicKey())] }
          const held = yield* liar.lying(denying(token, null), plan(asked))
          assert.include(pointOf(held, `token:${token}`).subject, "500 base units")
          const unread = yield* liar.lying(denying(token, null), other.lying(denying(token, i128(0n)), planAndRefusal(asked)))
          assert.include(pointOf(unread.told, `token:${token}`).subject, "The unreadable balance of the token")
          assert.deepInclude(unread.refused, { status: 422, code: "needs_decisions" })
        }),
      60_000
    )

    it.effect(
      "says of an allowance in such a token that nothing is left: it is shown nevertheless",
      () =>
        Effect.gen(function*() {
          const { call, on } = yield* Service
          const [first, second] = yield* Sources
          const [liar, other] = place === 0 ? [first!, second!] : [second!, first!]
          const { source } = yield* holder
          const { giver, token } = yield* gift(source, 500n, { family: "book" })
          yield* on(approve(source, ContractAddress.make(token), giver.publicKey(), { amount: 4n }))
          const shown = Effect.map(
            call<AllowancesResult>("GET", `/testnet/allowances/${source.publicKey()}`),
            ({ body: { allowances, warnings } }) => [allowances.map(({ amount }) => amount), warnings.map(({ code }) => code)]
          )
          const lie = (value: ReturnType<OtherWord>): Lie =>
            saying(({ contract, name }) => (contract === token && name === "allowance" ? value : undefined))
          assert.deepStrictEqual(yield* liar.lying(lie(i128(0n)), shown), [["4"], []])
          assert.deepStrictEqual(yield* liar.lying(lie(null), other.lying(lie(i128(0n)), shown)), [[], ["allowance_unreadable"]])
        }),
      60_000
    )

    it.effect(
      "knows of no event, once: what it did not tell is found nevertheless, and nothing is merged over it afterwards",
      () =>
        Effect.gen(function*() {
          const liar = (yield* Sources)[place]!
          const { destination, request, source } = yield* holder
          const { token } = yield* gift(source, 500n)
          const asked = { ...request, decisions: [acknowledges(destination.publicKey())] }
          yield* liar.lying(tellingNothing, plan(asked))
          const { refused, told } = yield* planAndRefusal(asked)
          assert.deepInclude(refused, { status: 422, code: "needs_decisions" })
          pointOf(told, `token:${token}`)
        }),
      60_000
    )
  })
}

/** Simulates on the ledger before. */
const onLedgerBefore = (lie: Lie): Lie => async (method, result, params) => {
  const told = await lie(method, result, params)
  return method === "simulateTransaction" && told !== null ? { ...told, latestLedger: Number(told["latestLedger"]) - 1 } : told
}

layer(service(2), alone)("of two contract RPCs the second", (it) => {
  it.effect(
    "is behind when it says that nothing is held, as the first does: nothing is merged before it has the first one's ledger",
    () =>
      Effect.gen(function*() {
        const [first, second] = yield* Sources
        const { destination, request, source } = yield* holder
        const { token } = yield* gift(source, 500n, { family: "book" })
        const asked = { ...request, decisions: [acknowledges(destination.publicKey())] }
        const nothing = denying(token, i128(0n))
        const refused = yield* first!.lying(nothing, second!.lying(onLedgerBefore(nothing), refusal("next", asked)))
        assert.deepInclude(refused, { status: 503, code: "contract_rpc_lagging", details: { behind: null, ageSeconds: null } })
        const { transactions } = yield* first!.lying(nothing, second!.lying(nothing, next(asked)))
        assert.deepStrictEqual(transactions[0]?.covers, ["MERGE"])
      }),
    60_000
  )

  it.effect("is silent when the first says that nothing is held: the merge says that it rests on one", () =>
    Effect.gen(function*() {
      const [first, second] = yield* Sources
      const { destination, request, source } = yield* holder
      const { token } = yield* gift(source, 500n, { family: "book" })
      const asked = { ...request, decisions: [acknowledges(destination.publicKey())] }
      const mute: Lie = (method, result) => (method === "simulateTransaction" ? null : result)
      const { warnings } = yield* first!.lying(denying(token, i128(0n)), second!.lying(mute, next(asked)))
      assert.match(JSON.stringify(warnings), /No second contract RPC returned its events or the token balances/)
    }), 60_000)
})

layer(service(1), alone)("the only contract RPC", (it) => {
  it.effect("knows of no event, once: a merge asks it again, and is not built over what it tells then", () =>
    Effect.gen(function*() {
      const [only] = yield* Sources
      const { destination, request, source } = yield* holder
      const { token } = yield* gift(source, 500n)
      const asked = { ...request, decisions: [acknowledges(destination.publicKey())] }
      assert.strictEqual((yield* only!.lying(tellingNothing, plan(asked))).status, "ready")
      assert.deepInclude(yield* refusal("next", asked), { status: 422, code: "needs_decisions" })
      pointOf(yield* plan(asked), `token:${token}`)
    }), 60_000)

  it.effect("is asked for events again by every merge, which says that it rests on one", () =>
    Effect.gen(function*() {
      const [only] = yield* Sources
      const { destination, request } = yield* holder
      const asked = { ...request, decisions: [acknowledges(destination.publicKey())] }
      yield* plan(asked)
      only!.asked.length = 0
      const { transactions, warnings } = yield* next(asked)
      assert.deepStrictEqual([transactions[0]?.covers, warnings?.map(({ code }) => code)], [["MERGE"], ["single_source"]])
      assert.include(only!.asked, "getEvents")
    }), 60_000)
})
