import { BigInt as Big } from "effect"
import type { AccountAddress } from "../../domain/Address.ts"
import { showAmount, stroops } from "../../domain/Amount.ts"
import { native } from "../../domain/Asset.ts"
import { blocker } from "../../domain/Blocker.ts"
import { counted } from "../../domain/CountedNoun.ts"
import type { Decision, DecisionOption, DecisionPoint } from "../../domain/Decision.ts"
import type { PlanChanged } from "../../domain/failure/Planning.ts"
import type { LedgerState } from "../../ledger/LedgerState.ts"
import { balanceIn } from "../../operations/SponsorshipTarget.ts"
import { accountKey } from "../../xdr/LedgerKeys.ts"
import { amountChanged } from "../situation/AnswerFailure.ts"
import type { CloseInput } from "../situation/CloseInput.ts"
import { DecisionId } from "../situation/DecisionId.ts"
import type { Blocker } from "../situation/Gate.ts"
import { spendable, stateViews } from "../situation/Holdings.ts"
import type { LiftingAnswer } from "../situation/LiftingAnswers.ts"
import { sponsoredIn, type Sponsorship } from "../situation/SponsoredEntries.ts"
import { assetValue } from "../situation/TokenValues.ts"
import { claimedBalances, claimsIn } from "./Claims.ts"
import type { ClaimSituation } from "./ClaimSituation.ts"

/** How the account stops paying for an entry, by the owner's answer or by default. */
export type ReleaseWay =
  | { readonly _tag: "Revoke" }
  /** The entry's owner is short of its reserve: that is paid first. */
  | { readonly _tag: "TopUp"; readonly owner: AccountAddress }
  | { readonly _tag: "Transfer"; readonly to: AccountAddress }
  | { readonly _tag: "Undecided" }

/** An entry to be released, with its decision point and its blockers. */
export interface Release extends Sponsorship {
  readonly way: ReleaseWay
  readonly point: DecisionPoint
  readonly failure: PlanChanged | null
  readonly blockers: ReadonlyArray<Blocker>
}

const spendableOf = (state: LedgerState, address: AccountAddress): bigint => {
  const found = state.get(accountKey(address))?.data
  return found?.type === "account" ? spendable(found.account, state.header.baseReserve) : 0n
}

const answerTo = ({ input }: ClaimSituation, entry: Sponsorship): Decision | undefined => input.answers.sponsorship(entry.target)

/** Stroops missing to each owner for the reserves that come back to it; entries that a new sponsor takes over do not count. */
export const shortfalls = (
  situation: ClaimSituation,
  state: LedgerState,
  entries: ReadonlyArray<Sponsorship>
): ReadonlyMap<AccountAddress, bigint> => {
  const needed = new Map<AccountAddress, bigint>()
  for (const entry of entries) {
    if (entry.owner === null || answerTo(situation, entry)?.choice === "transfer_sponsorship") continue
    needed.set(entry.owner, (needed.get(entry.owner) ?? 0n) + BigInt(entry.reserves * state.header.baseReserve))
  }
  return new Map([...needed].map(([owner, reserve]) => [owner, Big.max(reserve - spendableOf(state, owner), 0n)] as const))
}

const transferOption: DecisionOption = {
  id: "transfer_sponsorship",
  note: "Add newSponsor: an account that takes over the reserve and also signs this transaction."
}

const optionsOf = (owner: AccountAddress | null, short: bigint): ReadonlyArray<DecisionOption> => {
  if (owner === null) return [transferOption]
  if (short === 0n) {
    return [{ id: "revoke", recommended: true, note: "The owner pays the reserve from now on and has enough lumens." }, transferOption]
  }
  const note = `The owner lacks ${showAmount(short)} lumens for its reserves. This account pays it exactly that amount.`
  return [{ id: "top_up_then_revoke", note, loses: [assetValue(native, short)], params: { maxLumens: stroops(short) } }, transferOption]
}

const wayOf = (owner: AccountAddress | null, short: bigint, answer: Decision | undefined): ReleaseWay => {
  if (answer?.choice === "transfer_sponsorship" && answer.params?.newSponsor !== undefined) {
    return { _tag: "Transfer", to: answer.params.newSponsor }
  }
  if (owner === null) return { _tag: "Undecided" }
  if (short === 0n) return { _tag: "Revoke" }
  return { _tag: "TopUp", owner }
}

const answerFailure = (answer: Decision | undefined, owner: AccountAddress | null, short: bigint): PlanChanged | null => {
  if (answer === undefined || answer.choice === "transfer_sponsorship") return null
  if (owner === null) return amountChanged(answer.id)
  if (answer.choice === "revoke") return short === 0n ? null : amountChanged(answer.id)
  return short <= (answer.params?.maxLumens ?? 0n) ? null : amountChanged(answer.id)
}

/** Why an account cannot take over reserves of so many stroops; null when it can. */
const newSponsorProblem = (situation: ClaimSituation, state: LedgerState, to: AccountAddress, needed: bigint): string | null => {
  if (to === situation.input.source) return "The closing account cannot take over its own sponsorships."
  if (state.get(accountKey(to)) === undefined) return "The new sponsor does not exist on this network."
  return spendableOf(state, to) < needed ? `The new sponsor cannot pay ${showAmount(needed)} lumens of reserve.` : null
}

/** The answer by which another account takes over what this one pays for. */
export const handingOver = ({ target }: Pick<Sponsorship, "target">): LiftingAnswer => ({
  id: DecisionId.sponsorship(target),
  choice: "transfer_sponsorship"
})

const newSponsorBlockers = (
  situation: ClaimSituation,
  state: LedgerState,
  to: AccountAddress,
  entry: Sponsorship
): ReadonlyArray<Blocker> => {
  const { reserves } = entry
  const needed = BigInt(reserves * state.header.baseReserve)
  const message = newSponsorProblem(situation, state, to, needed)
  return message === null
    ? []
    : [{ failure: null, shown: blocker("sponsorship_unaffordable", message, to), liftedBy: [handingOver(entry)] }]
}

const unclaimableBlocker = (entry: Sponsorship): Blocker => ({
  failure: null,
  shown: blocker(
    "sponsored_claimable_balance",
    "This account pays the reserve of a claimable balance. It must be claimed, or another sponsor must take it over, before the account can be merged.",
    balanceIn(entry.target)
  ),
  liftedBy: [handingOver(entry)]
})

const blockersOf = (situation: ClaimSituation, state: LedgerState, entry: Sponsorship, way: ReleaseWay): ReadonlyArray<Blocker> => {
  if (way._tag === "Undecided") return [unclaimableBlocker(entry)]
  return way._tag === "Transfer" ? newSponsorBlockers(situation, state, way.to, entry) : []
}

const views = stateViews<CloseInput, ReadonlyArray<Release>>()

/** Everything the account sponsors in a state of the ledger, and how each is released. */
export const releasesIn = (situation: ClaimSituation, state: LedgerState): ReadonlyArray<Release> =>
  views(state, situation.input, () => readReleases(situation, state))

const readReleases = (situation: ClaimSituation, state: LedgerState): ReadonlyArray<Release> => {
  const { input, snapshot } = situation
  // Claiming ends the sponsorship of what the close claims itself.
  const claimed: ReadonlySet<string> = claimedBalances(claimsIn(situation, state))
  const entries = sponsoredIn(state, input.source, snapshot.state.sponsoredEntries)
    .filter(({ target }) => !claimed.has(balanceIn(target)))
  const lacking = shortfalls(situation, state, entries)
  return entries.map((entry) => {
    const answer = answerTo(situation, entry)
    const short = entry.owner === null ? 0n : lacking.get(entry.owner) ?? 0n
    const way = wayOf(entry.owner, short, answer)
    const failure = answerFailure(answer, entry.owner, short)
    const byDefault = way._tag === "Revoke"
    return {
      ...entry,
      way,
      failure,
      blockers: blockersOf(situation, state, entry, way),
      point: {
        id: DecisionId.sponsorship(entry.target),
        type: "sponsorship",
        subject: `The account pays ${counted(entry.reserves, "base reserve")} for ${entry.target}`,
        about: {
          kind: "sponsorship",
          entry: entry.target,
          owner: entry.owner,
          reserveLumens: stroops(BigInt(entry.reserves * state.header.baseReserve))
        },
        options: optionsOf(entry.owner, short),
        default: byDefault ? "revoke" : null,
        required: !byDefault,
        answered: answer !== undefined && failure === null
      }
    }
  })
}
