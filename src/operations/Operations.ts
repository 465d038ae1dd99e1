import type { xdr } from "@stellar/stellar-sdk"
import type { AccountAddress } from "../domain/Address.ts"
import type { IntentOperation } from "../domain/Intent.ts"
import type { ThresholdLevel } from "../domain/Plan.ts"
import { fromMuxed } from "../stellar/Names.ts"
import { AccountMerge } from "./AccountMerge.ts"
import { BeginSponsoringFutureReserves } from "./BeginSponsoringFutureReserves.ts"
import { ChangeTrust } from "./ChangeTrust.ts"
import { ClaimClaimableBalance } from "./ClaimClaimableBalance.ts"
import { EndSponsoringFutureReserves } from "./EndSponsoringFutureReserves.ts"
import { LiquidityPoolWithdraw } from "./LiquidityPoolWithdraw.ts"
import { ManageData } from "./ManageData.ts"
import { ManageSellOffer } from "./ManageSellOffer.ts"
import type { OperationDefinition } from "./OperationDefinition.ts"
import { PathPaymentStrictReceive } from "./PathPaymentStrictReceive.ts"
import { PathPaymentStrictSend } from "./PathPaymentStrictSend.ts"
import { Payment } from "./Payment.ts"
import { RevokeSponsorship } from "./RevokeSponsorship.ts"

const definitions = {
  account_merge: AccountMerge,
  begin_sponsoring_future_reserves: BeginSponsoringFutureReserves,
  change_trust: ChangeTrust,
  claim_claimable_balance: ClaimClaimableBalance,
  end_sponsoring_future_reserves: EndSponsoringFutureReserves,
  liquidity_pool_withdraw: LiquidityPoolWithdraw,
  manage_data: ManageData,
  manage_sell_offer: ManageSellOffer,
  path_payment_strict_receive: PathPaymentStrictReceive,
  path_payment_strict_send: PathPaymentStrictSend,
  payment: Payment,
  revoke_sponsorship: RevokeSponsorship
}

/** An operation the service may build. What is not in this table cannot be built, and is not admitted. */
export type Operation = Extract<IntentOperation, { readonly type: keyof typeof definitions }>

// The table is keyed by each definition's own type, which the compiler cannot carry through an index by a union.
const definitionOf = <Op extends Operation>(operation: Op): OperationDefinition<Op["type"]> =>
  definitions[operation.type] as unknown as OperationDefinition<Op["type"]>

/** The operation as XDR. */
export const build = (operation: Operation): xdr.Operation => definitionOf(operation).build(operation)

/** The threshold its source must reach. */
export const levelOf = (operation: Operation): ThresholdLevel => definitionOf(operation).level

/** The fields of an XDR operation, or null when the service never builds such a one. */
export const decode = (operation: xdr.Operation, transactionSource: AccountAddress): Operation | null => {
  const source = operation.sourceAccount === null ? transactionSource : fromMuxed(operation.sourceAccount)
  if (source === null) return null
  for (const definition of Object.values(definitions)) {
    const decoded = definition.decode(operation.body, source)
    if (decoded !== null) return decoded
  }
  return null
}
