import type { ThresholdLevel } from "../domain/Plan.ts"
import type { Header } from "../ledger/Header.ts"
import type { Holdings } from "./Holdings.ts"
import type { Situation } from "./Situation.ts"
import { requiredWeight, usableSigners } from "./Weight.ts"

const oneSigner = 300
const severalSigners = 1800
/** Ledgers close about this often, in seconds. */
const ledgerSeconds = 5

/** How long a transaction stays usable: as asked, or 300 seconds, or 1800 when no single signer suffices. */
export const validityOf = ({ input, now }: Situation, { account }: Holdings, level: ThresholdLevel, header: Header) => {
  const alone = usableSigners(account).some(({ weight }) => weight >= requiredWeight(account, level))
  const seconds = input.validForSeconds ?? (alone ? oneSigner : severalSigners)
  const from = header.closeTime > now ? header.closeTime : now
  return { maxTime: from + BigInt(seconds), maxLedger: header.ledgerSeq + Math.ceil(seconds / ledgerSeconds) }
}
