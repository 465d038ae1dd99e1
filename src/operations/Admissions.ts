import type { IntentOperation } from "../domain/Intent.ts"
import { AccountMerge } from "./AccountMerge.ts"
import { type Around, type Breach, breach } from "./Around.ts"
import { BeginSponsoringFutureReserves } from "./BeginSponsoringFutureReserves.ts"
import { ChangeTrust } from "./ChangeTrust.ts"
import { ClaimClaimableBalance } from "./ClaimClaimableBalance.ts"
import type { AnyOperation } from "./ContractOperations.ts"
import { EndSponsoringFutureReserves } from "./EndSponsoringFutureReserves.ts"
import { InvokeContract } from "./InvokeContract.ts"
import { LiquidityPoolWithdraw } from "./LiquidityPoolWithdraw.ts"
import { ManageData } from "./ManageData.ts"
import { ManageSellOffer } from "./ManageSellOffer.ts"
import type { OperationOf } from "./OperationDefinition.ts"
import { PathPaymentStrictReceive } from "./PathPaymentStrictReceive.ts"
import { PathPaymentStrictSend } from "./PathPaymentStrictSend.ts"
import { Payment } from "./Payment.ts"
import { RestoreFootprint } from "./RestoreFootprint.ts"
import { RevokeSponsorship } from "./RevokeSponsorship.ts"

type Admission<Type extends IntentOperation["type"]> = (operation: OperationOf<Type>, around: Around) => ReadonlyArray<Breach>

/** What is admitted of every kind of operation that the service may build: one that is missing here does not compile. */
const admissions: { readonly [Type in AnyOperation["type"]]: Admission<Type> } = {
  account_merge: AccountMerge.admits,
  begin_sponsoring_future_reserves: BeginSponsoringFutureReserves.admits,
  change_trust: ChangeTrust.admits,
  claim_claimable_balance: ClaimClaimableBalance.admits,
  end_sponsoring_future_reserves: EndSponsoringFutureReserves.admits,
  invoke_contract: InvokeContract.admits,
  liquidity_pool_withdraw: LiquidityPoolWithdraw.admits,
  manage_data: ManageData.admits,
  manage_sell_offer: ManageSellOffer.admits,
  path_payment_strict_receive: PathPaymentStrictReceive.admits,
  path_payment_strict_send: PathPaymentStrictSend.admits,
  payment: Payment.admits,
  restore_footprint: RestoreFootprint.admits,
  revoke_sponsorship: RevokeSponsorship.admits
}

/** Operations that may act for another account than the closing one; each says for which. */
const forOthers: ReadonlySet<string> = new Set(["payment", "begin_sponsoring_future_reserves"])

// The table is keyed by each operation's own type, which the compiler cannot carry through an index by a union.
const admissionOf = <Op extends AnyOperation>(operation: Op): Admission<Op["type"]> =>
  admissions[operation.type] as unknown as Admission<Op["type"]>

/** Why a transaction with this operation should not be signed. */
export const breachesOf = <Op extends AnyOperation>(operation: Op, around: Around): ReadonlyArray<Breach> =>
  operation.source !== around.expected.source && !forOthers.has(operation.type)
    ? breach("operation_source", `Acts for ${operation.source}, which is not the account.`)
    : admissionOf(operation)(operation as never, around)
