import { performance } from "node:perf_hooks"

/** Work within one turn that no longer counts as rest, in milliseconds: looking costs a tenth of it. */
const rest = 0.25

/** Consecutive turns without any work. */
const quietTurns = 3

/**
 * Resources that are open at rest: connections, listeners, the channel to the runner, timers, the loop monitor. Any other open resource
 * means work.
 */
const patient: ReadonlySet<string> = new Set(["Timeout", "TCPSocketWrap", "TCPServerWrap", "PipeWrap", "TTYWrap", "IntervalHistogram"])

const turn = (millis: number) => new Promise<void>((resolve) => void setTimeout(resolve, millis))

const look = () => ({ events: performance.nodeTiming.uvMetricsInfo.events, active: performance.eventLoopUtilization().active })

const isUnderWay = () => process.getActiveResourcesInfo().some((name) => !patient.has(name))

/**
 * Waits until this process is idle. For some turns of its event loop no event came, hardly any code ran, and no immediates, file requests
 * or name lookups were pending. Threads of `node:zlib` and `node:crypto` are not visible. Where client, service and sources all live in
 * this process, and only there, the only work left then is sleeping. A process without CPU time does not count as idle: turns are counted,
 * not time.
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
