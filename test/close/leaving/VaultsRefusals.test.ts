import { assert, it } from "@effect/vitest"
import { Asset } from "@stellar/stellar-sdk"
import { Effect, type Schema } from "effect"
import type { AccountState } from "../../../src/domain/Account.ts"
import { addressOf, u32 } from "../../../src/ledger/soroban/Values.ts"
import { dataEntries } from "../../../src/sandbox/contracts/Deployment.ts"
import { vaultsHash } from "../../../src/sandbox/contracts/vaults/Vaults.ts"
import { vaultKey } from "../../../src/sandbox/contracts/vaults/VaultValues.ts"
import { vaultsContracts, woundDownHash } from "../../../src/sandbox/scenarios/VaultsContracts.ts"
import { keyOfContractData } from "../../../src/xdr/LedgerKeys.ts"
import { asked, laterLedger, vaultsService } from "../../sandbox/contracts/ProtocolsServed.ts"
import { VaultsPair } from "../../support/scenarios/VaultsPair.ts"
import { VaultsWoundDown } from "../../support/scenarios/VaultsWoundDown.ts"
import { answersTo, pointOf } from "../support/Answering.ts"
import { type Answer, plan, refusal } from "../support/Client.ts"
import { closeThrough } from "../support/CloseLoop.ts"
import { Service } from "../support/Service.ts"
import { ownersIn, vaultDecision, vaultsContract } from "./support/Vaults.ts"

const DENOMINATIONS = ["USD", "EUR"] as const

const read = (address: string) =>
  Effect.flatMap(
    Service,
    ({ call }) => Effect.map(call<Schema.Schema.Encoded<typeof AccountState>>("GET", `/testnet/account/${address}`), ({ body }) => body)
  )

const forfeit = (denomination: (typeof DENOMINATIONS)[number], maxAmount: string): Answer => ({
  id: vaultDecision(denomination),
  choice: "acknowledge_forfeit",
  params: { maxAmount }
})

it.scopedLive("the account read shows a row a vault, with what to read to see the same", () =>
  Effect.gen(function*() {
    const { passphrase } = yield* Service
    const { eur, request, usd } = yield* asked(VaultsPair)
    const { defiPositions, defiPositionsWarnings } = yield* read(request.source)
    const row = { protocol: "cdp_1", positionType: "cdp", contractAddress: vaultsContract, wasmHash: vaultsHash, usdValue: null }
    const display = { asset: "XLM", yieldPct: null, yieldKind: null }
    assert.deepStrictEqual<unknown>(defiPositions.positions, [
      {
        ...row,
        positionId: `position:cdp_1:${vaultsContract}:USD`,
        denomination: "USD",
        collateralAmount: "35820000000",
        debtAmount: "1200000000",
        display: {
          ...display,
          pool: "USD vault",
          amount: "3582.0000000",
          collateralAmount: "3582.0000000",
          detail: "Owes 120.0000000 USDx."
        }
      },
      {
        ...row,
        positionId: `position:cdp_1:${vaultsContract}:EUR`,
        denomination: "EUR",
        collateralAmount: "14925000000",
        debtAmount: "1000000000",
        display: {
          ...display,
          pool: "EUR vault",
          amount: "1492.5000000",
          collateralAmount: "1492.5000000",
          detail: "Owes 100.0000000 EURx."
        }
      }
    ])
    assert.deepStrictEqual([defiPositions.unrecognizedPositions, defiPositionsWarnings, defiPositions.source], [[], [], "snapshot"])
    const explained = { decimals: 7, priceLumens: null, priceSource: null }
    assert.deepStrictEqual(defiPositions.enrichment, {
      [Asset.native().contractId(passphrase)]: { ...explained, symbol: "XLM" },
      [usd.contractId(passphrase)]: { ...explained, symbol: "USDx" },
      [eur.contractId(passphrase)]: { ...explained, symbol: "EURx" }
    })
    const { contracts, ledgerKeys } = defiPositions.queryKeys.slices["cdp_1"] ?? assert.fail("no slice")
    assert.deepStrictEqual(contracts, [vaultsContract])
    for (const denomination of DENOMINATIONS) {
      const key = keyOfContractData(vaultsContracts.vaults, vaultKey(addressOf(request.source), denomination), "persistent")
      assert.include(ledgerKeys, key.toXdr("base64"))
    }
  }).pipe(Effect.provide(vaultsService)))

it.scopedLive("vaults in a contract that was wound down are shown, have no exit, block the merge, and can be given up by name", () =>
  Effect.gen(function*() {
    const held = yield* asked(VaultsWoundDown)
    const { destination, request, source } = held
    const { defiPositions } = yield* read(request.source)
    assert.deepStrictEqual(
      defiPositions.positions.map(({ display, positionType, wasmHash }) => [positionType, wasmHash, display?.detail]),
      [
        ["cdp", woundDownHash, "Owes 120.0000000 USDx. The protocol was wound down, and its contract no longer allows owners to exit."],
        ["cdp", woundDownHash, "Owes 100.0000000 EURx. The protocol was wound down, and its contract no longer allows owners to exit."]
      ]
    )
    assert.strictEqual(held.plan.status, "needs_decisions")
    assert.deepStrictEqual(
      held.plan.blockers.map(({ reason, subject }) => [reason, subject]),
      DENOMINATIONS.map((denomination) => ["position_locked", vaultDecision(denomination)])
    )
    assert.isFalse(held.plan.steps.some(({ type }) => type === "MERGE"))
    const others = answersTo(held.plan)
    assert.strictEqual((yield* refusal("next", { ...request, decisions: others })).code, "plan_blocked")
    assert.deepStrictEqual(pointOf(held.plan, vaultDecision("EUR")).options.find(({ id }) => id === "acknowledge_forfeit")?.params, {
      maxAmount: `${(1n << 127n) - 1n}`
    }, "nothing says what it would bring")

    const one = yield* refusal("next", { ...request, decisions: [...others, forfeit("EUR", "14925000000")] })
    assert.deepStrictEqual([one.code, one.details["contractAddress"]], ["position_exit_unavailable", vaultsContract])
    assert.match(String(one.details["reason"]), /wound down/)
    const less = yield* refusal("next", {
      ...request,
      decisions: [...others, forfeit("USD", "35820000000"), forfeit("EUR", "14924999999")]
    })
    assert.strictEqual(less.code, "plan_changed")

    const { plan: ready } = yield* closeThrough({
      source,
      destination,
      decisions: [...others, forfeit("USD", "35820000000"), forfeit("EUR", "14925000000")]
    })
    assert.lengthOf(ready.warnings.filter(({ code }) => code === "forfeit_acknowledged"), 2)
    for (const denomination of DENOMINATIONS) assert.include(yield* ownersIn(denomination), request.source)
  }).pipe(Effect.provide(vaultsService)))

it.scopedLive("a vault whose entry does not decode blocks until the owner gives up what cannot be read", () =>
  Effect.gen(function*() {
    const { sandbox } = yield* Service
    const held = yield* asked(VaultsPair)
    const own = addressOf(held.request.source)
    yield* sandbox.amend((state) =>
      state.set(dataEntries(vaultsContracts.vaults, [vaultKey(own, "USD"), u32(7)], "persistent", state.header.ledgerSeq + 100_000))
    )
    yield* laterLedger
    const { defiPositions } = yield* read(held.request.source)
    assert.deepStrictEqual(defiPositions.positions.map((row) => row.positionType === "cdp" ? row.denomination : row.positionType), ["EUR"])
    assert.deepStrictEqual(defiPositions.unrecognizedPositions.map(({ protocol, rawType }) => [protocol, rawType]), [[
      "cdp_1",
      "vault USD"
    ]])
    const blocked = yield* plan(held.request)
    assert.deepStrictEqual(blocked.blockers.map(({ reason, subject }) => [reason, subject]), [["position_unrecognized", vaultsContract]])
    // No plan can show any more that the dollars are owed, so they get a decision point like any other balance.
    const decisions = answersTo(blocked)
    const refused = yield* refusal("next", { ...held.request, decisions: decisions.filter(({ id }) => id !== "positions_unread:cdp_1") })
    assert.deepStrictEqual([refused.code, refused.details], ["positions_unread", { protocols: ["cdp_1"] }])
    const ready = yield* plan({ ...held.request, decisions })
    assert.strictEqual(ready.status, "ready", JSON.stringify(ready.blockers))
    assert.strictEqual(ready.steps[0]?.affectedEntry, vaultDecision("EUR"))
  }).pipe(Effect.provide(vaultsService)))
