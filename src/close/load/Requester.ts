import { Context, Duration } from "effect"

/** For whom something is computed, as far as fairness goes, and how long they can wait. */
export interface Asker {
  /** Those whose paths begin alike share one turn: an owner of an operator's key alone, all self-service owners together. */
  readonly path: ReadonlyArray<string>
  /** How long the whole request may take. */
  readonly deadline: Duration.Duration
}

/** Who sent the request that something is computed for. */
export class Requester extends Context.Reference<Requester>()("closeout/close/Requester", {
  defaultValue: (): Asker => ({ path: [], deadline: Duration.seconds(25) })
}) {}
