import { Schema } from "effect"
import { AccountAddress } from "./Address.ts"
import { Amount } from "./Amount.ts"
import { AssetId } from "./Asset.ts"
import { Memo } from "./Memo.ts"

const line = <const Type extends string, Fields extends Schema.Struct.Fields>(type: Type, fields: Fields) =>
  Schema.Struct({ type: Schema.Literal(type), source: AccountAddress, ...fields }).annotations({ identifier: `Intent_${type}` })

const named = { description: "`native`, `CODE:ISSUER`, or `pool:ASSET_A/ASSET_B` for a pool share." }

const asset = AssetId.annotations({ ...named, jsonSchema: { type: "string" } })

/** What a trustline is to: an asset, or the shares of a pool. */
const held = Schema.String.annotations(named)

export interface Invocation {
  readonly contract: string
  readonly function: string
  readonly args: ReadonlyArray<string>
  readonly subInvocations: ReadonlyArray<Invocation>
}

/** A contract call with the calls it may make in turn. */
export const Invocation: Schema.Schema<Invocation> = Schema.Struct({
  contract: Schema.String,
  function: Schema.String,
  args: Schema.Array(Schema.String),
  subInvocations: Schema.Array(Schema.suspend((): Schema.Schema<Invocation> => Invocation))
}).annotations({ identifier: "Invocation" })

/** One operation of a transaction, decoded. */
export const IntentOperation = Schema.Union(
  line("path_payment_strict_send", {
    sendAsset: asset,
    sendAmount: Amount,
    destination: AccountAddress,
    destAsset: asset,
    destMin: Amount,
    path: Schema.Array(asset)
  }),
  line("path_payment_strict_receive", {
    sendAsset: asset,
    sendMax: Amount,
    destination: AccountAddress,
    destAsset: asset,
    destAmount: Amount,
    path: Schema.Array(asset)
  }),
  line("payment", { asset, amount: Amount, destination: AccountAddress }),
  line("change_trust", { asset: held, limit: Amount }),
  line("account_merge", { destination: AccountAddress }),
  line("manage_sell_offer", { offerId: Schema.String, selling: asset, buying: asset, amount: Amount }),
  line("manage_data", { name: Schema.String, value: Schema.NullOr(Schema.String) }),
  line("claim_claimable_balance", { balanceId: Schema.String }),
  line("liquidity_pool_withdraw", { poolId: Schema.String, shares: Amount, minAmountA: Amount, minAmountB: Amount }),
  line("revoke_sponsorship", { entry: Schema.String, owner: Schema.NullOr(AccountAddress) }),
  line("begin_sponsoring_future_reserves", { sponsored: AccountAddress }),
  line("end_sponsoring_future_reserves", {}),
  line("restore_footprint", { keys: Schema.Array(Schema.String) }),
  line("invoke_contract", {
    contract: Schema.String,
    function: Schema.String,
    args: Schema.Array(Schema.String),
    subInvocations: Schema.Array(Invocation)
  })
).annotations({ identifier: "IntentOperation", description: "One operation, decoded, discriminated by `type`." })
export type IntentOperation = typeof IntentOperation.Type

/** What a transaction is meant to do. A label for people: the proof is the envelope itself. */
export const Intent = Schema.Struct({
  summary: Schema.String.annotations({ description: "One sentence for the person who signs." }),
  source: AccountAddress,
  feeStroops: Schema.String.annotations({ description: "The most the transaction may cost." }),
  memo: Schema.NullOr(Memo),
  guarantees: Schema.Struct({
    mergeDestination: Schema.NullOr(AccountAddress),
    paymentsOnlyTo: Schema.Array(AccountAddress),
    minLumensFromConversions: Amount
  }),
  operations: Schema.Array(IntentOperation)
}).annotations({ identifier: "Intent", description: "What the transaction is meant to do; compare it with the decoded envelope." })
export type Intent = typeof Intent.Type
