import { assert } from "@effect/vitest"
import type { Asset, Keypair, xdr } from "@stellar/stellar-sdk"
import { Context, Effect, Layer } from "effect"
import type { LedgerState } from "../../../src/ledger/LedgerState.ts"
import { balanceKey } from "../../../src/ledger/soroban/AssetBalance.ts"
import { addressOf, bool, field, struct } from "../../../src/ledger/soroban/Values.ts"
import { sharePoolKeys } from "../../../src/sandbox/contracts/Amm1.ts"
import { reserveAKey } from "../../../src/sandbox/contracts/amm3/PoolStore.ts"
import { tokenBalanceKey } from "../../../src/sandbox/contracts/Token.ts"
import { amm1ContractsAt } from "../../../src/sandbox/scenarios/Amm1Contracts.ts"
import { Amm1Positions } from "../../../src/sandbox/scenarios/Amm1Positions.ts"
import { PairsNewcomer } from "../../../src/sandbox/scenarios/PairsNewcomer.ts"
import { provideAssets } from "../../../src/sandbox/scenarios/PairsShares.ts"
import { StakedPools } from "../../../src/sandbox/scenarios/StakedPools.ts"
import { stakedPoolsContracts } from "../../../src/sandbox/scenarios/StakedPoolsContracts.ts"
import { asked, laterLedger, pursued, serviceOver } from "../../sandbox/contracts/ProtocolsServed.ts"
import { layer } from "../../support/Layered.ts"
import { firstOf, isThorough } from "../../support/Thorough.ts"
import { answersTo } from "../support/Answering.ts"
import { type Offered, offered, plan, type PlanBody, refusal, submit } from "../support/Client.ts"
import { accountOf, heldOf, lumensOf } from "../support/LedgerView.ts"
import { Service } from "../support/Service.ts"
import { signed } from "../support/Signing.ts"
import { lessBy, type Meddling, reentered, rewritten, upgraded } from "./support/Meddling.ts"

interface Held {
  readonly source: Keypair
  readonly destination: Keypair
  readonly request: { readonly source: string; readonly destination: string }
  /** The first one. */
  readonly plan: PlanBody
}

/** Actions of others between build and submit, and the next plan: its blockers and questions. Null: another call. */
interface Case {
  readonly name: string
  readonly deed: Meddling
  readonly says: RegExp | null
}

const callOf = ({ intent: { operations: [operation] } }: Offered): string =>
  operation?.type === "invoke_contract" ? operation.function : assert.fail("no call")

/** The answered questions of the plan, and the plan with these answers. A call that failed twice gets a question before the retry. */
const decided = ({ request }: Held) =>
  Effect.gen(function*() {
    const decisions = answersTo(yield* plan(request))
    return { decisions, told: yield* plan({ ...request, decisions }) }
  })

/** Continues until the next call is this one, and returns it with the answers of its build. */
const upTo = (held: Held, called: string) =>
  Effect.gen(function*() {
    for (let count = 0; count < 12; count++) {
      const decisions = answersTo(yield* plan(held.request))
      const offer = yield* offered({ ...held.request, decisions })
      if (callOf(offer) === called) return { decisions, offer }
      yield* submit(yield* signed(offer, held.source))
      yield* laterLedger
    }
    return assert.fail(`${called} is not called`)
  })

const leastOf = ({ estimate: { minReceivedLumens } }: PlanBody): bigint => BigInt((minReceivedLumens ?? "").replace(".", ""))

/** The blockers of a plan, and its unanswered questions. */
const saidIn = ({ blockers, decisionPoints }: PlanBody): string =>
  [
    ...blockers.map(({ message, reason }) => `${reason}: ${message}`),
    ...decisionPoints.filter(({ answered, required }) => required && !answered).map((point) =>
      `${point.id} asks ${point.options.map(({ id }) => id).join()}`
    )
  ].join("\n")

/** Each event happens between build and submission of this call, and is undone: the call fails for a fee, and no merge is offered. */
const through = (held: Held, assets: ReadonlyArray<Asset>, called: string, cases: ReadonlyArray<Case>) =>
  Effect.gen(function*() {
    const { sandbox } = yield* Service
    const { request, source } = held
    for (const { deed, name, says } of firstOf(1, cases)) {
      const { decisions, offer } = yield* upTo(held, called)
      const promised = says === null ? leastOf(yield* plan({ ...request, decisions })) : null
      const call = yield* signed(offer, source)
      let honest: LedgerState | null = null
      yield* sandbox.amend((state) => deed(honest = state))
      const had = { lumens: yield* lumensOf(source), held: yield* Effect.forEach(assets, (asset) => heldOf(source, asset)) }
      const refused = yield* refusal("submit", { signedXdr: call })
      assert.deepStrictEqual([refused.status, refused.code], [422, "transaction_failed"], `${name} ${JSON.stringify(refused)}`)
      const lost = had.lumens - (yield* lumensOf(source))
      assert.isTrue(lost >= 0n && lost <= BigInt(offer.intent.feeStroops), `${name} ${lost}`)
      assert.deepStrictEqual(yield* Effect.forEach(assets, (asset) => heldOf(source, asset)), had.held)
      yield* laterLedger
      const told = yield* plan({ ...request, decisions })
      if (says === null) {
        // The payout is lower, and the plan says by how much; the next call is built for that.
        const { decisions: anew, told: now } = yield* decided(held)
        assert.strictEqual(now.status, "ready", `${name} ${JSON.stringify(now.blockers)}`)
        assert.isTrue(promised !== null && leastOf(now) < promised, `${name} ${leastOf(now)} ${promised}`)
        assert.deepStrictEqual((yield* offered({ ...request, decisions: anew })).covers, ["EXIT_POSITIONS"], name)
      } else {
        assert.match(saidIn(told), says, name)
        const stopped = yield* refusal("next", { ...request, decisions })
        assert.isTrue(stopped.status === 422 || stopped.status === 409, `${name} ${JSON.stringify(stopped)}`)
      }
      yield* sandbox.amend((state) => restored(state, honest ?? assert.fail("nothing was done"), deed))
      yield* laterLedger
    }
  })

/** The close continues to the end. */
const ended = (held: Held) =>
  Effect.gen(function*() {
    const before = yield* lumensOf(held.destination)
    yield* pursued(held)
    assert.isNull(yield* accountOf(held.source))
    // Only the fees of the failed calls are missing.
    assert.isTrue((yield* lumensOf(held.destination)) - before >= leastOf(held.plan) - 10_000_000n)
  })

/** Restores the state before the change. */
const restored = (state: LedgerState, before: LedgerState, deed: Meddling): LedgerState => {
  const kept = new Set(deed(before).entries())
  return state.set([...before.entries()].filter((entry) => !kept.has(entry)))
}

/** Reduces a contract's balance of an asset by this many thousandths. */
const drained = (token: xdr.ScAddress, holder: xdr.ScAddress, thousandths: bigint): Meddling =>
  reentered(
    token,
    balanceKey(holder),
    (val) => struct({ amount: lessBy(thousandths)(field(val, "amount")), authorized: bool(true), clawback: bool(false) })
  )

const made = Effect.gen(function*() {
  const { on } = yield* Service
  return { ranges: yield* on(Amm1Positions), pairs: yield* on(Effect.tap(PairsNewcomer, provideAssets)), stakes: yield* on(StakedPools) }
})

/** Accounts in pools of each kind, all made before the first read. */
class Scenes extends Context.Tag("closeout/test/close/leaving/PoolsMeddled")<Scenes, Effect.Effect.Success<typeof made>>() {}

const poolsService = Layer.provideMerge(Layer.effect(Scenes, made), serviceOver(["amm_1", "amm_2", "amm_3"]))

layer(poolsService, { excludeTestServices: true, timeout: 120_000 })(
  "a pool that is meddled with between building and submitting",
  (it) => {
    it.effect.runIf(isThorough)(
      "amm_1: claims are killed, the code changes, what the pool holds goes: a fee is lost at most, and the next plan tells",
      () =>
        Effect.gen(function*() {
          const held = yield* asked(Effect.succeed((yield* Scenes).ranges))
          const { constantProduct } = amm1ContractsAt
          const assets = [held.usdc, held.aqua]
          const lumens = addressOf(held.native.contractId((yield* Service).passphrase))
          yield* through(held, assets, "withdraw", [
            {
              name: "upgraded",
              deed: upgraded(constantProduct),
              says: /^position_unrecognized: An item in amm_1 was not recognised .* code that this service does not know/
            },
            { name: "drained", deed: drained(lumens, constantProduct, 1_000n), says: /^position_locked: |:shares asks exit/m }
          ])
          const claims = [
            {
              name: "killed",
              deed: rewritten(constantProduct, sharePoolKeys.claimKilled, () => bool(true)),
              says: /^position_locked: The pool's administrators have switched off claims of its rewards/
            },
            {
              name: "upgraded",
              deed: upgraded(constantProduct),
              says: /^position_unrecognized: An item in amm_1 was not recognised .* code that this service does not know/
            }
          ]
          yield* through(held, assets, "claim", firstOf(1, claims))
          yield* ended(held)
        }),
      120_000
    )

    it.effect(
      "amm_2: the code changes, what the pair holds goes: a fee is lost at most, and the next plan tells",
      () =>
        Effect.gen(function*() {
          const held = yield* asked(Effect.succeed((yield* Scenes).pairs))
          const { eurc, pairs, tokens, usdc } = held
          const both = (first: Meddling, second: Meddling): Meddling => (state) => second(first(state))
          yield* through(held, [usdc, eurc], "remove_liquidity", [
            {
              name: "upgraded",
              deed: both(upgraded(pairs.lumensUsdc), upgraded(pairs.usdcEurc)),
              says: /^position_unrecognized: An item in amm_2 was not recognised .* code that this service does not know/
            },
            {
              name: "drained",
              deed: both(drained(tokens.usdc, pairs.lumensUsdc, 500n), drained(tokens.usdc, pairs.usdcEurc, 500n)),
              says: null
            }
          ])
          yield* ended(held)
        }),
      120_000
    )

    it.effect.runIf(isThorough)(
      "amm_3: the code changes, stakes and reserves go: a fee is lost at most, and the next plan tells",
      () =>
        Effect.gen(function*() {
          const held = yield* asked(Effect.succeed((yield* Scenes).stakes))
          const { five } = stakedPoolsContracts
          const assets = [held.usdc, held.pho]
          yield* through(held, assets, "withdraw_rewards", [
            {
              name: "stake upgraded",
              deed: upgraded(five.stake),
              says: /^position_unrecognized: An item in amm_3 was not recognised .* code that this service does not know/
            }
          ])
          yield* through(held, assets, "unbond", [
            {
              name: "stake drained",
              deed: reentered(five.shareToken, tokenBalanceKey(five.stake), lessBy(1_000n)),
              says: /position_locked: The call fails when simulated: The contract aborted the call .* It may hold less than it must pay/
            }
          ])
          yield* through(held, assets, "withdraw_liquidity", [
            {
              name: "upgraded",
              deed: upgraded(five.pool),
              says: /^position_unrecognized: An item in amm_3 was not recognised .* code that this service does not know/
            },
            { name: "less reserves", deed: reentered(five.pool, reserveAKey, lessBy(500n)), says: null }
          ])
          yield* ended(held)
        }),
      120_000
    )
  }
)
