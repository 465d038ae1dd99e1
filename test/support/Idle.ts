import { performance } from "node:perf_hooks"

/** Milliseconds of work within one turn that are not taken for rest: looking costs a tenth of it. */
const rest = 0.25

/** Turns in a row in which nothing may happen. */
const quietTurns = 3

/** What is open while nobody works: connections, listeners, the channel to the runner, timers, the watch over the loop. Whatever else is open is under way. */
const patient: ReadonlySet<string> = new Set(["Timeout", "TCPSocketWrap", "TCPServerWrap", "PipeWrap", "TTYWrap", "IntervalHistogram"])

const turn = (millis: number) => new Promise<void>((resolve) => void setTimeout(resolve, millis))

const look = () => ({ events: performance.nodeTiming.uvMetricsInfo.events, active: performance.eventLoopUtilization().active })

const isUnderWay = () => process.getActiveResourcesInfo().some((name) => !patient.has(name))

/**
 * Waits until this process has nothing left to do: for some turns of its event loop no event came, hardly anything ran, and neither
 * immediates nor requests to files or names are under way; what `node:zlib` and `node:crypto` do in other threads is not seen. Where client,
 * service and sources live in this process, and only there, all that is left then is sleeping. A process that is kept from running is not taken for idle: turns are counted, not time.
 */
export const idle = async (): Promise<void> => {
  let before = look()
  for (let quiet = 0; quiet < quietTurns;) {
    await turn(1)
    const now = look()
    const happened = now.events !== before.events || now.active - before.active > rest || isUnderWay()
    quiet = happened ? 0 : quiet + 1
    before = now
  }
}
