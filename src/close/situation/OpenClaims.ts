import { Order } from "effect"
import type { AccountSnapshot } from "../../account/AccountSnapshot.ts"
import type { ClaimableBalance } from "../../domain/Account.ts"
import type { AccountAddress } from "../../domain/Address.ts"
import { type AssetId, native } from "../../domain/Asset.ts"
import { type Span, spansOf } from "../../domain/ClaimTiming.ts"
import { idOf } from "../../ledger/EntryId.ts"
import type { LedgerState } from "../../ledger/LedgerState.ts"
import { claimableBalanceFlags } from "../../stellar/Flags.ts"
import { claimableBalanceKey } from "../../xdr/LedgerKeys.ts"
import type { CloseInput } from "./CloseInput.ts"
import { DecisionId } from "./DecisionId.ts"
import { cutoffIn, isNewSince } from "./LaterGifts.ts"

/** From this many claimable balances on there is one decision point an asset: anyone can send an account thousands. */
export const mostSingleClaims = 1000

/** Beyond that number, so many assets that the account does not hold are looked at one by one. */
const mostOtherAssets = 200

/** A claimable balance that the account can claim now or later, with what is looked up of it in every transaction of a close. */
export interface OpenClaim {
  readonly balance: ClaimableBalance
  /** What its entry is stored under in a state of the ledger. */
  readonly entryId: string
  /** The ledger that last modified its entry: of what the contract RPC and the ledger API say, the earlier one. */
  readonly modified: number
  /** The issuer may claw it back. */
  readonly clawback: boolean
  /** When it can be claimed, from now on; never empty. */
  readonly spans: ReadonlyArray<Span>
}

/** What claimable balances of one asset come to, units. */
export const totalOf = (claims: ReadonlyArray<OpenClaim>): bigint => claims.reduce((total, { balance }) => total + balance.amount, 0n)

/**
 * The existing claimable balances of an account that can be claimed at some time from `from` (Unix seconds) on. Two sources must agree that
 * one came after a plan; the word of one source is not enough.
 */
export const openClaimsIn = (
  ledgerState: LedgerState,
  source: AccountAddress,
  { claimableListed, state: { claimableBalances } }: Pick<AccountSnapshot, "claimableListed" | "state">,
  from: bigint
): ReadonlyArray<OpenClaim> =>
  claimableBalances.flatMap((balance) => {
    const entryId = idOf(claimableBalanceKey(balance.id))
    const entry = ledgerState.find(entryId)
    const predicate = balance.claimants.find(({ destination }) => destination === source)?.predicate
    if (entry?.data.type !== "claimableBalance" || predicate === undefined) return []
    const spans = spansOf(predicate, from)
    const { ext } = entry.data.claimableBalance
    const clawback = ext.type === "v1" && (ext.v1.flags & claimableBalanceFlags.clawbackEnabled) !== 0
    const modified = Math.min(entry.lastModifiedLedgerSeq, claimableListed.modified.get(balance.id) ?? 0)
    return spans.length === 0 ? [] : [{ balance, entryId, modified, clawback, spans }]
  }).toSorted(Order.mapInput(Order.string, ({ balance }) => balance.id))

/**
 * Whether a claimable balance came after the plan that the owner's `later` answers, and no answer names it. Where that plan may have seen more
 * than `had` has room for, none did: a sponsor who changes modifies the entry of one that was there before.
 */
export const cameLater = ({ answers, later }: CloseInput, { id }: Pick<ClaimableBalance, "id">, modified: number): boolean =>
  later !== null && !later.isFull && isNewSince(later, { id: DecisionId.claim(id), modified }) && answers.claim(id) === undefined

/** Answers that claim all balances of an asset of which not all may be listed, by the ids of their decisions. */
export const partlyListed = ({ claimableListed: { partial } }: Pick<AccountSnapshot, "claimableListed">): ReadonlyArray<string> =>
  partial.map(DecisionId.claims)

/** Claimable balances that came later and are left behind without a look at their worth. */
const isLate = (input: CloseInput, { balance, modified }: OpenClaim): boolean =>
  input.later?.maxLumensEach === null && cameLater(input, balance, modified)

/** Assets that are not held and looked at nevertheless: those of the oldest balances, so that no later gift crowds them out. */
const oldestOthers = (claims: ReadonlyArray<OpenClaim>, held: ReadonlySet<AssetId>): ReadonlySet<AssetId> => {
  const others = new Set<AssetId>()
  for (const { balance: { asset } } of claims.toSorted((a, b) => a.modified - b.modified)) {
    if (others.size === mostOtherAssets) break
    if (!held.has(asset)) others.add(asset)
  }
  return others
}

/**
 * The assets whose claimable balances may get decision points of their own, and are therefore quoted: all of them as long as they
 * are few, else lumens, what is held, what an answer names, and the assets of the oldest balances.
 */
export const claimCandidates = (
  input: CloseInput,
  claims: ReadonlyArray<OpenClaim>,
  trustlines: ReadonlyArray<{ readonly asset: AssetId }>
): ReadonlySet<AssetId> => {
  const open = cutoffIn(input) === null ? claims : claims.filter((claim) => !isLate(input, claim))
  if (open.length <= mostSingleClaims) return new Set(open.map(({ balance }) => balance.asset))
  const held = new Set<AssetId>([native, ...trustlines.map(({ asset }) => asset)])
  const others = oldestOthers(open, held)
  return new Set(
    open.filter(({ balance: { asset, id } }) =>
      held.has(asset) || others.has(asset) || input.answers.claims(asset) !== undefined || input.answers.claim(id) !== undefined
    ).map(({ balance }) => balance.asset)
  )
}
