import { BigInt as Big, Effect } from "effect"
import type { ChainFailure } from "../../../chain/ChainFailure.ts"
import { ContractAddress } from "../../../domain/Address.ts"
import { stroops } from "../../../domain/Amount.ts"
import type { Decision } from "../../../domain/Decision.ts"
import { parseTotal } from "../../../domain/Total.ts"
import { steadyMillis } from "../../../fibers/SteadyTime.ts"
import type { ContractCall } from "../../../operations/ContractCall.ts"
import type { Protocol } from "../../../protocols/ProtocolRegistry.ts"
import type { TokenRoute } from "../../../tokens/TokenRoutes.ts"
import { floorOf } from "../../market/Floors.ts"
import { unitsIn } from "../../situation/BaseUnits.ts"
import type { CallSimulation } from "../../situation/CallSimulation.ts"
import { slippageOf } from "../../situation/CloseInput.ts"
import { toBeLeft } from "../../situation/Exits.ts"
import { simulatedFee } from "../../situation/LastClaim.ts"
import { acceptedFee } from "../../situation/ResourceFees.ts"
import { knownAssetsIn, type Situation } from "../../situation/Situation.ts"
import type { PlannedSale, PlannedToken, TokenDisposal, TokenWork } from "../../situation/TokenWork.ts"
import { usableUntil } from "../read/ExitFacts.ts"
import { tokenLimit } from "../simulation/AnswerLimit.ts"
import { callContext } from "../simulation/CallContext.ts"
import { simulateCall } from "../simulation/CallSimulator.ts"
import { problemIn } from "../simulation/FailedCall.ts"
import { withinFeeLimit } from "../simulation/FeeLimit.ts"
import { alternativeRoute } from "./AlternativeRoute.ts"
import { soldThroughContracts } from "./TokenDisposals.ts"
import type { TokenPurpose, TokenSources } from "./TokenSources.ts"

/** Calls simulated side by side. */
const concurrency = 4

/** Until when calls are simulated ahead of their turn, milliseconds since reading began: a share of a plan's deadline. */
export const aheadUntil = 12_000

type TokenCalls = Pick<TokenWork, "tokens" | "sales" | "allowances">

/** A sale that a call makes, by its owner's answer. */
interface SaleTerms {
  readonly answer: Decision
  readonly route: TokenRoute
  /** Base units. */
  readonly amount: bigint
  /** What the floor of the answer was made for; null: all of it. */
  readonly whole: bigint | null
  /** Stroops that it must bring. */
  readonly floor: bigint
}

/** A call of contract work that is to be simulated. */
interface Due {
  readonly id: string
  readonly token: ContractAddress
  readonly call: ContractCall
  readonly answer: Decision | undefined
  /** Whether the token keeps books of its own. */
  readonly ownBooks: boolean
  /** Null: it sells nothing. */
  readonly sold: SaleTerms | null
}

/** What came of simulating a call; of a sale that is made in another way also which. */
type Outcome = Pick<PlannedToken, "simulation"> & Partial<Pick<PlannedToken, "disposal" | "route">>

const soldBy = ({ amount, answer, disposal, route }: PlannedToken | PlannedSale, whole: bigint | null): SaleTerms | null =>
  answer === undefined || route === null ? null : { answer, route, amount, whole, floor: disposal.price.floor }

/** Calls that can be made on the ledger that was read. */
const dueIn = ({ allowances, sales, tokens }: TokenCalls): ReadonlyArray<Due> => [
  ...tokens.flatMap((one): ReadonlyArray<Due> => {
    const { answer, disposal: { call, failure }, id, token: { contract, modified }, waits } = one
    const sold = answer?.choice === "convert_to_native" ? soldBy(one, unitsIn(answer.params?.amount)) : null
    return call === null || failure !== null || waits ? [] : [{ id, answer, call, token: contract, ownBooks: modified === null, sold }]
  }),
  ...sales.flatMap((one): ReadonlyArray<Due> => {
    const { answer, contract, disposal: { call, failure }, id, waits } = one
    const sold = soldBy(one, parseTotal(answer.params?.amount ?? ""))
    return call === null || failure !== null || waits ? [] : [{ id, answer, call, token: contract, ownBooks: false, sold }]
  }),
  ...allowances.flatMap(({ allowance, answer, call, id }) =>
    call === null
      ? []
      : [{ id, answer, call, token: ContractAddress.make(allowance.token), ownBooks: allowance.isOnlyTold === true, sold: null }]
  )
]

/** Whether a call does not do what was agreed, or costs too much: another one may. */
const hasFailed = ({ _tag }: CallSimulation): boolean => _tag === "Failed" || _tag === "Changed" || _tag === "Unsafe" || _tag === "TooDear"

const canBeMade = ({ _tag }: CallSimulation): boolean => _tag === "Ready" || _tag === "Restore"

/** A sale that its protocol refuses because pools have moved since they were read. */
const meantBy = (protocol: Protocol | undefined, call: ContractCall, told: CallSimulation): CallSimulation =>
  told._tag === "Failed" && problemIn(protocol, call, told.reason)?._tag === "Changed" ? { _tag: "Changed", reason: told.reason } : told

/** A sale costs no more than it brings unasked, and no call more than the setting allows; stroops. */
const termsOf = (answer: Decision | undefined, sold: SaleTerms | null, setting: bigint) => {
  const unasked = sold === null ? setting : Big.min(sold.route.amountOut, setting)
  return { accepted: acceptedFee(answer, unasked), setting: unasked }
}

/** A sale whose route tells what its call was simulated at. */
const withFee = <A extends Pick<PlannedToken, "route" | "simulation">>(one: A): A => {
  const resourceFee = simulatedFee(one.simulation)
  return one.route === null || resourceFee === null ? one : { ...one, route: { ...one.route, resourceFee } }
}

/** The sale by another way: as its owner agreed to it, or, where that is too little for them, as it would be offered. */
const sellingBy = (situation: Situation, { amount, answer, whole }: SaleTerms, route: TokenRoute) => {
  const of = { situation, amount, route, deadline: usableUntil(situation) }
  const disposal: TokenDisposal = soldThroughContracts(of, answer, whole)
  const minReceive = stroops(floorOf(route.amountOut, slippageOf(situation.input, answer)))
  const offered = soldThroughContracts(of, { ...answer, params: { ...answer.params, minReceive } }, null)
  return { disposal, call: disposal.call ?? offered.call }
}

/**
 * The work with the simulation results of its calls. A call that runs without end, traps or does more than it should is reported as such,
 * and fails nothing else. A sale whose call cannot be made takes another route that meets its floor. A plan also reports what another route
 * would pay.
 */
export const simulateTokenCalls = (
  { entries, protocols, routes, rpc }: TokenSources,
  situation: Situation,
  { began, mostResourceFee: setting, purpose }: TokenPurpose,
  work: TokenWork
): Effect.Effect<TokenWork, ChainFailure> =>
  Effect.gen(function*() {
    const { exits, input, passphrase, snapshot } = situation
    const assets = knownAssetsIn({ exits, passphrase, tokenWork: work })
    const context = callContext({ entries, rpc }, snapshot, { user: input.source, feePayer: input.feePayer, assets })
    const due = dueIn(work)
    // Positions are left first, so that what is handed over now is one of theirs.
    const next = purpose === "build" && !toBeLeft(exits).some(({ exit }) => exit._tag === "Calls") ? due[0]?.id : undefined
    const one = ({ answer, call, id, ownBooks, sold, token }: Due): Effect.Effect<CallSimulation, ChainFailure> =>
      Effect.flatMap(steadyMillis, (now): Effect.Effect<CallSimulation, ChainFailure> => {
        if (now > began + aheadUntil && id !== due[0]?.id) return Effect.succeed({ _tag: "Unreached" })
        const protocol = protocols.all.find(({ name }) => name === sold?.route.source)
        const knownCode = new Set(protocol?.code)
        return Effect.flatMap(
          simulateCall({ ...context, knownCode, limit: tokenLimit(passphrase), about: { token, ownBooks } }, call, id === next),
          (told) => withinFeeLimit(entries, meantBy(protocol, call, told), termsOf(answer, sold, setting))
        )
      })

    const another = (failed: readonly [TokenRoute, ...ReadonlyArray<TokenRoute>], floor: bigint) =>
      Effect.flatMap(
        alternativeRoute(routes, failed, floor),
        (found) => found !== null || purpose === "build" ? Effect.succeed(found) : alternativeRoute(routes, failed, 1n)
      )

    // A token that never comes to an end does so by every way.
    const inTime = (found: Effect.Effect<TokenRoute | null, ChainFailure>) =>
      Effect.flatMap(steadyMillis, (now) => (now > began + aheadUntil ? Effect.succeed(null) : found))

    const otherwise = (
      asked: Due,
      sold: SaleTerms,
      failed: readonly [TokenRoute, ...ReadonlyArray<TokenRoute>],
      told: CallSimulation
    ): Effect.Effect<Outcome, ChainFailure> =>
      Effect.flatMap(inTime(another(failed, sold.floor)), (route): Effect.Effect<Outcome, ChainFailure> => {
        const { call, disposal } = route === null ? { call: null, disposal: null } : sellingBy(situation, sold, route)
        if (route === null || call === null || disposal === null) return Effect.succeed({ simulation: told })
        return Effect.flatMap(one({ ...asked, call, sold: { ...sold, route } }), (simulation) => {
          if (hasFailed(simulation)) return otherwise(asked, sold, [...failed, route], told)
          const isMade = canBeMade(simulation)
          return Effect.succeed(isMade ? { route, disposal, simulation: disposal.call === null ? null : simulation } : { simulation: told })
        })
      })

    const outcome = (asked: Due): Effect.Effect<Outcome, ChainFailure> =>
      Effect.flatMap(one(asked), (simulation): Effect.Effect<Outcome, ChainFailure> => {
        const { sold } = asked
        return sold !== null && hasFailed(simulation) ? otherwise(asked, sold, [sold.route], simulation) : Effect.succeed({ simulation })
      })

    const told = new Map(
      yield* Effect.forEach(due, (each) => Effect.map(outcome(each), (found) => [each.id, found] as const), { concurrency })
    )
    const sales = work.sales.map((each) => withFee({ ...each, ...told.get(each.id) }))
    return {
      ...work,
      tokens: work.tokens.map((each) => withFee({ ...each, ...told.get(each.id) })),
      sales,
      assetRoutes: new Map([
        ...work.assetRoutes,
        ...sales.flatMap(({ asset, route }) => (route === null ? [] : [[asset, route] as const]))
      ]),
      allowances: work.allowances.map((each) => ({ ...each, simulation: told.get(each.id)?.simulation ?? null }))
    }
  })
