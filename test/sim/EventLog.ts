import { createHash, hash } from "node:crypto"

/** Events that a campaign must meet at least once; otherwise it proves nothing about them. */
export const sightings = [
  "a plan changed between plan and build",
  "a submit answered late and landed",
  "an exit refused as unsafe",
  "a stale RPC",
  "a lie detected",
  "a crash between sign and submit",
  "an exit that failed twice",
  "a getter lied to",
  "files read again",
  "a broken file not taken",
  "an exit whose payout was checked"
] as const

export type Sighting = (typeof sightings)[number]

/** A short hash in place of a text in the log. */
export const digest = (text: string): string => hash("sha256", text).slice(0, 12)

/** All events of one run, in order, and those that a campaign looks for. */
export class EventLog {
  readonly #hash = createHash("sha256")
  readonly #now: () => number
  readonly #print: ((line: string) => void) | null
  readonly seen = new Map<string, number>()
  /** Faults: events that must never happen. */
  readonly faults: Array<string> = []
  #lines = 0

  constructor(now: () => number, print: ((line: string) => void) | null) {
    this.#now = now
    this.#print = print
  }

  /** Adds an event. */
  note(...parts: ReadonlyArray<string | number | bigint>): void {
    const line = `${this.#now()} ${parts.join(" ")}`
    this.#lines++
    this.#hash.update(`${line}\n`)
    this.#print?.(line)
  }

  /** Counts a sighting of a campaign, or a figure of its report. */
  saw(what: Sighting | (string & {})): void {
    this.seen.set(what, (this.seen.get(what) ?? 0) + 1)
  }

  /** Adds a fault. */
  fault(what: string): void {
    this.faults.push(what)
    this.note("FAULT", what)
  }

  /** The number of events, and the hash of all; no event may follow. */
  end(): { readonly events: number; readonly hash: string } {
    return { events: this.#lines, hash: this.#hash.digest("hex") }
  }
}
