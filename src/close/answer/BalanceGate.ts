import { Equal } from "effect"
import { type AssetId, native } from "../../domain/Asset.ts"
import { LedgerApiLagging, SourcesDisagree } from "../../domain/failure/Upstream.ts"
import type { PlannedTransaction } from "../project/PlannedTransaction.ts"
import { bought } from "../situation/Progress.ts"
import { knownAssetsIn, type Situation } from "../situation/Situation.ts"
import { agreementOn } from "../situation/TwoBalances.ts"

/** Assets whose balance decides how much a transaction buys for a debt, or pays of one. */
const sizing = (situation: Situation, { call, progress }: PlannedTransaction): ReadonlyArray<AssetId> => {
  const assets = knownAssetsIn(situation)
  const tokens = [
    ...situation.exits.planned.flatMap((one) =>
      Equal.equals(bought(one), progress) && one.exit._tag === "Refused" && one.exit.refusal._tag === "RepayAssetShort"
        ? [one.exit.refusal.token]
        : []
    ),
    ...(call === null ? [] : call.holds.map(({ token }) => token))
  ]
  return [...new Set(tokens.flatMap((token) => assets.get(token) ?? []))]
}

/**
 * Why nothing is bought or paid for a debt on what one source says the account holds; null where the other one says the same, or nearly
 * so. A token without a line is for the second contract RPC to confirm.
 */
export const balanceDoubt = (situation: Situation, planned: PlannedTransaction): LedgerApiLagging | SourcesDisagree | null => {
  const { snapshot } = situation
  for (const asset of sizing(situation, planned)) {
    const agreement = agreementOn(snapshot, asset)
    if (agreement === "contradicted") return new SourcesDisagree({ about: asset === native ? "account" : "trustline" })
    if (agreement === "apart") return new LedgerApiLagging({ behind: Math.max(snapshot.header.ledgerSeq - snapshot.ledgerApiLedger, 1) })
  }
  return null
}
