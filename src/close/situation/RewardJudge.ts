import { BigInt as Big } from "effect"
import type { ContractAddress } from "../../domain/Address.ts"
import type { HeldPosition, Reward } from "../../protocols/ProtocolRegistry.ts"
import { DecisionId } from "./DecisionId.ts"
import { usualResourceFee } from "./Fees.ts"

/** What an amount of a token that a position has earned is worth, as books and pools quote it. */
export type RewardWorth =
  | { readonly _tag: "Quoted"; readonly lumens: bigint }
  /** None of them buys that much. */
  | { readonly _tag: "Unquoted" }
  /** The same of any amount, and it would need a trustline for an issuer who may revoke it. No token list names it. */
  | { readonly _tag: "Unwanted" }
  /** They were not queried, or not in time. */
  | { readonly _tag: "NotAsked" }

/** What rewards are judged by. */
export interface RewardFacts {
  /** `amount`: base units. */
  readonly worthOf: (token: ContractAddress, amount: bigint) => RewardWorth
  /** Stroops of the call of a claim, by its name; one that is missing was not simulated. */
  readonly fees: ReadonlyMap<string, bigint>
  /** Claims that the account made successfully at most 720 ledgers ago, by name. */
  readonly made: ReadonlySet<string>
  /** Stroops that a contract transaction bids besides its resource fee. */
  readonly inclusionFee: bigint
}

/** The claims of a position, by their functions. */
export interface JudgedClaims {
  /** Not worth their fee: what they would pay is left behind without a decision point. */
  readonly left: ReadonlySet<string>
  /** Made lately. */
  readonly made: ReadonlySet<string>
  /** Stroops that they pay all together; one that is missing pays something without a quote. */
  readonly worth: ReadonlyMap<string, bigint>
}

/** No claim is judged: all are made. */
export const noClaims: JudgedClaims = { left: new Set(), made: new Set(), worth: new Map() }

/** One lumen, stroops: rewards worth as much are never left behind without a decision, even if their claim costs more. */
export const leastAsked = 1_0000000n

/**
 * Stroops below which what a claim pays is left behind: its fee, with those of the calls that it takes beside, and no more than a lumen. A claim
 * that was made lately paid all there was, so that less than a lumen is not claimed again. One that pays into a deposit is: the wait that begins with
 * it runs beside the one before.
 */
const leastClaimed = (
  { fees, inclusionFee }: RewardFacts,
  name: string,
  { calls, isMade }: { readonly calls: bigint; readonly isMade: boolean }
): bigint => {
  const fee = calls * ((fees.get(name) ?? usualResourceFee) + inclusionFee)
  return fee > leastAsked || (isMade && calls === 1n) ? leastAsked : fee
}

/** The name of a claim among those of all positions. */
export const claimOf = (position: Pick<HeldPosition, "protocol" | "contract" | "key">, claim: string): string =>
  `${DecisionId.position(position)} ${claim}`

/** What all rewards of a claim are worth, stroops; null: something of it has no quote, so that it is claimed. `isMade`: it was, lately. */
const worthOfAll = ({ worthOf }: RewardFacts, rewards: ReadonlyArray<Reward>, isMade: boolean): bigint | null => {
  let sum = 0n
  for (const { amount, hourly = 0n, token } of rewards) {
    // What comes in until it is claimed is claimed with it.
    const worth = worthOf(token, amount + hourly)
    if (worth._tag === "NotAsked" || (worth._tag === "Unquoted" && !isMade)) return null
    if (worth._tag === "Quoted") sum += worth.lumens
  }
  return sum
}

/**
 * Which claims of a position are not worth it: what they pay is worth less than their fee and less than a lumen, or nothing at all. What
 * was not quoted in time is never too little.
 */
export const judgedClaims = (facts: RewardFacts, position: HeldPosition): JudgedClaims => {
  const due = (position.rewards ?? []).filter(({ amount }) => amount > 0n)
  const [left, made, worth] = [new Set<string>(), new Set<string>(), new Map<string, bigint>()]
  for (const claim of new Set(due.map((one) => one.claim))) {
    const name = claimOf(position, claim)
    const isMade = facts.made.has(name)
    if (isMade) made.add(claim)
    const rewards = due.filter((one) => one.claim === claim)
    const lumens = worthOfAll(facts, rewards, isMade)
    if (lumens === null) continue
    worth.set(claim, lumens)
    const calls = rewards.reduce((most, one) => Big.max(most, one.calls ?? 1n), 1n)
    if (lumens < leastClaimed(facts, name, { calls, isMade })) left.add(claim)
  }
  return { left, made, worth }
}
