import type { xdr } from "@stellar/stellar-sdk"
import type { ContractHost } from "../../ledger/soroban/Contract.ts"
import { addressVal, asAddress, sameAddress, u128, variant } from "../../ledger/soroban/Values.ts"
import { tokenModel, type TokenTraits } from "./Token.ts"

const adminKey = variant("Admin")

/** Tells the pool, which is the token's admin, of a holder of shares. A token that no contract administers has no pool. */
const tellPool = (fn: string) => (host: ContractHost, holder: xdr.ScAddress, balance: bigint): void => {
  const pool = asAddress(host.instance.get(adminKey) ?? host.trap())
  if (pool.type !== "scAddressTypeContract" || sameAddress(pool, holder)) return
  host.call(pool, fn, addressVal(host.address), addressVal(holder), u128(balance))
}

/** The share token of amm_1 pools: the common family with error numbers of its own, whose pool settles rewards before shares move. */
export const amm1ShareTokenTraits: TokenTraits = {
  refusals: { negativeAmount: 604, insufficientBalance: 602, insufficientAllowance: 603, pastLedger: 606 },
  adminKey,
  onTransfer: { before: tellPool("checkpoint_reward"), after: tellPool("checkpoint_working_balance") }
}

export const amm1ShareTokenHash = "06672bb9c201ca4084c22396a6081ef026774432efba5038d0ae36703717a2e6"

export const amm1ShareToken = tokenModel(amm1ShareTokenTraits)
