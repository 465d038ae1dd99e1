import { BigInt as Big } from "effect"
import type { AccountAddress } from "../../domain/Address.ts"
import { showAmount, stroops } from "../../domain/Amount.ts"
import { native } from "../../domain/Asset.ts"
import { blocker } from "../../domain/Blocker.ts"
import { baseAccount } from "../../domain/DestinationAddress.ts"
import type { Operation } from "../../operations/Operations.ts"
import { handingOver, type Release, shortfalls } from "../claims/Releases.ts"
import { type AtomicGroup, atomicGroup, type PlannedStep } from "../situation/AtomicGroup.ts"
import { operationBytes } from "../situation/EnvelopeSize.ts"
import type { Situation } from "../situation/Situation.ts"
import { spokenLumens } from "../situation/SpokenAmount.ts"
import type { StepRule, StepView } from "./StepRule.ts"

const revocationOperation = ({ holdings }: StepView, { owner, target }: Release): Operation => ({
  type: "revoke_sponsorship",
  source: holdings.address,
  entry: target,
  owner
})

const revocationStep = (view: StepView, release: Release): PlannedStep => ({
  type: "REVOKE_SPONSORSHIP",
  title: `Stop sponsoring ${release.target}`,
  description: "Its owner pays the reserve from now on.",
  entry: release.target,
  operations: [revocationOperation(view, release)]
})

const transferStep = (view: StepView, release: Release, to: AccountAddress): PlannedStep => ({
  type: "REVOKE_SPONSORSHIP",
  title: `Hand the sponsorship of ${release.target} over to ${to}`,
  description: "The new sponsor pays the reserve from now on, and also signs this transaction.",
  entry: release.target,
  operations: [
    { type: "begin_sponsoring_future_reserves", source: to, sponsored: view.holdings.address },
    revocationOperation(view, release),
    { type: "end_sponsoring_future_reserves", source: view.holdings.address }
  ]
})

/** Revocations that cost this account nothing: the owner can pay, or someone else takes over. */
export const releaseSponsorships: StepRule = function*(view) {
  for (const release of view.releases) {
    if (release.way._tag === "Revoke") yield atomicGroup([revocationStep(view, release)])
    if (release.way._tag === "Transfer") yield atomicGroup([transferStep(view, release, release.way.to)])
  }
}

/** What a top-up may become more than now, within what was agreed. */
const riseOf = ({ situation: { input } }: StepView, short: bigint, releases: ReadonlyArray<Release>): bigint => {
  const agreed = releases.flatMap(({ point }) => input.answers.to(point)?.params?.maxLumens ?? [])
  const most = agreed.reduce<bigint>((least, one) => Big.min(least, one), agreed[0] ?? 0n)
  return Big.max(most - short, 0n)
}

const isDestination = (owner: AccountAddress, { destination }: Situation): boolean =>
  destination !== null && baseAccount(destination.address) === owner

const topUpGroup = (view: StepView, owner: AccountAddress, releases: ReadonlyArray<Release>): AtomicGroup => {
  const bench = view.workbench()
  const short = shortfalls(view.situation, bench.state, releases).get(owner) ?? 0n
  const topUp: PlannedStep = {
    type: "REVOKE_SPONSORSHIP",
    title: `Pay ${owner} the missing ${spokenLumens(short)} for its reserves`,
    description: "Exactly the missing reserve of all entries that it takes back.",
    entry: owner,
    moves: { pays: [], takes: short > 0n ? [{ of: native, units: short }] : [] },
    operations: [{ type: "payment", source: view.holdings.address, asset: native, amount: stroops(short), destination: owner }]
  }
  // The payment, every revocation and the merge behind them.
  const poor = short > bench.spendable(view.situation.input.feePayer, releases.length + 2)
  return atomicGroup([...(short === 0n ? [] : [topUp]), ...releases.map((release) => revocationStep(view, release))], {
    mayLack: new Map([[native, riseOf(view, short, releases)]]),
    paysOthers: short > 0n && !isDestination(owner, view.situation),
    blockers: poor
      ? [{
        failure: null,
        shown: blocker(
          "sponsorship_unaffordable",
          `${owner} lacks ${showAmount(short)} lumens to pay its own reserves, and this account cannot pay them.`,
          owner
        ),
        liftedBy: releases.map(handingOver)
      }]
      : []
  })
}

/** Bytes of the payment that tops an owner up, at most. */
const topUpBytes = 100

/** Releases in parts that each fit into one transaction with their payment; all of them together, where its size is not limited. */
const withinBytes = (view: StepView, releases: ReadonlyArray<Release>): ReadonlyArray<ReadonlyArray<Release>> => {
  if (view.room.bytes === Infinity) return [releases]
  const parts: Array<Array<Release>> = []
  let left = 0
  for (const release of releases) {
    const bytes = operationBytes(revocationStep(view, release).operations)
    if (parts.length === 0 || bytes > left) {
      parts.push([])
      left = view.room.bytes - topUpBytes
    }
    parts.at(-1)?.push(release)
    left -= bytes
  }
  return parts
}

/** Owners who are short are paid what they lack, after everything that brings lumens, and take their reserves back at once. */
export const topUpSponsorships: StepRule = function*(view) {
  const owners = new Map<AccountAddress, Array<Release>>()
  for (const release of view.releases) {
    if (release.way._tag === "TopUp") owners.set(release.way.owner, [...(owners.get(release.way.owner) ?? []), release])
  }
  for (const [owner, releases] of owners) {
    for (const some of withinBytes(view, releases)) yield topUpGroup(view, owner, some)
  }
}
