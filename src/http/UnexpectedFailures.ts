import { Cause, Context, Effect } from "effect"
import type { TransactionsRequest } from "../domain/CloseTransaction.ts"
import type { Network } from "../domain/Network.ts"
import type { CloseRequest } from "../domain/Plan.ts"
import { RequestId } from "./request/RequestId.ts"

/** A request for a plan or a build. */
type CloseWork =
  & { readonly network: Network }
  & (
    | { readonly operation: "plan"; readonly request: CloseRequest }
    | { readonly operation: "transactions"; readonly request: TransactionsRequest }
  )

/** A plan or a build that is answered with 500. */
export interface UnexpectedFailure {
  readonly work: CloseWork
  readonly requestId: string
  readonly cause: Cause.Cause<unknown>
}

/** Where plans and builds that end with a defect are reported. By default they are not reported anywhere. */
export class UnexpectedFailures extends Context.Reference<UnexpectedFailures>()("closeout/http/UnexpectedFailures", {
  defaultValue: (): {
    /** Takes note of a failure. Neither waits nor fails. */
    readonly report: (failure: UnexpectedFailure) => Effect.Effect<void>
  } => ({ report: () => Effect.void })
}) {}

/** Reports what ends with a defect, and leaves it as it is. */
export const reportingDefects = (work: CloseWork) => <A, E, R>(answer: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.tapErrorCause(answer, (cause) =>
    Cause.isDie(cause)
      ? Effect.flatMap(Effect.all([RequestId, UnexpectedFailures]), ([requestId, { report }]) => report({ work, cause, requestId }))
      : Effect.void)
