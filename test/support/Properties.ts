import { FastCheck } from "effect"

/**
 * Ends every property of this process within this many milliseconds. A failed property is shrunk for at most that time and reported with
 * the smallest example so far. Shrinking a random account completely takes hours, without a turn of the event loop in which the test could
 * time out. A property that has not failed by then fails with a timeout.
 */
export const endPropertiesWithin = (millis: number): void =>
  FastCheck.configureGlobal({ ...FastCheck.readConfigureGlobal(), interruptAfterTimeLimit: millis, markInterruptAsFailure: true })
