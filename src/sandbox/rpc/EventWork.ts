import { Context } from "effect"

/** How many ledgers, each counted once a filter, `getEvents` looks through before it gives up; null: as many as it is asked for. */
export class EventWork extends Context.Reference<EventWork>()("closeout/sandbox/rpc/EventWork", {
  defaultValue: (): { readonly mostEventLedgers: number | null } => ({ mostEventLedgers: null })
}) {}
