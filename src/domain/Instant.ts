/** The last second a calendar in ISO 8601 with four-digit years can name. */
const lastSecond = 253402300799n

/** A moment in Unix seconds as ISO 8601; moments beyond the year 9999 become its last second. */
export const showTime = (seconds: bigint): string => new Date(Number(seconds > lastSecond ? lastSecond : seconds) * 1000).toISOString()

/** The same to the second, for sentences. */
export const showSecond = (seconds: bigint): string => showTime(seconds).replace(".000Z", "Z")

/** A moment in milliseconds of the clock, likewise. */
export const showMillis = (millis: number): string => new Date(millis).toISOString()

/** A moment in milliseconds of the clock in whole Unix seconds, rounded down. */
export const unixSeconds = (millis: number): bigint => BigInt(Math.floor(millis / 1000))
