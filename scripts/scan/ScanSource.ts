import type { xdr } from "@stellar/stellar-sdk"
import { Data, Effect } from "effect"
import type { ChainFailure } from "../../src/chain/ChainFailure.ts"
import type { Fault } from "../../src/chain/Fault.ts"
import type { Span } from "../../src/chain/history/LedgerSpans.ts"
import type { ContractAddress } from "../../src/domain/Address.ts"
import type { Announcements } from "../../src/protocols/reading/Announcements.ts"
import { contract } from "../../src/stellar/ScValCodec.ts"

/** The reason why a source skipped some ledgers, or why nothing was written. */
export class ScanRefused extends Data.TaggedError("ScanRefused")<{ readonly reason: string }> {
  override get message() {
    return this.reason
  }
}

/** Contracts that a source names. */
export interface Named {
  /** Announced by a factory: the factory must confirm them. */
  readonly announced: ReadonlyArray<ContractAddress>
  /** Named by bytes or by a list of any author: those that no factory confirms are left out. */
  readonly possible: ReadonlyArray<ContractAddress>
}

/** The contracts that announcements name. Fails where one names none. */
export const announcedIn = (values: ReadonlyArray<xdr.ScVal>): Effect.Effect<ReadonlyArray<ContractAddress>, ScanRefused> =>
  Effect.mapError(
    Effect.forEach(values, (value) => contract.decode(value)),
    () => new ScanRefused({ reason: "an announcement does not name a contract" })
  )

/** A place to read announcements of factories from. */
export interface ScanSource {
  /** For reports: the method and the origin, or the file. */
  readonly name: string
  /** Most ledgers of one request. */
  readonly window: number
  /** The ledgers it covers. Empty: it covers none, and is read once for the contracts that it names. */
  readonly keeps: Effect.Effect<Span, ScanRefused | ChainFailure | Fault>
  /** The announcements of some ledgers. Fails where one of these ledgers is not available. */
  readonly read: (announcements: Announcements, span: Span) => Effect.Effect<Named, ScanRefused | ChainFailure | Fault>
}
