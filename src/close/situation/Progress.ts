import { Data, HashSet } from "effect"

/** One thing that a close, as far as it is played, has done about positions. Two are equal when they say the same. */
export type Progress = Data.TaggedEnum<{
  /** The trustlines of a call were made; `index` counts the calls of its position. */
  TrustlinesMade: { readonly position: string; readonly index: number }
  /** The archived entries that the next call of a position needs came back. */
  Restored: { readonly position: string }
  /** A call was made; `index` counts the calls of its position. */
  Called: { readonly position: string; readonly index: number }
  /** What was missing for the debt of a position was bought. */
  Bought: { readonly position: string }
  /** Offers, data entries and empty trustlines went, for the lumens and the assets they held. */
  Freed: {}
}>

export const { Bought, Called, Freed, Restored, TrustlinesMade } = Data.taggedEnum<Progress>()

/** That a call of a position was made; a position is named by its decision. */
export const called = ({ id }: { readonly id: string }, index: number): Progress => Called({ position: id, index })

/** What was missing for the debt of a position was bought. */
export const bought = ({ id }: { readonly id: string }): Progress => Bought({ position: id })

/** Everything that was done about positions so far. */
export type Done = HashSet.HashSet<Progress>

export const nothingDone: Done = HashSet.empty()
