import { Context } from "effect"
import type { Effect } from "effect"
import type { ChainFailure } from "../chain/ChainFailure.ts"
import type { AccountAddress, ContractAddress } from "../domain/Address.ts"
import type { AccountNotFound } from "../domain/failure/Request.ts"
import type { AccountSnapshot } from "./AccountSnapshot.ts"

export type { AccountSnapshot } from "./AccountSnapshot.ts"

/**
 * Reads everything an account holds. The ledger API lists, the contract RPC confirms: an entry that the contract RPC does not
 * have is gone, an entry it cannot be asked about is a failure.
 */
export class AccountReader extends Context.Tag("closeout/account/AccountReader")<AccountReader, {
  /**
   * @param tokens token contracts to check for a balance beyond those that discovery finds
   * @returns the account; `AccountNotFound` when the contract RPC has no account entry
   */
  readonly read: (
    address: AccountAddress,
    tokens: ReadonlyArray<ContractAddress>
  ) => Effect.Effect<AccountSnapshot, AccountNotFound | ChainFailure>
}>() {}
