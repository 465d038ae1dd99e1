import type { xdr } from "@stellar/stellar-sdk"
import { Effect, Option } from "effect"
import type { ChainFailure } from "../../../chain/ChainFailure.ts"
import type { LedgerEntries } from "../../../chain/LedgerEntries.ts"
import { type AccountAddress, ContractAddress } from "../../../domain/Address.ts"
import type { HeldPosition } from "../../../protocols/ProtocolRegistry.ts"
import { allowanceKeysOf } from "../../../stellar/AllowanceKeys.ts"
import { type Allowance, allowanceIn, isNothing, isOver } from "../../model/AllowanceLeft.ts"
import { subjectOf } from "../../model/DecisionId.ts"

/** Keys of what the account may have let the contracts that hold its positions take of the tokens these move. */
const allowanceKeys = (
  user: AccountAddress,
  tokens: ReadonlyArray<ContractAddress>,
  spenders: ReadonlyArray<ContractAddress>
): ReadonlyArray<xdr.LedgerKey> => tokens.flatMap((token) => spenders.flatMap((spender) => allowanceKeysOf(token, user, spender)))

/**
 * The same for some positions. Of a contract whose shares anybody can give away only the tokens of that position are tried: strangers decide
 * how many such there are.
 */
export const allowanceKeysFor = (
  user: AccountAddress,
  positions: ReadonlyArray<HeldPosition>,
  tokensOf: (positions: ReadonlyArray<HeldPosition>) => ReadonlyArray<ContractAddress>
): ReadonlyArray<xdr.LedgerKey> => {
  const opened = positions.filter(({ givenUnder }) => givenUnder === undefined)
  const given = positions.filter(({ givenUnder }) => givenUnder !== undefined)
  return [
    ...allowanceKeys(user, tokensOf(positions), [...new Set(opened.map(({ contract }) => contract))]),
    ...given.flatMap((one) => allowanceKeys(user, tokensOf([one]), [one.contract]))
  ]
}

/** Keys of the allowances that answers name: a caller may know of one that no reading of ours finds. */
export const answeredAllowanceKeys = (user: AccountAddress, ids: ReadonlyArray<string>): ReadonlyArray<xdr.LedgerKey> =>
  ids.flatMap((id) => {
    const subject = Option.getOrNull(subjectOf(id))
    return subject?.kind === "allowance" ? allowanceKeysOf(ContractAddress.make(subject.token), user, subject.spender) : []
  })

/** What stands under such keys (`getLedgerEntries`), as far as it is live and lets anybody take anything. */
export const readAllowances = (
  entries: LedgerEntries["Type"],
  user: AccountAddress,
  keys: ReadonlyArray<xdr.LedgerKey>
): Effect.Effect<ReadonlyArray<Allowance>, ChainFailure> =>
  Effect.map(entries.many(keys), (found) =>
    found.flatMap(Option.toArray).flatMap(({ entry, latestLedger, liveUntilLedger }) => {
      const over = (liveUntilLedger !== null && liveUntilLedger < latestLedger) || isOver(entry, latestLedger)
      const allowance = over ? null : allowanceIn(entry, user)
      return allowance === null || isNothing(allowance) ? [] : [allowance]
    }))
