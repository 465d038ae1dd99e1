import { blocker } from "../../domain/Blocker.ts"
import type { Gate } from "../situation/Gate.ts"
import { requiredWeight, usableWeight } from "../situation/Weight.ts"

/** The merge needs the high threshold. Weight that no key can bring to a transaction of today does not count. */
export const signerWeight: Gate = ({ snapshot: { accountEntry } }) => {
  const needed = requiredWeight(accountEntry, "high")
  const available = usableWeight(accountEntry)
  if (available >= needed) return []
  const master = accountEntry.thresholds.value[0] === 0
  const message = master
    ? `The master key is disabled and the other signers have a total weight of ${available}; a merge needs ${needed}.`
    : `The signers that can sign have a total weight of ${available}; a merge needs ${needed}.`
  return [{ failure: null, shown: blocker(master ? "master_key_disabled" : "signers_insufficient", message) }]
}
