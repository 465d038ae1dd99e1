import { Context, type Effect, type Option } from "effect"

/**
 * Keeps the mediator empty: what it holds above `MEDIATOR_WARN_FLOAT_LUMENS` goes to the sweep account at once. A co-signed close is
 * not hurt by it, because its payment is covered by its own merge.
 */
export class AutoSweep extends Context.Tag("closeout/close/AutoSweep")<AutoSweep, {
  /** Whether a sweep account is configured. */
  readonly isOn: boolean
  /** Why the surplus stays where it is; none unless it could not be moved twice in a row. */
  readonly trouble: Effect.Effect<Option.Option<string>>
}>() {}
