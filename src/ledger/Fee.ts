import { withFields } from "./entries/Account.ts"
import { minOf } from "./Int64.ts"
import type { LoadedAccount } from "./Loaded.ts"

/** Takes so many stroops from an account, or as many as there are: what was taken. */
export const takeFee = (account: LoadedAccount, asked: bigint): bigint => {
  const { current } = account
  const fee = minOf(asked, current.balance)
  if (fee <= 0n) return 0n
  account.set(withFields(current, { balance: current.balance - fee }))
  return fee
}
