import type { xdr } from "@stellar/stellar-sdk"
import { Data, Effect } from "effect"
import type { AccountSnapshot } from "../../account/AccountSnapshot.ts"
import type { ChainFailure } from "../../chain/ChainFailure.ts"
import type { SecondWitness, WitnessFailure } from "../../chain/witness/SecondWitness.ts"
import type { ListEvidence } from "../../chain/witness/Statement.ts"
import type { AccountAddress } from "../../domain/Address.ts"
import { type PlanBlocker, warning } from "../../domain/Blocker.ts"
import { ContractRpcLagging, NetworkUnavailable } from "../../domain/failure/Upstream.ts"
import type { Network } from "../../domain/Network.ts"
import { isCodeName } from "../../stellar/CodeReference.ts"
import type { OwnerEvents } from "../../tokens/OwnerEvents.ts"
import { namesAddress } from "../leaving/simulation/Footprint.ts"
import type { PlannedTransaction } from "../project/PlannedTransaction.ts"
import type { Situation } from "../situation/Situation.ts"
import { restsOnContracts } from "./RestsOnContracts.ts"
import { spokenIn } from "./SpokenRewards.ts"

/** What is witnessed of contracts: what each runs, and the account's own entries in them. Never reserves, rates, indexes or prices. */
const isWitnessedKey = (user: AccountAddress) => (key: xdr.LedgerKey): boolean =>
  key.type === "contractData" &&
  (key.contractData.key.type === "scvLedgerKeyContractInstance" || isCodeName(key) || namesAddress(key.contractData.key, user))

/** What the lists of contracts rest on that were read for an account. */
const listsOf = ({ protocols }: AccountSnapshot): ListEvidence => {
  const found = protocols.flatMap((reading) => (reading._tag === "Read" && reading.found !== null ? [reading.found] : []))
  return {
    entries: found.flatMap(({ answers }) => answers),
    claims: found.flatMap(({ places }) => places.flatMap(({ claim }) => (claim === undefined ? [] : [claim()])))
  }
}

const holdsPositions = ({ exits }: Situation): boolean => exits.planned.length + exits.unreadable.length > 0

/** Whether anything of contracts was read that the merge of the account rests on: positions, and tokens. */
const readsContracts = ({ snapshot: { protocols, tokens } }: Situation): boolean =>
  protocols.some(({ protocol }) => protocol.contracts.length > 0) ||
  tokens.held.length + tokens.unreadable.length + (tokens.told?.alone.length ?? 0) > 0

/** Whether the build of a transaction queries a second contract RPC; never where there is none. */
export const isWitnessed = (situation: Situation): (planned: PlannedTransaction) => boolean => {
  if (situation.singleSource || !readsContracts(situation)) return () => false
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

/** A repeated scan found tokens that the first read did not: everything must be read again. */
export class ReadAnew extends Data.TaggedError("ReadAnew") {}

const tokensRestOnOne = warning(
  "single_source",
  "No second contract RPC returned its events or the token balances. That no other contract token is held rests on one source alone."
)

/**
 * Compares what a merge leaves in contract tokens with a second origin, as far as the read did not do so. Ledgers for which only one origin
 * was queried are scanned again.
 */
const tokensOnOne = (
  { events, witness }: Pick<WitnessSources, "events" | "witness">,
  { input, snapshot: { tokens: { confirmation, told } } }: Situation
): Effect.Effect<ReadonlyArray<PlanBlocker>, ChainFailure | WitnessFailure | ReadAnew> =>
  Effect.gen(function*() {
    if (confirmation === "behind") return yield* new ContractRpcLagging({ behind: null, ageSeconds: null })
    const isUnconfirmed = confirmation === "alone" && witness.exists
    if (told === null || told.alone.length === 0) return isUnconfirmed ? [tokensRestOnOne] : []
    const { alone, failure, tokens } = yield* events.again(input.source)
    if (failure !== null) return yield* Effect.fail(failure)
    if (tokens.some((one) => !told.tokens.includes(one))) return yield* new ReadAnew()
    return isUnconfirmed || alone.length > 0 ? [tokensRestOnOne] : []
  })

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
    const testimony = yield* witness.confirm(isWitnessedKey(situation.input.source), listsOf(situation.snapshot), spoken)
    if (testimony === "silent" && !(planned.merges && !holdsPositions(situation))) {
      return yield* new NetworkUnavailable({ network, source: "contract_rpc" })
    }
    const onOne = testimony === "silent" ? [positionsOnOne] : []
    return planned.merges ? [...onOne, ...(yield* tokensOnOne({ events, witness }, situation))] : onOne
  })
