import { mulDown } from "../kit/FixedPoint.ts"
import type { Bonding, History } from "./Entries.ts"
import { sixtieths } from "./Payout.ts"

const day = 86_400n

/** Days after which a stake earns in full. */
const fullAge = 60n

/** Whole days a stake has stood at a time, as far as they count. */
const ageAt = (time: bigint, since: bigint): bigint => {
  const days = time > since ? (time - since) / day : 0n
  return days > fullAge ? fullAge : days
}

/**
 * What a stake contract would pay of one token at a time (Unix seconds), base units: of every distribution since rewards were last
 * withdrawn each stake has its part of all that was bonded then, a sixtieth of it for every whole day of its age up to sixty. Every
 * one of these is rounded down by itself.
 */
export const historyReward = ({ last_reward_time, stakes }: Bonding, rewards: History, totals: History, now: bigint): bigint => {
  const bonded = new Map(totals)
  let sum = 0n
  for (const [time, paid] of rewards) {
    const total = bonded.get(time) ?? 0n
    if (time <= last_reward_time || time > now || total === 0n) continue
    for (const { stake, stake_timestamp } of stakes) sum += sixtieths(mulDown(stake, paid, total), ageAt(time, stake_timestamp))
  }
  return sum
}
