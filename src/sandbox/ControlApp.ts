import { HttpRouter } from "@effect/platform"
import { Effect } from "effect"
import { closeLedger } from "./control/CloseLedger.ts"
import { happening } from "./control/Events.ts"
import { clearFault, clearFaults, setFault, showFaultKinds, showFaults } from "./control/FaultSwitches.ts"
import { putToken, turnBehaviours } from "./control/TokenSwitches.ts"
import { decodeProblems } from "./DecodeProblems.ts"
import { Problem, problemResponse } from "./rest/Problem.ts"

/** What no real network offers: the hand on the clock, on the faults and on what others do. */
export const ControlApp = HttpRouter.fromIterable([
  clearFault,
  clearFaults,
  closeLedger,
  happening,
  putToken,
  setFault,
  showFaultKinds,
  showFaults,
  turnBehaviours
])
  .pipe(
    Effect.catchTags({
      Problem: (problem) => Effect.succeed(problemResponse(problem)),
      RouteNotFound: () => Effect.succeed(problemResponse(Problem.notFound)),
      ParseError: (error) => Effect.succeed(problemResponse(Problem.badRequest(decodeProblems(error))))
    })
  )
