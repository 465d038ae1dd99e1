import type { xdr } from "@stellar/stellar-sdk"
import type { ChainFailure } from "../../chain/ChainFailure.ts"
import type { EntryEvidence } from "../../chain/Pin.ts"
import type { ContractAddress } from "../../domain/Address.ts"
import type { LedgerGap } from "../../domain/LedgerGap.ts"
import type { LedgerView } from "../kit/LedgerView.ts"
import type { Question } from "../kit/Question.ts"
import type { Place } from "../Place.ts"
import type { Announcements } from "./Announcements.ts"
import type { ReadAt } from "./QuestionLoop.ts"

/** Places that a decoder finds in what was read. */
export interface Finds {
  /** Queries to answer first. While there are any, the rest is not used. */
  readonly further: ReadonlyArray<Question>
  /** The places beyond those configured, each with what was learned of it. */
  readonly places: ReadonlyArray<Place>
  /** Why others may be missing, each a clause; empty when none is. */
  readonly doubts: ReadonlyArray<string>
  /** How many more were found than are read. */
  readonly dropped: number
  /** What should name contracts says something that is none: others may be missing from any ledger. Left out: it does not. */
  readonly isBlind?: boolean
  /** Factories and routers of the file whose code is not listed: what they list was read by its shape. Left out: none. */
  readonly unlisted?: ReadonlyArray<ContractAddress>
  /** How the next reading searches, given what this one learned: what never changes is not queried again. Left out: as this time. */
  readonly next?: Search
}

/** One reading of a list. */
export interface Search {
  /** The queries of the first round. */
  readonly questions: ReadonlyArray<Question>
  /** @param announced what the events that announce contracts carry */
  readonly find: (view: LedgerView, announced: ReadonlyArray<xdr.ScVal>) => Finds
}

/** How a protocol finds contracts that no file lists, for instance pools that anyone may open. Pure, like the decoder. */
export interface Discovery extends Search {
  /** Contracts of the file whose entries name others. Those entries are compared with a second witness before a merge rests on them. */
  readonly namedBy: ReadonlyArray<ContractAddress>
  /** Keys of what their instances store that counts for it: how many they name. Left out: nothing. */
  readonly counts?: ReadonlyArray<xdr.ScVal>
  /**
   * Events that announce contracts. Sources store them for about a week, this service from its first scan on. Ledgers whose events cannot
   * be read are a gap, not a failure.
   */
  readonly announcements?: Announcements
  /** The places of those candidates that a contract of the file knows as its own. Anyone may name candidates. Left out: none. */
  readonly confirm?: (view: LedgerView, candidates: ReadonlyArray<ContractAddress>) => Pick<Finds, "further" | "places">
}

/** What a list of contracts may lack, for every account alike. */
export interface ListDoubt {
  /** Contracts may have been deployed in these ledgers of which no one here knows. */
  readonly gap: LedgerGap
  /** Why, where another query may close the gap; null where no source is left to query. */
  readonly failure: ChainFailure | null
}

/** Places that were found, and as of when. */
export interface PlaceList extends Omit<Finds, "further" | "isBlind" | "next"> {
  readonly at: ReadAt
  /** Their contracts, each once. */
  readonly contracts: ReadonlyArray<ContractAddress>
  /** The entries of contracts of the file that name them, as they were shown and by whom. */
  readonly answers: ReadonlyArray<EntryEvidence>
  /** Null: nothing is missing. */
  readonly doubt: ListDoubt | null
}
