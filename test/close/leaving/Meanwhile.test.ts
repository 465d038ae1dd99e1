import { assert, it } from "@effect/vitest"
import { Asset, type Keypair } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { addressOf, voidVal } from "../../../src/ledger/soroban/Values.ts"
import { dataEntries } from "../../../src/sandbox/contracts/Deployment.ts"
import { auctionKey } from "../../../src/sandbox/contracts/lend1/PoolKeys.ts"
import { noPositions } from "../../../src/sandbox/contracts/lend1/Positions.ts"
import { sandboxPassphrase } from "../../../src/sandbox/Network.ts"
import { lendingContracts } from "../../../src/sandbox/scenarios/LendingContracts.ts"
import { asked, laterLedger, lendingService, pursued, vaultsService } from "../../sandbox/contracts/ProtocolsServed.ts"
import { LendingDebt } from "../../support/scenarios/LendingDebt.ts"
import { LendingDebtToBuy } from "../../support/scenarios/LendingDebtToBuy.ts"
import { VaultsPair } from "../../support/scenarios/VaultsPair.ts"
import { firstOf } from "../../support/Thorough.ts"
import { answersTo } from "../support/Answering.ts"
import { offered, plan, type PlanBody, refusal, submit } from "../support/Client.ts"
import { accountOf, heldOf, lumensOf } from "../support/LedgerView.ts"
import { Service } from "../support/Service.ts"
import { signed } from "../support/Signing.ts"
import { type Deed, lentOut, seizedInPool, vaultSeized, withStatus } from "./support/Seized.ts"

/** Actions of others between build and submit, and the result of the call: as built, rejected by the ledger, or rebuilt. */
interface Case {
  readonly name: string
  readonly deed: (owner: Keypair) => Deed
  readonly fares: "success" | "transaction_failed"
  /** The error for the request of the next transaction; null: the service returns one. */
  readonly says: RegExp | null
}

const half = (shares: ReadonlyMap<number, bigint>) => new Map([...shares].map(([index, units]) => [index, units / 2n] as const))

const lending: ReadonlyArray<Case> = [
  {
    name: "a liquidation begins",
    deed: (owner) => (state) =>
      state.set(dataEntries(lendingContracts.pool, [auctionKey(0, addressOf(owner.publicKey())), voidVal], "temporary", 70_000_000)),
    fares: "transaction_failed",
    says: /pool is liquidating this account and rejects every call until that ends/
  },
  {
    name: "a liquidator takes half of the collateral and of the debt",
    deed: (owner) =>
      seizedInPool(
        owner,
        ({ collateral, liabilities, supply }) => ({ collateral: half(collateral), liabilities: half(liabilities), supply })
      ),
    fares: "success",
    says: null
  },
  {
    name: "a liquidator takes all of it",
    deed: (owner) => seizedInPool(owner, () => noPositions),
    fares: "transaction_failed",
    says: null
  },
  {
    name: "the debt is written off",
    deed: (owner) => seizedInPool(owner, (positions) => ({ ...positions, liabilities: new Map() })),
    fares: "transaction_failed",
    says: null
  },
  {
    name: "others borrow all lumens of the pool",
    deed: () => lentOut(Asset.native(), sandboxPassphrase),
    fares: "transaction_failed",
    says: /So much of this asset is lent out that the pool cannot pay it back now/
  },
  { name: "the pool is frozen by its admin", deed: () => withStatus(5), fares: "success", says: null },
  { name: "the pool is put back to being set up", deed: () => withStatus(6), fares: "success", says: null }
]

const vaults: ReadonlyArray<Case> = [
  {
    name: "the vault is redeemed",
    deed: (owner) => vaultSeized(owner, "USD", 4n, 1_000_0000000n),
    fares: "transaction_failed",
    says: null
  },
  { name: "the vault is redeemed in part", deed: (owner) => vaultSeized(owner, "USD", 2n, 0n), fares: "transaction_failed", says: null },
  { name: "the vault is liquidated", deed: (owner) => vaultSeized(owner, "USD", 4n, 0n), fares: "transaction_failed", says: null }
]

interface Held {
  readonly source: Keypair
  readonly request: { readonly source: string; readonly destination: string }
  readonly plan: PlanBody
}

/** Builds, lets others act, submits the signed envelope, and compares the account with its earlier state: it lost at most a fee. */
const through = (held: Held, { deed, fares, says }: Case, assets: ReadonlyArray<Asset>) =>
  Effect.gen(function*() {
    const { sandbox } = yield* Service
    const { request, source } = held
    const decisions = answersTo(held.plan)
    const offer = yield* offered({ ...request, decisions })
    assert.deepStrictEqual(offer.covers, ["EXIT_POSITIONS"])
    const call = yield* signed(offer, source)
    yield* sandbox.amend(deed(source))
    const before = { lumens: yield* lumensOf(source), held: yield* Effect.forEach(assets, (asset) => heldOf(source, asset)) }
    if (fares === "success") yield* submit(call)
    else {
      const refused = yield* refusal("submit", { signedXdr: call })
      assert.deepStrictEqual([refused.status, refused.code, refused.details["operationResultCodes"]], [422, "transaction_failed", [
        "op_trapped"
      ]])
      const lost = before.lumens - (yield* lumensOf(source))
      const { intent: { feeStroops } } = offer
      assert.isTrue(lost >= 0n && lost <= BigInt(feeStroops), `${lost} of ${feeStroops}`)
      assert.deepStrictEqual(yield* Effect.forEach(assets, (asset) => heldOf(source, asset)), before.held)
    }
    yield* laterLedger
    if (says !== null) {
      const refused = yield* refusal("next", { ...request, decisions })
      assert.deepStrictEqual([refused.status, refused.code], [422, "position_exit_unavailable"])
      assert.match(String(refused.details["reason"]), says)
      const told = yield* plan(request)
      assert.match(told.blockers.map(({ message }) => message).join(), says)
      return
    }
    assert.isNull((yield* pursued(held)).unlocksAt)
    assert.isNull(yield* accountOf(source))
  })

for (const one of firstOf(1, lending)) {
  it.scopedLive(`${one.name} between building and submitting: the account loses a fee at most, and goes on`, () =>
    Effect.flatMap(asked(LendingDebt), (held) => through(held, one, [held.eurc])).pipe(Effect.provide(lendingService)))
}

for (const one of firstOf(1, vaults)) {
  it.scopedLive(`${one.name} between building and submitting: the account keeps what it would have paid, and goes on`, () =>
    Effect.flatMap(asked(VaultsPair), (held) => through(held, one, [held.usd, held.eur])).pipe(Effect.provide(vaultsService)))
}

it.scopedLive("a debt that grows faster than was bought for is bought for once more, by the same answers, and the account closes", () =>
  Effect.gen(function*() {
    const { sandbox } = yield* Service
    const held = yield* asked(LendingDebtToBuy)
    const first = answersTo(held.plan)
    const decisions = [
      ...first,
      ...answersTo(yield* plan({ ...held.request, decisions: first })).filter(({ id }) => !first.some((one) => one.id === id))
    ]
    const step = Effect.gen(function*() {
      const transaction = yield* offered({ ...held.request, decisions })
      yield* submit(yield* signed(transaction, held.source))
      yield* laterLedger
      return transaction.intent.operations[0]?.type
    })
    assert.strictEqual(yield* step, "path_payment_strict_receive")
    // The pool is now lent out in full, at several hundred per cent a year.
    yield* sandbox.amend(lentOut(held.eurc, sandbox.passphrase))
    yield* sandbox.closeLedger({ advanceSeconds: 200 })
    const seen: Array<string | undefined> = []
    while ((yield* accountOf(held.source)) !== null) seen.push(yield* step)
    assert.deepStrictEqual(seen.slice(0, 2), ["path_payment_strict_receive", "invoke_contract"])
  }).pipe(Effect.provide(lendingService)))
