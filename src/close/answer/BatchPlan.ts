import { Context, Duration, Effect, Layer } from "effect"
import { jointCalls, withJointCalls } from "../../chain/JointCalls.ts"
import { withPatience } from "../../chain/pace/Patience.ts"
import { baseAccount, isDestinationAddress } from "../../domain/DestinationAddress.ts"
import { InvalidAccounts, InvalidDestination, TooManyAccounts } from "../../domain/failure/Input.ts"
import { DeadlineExceeded } from "../../domain/failure/Upstream.ts"
import type { CloseRequest, Plan } from "../../domain/Plan.ts"
import { steadyMillis } from "../../fibers/SteadyTime.ts"
import { Requester } from "../load/Requester.ts"
import type { PlanFailure } from "../situation/BuildFailure.ts"
import { Planner } from "./Planner.ts"

/** One call plans at most this many accounts. */
const mostAccounts = 100

/** Accounts planned at the same time. */
export const batchConcurrency = 4

/** How long one account may take. */
const each = Duration.seconds(25)

/** How long all of them may take together: what is not planned by then fails for itself, within the route's own deadline. */
const whole = Duration.seconds(115)

/** A plan that must be there within its own time, and within what is left of the batch's. */
const inTime = <A, E>(plan: Effect.Effect<A, E>, endMillis: number): Effect.Effect<A, E | DeadlineExceeded> =>
  Effect.flatMap(steadyMillis, (now) =>
    now >= endMillis
      ? Effect.fail(new DeadlineExceeded())
      : Effect.timeoutFail(plan, {
        duration: Duration.min(each, Duration.millis(endMillis - now)),
        onTimeout: () => new DeadlineExceeded()
      }))

/** A plan that waits for its turn as one that was requested alone would. */
const forItself = <A, E, R>(plan: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.flatMap(Requester, (asker) => Effect.provideService(plan, Requester, { ...asker, deadline: each }))

/** What holds for every account of a batch that does not say it for itself. */
type Common = Pick<CloseRequest, "destination" | "maxSlippageBps" | "feePayer" | "smallEnvelopes" | "validForSeconds">

/** What a batch asks for: closes as objects, or addresses alone. */
export interface BatchOrder extends Common {
  readonly accounts?: ReadonlyArray<CloseRequest>
  readonly addresses?: ReadonlyArray<string>
}

/** One account of a batch and its plan, which fails for itself. */
export interface BatchedPlan {
  readonly request: CloseRequest
  readonly plan: Effect.Effect<Plan, PlanFailure | DeadlineExceeded>
}

const requestsOf = ({ accounts, addresses, ...common }: BatchOrder): ReadonlyArray<CloseRequest> =>
  (accounts ?? (addresses ?? []).map((source): CloseRequest => ({ source }))).map((account) => ({ ...common, ...account }))

/** Whether the destination of a close is another account that the batch closes. */
const isAmong = (sources: ReadonlySet<string>, { destination, source }: CloseRequest): boolean => {
  if (destination === undefined) return false
  const account = isDestinationAddress(destination) ? baseAccount(destination) : destination
  return account !== source && sources.has(account)
}

const orderProblem = ({ accounts, addresses }: BatchOrder): string | null => {
  if (accounts !== undefined && addresses !== undefined) return "Send accounts or addresses, not both."
  const sources = accounts?.map(({ source }) => source) ?? addresses ?? []
  if (sources.length === 0) return "Send at least one account."
  return new Set(sources).size === sources.length ? null : "An account is listed twice."
}

/** Plans several closes at once. */
export class BatchPlan extends Context.Tag("closeout/close/BatchPlan")<BatchPlan, {
  /** The plans in request order, none of them begun; a malformed order fails as a whole. */
  readonly plans: (order: BatchOrder) => Effect.Effect<ReadonlyArray<BatchedPlan>, InvalidAccounts | TooManyAccounts>
}>() {
  static readonly layer = Layer.effect(
    BatchPlan,
    Effect.map(Planner, (planner) =>
      BatchPlan.of({
        plans: Effect.fnUntraced(function*(order) {
          const count = order.accounts?.length ?? order.addresses?.length ?? 0
          if (count > mostAccounts) return yield* new TooManyAccounts({ max: mostAccounts })
          const problem = orderProblem(order)
          if (problem !== null) return yield* new InvalidAccounts({ reason: problem })
          const requests = requestsOf(order)
          const end = (yield* steadyMillis) + Duration.toMillis(whole)
          const together = withJointCalls(jointCalls())
          const sources = new Set(requests.map(({ source }) => source))
          return requests.map((request): BatchedPlan => ({
            request,
            plan: isAmong(sources, request)
              ? Effect.fail(new InvalidDestination({ reason: "The destination is itself closed by this batch." }))
              : inTime(withPatience(together(forItself(planner.plan(request)))), end)
          }))
        })
      }))
  )
}
