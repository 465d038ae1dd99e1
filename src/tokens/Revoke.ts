import type { AccountAddress } from "../domain/Address.ts"
import type { ContractCall } from "../operations/ContractCall.ts"
import { address, i128, u32 } from "../stellar/ScValCodec.ts"
import type { Approval } from "./Approval.ts"

/**
 * The call that ends an allowance: `approve(owner, spender, 0, 0)` (SEP-41). Every family of tokens takes it: a ledger that is past is refused
 * only for an amount above nothing.
 */
export const revokeCall = (owner: AccountAddress, { spender, token }: Approval): ContractCall => ({
  contract: token,
  function: "approve",
  args: [address.encode(owner), address.encode(spender), i128.encode(0n), u32.encode(0)],
  payouts: [],
  holds: [],
  subCalls: [],
  recipients: []
})
