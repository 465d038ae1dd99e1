import { Metric } from "effect"

/** Envelopes the mediator signed, by network. */
export const coSigned = Metric.counter("closeout_mediator_cosigned_total", {
  description: "Envelopes the mediator co-signed.",
  incremental: true
})

/** Envelopes it refused, by network and rule. */
export const refused = Metric.counter("closeout_mediator_refused_total", {
  description: "Envelopes the mediator rejected, by the first broken rule.",
  incremental: true
})

/** What was done with its account that no close and no sweep does, and drained closes, by network and rule. */
export const alarms = Metric.counter("closeout_mediator_alarms_total", {
  description: "Transactions or changes of the mediator's account that no close and no sweep explains, and drained closes, by rule.",
  incremental: true
})

/** Whether it is paused for that, by network. */
export const paused = Metric.gauge("closeout_mediator_paused", { description: "1 while an alarm keeps the mediator from signing." })

/** Stroops left with it by closes that went through this process, by network: what the fee bid was above the fee charged. */
export const residue = Metric.counter("closeout_mediator_residue_stroops_total", {
  description: "Stroops that closes submitted here left with the mediator and that may be refunded.",
  bigint: true,
  incremental: true
})

/** Stroops that were moved to the sweep account by this process, by network. */
export const swept = Metric.counter("closeout_mediator_swept_stroops_total", {
  description: "Stroops this process moved from the mediator to its operator's account.",
  bigint: true,
  incremental: true
})

/** What it holds beyond its base reserve, by network. */
export const float = Metric.gauge("closeout_mediator_float_stroops", {
  description: "Stroops the mediator holds beyond its base reserve, the most that can be lost through it.",
  bigint: true
})

/** The float above which the mediator raises a warning, stroops, by network. */
export const warnFloat = Metric.gauge("closeout_mediator_warn_float_stroops", {
  description: "The setting MEDIATOR_WARN_FLOAT_LUMENS in stroops.",
  bigint: true
})
