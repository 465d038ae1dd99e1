import { assert } from "@effect/vitest"
import type { xdr } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { strkeyOf } from "../../../src/ledger/soroban/Values.ts"
import { amm1ContractsAt } from "../../../src/sandbox/scenarios/Amm1Contracts.ts"
import { lendingContracts } from "../../../src/sandbox/scenarios/LendingContracts.ts"
import { pairsContracts } from "../../../src/sandbox/scenarios/PairsContracts.ts"
import { stakedPoolsContracts } from "../../../src/sandbox/scenarios/StakedPoolsContracts.ts"
import { vaultsContracts } from "../../../src/sandbox/scenarios/VaultsContracts.ts"
import { laterLedger } from "../../sandbox/contracts/ProtocolsServed.ts"
import { layer } from "../../support/Layered.ts"
import { firstOf, isThorough } from "../../support/Thorough.ts"
import { answersTo, echo } from "../support/Answering.ts"
import { type Answer, next, type NextBody, offered, plan, type PlanBody, refusal, submit } from "../support/Client.ts"
import { accountOf, lumensOf } from "../support/LedgerView.ts"
import { Service } from "../support/Service.ts"
import { signed } from "../support/Signing.ts"
import { type Lie, Sources, sourcesService } from "../support/Sources.ts"
import { keysNaming, simulationNaming } from "./support/NamedContracts.ts"

const mostRounds = 40

/** The account that the sandbox prepares with positions in every protocol. */
const richest = Effect.map(Service, ({ prepared }) => {
  const held = prepared.at(-1) ?? assert.fail("no account with positions is prepared")
  return { ...held, request: { source: held.source.publicKey(), destination: held.destination.publicKey() } }
})

const addressesIn = (contracts: object): ReadonlyArray<string> =>
  Object.values(contracts).flatMap((one: unknown) =>
    typeof one === "object" && one !== null && "type" in one ? [strkeyOf(one as xdr.ScAddress)] : addressesIn(one as object)
  )

/** Contracts of the positions among a plan's decision points. */
const contractsAsked = ({ decisionPoints }: PlanBody, protocol: string): ReadonlyArray<string> =>
  decisionPoints.flatMap(({ id }) => (id.startsWith(`position:${protocol}:`) ? [id.split(":")[2] ?? ""] : []))

/** By protocol, its contracts in which the account holds something and those that name them. */
const contractsOf = (first: PlanBody): Readonly<Record<string, ReadonlyArray<string>>> => ({
  amm_1: addressesIn(amm1ContractsAt),
  amm_2: [...addressesIn(pairsContracts), ...contractsAsked(first, "amm_2")],
  amm_3: addressesIn(stakedPoolsContracts),
  lend_1: addressesIn(lendingContracts),
  cdp_1: addressesIn(vaultsContracts)
})

/** Runs work while the contract RPC lies. */
const under = <A, E, R>(lie: Lie, work: Effect.Effect<A, E, R>) =>
  Effect.flatMap(Sources, ([endpoint]) => (endpoint ?? assert.fail("no endpoint")).lying(lie, work))

/** Required questions, by id. */
const required = ({ decisionPoints }: PlanBody): ReadonlyArray<string> =>
  decisionPoints.flatMap(({ id, required: must }) => (must ? [id] : []))

layer(sourcesService(1, {}, "everything"), { excludeTestServices: true, timeout: 240_000 })(
  "an account with positions in every protocol",
  (it) => {
    it.effect.runIf(isThorough)(
      "is not closed over what a protocol's source does not tell, and goes on when it tells again",
      () =>
        Effect.gen(function*() {
          const { request, source } = yield* richest
          yield* laterLedger
          const first = yield* plan(request)
          const decisions = answersTo(first)
          const sequence = (yield* accountOf(source))?.seqNum
          for (const [protocol, contracts] of firstOf(2, Object.entries(contractsOf(first)))) {
            const unread = keysNaming(contracts)
            const refused = yield* under(unread.lie, refusal("plan", { ...request, decisions }))
            assert.strictEqual(refused.status, 503, `${protocol} ${JSON.stringify(refused)}`)
            assert.isAbove(unread.met(), 0, protocol)

            // Where a call cannot be simulated, the service may offer the exit of another position, but no merge.
            const unsimulated = simulationNaming(contracts)
            const { body, status } = yield* under(
              unsimulated.lie,
              Effect.flatMap(Service, ({ call }) => call<NextBody>("POST", "/v1/testnet/close/transactions", { ...request, decisions }))
            )
            const offers = status === 200 ? body.transactions.map(({ covers }) => covers.join("+")) : []
            assert.deepStrictEqual([status, offers], offers.length === 0 ? [502, []] : [200, ["EXIT_POSITIONS"]], protocol)
            assert.isAbove(unsimulated.met(), 0, protocol)
          }
          assert.strictEqual((yield* accountOf(source))?.seqNum, sequence)
          const { transactions } = yield* next({ ...request, decisions })
          assert.deepStrictEqual(transactions.map(({ covers }) => covers), [["EXIT_POSITIONS"]])
        }),
      120_000
    )

    it.effect.runIf(isThorough)(
      "is closed by the answers to its first plan, each round from nothing but them; all that exits pay is asked about at first",
      () =>
        Effect.gen(function*() {
          const { destination, request, source } = yield* richest
          const before = yield* lumensOf(destination)
          const first = yield* plan(request)
          const allowance = first.decisionPoints.find(({ type }) => type === "allowance") ?? assert.fail("no allowance")
          const token = first.decisionPoints.find(({ type }) => type === "token") ?? assert.fail("no contract token")
          assert.strictEqual(token.options[0]?.id, "convert_to_native")
          const decisions: ReadonlyArray<Answer> = [...answersTo(first), echo(allowance, "revoke")]
          const ready = yield* plan({ ...request, decisions })
          assert.strictEqual(ready.status, "ready", JSON.stringify(ready.blockers))
          // USDC of four issuers, EURC of two, AQUA and PHO; the account holds no AQUA before a payout.
          const codes = required(first).flatMap((id) => (id.startsWith("asset:") ? [id.slice(6, id.indexOf("-"))] : []))
          assert.sameMembers(codes, ["USDC", "USDC", "USDC", "USDC", "EURC", "EURC", "AQUA", "PHO"])
          assert.sameMembers(
            [...new Set(first.decisionPoints.flatMap(({ id }) => (id.startsWith("position:") ? [id.split(":")[1]] : [])))],
            Object.keys(contractsOf(first))
          )

          const known = new Set(required(first))
          const called: Array<string> = []
          let merged: ReadonlyArray<string> = []
          while ((yield* accountOf(source)) !== null) {
            assert.isBelow(called.length, mostRounds)
            // A new required question would stop the offers; every eighth round also checks a plan.
            const fresh = called.length % 8 === 0 ? yield* plan({ ...request, decisions }) : null
            if (fresh !== null) assert.deepStrictEqual([fresh.status, required(fresh).filter((id) => !known.has(id))], ["ready", []])
            const offer = yield* offered({ ...request, decisions, ...(fresh === null ? {} : { planHash: fresh.planHash }) })
            if (offer.covers.includes("MERGE")) {
              merged = offer.covers
              // The account holds nothing more. The service rejects this for a protocol whose source does not confirm it.
              for (const [protocol, contracts] of Object.entries(contractsOf(first))) {
                const refused = yield* under(keysNaming(contracts).lie, refusal("next", { ...request, decisions }))
                assert.strictEqual(refused.status, 503, `${protocol} ${JSON.stringify(refused)}`)
              }
            }
            assert.strictEqual((yield* submit(yield* signed(offer, source))).status, "success", JSON.stringify(offer.intent))
            called.push(offer.covers.join("+"))
            yield* laterLedger
          }
          assert.include(merged, "MERGE")
          assert.isAtLeast(called.filter((covers) => covers === "EXIT_POSITIONS").length, 20)
          for (const once of ["HANDLE_TOKENS", "REVOKE_ALLOWANCES"]) assert.lengthOf(called.filter((covers) => covers === once), 1)
          assert.strictEqual((yield* plan({ ...request, decisions })).status, "complete")
          const received = (yield* lumensOf(destination)) - before
          const least = BigInt((ready.estimate.minReceivedLumens ?? "").replace(".", ""))
          assert.isTrue(received >= least, `${received} of at least ${least}`)
        }),
      240_000
    )
  }
)
