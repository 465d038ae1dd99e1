import type { xdr } from "@stellar/stellar-sdk"
import { Effect, Option } from "effect"
import type { ChainFailure } from "../../../chain/ChainFailure.ts"
import { contractDataKey } from "../../../stellar/ContractKeys.ts"
import type { LedgerEntries } from "../../../chain/LedgerEntries.ts"
import { address, struct, variant } from "../../../stellar/ScValCodec.ts"
import type { AccountAddress, ContractAddress } from "../../../domain/Address.ts"
import { type Allowance, allowanceIn, isNothing } from "../../model/AllowanceLeft.ts"

const Parties = struct({ from: address, spender: address })

const allowanceKey = (token: ContractAddress, from: AccountAddress, spender: ContractAddress): xdr.LedgerKey =>
  contractDataKey(token, variant("Allowance", Parties.encode({ from, spender })), "temporary")

/** What the account lets the contracts that hold its positions take of the tokens these move (`getLedgerEntries`), as far as it is live. */
export const readAllowances = (
  entries: LedgerEntries["Type"],
  user: AccountAddress,
  tokens: ReadonlyArray<ContractAddress>,
  spenders: ReadonlyArray<ContractAddress>
): Effect.Effect<ReadonlyArray<Allowance>, ChainFailure> =>
  Effect.map(entries.many(tokens.flatMap((token) => spenders.map((spender) => allowanceKey(token, user, spender)))), (found) =>
    found.flatMap(Option.toArray).flatMap(({ entry, latestLedger, liveUntilLedger }) => {
      const allowance = liveUntilLedger !== null && liveUntilLedger < latestLedger ? null : allowanceIn(entry, user)
      return allowance === null || isNothing(allowance) ? [] : [allowance]
    }))
