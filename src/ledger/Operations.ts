import { xdr } from "@stellar/stellar-sdk"
import type { Operation, OperationKind } from "./Operation.ts"
import { AccountMerge } from "./operations/AccountMerge.ts"
import { AllowTrust } from "./operations/AllowTrust.ts"
import { BeginSponsoringFutureReserves } from "./operations/BeginSponsoringFutureReserves.ts"
import { BumpSequence } from "./operations/BumpSequence.ts"
import { ChangeTrust } from "./operations/ChangeTrust.ts"
import { ClaimClaimableBalance } from "./operations/ClaimClaimableBalance.ts"
import { Clawback } from "./operations/Clawback.ts"
import { ClawbackClaimableBalance } from "./operations/ClawbackClaimableBalance.ts"
import { CreateAccount } from "./operations/CreateAccount.ts"
import { CreateClaimableBalance } from "./operations/CreateClaimableBalance.ts"
import { CreatePassiveSellOffer } from "./operations/CreatePassiveSellOffer.ts"
import { EndSponsoringFutureReserves } from "./operations/EndSponsoringFutureReserves.ts"
import { ExtendFootprintTtl } from "./operations/ExtendFootprintTtl.ts"
import { InvokeHostFunction } from "./operations/InvokeHostFunction.ts"
import { LiquidityPoolDeposit } from "./operations/LiquidityPoolDeposit.ts"
import { LiquidityPoolWithdraw } from "./operations/LiquidityPoolWithdraw.ts"
import { ManageBuyOffer } from "./operations/ManageBuyOffer.ts"
import { ManageData } from "./operations/ManageData.ts"
import { ManageSellOffer } from "./operations/ManageSellOffer.ts"
import { PathPaymentStrictReceive } from "./operations/PathPaymentStrictReceive.ts"
import { PathPaymentStrictSend } from "./operations/PathPaymentStrictSend.ts"
import { Payment } from "./operations/Payment.ts"
import { RestoreFootprint } from "./operations/RestoreFootprint.ts"
import { RevokeSponsorship } from "./operations/RevokeSponsorship.ts"
import { SetOptions } from "./operations/SetOptions.ts"
import { SetTrustLineFlags } from "./operations/SetTrustLineFlags.ts"

/** Inflation, which the ledger knows and has not supported since protocol 12. */
const inflation: Operation = {
  threshold: () => "low",
  isSupported: () => false,
  check: () => xdr.OperationResult.opNotSupported(),
  apply: () => xdr.OperationResult.opNotSupported(),
  touchesFrozen: () => false
}

/** The rules of every kind of operation. */
export const operationRules: Readonly<Record<OperationKind, Operation>> = {
  createAccount: CreateAccount,
  payment: Payment,
  pathPaymentStrictReceive: PathPaymentStrictReceive,
  manageSellOffer: ManageSellOffer,
  createPassiveSellOffer: CreatePassiveSellOffer,
  setOptions: SetOptions,
  changeTrust: ChangeTrust,
  allowTrust: AllowTrust,
  accountMerge: AccountMerge,
  inflation,
  manageData: ManageData,
  bumpSequence: BumpSequence,
  manageBuyOffer: ManageBuyOffer,
  pathPaymentStrictSend: PathPaymentStrictSend,
  createClaimableBalance: CreateClaimableBalance,
  claimClaimableBalance: ClaimClaimableBalance,
  beginSponsoringFutureReserves: BeginSponsoringFutureReserves,
  endSponsoringFutureReserves: EndSponsoringFutureReserves,
  revokeSponsorship: RevokeSponsorship,
  clawback: Clawback,
  clawbackClaimableBalance: ClawbackClaimableBalance,
  setTrustLineFlags: SetTrustLineFlags,
  liquidityPoolDeposit: LiquidityPoolDeposit,
  liquidityPoolWithdraw: LiquidityPoolWithdraw,
  invokeHostFunction: InvokeHostFunction,
  extendFootprintTtl: ExtendFootprintTtl,
  restoreFootprint: RestoreFootprint
}
