import type { ContractAddress } from "../../domain/Address.ts"
import { showAmount } from "../../domain/Amount.ts"
import { blocker, type PlanBlocker, warning } from "../../domain/Blocker.ts"
import { PositionExitUnavailable, PositionExitUnsafe, PositionsUnread, RepayAssetShort, SimulationFailed } from "../../domain/failure/Planning.ts"
import type { Refusal } from "../BuildFailure.ts"
import type { Finding, Gate } from "../Gate.ts"
import { sellingLiabilitiesIn } from "../Holdings.ts"
import type { Situation } from "../Situation.ts"
import { unreadDecision } from "./ExitPoints.ts"
import { callsOf, type Exits, isFed, isForfeited, mayGiveUpRewards, type PlannedExit, toBeLeft } from "./Exits.ts"
import { failedCall } from "./FailedCall.ts"
import { isBought, purchaseHindrance } from "./RepayPurchase.ts"
import { rewardWarnings } from "./RewardsLeft.ts"

const locked = ({ id, position }: PlannedExit, refusal: Refusal, message: string): Finding => ({
  refusal,
  blocker: blocker("position_locked", `${message} (${position.protocol}, ${position.contract})`, id)
})

const unavailable = (one: PlannedExit, reason: string): Finding =>
  locked(one, new PositionExitUnavailable({ protocol: one.position.protocol, contractAddress: one.position.contract, reason }), reason)

/** Whether the caller or the next transaction takes care of a shortage. */
const isHandled = (situation: Situation, one: PlannedExit): boolean => {
  const { exits, input, world } = situation
  if (one.exit._tag !== "Refused" || one.exit.refusal._tag !== "RepayAssetShort") return false
  if (isFed(exits, one)) return true
  if (isBought(situation, one)) return true
  const { held, needed, token } = one.exit.refusal
  const asset = exits.assets.get(token)
  return asset !== undefined && asset !== "native" && held + sellingLiabilitiesIn(world, input.source, asset) >= needed
}

/** Decimal where the token stands for an asset of the ledger, else in base units. */
const showUnits = (assets: Exits["assets"], token: ContractAddress, units: bigint): string => (assets.has(token) ? showAmount(units) : units.toString())

/** What a debt lacks, with every figure that helps to bring it. */
const shortText = (situation: Situation, one: PlannedExit, { held, needed, token }: { readonly token: ContractAddress; readonly needed: bigint; readonly held: bigint }): string => {
  const { assets } = situation.exits
  const [hindrance, pledged] = [purchaseHindrance(situation, one), one.position.pledged?.find((each) => each.token === token)]
  return [
    `The debt needs ${showUnits(assets, token, needed)} of ${assets.get(token) ?? token}, and ${showUnits(assets, token, held)} can be spent.`,
    ...(pledged === undefined ? [] : [`The ${showUnits(assets, token, pledged.amount)} of it that back the debt can be taken out only afterwards.`]),
    ...(hindrance === null ? [] : [hindrance])
  ].join(" ")
}

const ofRefusal = (situation: Situation, one: PlannedExit): ReadonlyArray<Finding> => {
  if (one.exit._tag !== "Refused") return []
  const { refusal } = one.exit
  switch (refusal._tag) {
    case "CoolingDown":
      return []
    case "RepayAssetShort": {
      if (isHandled(situation, one)) return []
      const { assets } = situation.exits
      const short = new RepayAssetShort({
        asset: assets.get(refusal.token) ?? refusal.token,
        needed: showUnits(assets, refusal.token, refusal.needed),
        held: showUnits(assets, refusal.token, refusal.held)
      })
      return [locked(one, short, shortText(situation, one, refusal))]
    }
    case "Unavailable":
      return [unavailable(one, refusal.reason)]
    case "UnknownCode":
      return [unavailable(one, `The contract ${refusal.contract} runs code that is not known here, so it is not called.`)]
    case "Undecodable":
      return [unavailable(one, `An entry of ${refusal.contract} does not decode: ${refusal.reason}.`)]
  }
}

const ofFailure = ({ snapshot }: Situation, one: PlannedExit, text: string): Finding => {
  const [call] = callsOf(one)
  const protocol = snapshot.protocols.find((reading) => reading.protocol.name === one.position.protocol)?.protocol
  const { reason, unavailable: refused } = call === undefined ? { reason: text, unavailable: false } : failedCall(protocol, call, text)
  const wayOut = mayGiveUpRewards(one) ? " If it is the rewards that cannot be claimed, exit_without_rewards leaves without them." : ""
  return refused
    ? unavailable(one, `${reason}${wayOut}`)
    : locked(one, new SimulationFailed({ reason }), `The call fails when simulated: ${reason}.${wayOut}`)
}

/** A later call may fail because an earlier one has not been made; the one that is next may not. One that is unsafe never stands. */
const ofSimulation = (situation: Situation, one: PlannedExit, isNext: boolean): ReadonlyArray<Finding> => {
  const { contract: contractAddress, protocol } = one.position
  switch (one.simulation?._tag) {
    case "Unsafe": {
      const refusal = new PositionExitUnsafe({ protocol, contractAddress, reason: one.simulation.reason })
      return [locked(one, refusal, `The exit is not handed over: ${one.simulation.reason}.`)]
    }
    case "Failed":
      return isNext ? [ofFailure(situation, one, one.simulation.reason)] : []
    case "Endless":
      return [unavailable(one, "The call would succeed and bring the position no closer to its end, so that it would be made again and again.")]
    case "TooDear": {
      const fee = showAmount(one.simulation.resourceFee)
      return isNext ? [unavailable(one, `The call needs a resource fee of ${fee} lumens, more than this service is set to build.`)] : []
    }
    default:
      return []
  }
}

/**
 * Tokens that leaving a position brings and that no step of the close can carry on: they would be stranded. A token that is itself one of
 * the protocol's contracts, as the shares of a pool are, is a position that is left next.
 */
const stranded = ({ exits, snapshot }: Situation, one: PlannedExit): ReadonlyArray<Finding> => {
  if (snapshot.state.contractTokens !== undefined) return []
  const calls = callsOf(one)
  const carried = snapshot.protocols.flatMap(({ protocol }) => (protocol.name === one.position.protocol ? protocol.contracts ?? [] : []))
  const spent = new Set([...carried, ...calls.flatMap(({ holds }) => holds.map(({ token }) => token))])
  const kept = new Set(calls.flatMap(({ payouts }) => payouts.map(({ token }) => token)).filter((token) => !exits.assets.has(token) && !spent.has(token)))
  return [...kept].map((token) => ({
    refusal: null,
    blocker: blocker("tokens_unread", `The exit pays the contract token ${token}, which this service cannot carry on.`, token)
  }))
}

const unreadFindings = ({ exits, input }: Situation): ReadonlyArray<Finding> =>
  exits.unreadable.filter((one) => !input.answers.has(unreadDecision(one))).flatMap(({ items, protocol, reason }) => {
    const refusal = new PositionsUnread({ protocols: [protocol] })
    return items.length === 0
      ? [{ refusal, blocker: blocker("positions_unread", `Positions in ${protocol} cannot be read: ${reason ?? "its decoder failed"}.`, protocol) }]
      : items.map((item) => ({
        refusal,
        blocker: blocker("position_unrecognized", `Something in ${protocol} was not recognised (${item.rawType}): ${item.reason}`, item.contract)
      }))
  })

/** What the close must not pass over in protocols. */
export const exitGate: Gate = (situation) => {
  const open = toBeLeft(situation.exits)
  const next = open.find(({ exit }) => exit._tag === "Calls")
  return [
    ...unreadFindings(situation),
    ...open.flatMap((one) => [...ofRefusal(situation, one), ...ofSimulation(situation, one, one === next), ...stranded(situation, one)])
  ]
}

/** What is given up: by name, or because it is too little to claim. */
export const exitWarnings = (exits: Exits, accepted: (id: string) => boolean): ReadonlyArray<PlanBlocker> => [
  ...rewardWarnings(exits),
  ...exits.planned.filter(isForfeited).map(({ id, position }) =>
    warning("forfeit_acknowledged", `A position in ${position.protocol} is left behind for ever, as decided.`, id)),
  ...exits.unreadable.filter((one) => accepted(unreadDecision(one))).map(({ protocol }) =>
    warning("forfeit_acknowledged", `Whatever is held in ${protocol} and cannot be read is left behind for ever, as decided.`, protocol))
]
