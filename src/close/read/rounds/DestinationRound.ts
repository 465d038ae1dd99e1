import { BigInt as Big, Effect } from "effect"
import { nextClose } from "../../../chain/CloseInterval.ts"
import { ContractRpc } from "../../../chain/ContractRpc.ts"
import { LedgerEntries } from "../../../chain/LedgerEntries.ts"
import { yieldTurn } from "../../../chain/pace/Turns.ts"
import type { ClaimableBalance } from "../../../domain/Account.ts"
import { LedgerState } from "../../../ledger/LedgerState.ts"
import { ExchangeRegistry } from "../../../registry/ExchangeRegistry.ts"
import { type CloseInput, receiversIn } from "../../situation/CloseInput.ts"
import { type Destination, readDestination } from "../../situation/DestinationState.ts"
import { claimCandidates, openClaimsIn } from "../../situation/OpenClaims.ts"
import type { Situation } from "../../situation/Situation.ts"
import type { AccountReading, DestinationReading } from "../CloseReading.ts"

const isForfeited = ({ answers }: CloseInput, { asset, id }: ClaimableBalance): boolean =>
  (answers.claim(id) ?? answers.claims(asset))?.choice === "forfeit"

/** The account and its destinations under the header of the next ledger. */
const ownStateOf = (
  { now, snapshot: { entries: held, header } }: AccountReading,
  closeInterval: Situation["closeInterval"],
  receivers: ReadonlyArray<Destination>
): LedgerState =>
  LedgerState.make({ ...header, ledgerSeq: header.ledgerSeq + 1, closeTime: Big.max(nextClose(header.closeTime, closeInterval), now) })
    .set(receivers.flatMap((destination) => destination.entries))
    .set(held)

/** Round two reads the destination of the close and of each transfer, and finds which claims are open in the next ledger. */
export const destinationRound = Effect.gen(function*() {
  const entries = yield* LedgerEntries
  const registry = yield* ExchangeRegistry
  const rpc = yield* ContractRpc

  return Effect.fnUntraced(function*(reading: AccountReading) {
    const { input, now, snapshot } = reading
    const receivers = yield* Effect.forEach(
      receiversIn(input),
      ([address, assets]) => readDestination(entries, address, assets, registry.about(address)),
      { batching: true, concurrency: "unbounded" }
    )
    yield* yieldTurn
    const closeInterval = yield* rpc.closeInterval
    const ownState = ownStateOf(reading, closeInterval, receivers)
    yield* yieldTurn
    const openClaims = openClaimsIn(ownState, input.source, snapshot, now)
    const claimedAssets = claimCandidates(input, openClaims, snapshot.state.trustlines)
    const read: DestinationReading = {
      ...reading,
      closeInterval,
      destination: receivers.find(({ address }) => address === input.destination) ?? null,
      receivers,
      ownState,
      openClaims,
      claimedAssets,
      claimed: openClaims.map(({ balance }) => balance).filter((one) => claimedAssets.has(one.asset) && !isForfeited(input, one))
    }
    return read
  })
})
