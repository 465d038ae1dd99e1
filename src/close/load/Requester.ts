import { Context, Duration } from "effect"

/** The sender of a request, as far as fair queueing goes, and the request's deadline. */
export interface Asker {
  /** Paths with the same beginning share one turn: an owner of an operator's key has one alone, all self-service owners one together. */
  readonly path: ReadonlyArray<string>
  /** How long the whole request may take. */
  readonly deadline: Duration.Duration
}

/** The sender of the current request. */
export class Requester extends Context.Reference<Requester>()("closeout/close/Requester", {
  defaultValue: (): Asker => ({ path: [], deadline: Duration.seconds(25) })
}) {}
