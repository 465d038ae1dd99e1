import type { AccountSnapshot } from "../../../account/AccountSnapshot.ts"
import { extensionsOf } from "../../../ledger/entries/Account.ts"
import { largestResourceFee } from "../../situation/FeeSettings.ts"
import type { SimulationContext } from "./CallSimulator.ts"

/** What simulations of one close call have in common, by the account that was read; without regard to their price. */
export const callContext = (
  { entries, rpc }: Pick<SimulationContext, "entries" | "rpc">,
  { accountEntry, entries: [own] }: Pick<AccountSnapshot, "accountEntry" | "entries">,
  { assets, feePayer, user }: Pick<SimulationContext, "assets" | "feePayer" | "user">
): Omit<SimulationContext, "knownCode" | "limit"> => ({
  rpc,
  entries,
  user,
  currentSequence: accountEntry.seqNum,
  assets,
  lastChange: Math.max(extensionsOf(accountEntry).sequence?.seqLedger ?? 0, own?.lastModifiedLedgerSeq ?? 0),
  mostResourceFee: largestResourceFee,
  feePayer
})
