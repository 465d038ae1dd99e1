import type { xdr } from "@stellar/stellar-sdk"
import { Effect, Equal } from "effect"
import type { AccountSnapshot } from "../../account/AccountSnapshot.ts"
import type { SecondWitness, WitnessFailure } from "../../chain/SecondWitness.ts"
import type { Lists } from "../../chain/Testimony.ts"
import type { AccountAddress } from "../../domain/Address.ts"
import { type PlanBlocker, warning } from "../../domain/Blocker.ts"
import { NetworkUnavailable } from "../../domain/failure/Upstream.ts"
import type { Network } from "../../domain/Network.ts"
import { isCodeName } from "../../stellar/CodeReference.ts"
import { bought } from "../model/Progress.ts"
import type { Situation } from "../model/Situation.ts"
import type { PlannedTransaction } from "../project/PlannedTransaction.ts"
import { names } from "../read/simulation/Footprint.ts"

/** What is witnessed of contracts: what each runs, and the account's own entries in them. Never reserves, rates, indexes or prices. */
const isWitnessed = (user: AccountAddress) => (key: xdr.LedgerKey): boolean =>
  key.type === "contractData" &&
  (key.contractData.key.type === "scvLedgerKeyContractInstance" || isCodeName(key) || names(key.contractData.key, user))

/** What the lists of contracts rest on that were read for an account. */
const listsOf = ({ protocols }: AccountSnapshot): Lists => {
  const found = protocols.flatMap((reading) => (reading._tag === "Read" && reading.found !== null ? [reading.found] : []))
  return {
    entries: found.flatMap(({ answers }) => answers),
    claims: found.flatMap(({ places }) => places.flatMap(({ claim }) => (claim === undefined ? [] : [claim()])))
  }
}

/** Whether a transaction is a call that hands tokens over, or buys what such a call will hand over: how much is a matter of the position. */
const handsOver = ({ exits }: Situation, { call, progress }: PlannedTransaction): boolean =>
  (call !== null && call.holds.length > 0) || exits.planned.some((one) => Equal.equals(bought(one), progress))

const holdsPositions = ({ exits }: Situation): boolean => exits.planned.length + exits.unreadable.length > 0

const onOne = warning("single_source", "No second contract RPC answered, so that no position was found rests on one of them alone.")

/**
 * Holds what a merge, a call that hands tokens over, or the purchase for one rests on against a second contract RPC. Where several are configured and none of
 * the others answers, only a merge of an account without positions goes on, with a warning.
 */
export const witnessGate = (
  witness: SecondWitness["Type"],
  network: Network,
  situation: Situation,
  planned: PlannedTransaction
): Effect.Effect<ReadonlyArray<PlanBlocker>, WitnessFailure | NetworkUnavailable> =>
  Effect.gen(function*() {
    if (!planned.merges && !handsOver(situation, planned)) return []
    const testimony = yield* witness.confirm(isWitnessed(situation.input.source), listsOf(situation.snapshot))
    if (testimony !== "silent") return []
    return planned.merges && !holdsPositions(situation) ? [onOne] : yield* new NetworkUnavailable({ network })
  })
