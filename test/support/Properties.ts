import { FastCheck } from "effect"

/**
 * Every property of this process comes to its end within so many milliseconds. One that fails is shrunk for as long and told with the least
 * example found until then: shrinking a random account to its end takes hours, without a turn of the event loop in which the test's time
 * could be over. One that has not failed by then fails for want of time.
 */
export const endPropertiesWithin = (millis: number): void =>
  FastCheck.configureGlobal({ ...FastCheck.readConfigureGlobal(), interruptAfterTimeLimit: millis, markInterruptAsFailure: true })
