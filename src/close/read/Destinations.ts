import { Clock, Context, Effect, Layer, Option } from "effect"
import type { ChainFailure } from "../../chain/ChainFailure.ts"
import { LedgerEntries } from "../../chain/LedgerEntries.ts"
import type { DestinationReport } from "../../domain/Destination.ts"
import { type DestinationAddress, isMuxed } from "../../domain/DestinationAddress.ts"
import { ExchangeRegistry } from "../../registry/ExchangeRegistry.ts"
import { type Destination, readDestination } from "../situation/DestinationState.ts"
import { MediatorSigner } from "../situation/MediatorSigner.ts"
import { muxedProblem } from "../situation/MuxedDestination.ts"

const kindOf = ({ account, listing, unverified }: Destination): DestinationReport["kind"] => {
  if (unverified !== null) return "exchange_unverified"
  if (listing !== null) return "exchange"
  return account === null ? "unfunded" : "account"
}

/** Describes addresses as destinations of a close. */
export class Destinations extends Context.Tag("closeout/close/Destinations")<Destinations, {
  /**
   * The account and its SEP-29 data entry, read by their keys (`getLedgerEntries`), and what the exchange registry says of the
   * address. An address without an account is an answer; a source that does not answer is a failure.
   */
  readonly describe: (address: DestinationAddress) => Effect.Effect<DestinationReport, ChainFailure>
}>() {
  static readonly layer = Layer.effect(
    Destinations,
    Effect.gen(function*() {
      const entries = yield* LedgerEntries
      const registry = yield* ExchangeRegistry
      const { mediator } = yield* MediatorSigner

      const describe = Effect.fnUntraced(function*(address: DestinationAddress) {
        const destination = yield* readDestination(entries, address, [], registry.about(address))
        const { asksForMemo, listing, unverified } = destination
        const report: DestinationReport = {
          address,
          kind: kindOf(destination),
          requiresMediator: listing?.requiresMediator ?? false,
          requiresMemo: listing?.requiresMemo ?? false,
          memoType: listing?.memoType ?? "none",
          memoRequiredByAccount: asksForMemo,
          ...(isMuxed(address) ? { muxedProblem: muxedProblem(destination) } : {}),
          name: (listing ?? unverified)?.name ?? null,
          registryFresh: registry.freshAt(yield* Clock.currentTimeMillis),
          mediatorAvailable: Option.isSome(mediator),
          mediator: Option.match(mediator, { onNone: () => null, onSome: ({ address }) => address })
        }
        return report
      })
      return Destinations.of({ describe })
    })
  )
}
