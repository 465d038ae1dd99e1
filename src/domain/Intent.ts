import { Schema } from "effect"
import { AccountAddress } from "./Address.ts"
import { Amount } from "./Amount.ts"
import { AssetId } from "./Asset.ts"
import { DestinationAddress } from "./DestinationAddress.ts"
import { Memo } from "./Memo.ts"
import { optional } from "./OptionalField.ts"
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

const call = {
  contract: Schema.String.annotations({ description: "The contract that is called (C...)." }),
  function: Schema.String.annotations({ description: "The function that is called." }),
  args: Schema.Array(Schema.String).annotations({ description: "The arguments, as text." })
}

const inTurn = { description: "The calls that it may make in turn, as authorised." }

/** A contract call with the calls it may make in turn. */
export const Invocation: Schema.Schema<Invocation> = Schema.Struct({
  ...call,
  subInvocations: Schema.Array(Schema.suspend((): Schema.Schema<Invocation> => Invocation)).annotations(inTurn)
}).annotations({ identifier: "Invocation", description: "A contract call with the calls that it may make in turn." })

const sendAsset = asset.annotations({ ...named, description: "The asset that is sent.", jsonSchema: { type: "string" } })
const destAsset = asset.annotations({ ...named, description: "The asset that arrives.", jsonSchema: { type: "string" } })
const destination = AccountAddress.annotations({ description: "The account that receives." })
const receiver = DestinationAddress.annotations({ description: "Who receives: an account (G...), or an id behind one (M...)." })
const path = Schema.Array(asset).annotations({ description: "Assets in between, in order." })

const source = optional(AccountAddress).annotations({
  description: "Who does it; left out: the source of the transaction."
})

const of = <const Type extends string, Fields extends Schema.Struct.Fields>(type: Type, fields: Fields) =>
  Schema.Struct({ type: Schema.Literal(type), source, ...fields }).annotations({
    identifier: `${type.replaceAll(/(?:^|_)([a-z])/g, (_, first: string) => first.toUpperCase())}Operation`,
    description: `An operation of the type \`${type}\`.`
  })

/** One operation of a transaction, as the wire tells it. */
export const ShownOperation = Schema.Union(
  of("path_payment_strict_send", {
    sendAsset,
    sendAmount: Amount.annotations({ description: "Exactly what is sent." }),
    destination,
    destAsset,
    destMin: Amount.annotations({ description: "The least that must arrive." }),
    path
  }),
  of("path_payment_strict_receive", {
    sendAsset,
    sendMax: Amount.annotations({ description: "The most that may be sent." }),
    destination,
    destAsset,
    destAmount: Amount.annotations({ description: "Exactly what arrives." }),
    path
  }),
  of("payment", { asset, amount: Amount.annotations({ description: "Amount of the payment." }), destination: receiver }),
  of("change_trust", { asset: held, limit: Amount.annotations({ description: "The new limit. Zero removes the trustline." }) }),
  of("account_merge", { destination: receiver }),
  of("manage_sell_offer", {
    offerId: Schema.String.annotations({ description: "Id of the offer." }),
    selling: asset,
    buying: asset,
    amount: Amount.annotations({ description: "Amount for sale. Zero cancels the offer." })
  }),
  of("manage_data", {
    name: Schema.String.annotations({ description: "Name of the entry." }),
    value: Schema.NullOr(Schema.String).annotations({ description: "The new value, base64. Null removes the entry." })
  }),
  of("claim_claimable_balance", { balanceId: Schema.String.annotations({ description: "Id of the claimable balance." }) }),
  of("liquidity_pool_withdraw", {
    poolId: Schema.String.annotations({ description: "Id of the pool." }),
    shares: Amount.annotations({ description: "Shares that are given back." }),
    minAmountA: Amount.annotations({ description: "The least that is paid of the pool's first asset." }),
    minAmountB: Amount.annotations({ description: "The least that is paid of the pool's second asset." })
  }),
  of("revoke_sponsorship", {
    entry: Schema.String.annotations({ description: "The entry, as decisions name it." }),
    owner: Schema.NullOr(AccountAddress).annotations({ description: "Who owns the entry. Null: a claimable balance." })
  }),
  of("begin_sponsoring_future_reserves", {
    sponsored: AccountAddress.annotations({ description: "The account whose reserves are paid from here on." })
  }),
  of("end_sponsoring_future_reserves", {}),
  of("restore_footprint", {
    keys: Schema.Array(Schema.String).annotations({ description: "Ledger keys of the entries that are restored, base64." })
  }),
  of("invoke_contract", {
    ...call,
    subInvocations: Schema.Array(Invocation).annotations(inTurn)
  })
).annotations({ identifier: "IntentOperation", description: "One operation, decoded, discriminated by `type`." })
export type ShownOperation = typeof ShownOperation.Type

type Sourced<Shown> = Shown extends unknown ? Shown & { readonly source: AccountAddress } : never

/** The same, its source always named. */
export type IntentOperation = Sourced<ShownOperation>

/** What a transaction is meant to do. A label for people: the proof is the envelope itself. All but `summary` and `expects` is decoded from it. */
export const Intent = Schema.Struct({
  summary: Schema.String.annotations({
    description: "For the person who signs, in the words of the plan's steps: a label, as `expects`."
  }),
  expects: Schema.Struct({
    pays: Schema.Array(ValueItem).annotations({ description: "What the account should have more." }),
    takes: Schema.Array(ValueItem).annotations({ description: "What it should have less, the fee aside." })
  }).annotations({
    identifier: "IntentExpectations",
    description:
      "What the planned steps come to in all, where what comes and goes again is left out. A label from the plan, not decoded from the envelope: it proves nothing."
  }),
  source: AccountAddress.annotations({ description: "The source account of the transaction." }),
  feeStroops: Schema.String.annotations({ description: "The most the transaction may cost." }),
  memo: Schema.NullOr(Memo).annotations({ description: "The memo of the transaction. Null: none." }),
  guarantees: Schema.Struct({
    mergeDestination: Schema.NullOr(DestinationAddress).annotations({
      description: "The address that the merge pays. Null: no merge."
    }),
    paymentsOnlyTo: Schema.Array(DestinationAddress).annotations({ description: "Every address that a payment may reach." }),
    minLumensFromConversions: Amount.annotations({ description: "The least lumens that the conversions bring together." })
  }).annotations({ identifier: "IntentGuarantees", description: "What the envelope guarantees, decoded from it." }),
  operations: Schema.Array(ShownOperation).annotations({ description: "The operations, in order." })
}).annotations({ identifier: "Intent", description: "What the transaction is meant to do; compare it with the decoded envelope." })
export type Intent = typeof Intent.Type
