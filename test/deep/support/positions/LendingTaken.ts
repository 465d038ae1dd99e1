import { Operation } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { showAmount } from "../../../../src/domain/Amount.ts"
import { lumen } from "../../../../src/ledger/Asset.ts"
import { addressVal, i128 } from "../../../../src/ledger/soroban/Values.ts"
import { Network } from "../../../../src/sandbox/Network.ts"
import { accountVal, callContract } from "../../../../src/sandbox/scenarios/CallContract.ts"
import { lendingContracts } from "../../../../src/sandbox/scenarios/LendingContracts.ts"
import { submitRequests } from "../../../../src/sandbox/scenarios/LendingMarket.ts"
import { perform } from "../../../../src/sandbox/scenarios/Scenario.ts"
import type { PositionsScene } from "./PositionsScene.ts"
import type { PositionsShape, Reserve } from "./PositionsShape.ts"
import { tried } from "./WalletBalance.ts"

const DAY = 86_400

/** Price of a lumen, a USDC and a EURC, and their collateral and liability factors, in thousandths of a dollar. */
const WORTH: Readonly<Record<Reserve, { readonly price: bigint; readonly backs: bigint; readonly costs: bigint }>> = {
  native: { price: 100n, backs: 750n, costs: 750n },
  usdc: { price: 1_000n, backs: 900n, costs: 950n },
  eurc: { price: 1_100n, backs: 850n, costs: 900n }
}

/** Lends and borrows the drawn amounts, as far as the pool allows it. */
export const lend = Effect.fn("LendingTaken.lend")(function*({ debts, supplies }: PositionsShape, scene: PositionsScene) {
  const { assets, issuer, source } = scene
  let room = 0n
  for (const { amount, asset, backs } of supplies) {
    const units = BigInt(amount) * lumen
    if (asset !== "native") {
      yield* perform("the account gets what it lends", {
        as: issuer,
        operations: [Operation.payment({ destination: source.publicKey(), asset: assets[asset], amount: showAmount(units) })]
      })
    }
    yield* submitRequests("the account lends", source, [backs ? "supplyCollateral" : "supply", assets[asset], units])
    if (backs) room += (units * WORTH[asset].price * WORTH[asset].backs) / 1_000n
  }
  for (const { asset, part } of debts) {
    const { costs, price } = WORTH[asset]
    const units = (((room * BigInt(part)) / 100n) * costs) / 1_000n / price
    if (units > 0n && (yield* tried(submitRequests("the account borrows", source, ["borrow", assets[asset], units])))) {
      room -= (units * price * 1_000n) / costs
    }
  }
})

/** Deposits the drawn amounts in the backstop. */
export const back = Effect.fn("LendingTaken.back")(function*({ backstop, comet }: PositionsShape, { lender, source }: PositionsScene) {
  const shares = BigInt((backstop?.shares ?? 0) + (comet ?? 0)) * lumen
  if (shares === 0n) return
  yield* callContract("the lender hands over shares of the liquidity pool", {
    as: lender,
    contract: lendingContracts.comet,
    fn: "transfer",
    args: [accountVal(lender), accountVal(source), i128(shares)]
  })
  if (backstop === null) return
  yield* callContract("the account backs the pool", {
    as: source,
    contract: lendingContracts.backstop,
    fn: "deposit",
    args: [accountVal(source), addressVal(lendingContracts.pool), i128(BigInt(backstop.shares) * lumen)]
  })
})

/** Queues withdrawals from the backstop. */
export const queue = Effect.fn("LendingTaken.queue")(function*({ backstop }: PositionsShape, { source }: PositionsScene) {
  let left = BigInt(backstop?.shares ?? 0) * lumen
  for (const { days, part } of backstop?.queued ?? []) {
    const amount = (left * BigInt(part)) / 100n
    left -= amount
    yield* tried(callContract("the account queues a withdrawal", {
      as: source,
      contract: lendingContracts.backstop,
      fn: "queue_withdrawal",
      args: [accountVal(source), addressVal(lendingContracts.pool), i128(amount)]
    }))
    if (days > 0) yield* (yield* Network).closeLedger({ advanceSeconds: days * DAY })
  }
})
