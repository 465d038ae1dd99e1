import { showAmount } from "../domain/Amount.ts"
import { issued } from "../domain/Asset.ts"
import type { AssetId } from "../domain/Asset.ts"
import type { Invocation } from "../domain/Intent.ts"
import type { AnyOperation } from "../operations/ContractOperations.ts"
import type { OperationOf } from "../operations/OperationDefinition.ts"

/** How addresses are written: by the names that a caller gives some of them, the others as they are. */
export type Naming = (address: string) => string

const assetText = (asset: AssetId, named: Naming): string => {
  const parts = issued(asset)
  return parts === null ? "lumens" : `${parts.code} of ${named(parts.issuer)}`
}

const amountText = (amount: bigint, asset: AssetId, named: Naming): string => `${showAmount(amount)} ${assetText(asset, named)}`

/** A line of an asset, or of the shares of a pool. */
const lineText = (line: string, named: Naming): string =>
  line.startsWith("pool:")
    ? `the shares of the pool of ${line.slice("pool:".length).split("/").map((one) => assetText(one as AssetId, named)).join(" and ")}`
    : assetText(line as AssetId, named)

const callText = ({ args, contract, function: name }: Omit<Invocation, "subInvocations">, named: Naming): string =>
  `${name}(${args.map((arg) => named(arg)).join(", ")}) of ${named(contract)}`

const belowText = (below: ReadonlyArray<Invocation>, named: Naming): string =>
  below.map((one) => `${callText(one, named)}${one.subInvocations.length === 0 ? "" : ` with ${belowText(one.subInvocations, named)}`}`)
    .join(", ")

const sentences: { readonly [Type in AnyOperation["type"]]: (operation: OperationOf<Type>, named: Naming) => string } = {
  account_merge: ({ destination }, named) => `Merges the account into ${named(destination)}: all its lumens go there and it is gone.`,
  begin_sponsoring_future_reserves: ({ sponsored }, named) => `Begins to pay the reserves of ${named(sponsored)}.`,
  change_trust: ({ asset, limit }, named) =>
    limit === 0n
      ? `Removes the trustline to ${lineText(asset, named)}.`
      : `Opens the trustline to ${lineText(asset, named)} for up to ${showAmount(limit)}.`,
  claim_claimable_balance: ({ balanceId }) => `Claims the claimable balance ${balanceId}.`,
  end_sponsoring_future_reserves: () => "Ends the sponsoring that began before.",
  invoke_contract: ({ subInvocations, ...call }, named) =>
    `Calls ${callText(call, named)}${
      subInvocations.length === 0 ? "" : `, which may call ${belowText(subInvocations, named)} in the account's name`
    }.`,
  liquidity_pool_withdraw: ({ minAmountA, minAmountB, poolId, shares }) =>
    `Gives back ${showAmount(shares)} shares of the pool ${poolId} for at least ${showAmount(minAmountA)} and ${
      showAmount(minAmountB)
    } of its two assets.`,
  manage_data: ({ name }) => `Removes the data entry ${JSON.stringify(name)}.`,
  manage_sell_offer: ({ buying, offerId, selling }, named) =>
    `Cancels the offer ${offerId} of ${assetText(selling, named)} for ${assetText(buying, named)}.`,
  path_payment_strict_receive: ({ destAmount, destAsset, destination, sendAsset, sendMax }, named) =>
    `Buys ${amountText(destAmount, destAsset, named)} for at most ${amountText(sendMax, sendAsset, named)}, for ${named(destination)}.`,
  path_payment_strict_send: ({ destAsset, destMin, destination, sendAmount, sendAsset }, named) =>
    `Sells ${amountText(sendAmount, sendAsset, named)} for at least ${amountText(destMin, destAsset, named)}, for ${named(destination)}.`,
  payment: ({ amount, asset, destination }, named) =>
    destination === issued(asset)?.issuer
      ? `Destroys ${amountText(amount, asset, named)}: it goes back to its issuer.`
      : `Pays ${amountText(amount, asset, named)} to ${named(destination)}.`,
  restore_footprint: ({ keys }) => `Brings ${keys.length} archived ledger entries back.`,
  revoke_sponsorship: ({ entry }) => `Stops paying the reserve of ${entry}.`
}

// The table is keyed by each operation's own type, which the compiler cannot carry through an index by a union.
const sentenceOf = <Op extends AnyOperation>(operation: Op, named: Naming): string =>
  (sentences[operation.type] as unknown as (one: Op, named: Naming) => string)(operation, named)

/** What an operation does, in a sentence; whose it is where it is not the transaction's own. */
export const operationSentence = (operation: AnyOperation, source: string, named: Naming): string =>
  `${operation.source === source ? "" : `In the name of ${named(operation.source)}: `}${sentenceOf(operation, named)}`
