import type { AccountAddress } from "../../domain/Address.ts"
import { showAmount } from "../../domain/Amount.ts"
import type { OpenClaim } from "./OpenClaims.ts"
import type { Task } from "./Unit.ts"

/** The claim of one balance. */
export const claimTask = (source: AccountAddress, { balance: { amount, asset, id } }: OpenClaim): Task => ({
  type: "CLAIM_BALANCES",
  title: `Claim ${showAmount(amount)} ${asset}`,
  description: "The whole claimable balance arrives on the account.",
  asset,
  entry: id,
  operations: [{ type: "claim_claimable_balance", source, balanceId: id }]
})
