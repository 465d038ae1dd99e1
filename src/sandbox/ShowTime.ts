/** Unix seconds as RFC 3339, to the second; years beyond 9999 carry a plus sign. */
export const showTime = (seconds: bigint): string => {
  const date = new Date(Number(seconds) * 1000)
  return Number.isNaN(date.getTime()) ? farTime(seconds) : date.toISOString().replace(/\.\d{3}Z$/, "Z").replace(/^\+0*/, "+")
}

const secondsACycle = 12_622_780_800n
const yearsACycle = 400n

/** Times the platform's dates cannot hold: the calendar repeats every 400 years, so a nearer date tells the rest. */
const farTime = (seconds: bigint): string => {
  const cycles = seconds / secondsACycle
  const near = new Date(Number(seconds - cycles * secondsACycle) * 1000).toISOString()
  const year = BigInt(near.slice(0, 4)) + cycles * yearsACycle
  return `${year < 0n ? "" : "+"}${year}${near.slice(4).replace(/\.\d{3}Z$/, "Z")}`
}
