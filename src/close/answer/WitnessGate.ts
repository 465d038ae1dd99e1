import type { xdr } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import type { AccountSnapshot } from "../../account/AccountSnapshot.ts"
import type { ChainFailure } from "../../chain/ChainFailure.ts"
import type { SecondWitness, WitnessFailure } from "../../chain/witness/SecondWitness.ts"
import type { ListEvidence } from "../../chain/witness/Statement.ts"
import { type PlanBlocker, warning } from "../../domain/Blocker.ts"
import { NetworkUnavailable } from "../../domain/failure/Upstream.ts"
import type { Network } from "../../domain/Network.ts"
import { isCodeName } from "../../stellar/CodeReference.ts"
import { namesAddress } from "../../stellar/ScAddresses.ts"
import type { OwnerEvents } from "../../tokens/OwnerEvents.ts"
import { tokenKeys } from "../../tokens/StoredToken.ts"
import { keyText } from "../../xdr/LedgerKeys.ts"
import type { PlannedTransaction } from "../project/PlannedTransaction.ts"
import { memoKey } from "../situation/DestinationState.ts"
import type { Situation } from "../situation/Situation.ts"
import { spokenIn } from "./RewardAnswers.ts"
import { type ReadAnew, tokensOnOne } from "./TokenWitness.ts"
import { mayRestOnOne, readsContracts, restsOnContracts } from "./WitnessNeed.ts"

/**
 * What is witnessed of contracts: what each runs, and the account's own entries in them. Never reserves, rates, indexes or prices. Where
 * contracts are witnessed, so is whether the destination asks for a memo: lumens without one may be credited to no one.
 */
const isWitnessedKey = ({ input: { destination, source }, snapshot }: Situation): (key: xdr.LedgerKey) => boolean => {
  const memo = destination === null || !readsContracts(snapshot) ? null : keyText(memoKey(destination))
  return (key) =>
    key.type === "contractData"
      ? key.contractData.key.type === "scvLedgerKeyContractInstance" || isCodeName(key) || namesAddress(key.contractData.key, source)
      : keyText(key) === memo
}

/**
 * Keys of tokens whose balance two origins gave. Who wrote such a token may change it in every ledger, and no comparison of its entries would
 * ever end; what a merge leaves of it is the larger of both answers. A call is compared as usual.
 */
const queriedKeys = ({ input: { source }, snapshot: { tokens } }: Situation, { merges }: PlannedTransaction): ReadonlySet<string> =>
  new Set(merges ? tokens.queried.flatMap((token) => tokenKeys(token, source)).map(keyText) : [])

/** What the lists of contracts rest on that were read for an account. */
const listsOf = ({ protocols }: AccountSnapshot): ListEvidence => {
  const found = protocols.flatMap((reading) => (reading._tag === "Read" && reading.found !== null ? [reading.found] : []))
  return {
    entries: found.flatMap(({ answers }) => answers),
    claims: found.flatMap(({ places }) => places.flatMap(({ claim }) => (claim === undefined ? [] : [claim()])))
  }
}

/** Whether the build of a transaction queries a second contract RPC; never where there is none. */
export const isWitnessed = (situation: Situation): (planned: PlannedTransaction) => boolean => {
  if (situation.singleSource || !readsContracts(situation.snapshot)) return () => false
  const spoken = spokenIn(situation)
  return (planned) => restsOnContracts(planned, situation.exits.planned, spoken)
}

const positionsOnOne = warning(
  "single_source",
  "No second contract RPC responded. That the account has no positions rests on one source alone."
)

/** Sources that are queried before something is given up or left behind. */
interface WitnessSources {
  readonly witness: Pick<SecondWitness["Type"], "confirm" | "exists">
  readonly events: Pick<OwnerEvents["Type"], "again">
  readonly network: Network
}

/**
 * Compares with a second contract RPC what a transaction rests on: a merge, a call that hands tokens over or leaves what is owed, and the
 * purchase for one. Where several are configured and none of the others answers, only a merge of an account without positions continues, with
 * a warning.
 */
export const witnessGate = (
  { events, network, witness }: WitnessSources,
  situation: Situation,
  planned: PlannedTransaction
): Effect.Effect<ReadonlyArray<PlanBlocker>, WitnessFailure | ChainFailure | ReadAnew> =>
  Effect.gen(function*() {
    const spoken = spokenIn(situation)
    if (!restsOnContracts(planned, situation.exits.planned, spoken)) return []
    const { exits, input, snapshot } = situation
    const resting = { account: input.source, mayRestOnOne: mayRestOnOne(planned, exits) }
    const [isWitnessable, queried] = [isWitnessedKey(situation), queriedKeys(situation, planned)]
    const isPicked = (key: xdr.LedgerKey) => isWitnessable(key) && !queried.has(keyText(key))
    const testimony = yield* witness.confirm(resting, isPicked, listsOf(snapshot), spoken)
    if (testimony === "silent" && !resting.mayRestOnOne) {
      return yield* new NetworkUnavailable({ network, source: "contract_rpc" })
    }
    const onOne = testimony === "silent" ? [positionsOnOne] : []
    return planned.merges ? [...onOne, ...(yield* tokensOnOne({ events, isWitnessed: witness.exists }, situation))] : onOne
  })
