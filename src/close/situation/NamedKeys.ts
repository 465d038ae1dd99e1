import type { xdr } from "@stellar/stellar-sdk"
import type { AccountAddress } from "../../domain/Address.ts"
import type { EntryName } from "../../domain/EntryName.ts"
import { type SponsorshipTarget, toRevocation } from "../../operations/SponsorshipTarget.ts"
import { poolShareTrustlineOf, trustlineAssetOf } from "../../stellar/Assets.ts"
import { accountKey, claimableBalanceKey, trustlineKey } from "../../xdr/LedgerKeys.ts"
import type { Answers } from "./Answers.ts"
import type { CloseInput } from "./CloseInput.ts"

/** The key of an entry by its name, and of the account that owns it. A signer stands in its account's entry. */
const keysOf = (name: EntryName | SponsorshipTarget): ReadonlyArray<xdr.LedgerKey> => {
  const operation = toRevocation(name)
  if (operation.type === "revokeSponsorshipSigner") return []
  const key = operation.ledgerKey
  return key.type === "claimableBalance" ? [key] : [key, accountKey(name.split(":")[1] ?? "")]
}

/** What answers about the account's own assets, pools and claimable balances name. */
const keysAnswered = (source: AccountAddress, answers: Answers): ReadonlyArray<xdr.LedgerKey> => [
  ...answers.subjects("asset").map(({ asset }) => trustlineKey(source, trustlineAssetOf(asset))),
  ...answers.subjects("pool").map(({ poolId }) => trustlineKey(source, poolShareTrustlineOf(poolId))),
  ...answers.subjects("claim").map(({ balanceId }) => claimableBalanceKey(balanceId))
]

/** The keys of entries that a close request names, in `entries` and by its answers. */
export const keysNamedIn = (
  { answers, entries, source }: Pick<CloseInput, "answers" | "entries" | "source">
): ReadonlyArray<xdr.LedgerKey> => [
  ...entries.flatMap(keysOf),
  ...keysAnswered(source, answers)
]
