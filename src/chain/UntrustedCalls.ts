import { Effect } from "effect"

/** Calls that may keep others waiting. */
export interface SlowCalls {
  /** Those that have no answer yet. */
  open: number
  /** Those that took long, or did not answer. */
  slow: number
}

/** What one request spends on getters of code that anyone may have written. */
export interface UntrustedCalls extends SlowCalls {
  /** How long all of them took, the sum in milliseconds. */
  spent: number
  /** By their text, those that did not answer in time. They are not called again. */
  readonly silent: Set<string>
  /** By their text, those that answered. They may be called again. */
  readonly prompt: Set<string>
  /** Turns of those that are called side by side. */
  readonly turns: Effect.Semaphore
}

/** How many of them are called side by side. */
export const untrustedConcurrency = 8

export const newUntrustedCalls = (): UntrustedCalls => ({
  open: 0,
  slow: 0,
  spent: 0,
  silent: new Set(),
  prompt: new Set(),
  turns: Effect.unsafeMakeSemaphore(untrustedConcurrency)
})
