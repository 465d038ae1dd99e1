import type { Finding, Gate } from "./Gate.ts"
import { exitGate } from "./exits/ExitGate.ts"
import { authImmutable } from "./gates/AuthImmutable.ts"
import { authorization } from "./gates/Authorization.ts"
import { destinationGate } from "./gates/DestinationGate.ts"
import { mediatorGate } from "./gates/MediatorGate.ts"
import { frozen } from "./gates/Frozen.ts"
import { networkFee } from "./gates/NetworkFee.ts"
import { pools } from "./gates/Pools.ts"
import { signerWeight } from "./gates/SignerWeight.ts"
import { sponsorships } from "./gates/Sponsorships.ts"
import { subEntries } from "./gates/SubEntries.ts"
import { unread } from "./gates/Unread.ts"
import type { Situation } from "./Situation.ts"

const gates: ReadonlyArray<Gate> = [
  authImmutable,
  networkFee,
  signerWeight,
  destinationGate,
  mediatorGate,
  subEntries,
  sponsorships,
  authorization,
  pools,
  frozen,
  unread,
  exitGate
]

/** Everything that stands in the way before a single transaction is thought of. */
export const findingsOf = (situation: Situation): ReadonlyArray<Finding> => gates.flatMap((gate) => gate(situation))
