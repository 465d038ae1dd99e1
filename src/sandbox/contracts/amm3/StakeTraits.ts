import type { xdr } from "@stellar/stellar-sdk"
import type { ContractHost } from "../../../ledger/soroban/Contract.ts"
import { bondingOf } from "./Bonding.ts"
import { payFromHistory, pendingReward } from "./HistoryRewards.ts"
import { correctPoints, earnedReward, payFromPoints } from "./PointRewards.ts"

/** What tells one generation of stake contracts from another. */
export interface StakeTraits {
  readonly errors: { readonly tooLittle: number; readonly notFound: number }
  /** Whether it answers when rewards were last paid out. */
  readonly tellsRewardTime: boolean
  readonly pay: (host: ContractHost, user: xdr.ScAddress) => void
  readonly due: (host: ContractHost, token: xdr.ScAddress, user: xdr.ScAddress) => bigint
  /** What it does before someone bonds so much more. */
  readonly beforeBond: (host: ContractHost, user: xdr.ScAddress, amount: bigint) => void
  /** What it does before someone takes so much out. */
  readonly beforeUnbond: (host: ContractHost, user: xdr.ScAddress, amount: bigint) => void
}

const nothing = (): void => undefined

/** Hash of the code of stakes that pay by the history of distributions: unbonding loses what was not paid out before. */
export const historyStakeHash = "a27578aaeb9c1d1686b42d48c211436e977d7bf4f57dafca00c03af58984eee1"

export const historyTraits: StakeTraits = {
  errors: { tooLittle: 4, notFound: 8 },
  tellsRewardTime: true,
  pay: payFromHistory,
  due: (host, token, user) => pendingReward(host, token, bondingOf(host, user)),
  beforeBond: nothing,
  beforeUnbond: nothing
}

/** Hash of the code of stakes that pay by points: unbonding pays out first. */
export const pointsStakeHash = "20dde039aace7e15573a8e34fc131eb5fadebefe2bfcbfee4de8a3dd42179e5d"

export const pointsTraits: StakeTraits = {
  errors: { tooLittle: 503, notFound: 509 },
  tellsRewardTime: false,
  pay: payFromPoints,
  due: earnedReward,
  beforeBond: correctPoints,
  beforeUnbond: (host, user, amount) => {
    payFromPoints(host, user)
    correctPoints(host, user, -amount)
  }
}
