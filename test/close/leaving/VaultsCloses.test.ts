import { assert, it } from "@effect/vitest"
import { Operation } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { strkeyOf } from "../../../src/ledger/soroban/Values.ts"
import { LendingAndVaults } from "../../../src/sandbox/scenarios/LendingAndVaults.ts"
import { lendingContracts } from "../../../src/sandbox/scenarios/LendingContracts.ts"
import { perform } from "../../../src/sandbox/scenarios/Scenario.ts"
import { advanced, asked, laterLedger, pursued, serviceOver, vaultsService } from "../../sandbox/contracts/ProtocolsServed.ts"
import { VaultsPair } from "../../support/scenarios/VaultsPair.ts"
import { VaultsShort } from "../../support/scenarios/VaultsShort.ts"
import { isThorough } from "../../support/Thorough.ts"
import { answersTo, pointOf } from "../support/Answering.ts"
import { type Offered, offered, plan, refusal } from "../support/Client.ts"
import { accountOf, lumensOf } from "../support/LedgerView.ts"
import { Service } from "../support/Service.ts"
import { signed } from "../support/Signing.ts"
import { contractOf } from "./support/CalledIn.ts"
import {
  feeOf,
  lowestLeaves,
  namedBelow,
  newNeighbour,
  ownersIn,
  settlementOf,
  vaultDecision,
  vaultOf,
  vaultsContract
} from "./support/Vaults.ts"

const EXIT = "EXIT_POSITIONS"

const bothService = serviceOver(["lend_1", "cdp_1"])

it.scopedLive("two vaults among others', one in the middle of its list and one the lowest: what they lock comes back to the unit", () =>
  Effect.gen(function*() {
    const held = yield* asked(VaultsPair)
    const { destination, owners, source, treasury } = held
    assert.deepStrictEqual(held.plan.blockers, [])
    const others = yield* Effect.all({ USD: ownersIn("USD"), EUR: ownersIn("EUR") })
    assert.deepStrictEqual([others.USD.indexOf(source.publicKey()), others.EUR.indexOf(source.publicKey())], [1, 0])
    const ready = yield* plan({ ...held.request, decisions: answersTo(held.plan) })
    assert.strictEqual(ready.status, "ready")
    const before = yield* lumensOf(destination)
    let spent = 0n

    for (const denomination of ["USD", "EUR"] as const) {
      const { kept, paid } = settlementOf(yield* vaultOf(source, denomination))
      const [own, theirs] = [yield* lumensOf(source), yield* lumensOf(treasury)]
      const next = yield* advanced(held)
      assert(next._tag === "Offered")
      assert.strictEqual(namedBelow(next.offer), denomination === "USD" ? owners[0]?.publicKey() : null)
      const fee = yield* feeOf(next.offer)
      spent += fee
      assert.strictEqual((yield* lumensOf(source)) - own + fee, paid)
      assert.strictEqual((yield* lumensOf(treasury)) - theirs, kept)
      assert.deepStrictEqual(yield* ownersIn(denomination), others[denomination].filter((owner) => owner !== source.publicKey()))
    }

    const last = yield* lumensOf(source)
    const { covered, unlocksAt } = yield* pursued(held)
    assert.deepStrictEqual([covered, unlocksAt], [["REMOVE_TRUSTLINES+MERGE"], null])
    const received = (yield* lumensOf(destination)) - before
    assert.isTrue(received < last && last - received < 1_000n, "the last transaction costs its fee and nothing else")
    const promised = BigInt((ready.estimate.receivedLumens ?? "").replace(".", ""))
    assert.isTrue(received >= promised && received - promised < spent * 3n, `${promised} promised, ${received} received`)
  }).pipe(Effect.provide(vaultsService)))

it.scopedLive.runIf(isThorough)(
  "somebody opens a vault just below between the building and the submitting: the call is built again, and the close ends",
  () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const held = yield* asked(VaultsPair)
      const { owners: [lowest = assert.fail("no owners")], source, usd } = held
      const decisions = answersTo(held.plan)
      const fails = (transaction: Offered) =>
        Effect.gen(function*() {
          const refused = yield* refusal("submit", { signedXdr: yield* signed(transaction, source) })
          assert.deepStrictEqual([refused.code, refused.details["operationResultCodes"]], ["transaction_failed", ["op_trapped"]])
          yield* laterLedger
        })
      const first = yield* offered({ ...held.request, decisions })
      const neighbour = yield* on(newNeighbour(usd))
      yield* fails(first)
      const second = yield* offered({ ...held.request, decisions })
      assert.deepStrictEqual([namedBelow(first), namedBelow(second)], [lowest.publicKey(), neighbour])
      // The call names only the vault directly below; one further down does not matter.
      yield* lowestLeaves(lowest, "USD")
      yield* laterLedger
      assert.strictEqual(namedBelow(yield* offered({ ...held.request, decisions })), neighbour)
      assert.deepStrictEqual(yield* pursued(held), { covered: [EXIT, EXIT, "REMOVE_TRUSTLINES+MERGE"], unlocksAt: null })
      assert.strictEqual((yield* ownersIn("USD"))[0], neighbour)
    }).pipe(Effect.provide(vaultsService))
)

it.scopedLive("the vault below leaves between the building and the submitting: the account's is the lowest then", () =>
  Effect.gen(function*() {
    const held = yield* asked(VaultsPair)
    const { owners: [lowest = assert.fail("no owners")], source } = held
    const decisions = answersTo(held.plan)
    const first = yield* offered({ ...held.request, decisions })
    yield* lowestLeaves(lowest, "USD")
    assert.strictEqual((yield* refusal("submit", { signedXdr: yield* signed(first, source) })).code, "transaction_failed")
    yield* laterLedger
    assert.isNull(namedBelow(yield* offered({ ...held.request, decisions })))
    assert.deepStrictEqual(yield* pursued(held), { covered: [EXIT, EXIT, "REMOVE_TRUSTLINES+MERGE"], unlocksAt: null })
  }).pipe(Effect.provide(vaultsService)))

it.scopedLive.runIf(isThorough)(
  "a debt above what is held is told with its figures, and closes once the owner says to buy the rest",
  () =>
    Effect.gen(function*() {
      const held = yield* asked(VaultsShort)
      const { eur } = held
      assert.deepStrictEqual([held.plan.status, held.plan.blockers], ["needs_decisions", []])
      const point = pointOf(held.plan, vaultDecision("EUR"))
      assert.isTrue(point.required)
      const option = point.options.find(({ id }) => id === "buy_repay_asset_then_exit")
      assert.include(option?.note ?? "", `The debt needs 100.0000000 of ${eur.getCode()}:${eur.getIssuer()}, and 70.0000000 can be spent.`)
      // Thirty at twelve lumens each, and half a percent of slippage.
      assert.deepStrictEqual(option?.params, { spendAsset: "native", maxSpend: "361.8000000", sequence: held.plan.snapshot.sequence })
      const before = yield* lumensOf(held.destination)
      const { covered } = yield* pursued(held, "buy_repay_asset_then_exit")
      assert.deepStrictEqual(covered, [EXIT, EXIT, EXIT, "REMOVE_TRUSTLINES+MERGE"])
      // 8,000 lumens, less half a per cent of each collateral at locking and again at return, and less 360 for the purchase.
      const received = (yield* lumensOf(held.destination)) - before
      assert.approximately(Number(received) / 1e7, 8_000 - 35.91 - 14.9625 - 360, 0.2)
    }).pipe(Effect.provide(vaultsService))
)

it.scopedLive.runIf(isThorough)(
  "what a vault needs is taken out of a pool first, whichever protocol comes first by name",
  () =>
    Effect.gen(function*() {
      const held = yield* asked(LendingAndVaults)
      assert.deepStrictEqual(held.plan.blockers, [])
      const { paid } = settlementOf(yield* vaultOf(held.source, "USD"))
      const contracts: Array<string | undefined> = []
      const before = yield* lumensOf(held.destination)
      while ((yield* accountOf(held.source)) !== null) {
        const next = yield* advanced(held)
        assert(next._tag === "Offered")
        const [operation] = next.offer.intent.operations
        contracts.push(operation?.type === "invoke_contract" ? operation.contract : undefined)
      }
      assert.deepStrictEqual(contracts, [strkeyOf(lendingContracts.pool), vaultsContract, undefined])
      // 5,000 lumens less the 3,600 locked, plus their return, and two USDC at 10 lumens.
      assert.approximately(Number((yield* lumensOf(held.destination)) - before) / 1e7, 1_420 + Number(paid) / 1e7, 0.1)
    }).pipe(Effect.provide(bothService))
)

it.scopedLive.runIf(isThorough)("and so it is where the vault's debt could be paid before", () =>
  Effect.gen(function*() {
    const { on } = yield* Service
    const { issuer, request, source, usdc } = yield* asked(LendingAndVaults)
    yield* on(perform("the issuer pays the account", {
      as: issuer,
      operations: [Operation.payment({ destination: source.publicKey(), asset: usdc, amount: "100" })]
    }))
    yield* laterLedger
    const { blockers, steps } = yield* plan(request)
    assert.deepStrictEqual(blockers, [])
    assert.deepStrictEqual(steps.filter(({ type }) => type === EXIT).map(contractOf), [
      strkeyOf(lendingContracts.pool),
      vaultsContract
    ])
  }).pipe(Effect.provide(bothService)))

it.scopedLive.runIf(isThorough)(
  "what a vault will still lack after the pool has paid is foreseen, with the figure, and bought in its turn",
  () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const held = yield* asked(LendingAndVaults)
      yield* on(perform("the account gives dollars away", {
        as: held.source,
        operations: [Operation.payment({ destination: held.issuer.publicKey(), asset: held.usdc, amount: "22" })]
      }))
      yield* laterLedger
      const short = yield* plan(held.request)
      assert.deepStrictEqual(short.blockers, [])
      const told = short.projection.unverified.find((doubt) => doubt.startsWith(vaultDecision("USD")))
      // 120 owed, 100 and their interest in the pool.
      assert.match(told ?? "", /will still lack (19\.99999|20\.00000)\d\d USDC:/)
      const first = yield* advanced(held)
      assert.deepStrictEqual(first._tag === "Offered" ? first.offer.covers : first, [EXIT])
      const { covered } = yield* pursued(held, "buy_repay_asset_then_exit")
      assert.deepStrictEqual(covered, [EXIT, EXIT, "REMOVE_TRUSTLINES+MERGE"])
    }).pipe(Effect.provide(bothService))
)
