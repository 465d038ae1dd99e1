import { HashSet } from "effect"
import type { AssetId } from "../../domain/Asset.ts"
import type { TransactionReason } from "../../domain/Plan.ts"
import type { ContractCall } from "../../operations/ContractCall.ts"
import type { CallSimulation } from "../situation/CallSimulation.ts"
import { isCovered } from "../situation/DebtCover.ts"
import { toBeLeft } from "../situation/Exits.ts"
import { simulatedFee } from "../situation/LastClaim.ts"
import type { Moved, Moves } from "../situation/Moved.ts"
import { callsOf, type PlannedExit } from "../situation/PlannedExit.ts"
import { placeOf } from "../situation/PositionPlace.ts"
import { called, type Done } from "../situation/Progress.ts"
import type { Situation } from "../situation/Situation.ts"
import { spokenAmount, spokenAmounts, spokenLumens, type TokenNames } from "../situation/SpokenAmount.ts"
import { noPrice, type PlannedAllowance, type PlannedSale, type PlannedToken, type TokenPrice } from "../situation/TokenWork.ts"
import { isAwaited } from "./UnlockTimes.ts"

/** Of what kind the step of a call is, and how it is shown. */
export interface CallStep {
  readonly type: "EXIT_POSITIONS" | "HANDLE_TOKENS" | "REVOKE_ALLOWANCES"
  /** What it is called, by what it moves. */
  readonly title: (moves: Moves, names: TokenNames) => string
  /** Of whom archived entries are, for people. */
  readonly of: string
  readonly reason: TransactionReason
}

/** A call of contract work that is still to be made. */
export interface PendingCall {
  /** The decision it carries out. */
  readonly id: string
  readonly call: ContractCall
  /** Which of its decision's calls it is. */
  readonly index: number
  /** Of this very call; null: it was not, or it depends on others before it. */
  readonly simulation: CallSimulation | null
  /** Stroops of resource fee that are known of a later call; null: none. */
  readonly knownFee: bigint | null
  readonly step: CallStep
  /** What it sells for lumens; nothing where it sells nothing. */
  readonly price: TokenPrice
  /** The asset of which it sells everything that is held then; null: it sells none of the ledger. */
  readonly sells: AssetId | null
  /** The position it leaves; null: it leaves none. */
  readonly one: PlannedExit | null
}

/** What a call that leaves a position is called, by what it moves. */
const exitTitle = (
  place: string,
  { claimsOnly = false, function: name }: Pick<ContractCall, "claimsOnly" | "function">,
  { pays, takes }: Moves,
  names: TokenNames
): string => {
  const [paid, taken] = [spokenAmounts(pays, names), spokenAmounts(takes, names)]
  if (paid === "" && taken === "") return `Leave ${place}: ${name}`
  if (paid === "") return `Pay ${taken} to ${place}`
  if (taken !== "") return `Pay ${taken} to ${place} for ${paid}`
  return `${claimsOnly ? "Claim" : "Withdraw"} ${paid} from ${place}`
}

const ofExit = (place: string, one: PlannedExit, call: ContractCall, index: number): PendingCall => ({
  id: one.id,
  call,
  index,
  simulation: index === 0 ? one.simulation : null,
  knownFee: call.claimsOnly === true ? simulatedFee(one.lastClaims.get(call.function)) : null,
  step: {
    type: "EXIT_POSITIONS",
    title: (moves, names) => exitTitle(place, call, moves, names),
    of: place,
    reason: "position_exit"
  },
  price: noPrice,
  sells: null,
  one
})

const alone = { index: 0, knownFee: null, sells: null, one: null }

/** `way`: through what it is sold. */
const saleTitle = (sold: Moved, { least }: TokenPrice, names: TokenNames, way = ""): string =>
  `Sell ${spokenAmount(sold, names)}${way} for at least ${spokenLumens(least)}`

const titleOf = ({ amount, answer, disposal: { price }, token: { contract } }: PlannedToken, names: TokenNames): string => {
  const moved = { of: contract, units: amount }
  return answer?.choice === "transfer_to_account"
    ? `Transfer ${spokenAmount(moved, names)} to ${answer.params?.destination ?? "another account"}`
    : saleTitle(moved, price, names)
}

const ofToken = (one: PlannedToken): ReadonlyArray<PendingCall> => {
  const { disposal: { call, price }, id, simulation, token: { contract } } = one
  if (call === null) return []
  return [{
    ...alone,
    id,
    call,
    simulation,
    price,
    step: { type: "HANDLE_TOKENS", title: (_, names) => titleOf(one, names), of: contract, reason: "token_exit" }
  }]
}

const ofSale = ({ amount, asset, contract, disposal: { call, price }, id, simulation }: PlannedSale): ReadonlyArray<PendingCall> =>
  call === null ? [] : [{
    ...alone,
    id,
    call,
    simulation,
    price,
    sells: asset,
    step: {
      type: "HANDLE_TOKENS",
      title: ({ takes }, names) =>
        saleTitle(takes.find(({ of }) => of === asset) ?? { of: asset, units: amount }, price, names, " through contracts"),
      of: contract,
      reason: "token_exit"
    }
  }]

const ofAllowance = ({ allowance: { spender, token }, call, id, simulation }: PlannedAllowance): ReadonlyArray<PendingCall> =>
  call === null ? [] : [{
    ...alone,
    id,
    call,
    simulation,
    price: noPrice,
    step: {
      type: "REVOKE_ALLOWANCES",
      title: (_, names) => `Revoke the allowance of ${spender} for ${names(token).symbol ?? token}`,
      of: token,
      reason: "token_exit"
    }
  }]

/** The calls that are still to be made, in their order: positions are left, then tokens go, then allowances end. `done`: what was done. */
export const pendingCalls = (situation: Situation, done: Done): ReadonlyArray<PendingCall> => {
  const { exits, tokenWork: { allowances, sales, tokens } } = situation
  return [
    ...toBeLeft(exits)
      .filter((one) => one.exit._tag === "Calls" || isCovered(exits, one, done))
      .flatMap((one) => {
        const place = placeOf(situation, one.position)
        return callsOf(one).map((call, index) => ofExit(place, one, call, index))
      }),
    ...tokens.filter((one) => !one.waits || !isAwaited(exits, one.token.contract, done)).flatMap(ofToken),
    ...sales.filter((one) => !one.waits || !isAwaited(exits, one.contract, done)).flatMap(ofSale),
    ...allowances.flatMap(ofAllowance)
  ].filter((pending) => !HashSet.has(done, called(pending, pending.index)))
}
