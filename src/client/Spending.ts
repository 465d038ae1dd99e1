import type { HttpClient } from "@effect/platform"
import type { Transaction } from "@stellar/stellar-sdk/base"
import { Array as Arr, Effect } from "effect"
import { parseAmount } from "../domain/Amount.ts"
import type { WitnessUnavailable } from "./ClientFailure.ts"
import { hasFailed } from "./Witness.ts"
import type { WitnessUrls } from "./WitnessSource.ts"

/** What purchases for debts may cost, in base units, by the asset that is spent (`native` or `CODE:ISSUER`). */
export type Spending = ReadonlyMap<string, bigint>

/** The purchases of a transaction that was handed over to be signed. From then on anyone can submit it. */
export interface SignedPurchase {
  readonly sequence: bigint
  readonly hash: string
  readonly spending: Spending
}

const combined = (all: ReadonlyArray<Spending>, combine: (one: bigint, other: bigint) => bigint): Spending => {
  const sums = new Map<string, bigint>()
  for (const [asset, amount] of all.flatMap((one) => [...one])) sums.set(asset, combine(sums.get(asset) ?? 0n, amount))
  return sums
}

const sum = (one: bigint, other: bigint): bigint => one + other
const larger = (one: bigint, other: bigint): bigint => (one > other ? one : other)

/** What the purchases of a transaction may cost. */
export const spendingIn = ({ operations }: Transaction): Spending =>
  combined(
    operations.flatMap((operation) =>
      operation.type === "pathPaymentStrictReceive"
        ? [new Map([[operation.sendAsset.toString(), parseAmount(operation.sendMax) ?? 0n]])]
        : []
    ),
    sum
  )

/** Whether the witness's contract RPC shows that a transaction failed; without one it may have succeeded. */
const isLost = (signed: ReadonlyArray<SignedPurchase>, rpcUrl: string | undefined) =>
  rpcUrl === undefined
    ? Effect.succeed(false)
    : Effect.exists(signed, ({ hash }) => hasFailed(rpcUrl, hash))

/**
 * What signed purchases may have cost, apart from those of this sequence number: of one number the ledger takes one transaction only. What the
 * service says of a submission does not count, because it could have the same purchase signed again and again.
 */
export const spentBeside = (
  purchases: ReadonlyArray<SignedPurchase>,
  ownSequence: bigint,
  { rpcUrl }: WitnessUrls = {}
): Effect.Effect<Spending, WitnessUnavailable, HttpClient.HttpClient> => {
  const others = Arr.groupBy(purchases.filter(({ sequence }) => sequence !== ownSequence), ({ sequence }) => sequence.toString())
  const possible = Effect.filter(Object.values(others), (signed) => Effect.map(isLost(signed, rpcUrl), (lost) => !lost))
  return Effect.map(possible, (all) => combined(all.map((signed) => combined(signed.map(({ spending }) => spending), larger)), sum))
}
