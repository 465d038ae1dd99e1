import { Either } from "effect"
import type { ContractAddress } from "../../domain/Address.ts"
import { contractDataKey } from "../../stellar/ContractKeys.ts"
import { noPositions } from "../HeldPosition.ts"
import { undecoded } from "../kit/Decoding.ts"
import { valueIn } from "../kit/LedgerView.ts"
import { unavailable } from "../kit/NoExit.ts"
import { part } from "../Place.ts"
import * as Entries from "./Entries.ts"
import * as Keys from "./Keys.ts"

const reason = "No pool that a factory lists works with this stake contract, so nothing here knows how to leave what is bonded in it."

/** A stake contract of the contracts file with which no pool works that is known: whoever has bonded something there is asked. */
export const loneStake = part<{ readonly contract: ContractAddress; readonly key: "stake" }>("stake", {
  keys: ({ contract }, user) => [contractDataKey(contract, Keys.bonding(user))],
  decode: ({ contract }, user, view) =>
    Either.match(valueIn(view, contract, Keys.bonding(user), Entries.Bonding), {
      onLeft: (failure) => undecoded("amm_3", contract, "stake", failure),
      onRight: (bonding) =>
        bonding === null || bonding.stakes.length === 0
          ? noPositions
          : { ...noPositions, unrecognized: [{ protocol: "amm_3", contract, rawType: "stake", reason }] }
    }),
  exit: () => unavailable(reason)
})
