import type { Operation, OperationKind } from "./Operation.ts"
import { AccountMerge } from "./operations/AccountMerge.ts"
import { ChangeTrust } from "./operations/ChangeTrust.ts"
import { CreateAccount } from "./operations/CreateAccount.ts"
import { CreatePassiveSellOffer } from "./operations/CreatePassiveSellOffer.ts"
import { LiquidityPoolDeposit } from "./operations/LiquidityPoolDeposit.ts"
import { LiquidityPoolWithdraw } from "./operations/LiquidityPoolWithdraw.ts"
import { ManageBuyOffer } from "./operations/ManageBuyOffer.ts"
import { ManageData } from "./operations/ManageData.ts"
import { ManageSellOffer } from "./operations/ManageSellOffer.ts"
import { notSupported } from "./operations/NotSupported.ts"
import { PathPaymentStrictReceive } from "./operations/PathPaymentStrictReceive.ts"
import { PathPaymentStrictSend } from "./operations/PathPaymentStrictSend.ts"
import { Payment } from "./operations/Payment.ts"
import { SetOptions } from "./operations/SetOptions.ts"

/** The rules of every kind of operation. */
export const OPERATIONS: Readonly<Record<OperationKind, Operation>> = {
  createAccount: CreateAccount,
  payment: Payment,
  pathPaymentStrictReceive: PathPaymentStrictReceive,
  manageSellOffer: ManageSellOffer,
  createPassiveSellOffer: CreatePassiveSellOffer,
  setOptions: SetOptions,
  changeTrust: ChangeTrust,
  allowTrust: notSupported("allowTrust"),
  accountMerge: AccountMerge,
  inflation: notSupported("inflation"),
  manageData: ManageData,
  bumpSequence: notSupported("bumpSequence"),
  manageBuyOffer: ManageBuyOffer,
  pathPaymentStrictSend: PathPaymentStrictSend,
  createClaimableBalance: notSupported("createClaimableBalance"),
  claimClaimableBalance: notSupported("claimClaimableBalance"),
  beginSponsoringFutureReserves: notSupported("beginSponsoringFutureReserves"),
  endSponsoringFutureReserves: notSupported("endSponsoringFutureReserves"),
  revokeSponsorship: notSupported("revokeSponsorship"),
  clawback: notSupported("clawback"),
  clawbackClaimableBalance: notSupported("clawbackClaimableBalance"),
  setTrustLineFlags: notSupported("setTrustLineFlags"),
  liquidityPoolDeposit: LiquidityPoolDeposit,
  liquidityPoolWithdraw: LiquidityPoolWithdraw,
  invokeHostFunction: notSupported("invokeHostFunction"),
  extendFootprintTtl: notSupported("extendFootprintTtl"),
  restoreFootprint: notSupported("restoreFootprint")
}
