import { CutConnection, Hang, Latency } from "../../../../src/sandbox/faults/Connection.ts"
import type { FaultRule } from "../../../../src/sandbox/faults/FaultRule.ts"
import { EventsTooHeavy, LaggingLedgerApi } from "../../../../src/sandbox/faults/LimitedServer.ts"
import { GarbageBody, UnknownArms, WrongShape } from "../../../../src/sandbox/faults/MalformedAnswers.ts"
import { RequestsPerSecond, TooManyRequests } from "../../../../src/sandbox/faults/RateLimiting.ts"
import { GatewayTimeout, RpcError, ServiceUnavailable } from "../../../../src/sandbox/faults/ServerErrors.ts"
import { DroppedTransaction, LedgerCapacity, SurgeBaseFee, TryAgainLater } from "../../../../src/sandbox/faults/SubmissionFaults.ts"
import { rpcMethodNames } from "../../../../src/sandbox/rpc/RpcMethodName.ts"
import type { Dice } from "../../../client/support/Dice.ts"

/** Paths of the ledger API that a close reads, and the one that submits. */
const paths = [
  "/",
  "/accounts",
  "/accounts/:id",
  "/accounts/:id/transactions",
  "/offers",
  "/claimable_balances",
  "/liquidity_pools",
  "/paths/strict-send",
  "/fee_stats",
  "/transactions/:id",
  "/transactions"
]

/** Faults of requests to either API. Half of the requests with a lost answer still take effect. */
const ofRequests = (dice: Dice) =>
  dice.pick([
    new TooManyRequests({}),
    new TooManyRequests({ retryAfterSeconds: 1 }),
    new RequestsPerSecond({ requests: 20 }),
    new ServiceUnavailable({}),
    new GatewayTimeout({ afterwards: dice.chance(0.5) }),
    new Hang({ afterwards: dice.chance(0.5) }),
    new CutConnection({ afterwards: dice.chance(0.5) }),
    new GarbageBody({}),
    new WrongShape({}),
    new UnknownArms({}),
    new Latency({ millis: 100 + dice.below(3_000) })
  ])

/** A fault of one method, of a path, of the network, or of all; it applies a few times, or until it is cleared. */
export const faultOf = (dice: Dice): FaultRule => {
  const limit = dice.chance(0.7) ? { times: 1 + dice.below(8) } : {}
  switch (dice.below(9)) {
    case 0:
    case 1:
    case 2:
    case 3:
      return { fault: ofRequests(dice), rpc: dice.pick(rpcMethodNames), ...limit }
    case 4:
    case 5:
      return { fault: ofRequests(dice), rest: dice.pick(paths), ...limit }
    case 6:
      return dice.pick<FaultRule>([
        { fault: new RpcError({ code: -32603, message: "broken" }), rpc: dice.pick(rpcMethodNames), ...limit },
        { fault: new LaggingLedgerApi({ ledgers: 1 + dice.below(8) }), rest: "*", ...limit },
        { fault: new EventsTooHeavy({ ledgers: 1_000 }), ...limit }
      ])
    case 7:
      return {
        fault: dice.pick([
          new DroppedTransaction(),
          new TryAgainLater(),
          new SurgeBaseFee({ baseFee: 150 + dice.below(3_000) }),
          new LedgerCapacity({ operations: 5 + dice.below(50) })
        ]),
        times: 1 + dice.below(8)
      }
    default:
      return { fault: ofRequests(dice), times: 1 + dice.below(8) }
  }
}
