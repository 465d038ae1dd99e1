import type { xdr } from "@stellar/stellar-sdk"
import { Effect, Option } from "effect"
import type { ChainFailure } from "../../../chain/ChainFailure.ts"
import { contractDataKey } from "../../../stellar/ContractKeys.ts"
import type { LedgerEntries } from "../../../chain/LedgerEntries.ts"
import { address, struct, variant } from "../../../stellar/ScValCodec.ts"
import type { AccountAddress, ContractAddress } from "../../../domain/Address.ts"
import { type PlanBlocker, warning } from "../../../domain/Blocker.ts"
import { type Allowance, allowanceIn } from "../../model/AllowanceLeft.ts"
import type { Exits } from "../../model/Exits.ts"

const Parties = struct({ from: address, spender: address })

const allowanceKey = (token: ContractAddress, from: AccountAddress, spender: ContractAddress): xdr.LedgerKey =>
  contractDataKey(token, variant("Allowance", Parties.encode({ from, spender })), "temporary")

const isNothing = ({ amount }: Allowance): boolean => amount === 0n

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

/** Allowances that the calls of a close meet and do not use up. */
const metBy = ({ planned }: Pick<Exits, "planned">, user: AccountAddress): ReadonlyArray<Allowance> =>
  planned.flatMap(({ simulation }) => (simulation?._tag === "Ready" ? simulation.changes : []).flatMap(({ after }) => {
    const allowance = allowanceIn(after, user)
    return allowance === null || isNothing(allowance) ? [] : [allowance]
  }))

/** Allowances that outlive the merge: whoever holds one may take from the account if it is ever created again. */
export const allowanceWarnings = (exits: Exits, user: AccountAddress): ReadonlyArray<PlanBlocker> => {
  const all = new Map([...exits.allowances, ...metBy(exits, user)].map((one) => [`allowance:${one.token}:${one.spender}`, one]))
  return [...all].map(([subject, { amount, spender, token }]) =>
    warning("allowance_live", `${spender} may take ${amount === null ? "an amount that cannot be made out" : `${amount} base units`} of ${token} from the account; that outlives the merge and revives if the account is ever created again.`, subject))
}
