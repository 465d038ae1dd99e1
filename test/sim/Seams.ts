/**
 * Replaces a process's outside inputs by values from a seed: random bytes, UUIDs, the date and the time of the event loop. Import it before
 * any other module, and only in a process of its own.
 */
import crypto from "node:crypto"
import { syncBuiltinESMExports } from "node:module"
import { performance } from "node:perf_hooks"
import { dice } from "../client/support/Dice.ts"

let drawn = dice(0)

/** Milliseconds since 1970. */
let now = (): number => 0

const fill = <A extends ArrayBufferView>(array: A): A => {
  const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength)
  for (let at = 0; at < bytes.length; at++) bytes[at] = drawn.below(256)
  return array
}

const uuid = (): crypto.UUID => {
  const hex = Buffer.from(fill(new Uint8Array(16))).toString("hex")
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`
}

Object.assign(crypto, { randomBytes: (size: number) => Buffer.from(fill(new Uint8Array(size))), randomUUID: uuid })
syncBuiltinESMExports()
Object.defineProperties(globalThis.crypto, { getRandomValues: { value: fill }, randomUUID: { value: uuid } })
Math.random = () => drawn.below(2 ** 32) / 2 ** 32
Date.now = () => now()
// All time is idle time: computing takes none.
Object.defineProperties(performance, {
  now: { value: () => now() },
  nodeTiming: {
    value: {
      get idleTime() {
        return now()
      }
    }
  },
  eventLoopUtilization: { value: () => ({ idle: 0, active: 0, utilization: 0 }) }
})

/** Draws from a seed, and takes the time from a clock, from now on. */
export const drawFrom = (seed: number, clock: () => number): void => {
  drawn = dice(seed)
  now = clock
}
