import type { HttpClient } from "@effect/platform"
import { Effect } from "effect"
import { isSale } from "../domain/ChoiceEffect.ts"
import { type Agreement, type Answer, isLower } from "./Agreement.ts"
import type { CloseFailure } from "./ClientFailure.ts"
import { Closing } from "./Closing.ts"
import type { Question } from "./Question.ts"
import { witnessedSale } from "./WitnessedSale.ts"

/** Why a decision becomes a question, with the floor in question and what it is compared with, in stroops. */
export interface Doubt {
  readonly reason: Question["reason"]
  readonly floor: bigint | null
  readonly against: bigint | null
}
/** `asset:CODE-ISSUER` in its parts; null for any other id. */
export const assetOf = (id: string): { readonly code: string; readonly issuer: string } | null => {
  const found = /^asset:([A-Za-z0-9]{1,12})-(G[A-Z2-7]{55})$/.exec(id)
  return found === null ? null : { code: found[1] ?? "", issuer: found[2] ?? "" }
}

/** What a floor is far below, by the caller's own source; null where it is not, or where there is no such source. */
export const marketAbove = (
  id: string,
  amount: string,
  floor: bigint
): Effect.Effect<bigint | null, CloseFailure, Closing | HttpClient.HttpClient> =>
  Effect.gen(function*() {
    const { settings: { maxPriceGapBps, witness } } = yield* Closing
    const asset = assetOf(id)
    if (witness === undefined || asset === null) return null
    const market = yield* witnessedSale(witness, { ...asset, amount })
    return market !== null && floor * 10_000n < market * (10_000n - maxPriceGapBps) ? market : null
  })
/** Whether the owner gave this floor, or a higher one, as its own word. */
export const isOwn = ({ confirmed }: Agreement, one: Answer): boolean => {
  const own = confirmed.get(one.id)
  return own !== undefined && !isLower(one, own)
}

/** What was agreed about a sale before. */
interface Before {
  readonly agreed: Answer | undefined
  /** Whether `accept` bounds a lower floor: the sale is planned for the merge's own transaction. */
  readonly isRenewable: boolean
}

const loweredFrom = (one: Answer, agreed: Answer | undefined): Doubt | null =>
  agreed === undefined || !isLower(one, agreed)
    ? null
    : { reason: "floor_lowered", floor: one.params?.minReceive ?? null, against: agreed.params?.minReceive ?? null }

/** Why a sale must not be taken over unasked: its floor is below the market, or below what was agreed; null: nothing is wrong with it. */
export const doubtAbout = (
  agreement: Agreement,
  one: Answer,
  { agreed, isRenewable }: Before
): Effect.Effect<Doubt | null, CloseFailure, Closing | HttpClient.HttpClient> =>
  Effect.gen(function*() {
    const { settings: { accept } } = yield* Closing
    const { amount = "", minReceive: floor } = one.params ?? {}
    if (floor === undefined || !isSale(one.choice) || isOwn(agreement, one)) return null
    const market = yield* marketAbove(one.id, amount, floor)
    if (market !== null) return { reason: "below_market", floor, against: market }
    const isBounded = accept !== null && isRenewable
    return isBounded ? null : loweredFrom(one, agreed)
  })
