import { exitGate } from "../leaving/points/ExitGate.ts"
import type { Blocker, Gate } from "../situation/Gate.ts"
import type { Situation } from "../situation/Situation.ts"
import { authImmutable } from "./AuthImmutable.ts"
import { authorization } from "./Authorization.ts"
import { destinationGate } from "./DestinationGate.ts"
import { frozen } from "./FrozenGate.ts"
import { mediatorGate } from "./MediatorGate.ts"
import { networkFee } from "./NetworkFee.ts"
import { pools } from "./Pools.ts"
import { signerWeight } from "./SignerWeight.ts"
import { sponsorships } from "./Sponsorships.ts"
import { subEntries } from "./SubEntries.ts"
import { unread } from "./Unread.ts"

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

/** Every blocker that is known before any transaction is planned. */
export const blockersOf = (situation: Situation): ReadonlyArray<Blocker> => gates.flatMap((gate) => gate(situation))
