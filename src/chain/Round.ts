import { Array as Arr, Clock, Context, Effect } from "effect"
import { steadyNow } from "../fibers/SteadyTime.ts"
import type { RunOptions, WaitLimits } from "./Attempt.ts"
import { type Endpoint, isUp, preference } from "./Endpoint.ts"
import { callEndpoint } from "./EndpointCall.ts"
import type { Fault } from "./Fault.ts"
import type { RejectedAge } from "./LedgerAge.ts"
import { countedAsRepeat } from "./ObservedCall.ts"
import { patienceOf, wasSilent } from "./pace/Patience.ts"
import type { Stalls } from "./pace/Stalls.ts"
import { inOrder, type Pin, pinOf, pinTo } from "./Pin.ts"
import { isFinal, RoundFailed } from "./RoundFailed.ts"
import { longestHang } from "./RpcPolicy.ts"

/** The endpoints of one source, in the order of the settings. */
export interface EndpointGroup {
  readonly all: Arr.NonEmptyReadonlyArray<Endpoint>
  /** The place of the one that answered last: of equals it is queried first. */
  sticky: number
  /** Whether a request keeps to the endpoint that answered it first (`Pin.ts`). */
  readonly pins: boolean
  /** By which their newest ledgers are current. */
  readonly rejectedAge: RejectedAge
  readonly stalls: Stalls["Type"]
}

/** How one round over endpoints is run. */
export interface RoundOptions<A> extends WaitLimits, RunOptions<A> {
  /** Only these places are queried, and no request keeps to the one that answers; null: all are. */
  readonly only: ReadonlyArray<number> | null
  /** There was a round before it. */
  readonly retry: boolean
  /** When the whole call ends, milliseconds of `steadyNow`. */
  readonly until: number
}

/** The places of endpoints in the order in which a round asks them: the healthiest first, after the one that the request keeps to. */
const orderOf = ({ all, sticky }: EndpointGroup, only: RoundOptions<unknown>["only"], pin: Pin | null): ReadonlyArray<number> => {
  const preferred = inOrder(preference(all.map(({ health }) => health), sticky), pin)
  return only === null ? preferred : preferred.filter((one) => only.includes(one))
}

/** Asks endpoint after endpoint until one answers (failover). Fails when none did, or when asking further is of no use. */
export const round = <A>(
  group: EndpointGroup,
  attempt: (url: URL) => Effect.Effect<A, Fault>,
  { only, retry, ...options }: RoundOptions<A>
): Effect.Effect<A, RoundFailed> =>
  Effect.withFiberRuntime<A, RoundFailed>((fiber) => {
    const faults: Array<Fault> = []
    const pin = group.pins && only === null ? pinOf(fiber) : null
    const order = orderOf(group, only, pin)
    const patience = patienceOf(fiber)
    const clock = Context.get(fiber.currentDefaultServices, Clock.Clock)
    const mayAnswer = (index: number): boolean => {
      const endpoint = group.all[index]
      return endpoint !== undefined && isUp(endpoint.health, steadyNow(clock)) && !wasSilent(patience, endpoint.url)
    }
    const from = (place: number): Effect.Effect<A, RoundFailed> => {
      const index = order[place] ?? -1
      const endpoint = group.all[index]
      if (endpoint === undefined) {
        return Arr.isNonEmptyArray(faults)
          ? new RoundFailed({ faults, callEndsAt: options.until })
          : Effect.dieMessage("a source of ledger data without an endpoint")
      }
      // A search that takes long and one that hangs look alike: where another endpoint is left, neither is waited out.
      const most = options.searched === true && place < order.length - 1 ? longestHang : options.most
      const onAnswer = () => {
        if (only === null) group.sticky = index
      }
      // After the first round all of them were queried.
      const isLast = retry || !order.slice(place + 1).some(mayAnswer)
      const call = callEndpoint(endpoint, attempt, { ...options, most, alone: place === order.length - 1, isLast, onAnswer }, group.stalls)
      return Effect.matchEffect(countedAsRepeat({ retry, failover: place > 0 })(call), {
        onSuccess: (answer) => {
          pinTo(pin, index)
          return Effect.succeed(answer)
        },
        onFailure: (fault) => {
          if (isFinal(fault)) return new RoundFailed({ faults: [fault], callEndsAt: options.until })
          faults.push(fault)
          return from(place + 1)
        }
      })
    }
    return from(0)
  })
