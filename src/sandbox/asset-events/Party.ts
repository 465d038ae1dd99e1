import { xdr } from "@stellar/stellar-sdk"
import { accountOf } from "../../ledger/AccountId.ts"

/** One end of a movement: an account, a claimable balance or a pool. */
export interface Party {
  readonly address: xdr.ScAddress
  /** The account; none for the other kinds. */
  readonly account: xdr.PublicKey | undefined
  /** Multiplexing id of the account, where it was named by one. */
  readonly muxedId: bigint | undefined
}

export const accountParty = (account: xdr.PublicKey): Party => ({
  address: xdr.ScAddress.scAddressTypeAccount(account),
  account,
  muxedId: undefined
})

export const muxedParty = (account: xdr.MuxedAccount): Party => ({
  ...accountParty(accountOf(account)),
  muxedId: account.type === "keyTypeEd25519" ? undefined : account.med25519.id
})

export const balanceParty = (id: xdr.ClaimableBalanceId): Party => ({
  address: xdr.ScAddress.scAddressTypeClaimableBalance(id),
  account: undefined,
  muxedId: undefined
})

export const poolParty = (id: xdr.PoolId): Party => ({
  address: xdr.ScAddress.scAddressTypeLiquidityPool(id),
  account: undefined,
  muxedId: undefined
})
