import { assert } from "@effect/vitest"
import type { Keypair, xdr } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import type { LedgerState } from "../../../src/ledger/LedgerState.ts"
import { strkeyOf } from "../../../src/ledger/soroban/Values.ts"
import { contractEntries } from "../../../src/sandbox/contracts/Deployment.ts"
import { withManyPairs } from "../../../src/sandbox/scenarios/PairsEntries.ts"
import { addLiquidity, PairsMarket, swapInPair, takeFees, transferToken } from "../../../src/sandbox/scenarios/PairsMarket.ts"
import { newcomerTo, PairsNewcomer, type PairsScene } from "../../../src/sandbox/scenarios/PairsNewcomer.ts"
import { provideAssets, providePlain } from "../../../src/sandbox/scenarios/PairsShares.ts"
import { keyOfInstance } from "../../../src/xdr/LedgerKeys.ts"
import { laterLedger, serviceOver } from "../../sandbox/contracts/ProtocolsServed.ts"
import { layer } from "../../support/Layered.ts"
import { isThorough } from "../../support/Thorough.ts"
import { answersTo, echo, pointOf, withAnswer } from "../support/Answering.ts"
import { offered, plan, type PlanBody, refusal, submit } from "../support/Client.ts"
import { accountOf, heldOf, lumensOf } from "../support/LedgerView.ts"
import { Service } from "../support/Service.ts"
import { signed } from "../support/Signing.ts"

const STROOPS = 10_000_000n
const FAR = 70_000_000

const idOf = (pair: xdr.ScAddress): string => `position:amm_2:${strkeyOf(pair)}:shares`

const requestOf = ({ destination, source }: { readonly source: Keypair; readonly destination: Keypair }) => ({
  source: source.publicKey(),
  destination: destination.publicKey()
})

interface Request extends ReturnType<typeof requestOf> {
  readonly maxSlippageBps?: number
}

/** Every required question with its first option; these positions are given up. */
const decided = (asked: PlanBody, forfeits: ReadonlyArray<string>) =>
  asked.decisionPoints.filter(({ id }) => forfeits.includes(id)).reduce(
    (answers, point) => withAnswer(answers, echo(point, "acknowledge_forfeit")),
    answersTo(asked, "convert_to_native")
  )

/** Plans once more, for the decision points that these answers raise. */
const decisionsFor = (request: Request, forfeits: ReadonlyArray<string>) =>
  Effect.flatMap(
    plan(request),
    (asked) => Effect.map(plan({ ...request, decisions: decided(asked, forfeits) }), (again) => decided(again, forfeits))
  )

const mostCalls = 12

/** Builds, signs and submits until the account is gone. Returns the kinds of each transaction. */
const closed = ({ request, source }: { readonly source: Keypair; readonly request: Request }, ...forfeits: ReadonlyArray<string>) =>
  Effect.gen(function*() {
    const covered: Array<string> = []
    while ((yield* accountOf(source)) !== null) {
      const offer = yield* offered({ ...request, decisions: yield* decisionsFor(request, forfeits) })
      assert.strictEqual((yield* submit(yield* signed(offer, source))).status, "success", JSON.stringify(offer))
      covered.push(offer.covers.join("+"))
      assert.isBelow(covered.length, mostCalls)
      yield* laterLedger
    }
    return covered
  })

/** One share in each of this many pairs of unlisted tokens, worth less than one unit of one side. */
const dustFor = (holder: string, count: number) =>
  ({ count, reserves: [9_000_000n, 10_000_000n], supply: 9_486_832n, holder, shares: 1n }) as const

/** The market, which the first test creates. */
let market: PairsScene | null = null

const newcomer = Effect.gen(function*() {
  const { on } = yield* Service
  market ??= yield* on(PairsMarket)
  const scene = yield* on(newcomerTo(market))
  return { ...scene, request: requestOf(scene) }
})

/** The same contract, with its storage, running other code. */
const withCode = (contract: xdr.ScAddress, wasmHash: string) => (state: LedgerState): LedgerState => {
  const found = state.get(keyOfInstance(contract))
  const value = found?.data.type === "contractData" ? found.data.contractData.val : null
  if (value?.type !== "scvContractInstance") return assert.fail("no such contract")
  const storage = (value.instance.storage ?? []).map(({ key, val }) => [key, val] as const)
  return state.set(contractEntries(contract, wasmHash, storage, FAR))
}

const amend = (change: (state: LedgerState) => LedgerState) => Effect.flatMap(Service, ({ sandbox }) => sandbox.amend(change))

layer(serviceOver(["amm_2"]), { excludeTestServices: true, timeout: 60_000 })("closing an account that provides in pairs", (it) => {
  it.effect.runIf(isThorough)(
    "leaves each with a call of its own; what was given to a pair comes with it, and a price that moves stops only the call",
    () =>
      Effect.gen(function*() {
        const { on, passphrase } = yield* Service
        const scene = yield* newcomer
        const { pairs, provider, request, source, tokens, usdc } = scene
        yield* on(provideAssets(scene))
        yield* on(providePlain(scene))
        // Gifts: EURC to a pair, and one share in each of three pairs of unlisted tokens, which pay nothing for it.
        yield* on(transferToken("a gift to a pair", provider, { token: tokens.eurc, amount: 3_000n * STROOPS }, pairs.usdcEurc))
        yield* amend((state) => withManyPairs(state, passphrase, dustFor(request.source, 3)).state)
        yield* laterLedger

        const asked = yield* plan(request)
        assert.deepStrictEqual(asked.blockers, [])
        assert.deepStrictEqual(
          asked.decisionPoints.filter(({ type }) => type === "position").map(({ id, required }) => [id, required]).toSorted(),
          [[idOf(pairs.lumensUsdc), false], [idOf(pairs.usdcEurc), false], [idOf(pairs.plainUsdc), true]].toSorted()
        )
        const dust = asked.warnings.filter(({ code }) => code === "position_too_small")
        assert.strictEqual(dust.length, 3)
        assert.match(
          dust[0]?.message ?? "",
          /is left behind: it is worth 0.000000 T\dA and 0.00000\d T\dB, and the contract pays nothing for so little.$/
        )

        // A token that is no asset of the ledger has a decision point before the pair that pays it is left. Here the answer gives up the
        // pair by name.
        const decided = answersTo(asked, "convert_to_native")
        const open = yield* refusal("next", { ...request, decisions: decided })
        assert.deepStrictEqual([open.code, open.details["missing"]], ["needs_decisions", [`token:${strkeyOf(tokens.plain)}`]])
        const decisions = withAnswer(decided, echo(pointOf(asked, idOf(pairs.plainUsdc)), "acknowledge_forfeit"))

        const offer = yield* offered({ ...request, decisions })
        assert.deepStrictEqual(offer.covers, ["EXIT_POSITIONS"])
        const call = yield* signed(offer, source)
        yield* on(swapInPair("a neighbour trades", provider, { token: tokens.lumens, amount: 20_000n * STROOPS }, tokens.usdc))
        yield* on(swapInPair("a neighbour trades", provider, { token: tokens.usdc, amount: 2_000n * STROOPS }, tokens.eurc))
        const before = { lumens: yield* lumensOf(source), usdc: yield* heldOf(source, usdc) }
        const refused = yield* refusal("submit", { signedXdr: call })
        assert.deepStrictEqual([refused.status, refused.code, refused.details["operationResultCodes"]], [422, "transaction_failed", [
          "op_trapped"
        ]])
        const lost = before.lumens - (yield* lumensOf(source))
        assert.isTrue(lost > 0n && lost <= BigInt(offer.intent.feeStroops), `${lost}`)
        assert.strictEqual(yield* heldOf(source, usdc), before.usdc)
        yield* laterLedger

        const covered = yield* closed(scene, idOf(pairs.plainUsdc))
        assert.deepStrictEqual(covered, ["EXIT_POSITIONS", "EXIT_POSITIONS", "HANDLE_ASSETS+REMOVE_TRUSTLINES+MERGE"])
        // 5,000 lumens each and 2,000 assets at ten, less the 200 USDC in the pair that was given up. About 97 EURC are the account's part
        // of the gift, and the trades left it more of the asset that they sold.
        assert.approximately(Number((yield* lumensOf(scene.destination)) / STROOPS), 29_160, 10)
      })
  )

  it.effect.runIf(isThorough)(
    "counts the factory's part of the fees to the last unit: floors of a hundredth of a per cent hold",
    () =>
      Effect.gen(function*() {
        const { on } = yield* Service
        const scene = yield* newcomer
        const { pairs, provider, request, source, tokens } = scene
        yield* on(takeFees("the factory takes a part of the fees", provider, true))
        yield* on(provideAssets(scene))
        yield* on(swapInPair("a neighbour trades", provider, { token: tokens.usdc, amount: 3_000n * STROOPS }, tokens.lumens))
        yield* on(swapInPair("a neighbour trades back", provider, { token: tokens.lumens, amount: 25_000n * STROOPS }, tokens.usdc))
        yield* laterLedger
        const asked = yield* plan({ ...request, maxSlippageBps: 1 })
        assert.deepStrictEqual(
          asked.decisionPoints.filter(({ type }) => type === "position").map(({ id }) => id).toSorted(),
          [idOf(pairs.lumensUsdc), idOf(pairs.usdcEurc)].toSorted()
        )
        assert.deepStrictEqual(yield* closed({ source, request: { ...request, maxSlippageBps: 1 } }), [
          "EXIT_POSITIONS",
          "EXIT_POSITIONS",
          "HANDLE_ASSETS+REMOVE_TRUSTLINES+MERGE"
        ])
        yield* on(takeFees("the factory takes no part of the fees", provider, false))
      })
  )
})

layer(serviceOver(["amm_2"]), { excludeTestServices: true, timeout: 60_000 })("code that is not known in a pair", (it) => {
  it.effect("is a finding for those who hold shares there, and for nobody else", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const market = yield* on(PairsMarket)
      const [holder, other] = [yield* on(newcomerTo(market)), yield* on(newcomerTo(market))]
      const { lumens, usdc } = market.tokens
      yield* on(
        addLiquidity("one provides", holder.source, { token: lumens, amount: 100n * STROOPS }, { token: usdc, amount: 90n * STROOPS })
      )
      yield* amend(withCode(market.pairs.lumensUsdc, "ab".repeat(32)))
      yield* laterLedger
      const [found, untouched] = [yield* plan(requestOf(holder)), yield* plan(requestOf(other))]
      assert.deepStrictEqual(found.decisionPoints.flatMap(({ id }) => (id.startsWith("positions_unread") ? [id] : [])), [
        "positions_unread:amm_2"
      ])
      assert.deepStrictEqual([untouched.blockers, untouched.decisionPoints.filter(({ id }) => id.startsWith("position"))], [[], []])
    }))
})

layer(serviceOver(["amm_2"]), { excludeTestServices: true, timeout: 60_000 })("gifts of shares", (it) => {
  it.effect("shares of two hundred pairs, given by a stranger and worth nothing, ask nothing and hold nothing up", () =>
    Effect.gen(function*() {
      const { on, passphrase } = yield* Service
      const { destination, source } = yield* on(PairsNewcomer)
      const request = requestOf({ destination, source })
      yield* amend((state) => withManyPairs(state, passphrase, dustFor(request.source, 200)).state)
      yield* laterLedger
      const asked = yield* plan(request)
      assert.deepStrictEqual([asked.blockers, asked.decisionPoints.filter(({ type }) => type.startsWith("position"))], [[], []])
      const [dust, ...others] = asked.warnings.filter(({ code }) => code === "position_too_small")
      assert.match(dust?.message ?? "", /^200 positions in amm_2 are worth so little that their contracts pay nothing for them/)
      assert.isEmpty(others)
      const offer = yield* offered({ ...request, decisions: answersTo(asked) })
      assert.include(offer.covers, "MERGE")
    }))
})
