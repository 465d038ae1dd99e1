import type { HttpClient } from "@effect/platform"
import type { Transaction } from "@stellar/stellar-sdk/base"
import { Effect } from "effect"
import { lumen, showAmount, stroops } from "../../domain/Amount.ts"
import { mostGiftIds } from "../../domain/Decision.ts"
import type { Plan } from "../../domain/Plan.ts"
import { clocksDiffer } from "../../verify/Bounds.ts"
import type { AccountView } from "../AccountView.ts"
import { type Agreement, type Answer, bounded } from "../Agreement.ts"
import type { CloseFailure } from "../ClientFailure.ts"
import { Closing } from "../Closing.ts"
import { tooSmall } from "../Dust.ts"
import { assetOf } from "../Floors.ts"
import { ownPlan } from "../OwnPlan.ts"
import type { Service } from "../ServiceClient.ts"
import { type WitnessedClaim, witnessedClaims } from "../WitnessedClaims.ts"
import { witnessedSale } from "../WitnessedSale.ts"
import type { WitnessUrls } from "../WitnessSource.ts"

type Needs = Closing | Service | HttpClient.HttpClient

/** Seconds for which a transaction that several sign stays usable, where the signer says nothing else. */
const usualValidity = 1_800

/** Seconds between two ledgers, at most: ledgers that pass faster only make fewer things count as new. */
const longestInterval = 6

/** Before this moment (Unix seconds) the transaction was not built: it would have expired sooner than it does. */
const builtAfter = ({ timeBounds }: Transaction, validForSeconds = usualValidity): number =>
  Number(timeBounds?.maxTime ?? 0) - validForSeconds - clocksDiffer

/** The answer that leaves behind what came since the transaction was built: claimable balances up to a lumen each, and nothing else. */
const laterSince = (transaction: Transaction, { held }: AccountView, agreement: Agreement) =>
  Effect.gen(function*() {
    const { settings: { validForSeconds } } = yield* Closing
    const { snapshot } = yield* ownPlan(agreement)
    const readAt = Date.parse(snapshot.readAt) / 1000
    const passed = Math.floor(Math.max(0, readAt - builtAfter(transaction, validForSeconds)) / longestInterval)
    const had = held.flatMap(({ id }) => (id.startsWith("claim:") ? [] : [id])).slice(0, mostGiftIds)
    const later: Answer = {
      id: "later",
      choice: "leave_what_came_later",
      params: { ledger: Math.max(1, snapshot.ledger - passed), had, maxLumensEach: stroops(lumen) }
    }
    return later
  })

/** What the warning that something came later is about, by the kind of what came; of a position its own id. */
const subjects: Readonly<Record<string, string>> = { claim: "claimable_balances", token: "tokens" }

/** Whether a plan leaves something behind because it came later: a warning says so, and no question is about it. */
const leaves = ({ decisionPoints, warnings }: Plan, id: string): boolean => {
  const kind = id.slice(0, id.indexOf(":"))
  const isTold = warnings.some(({ code, subject }) => code === "came_later" && subject === (subjects[kind] ?? id))
  return isTold && !decisionPoints.some((point) => point.id === id || point.id.startsWith(`${kind}s:`))
}

/** Stroops that a claimable balance brings by the signer's own ledger API: 0 where no market buys it; null where its asset has no valid name. */
const worthOf = (
  { amount, asset }: WitnessedClaim,
  witness: WitnessUrls
): Effect.Effect<bigint | null, CloseFailure, HttpClient.HttpClient> => {
  if (asset === "native") return Effect.succeed(amount)
  const named = assetOf(`asset:${asset.replace(":", "-")}`)
  if (named === null) return Effect.succeed(null)
  return Effect.map(witnessedSale(witness, { ...named, amount: showAmount(amount) }), (lumens) => lumens ?? 0n)
}

/** Whether the signer's own ledger API shows a claimable balance that came since, and is worth no more than is left behind. */
const isWitnessedGift = (
  claim: WitnessedClaim,
  { later, since, witness }: { readonly later: Answer | null; readonly since: number; readonly witness: WitnessUrls }
): Effect.Effect<boolean, CloseFailure, HttpClient.HttpClient> => {
  const { modifiedAt, modifiedIn } = claim
  const isNew = later?.params?.ledger === undefined ? modifiedAt !== null && modifiedAt >= since : modifiedIn > later.params.ledger
  if (!isNew) return Effect.succeed(false)
  return Effect.map(worthOf(claim, witness), (worth) => worth !== null && worth <= (later?.params?.maxLumensEach ?? lumen))
}

/** Claimable balances that came since by the signer's own ledger API. */
const witnessedGifts = (transaction: Transaction, ids: ReadonlySet<string>, later: Answer | null) =>
  Effect.gen(function*() {
    const { settings: { source, validForSeconds, witness = {} } } = yield* Closing
    const claims = (yield* witnessedClaims(witness, source)).filter(({ id }) => ids.has(`claim:${id}`))
    const known = { later, since: builtAfter(transaction, validForSeconds), witness }
    const gifts = yield* Effect.filter(claims, (claim) => isWitnessedGift(claim, known), { concurrency: 4 })
    return new Set(gifts.map(({ id }) => `claim:${id}`))
  })

/** Ids of what a merge may leave behind without a decision. */
interface LeftUnasked {
  /** Gifts of strangers since the transaction was built, up to a lumen each. */
  readonly gifts: ReadonlySet<string>
  /** What is worth too little. */
  readonly dust: ReadonlySet<string>
}

/**
 * What a merge may leave behind by a plan of the signer's own service. The signer's own `later` dates gifts, where there is one; else they are
 * claimable balances that came within the time for which the transaction can be used. The signer's own ledger API, where there is one,
 * confirms claimable balances. No other part of a bundle counts.
 */
export const leftUnasked = (
  transaction: Transaction,
  agreement: Agreement,
  view: AccountView
): Effect.Effect<LeftUnasked, CloseFailure, Needs> =>
  Effect.gen(function*() {
    const { settings: { witness } } = yield* Closing
    const given = agreement.fixed.get("later")
    const own = given === undefined ? null : bounded(given)
    const later = own ?? (yield* laterSince(transaction, view, agreement))
    const plan = yield* ownPlan({ ...agreement, fixed: new Map([...agreement.fixed, [later.id, later]]) })
    const dust = tooSmall(plan.warnings, agreement, view.dust)
    const gifts = new Set(view.held.flatMap(({ id }) => (leaves(plan, id) ? [id] : [])))
    if (witness?.ledgerApiUrl === undefined) return { dust, gifts }
    const witnessed = yield* witnessedGifts(transaction, gifts, own)
    return { dust, gifts: new Set([...gifts].filter((id) => !id.startsWith("claim:") || witnessed.has(id))) }
  })
