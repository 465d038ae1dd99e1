import { Schema } from "effect"
import { AccountAddress } from "./Address.ts"
import { Amount } from "./Amount.ts"
import { AssetId } from "./Asset.ts"
import { Memo } from "./Memo.ts"
import { ValueItem } from "./Value.ts"

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

const union = <Whose extends Schema.Struct.Fields>(whose: Whose) => {
  const of = <const Type extends string, Fields extends Schema.Struct.Fields>(type: Type, fields: Fields) =>
    Schema.Struct({ type: Schema.Literal(type), ...whose, ...fields }).annotations({ identifier: `Intent_${type}` })
  return Schema.Union(
    of("path_payment_strict_send", {
      sendAsset: asset,
      sendAmount: Amount,
      destination: AccountAddress,
      destAsset: asset,
      destMin: Amount,
      path: Schema.Array(asset)
    }),
    of("path_payment_strict_receive", {
      sendAsset: asset,
      sendMax: Amount,
      destination: AccountAddress,
      destAsset: asset,
      destAmount: Amount,
      path: Schema.Array(asset)
    }),
    of("payment", { asset, amount: Amount, destination: AccountAddress }),
    of("change_trust", { asset: held, limit: Amount }),
    of("account_merge", { destination: AccountAddress }),
    of("manage_sell_offer", { offerId: Schema.String, selling: asset, buying: asset, amount: Amount }),
    of("manage_data", { name: Schema.String, value: Schema.NullOr(Schema.String) }),
    of("claim_claimable_balance", { balanceId: Schema.String }),
    of("liquidity_pool_withdraw", { poolId: Schema.String, shares: Amount, minAmountA: Amount, minAmountB: Amount }),
    of("revoke_sponsorship", { entry: Schema.String, owner: Schema.NullOr(AccountAddress) }),
    of("begin_sponsoring_future_reserves", { sponsored: AccountAddress }),
    of("end_sponsoring_future_reserves", {}),
    of("restore_footprint", { keys: Schema.Array(Schema.String) }),
    of("invoke_contract", {
      contract: Schema.String,
      function: Schema.String,
      args: Schema.Array(Schema.String),
      subInvocations: Schema.Array(Invocation)
    })
  )
}

/** One operation of a transaction, decoded. */
export const IntentOperation = union({ source: AccountAddress })
export type IntentOperation = typeof IntentOperation.Type

/** The same as the wire tells it. */
export const ShownOperation = union({
  source: Schema.optionalWith(AccountAddress, { exact: true }).annotations({
    description: "Who does it; left out: the source of the transaction."
  })
}).annotations({ identifier: "IntentOperation", description: "One operation, decoded, discriminated by `type`." })
export type ShownOperation = typeof ShownOperation.Type

/** What a transaction is meant to do. A label for people: the proof is the envelope itself. All but `summary` and `expects` is decoded from it. */
export const Intent = Schema.Struct({
  summary: Schema.String.annotations({
    description: "For the person who signs, in the words of the plan's steps: a label, as `expects`."
  }),
  expects: Schema.Struct({
    pays: Schema.Array(ValueItem).annotations({ description: "What the account should have more." }),
    takes: Schema.Array(ValueItem).annotations({ description: "What it should have less, the fee aside." })
  }).annotations({
    description:
      "What the planned steps come to in all, where what comes and goes again is left out. A label from the plan, not decoded from the envelope: nobody may rely on it for a proof."
  }),
  source: AccountAddress,
  feeStroops: Schema.String.annotations({ description: "The most the transaction may cost." }),
  memo: Schema.NullOr(Memo),
  guarantees: Schema.Struct({
    mergeDestination: Schema.NullOr(AccountAddress),
    paymentsOnlyTo: Schema.Array(AccountAddress),
    minLumensFromConversions: Amount
  }),
  operations: Schema.Array(ShownOperation)
}).annotations({ identifier: "Intent", description: "What the transaction is meant to do; compare it with the decoded envelope." })
export type Intent = typeof Intent.Type
