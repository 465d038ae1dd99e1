import { Metric } from "effect"
import { monitorEventLoopDelay } from "node:perf_hooks"

const gauge = (name: string, description: string) => Metric.gauge(name, { description })

const resident = gauge("process_resident_memory_bytes", "Memory of the process that is in RAM.")
const heapUsed = gauge("nodejs_heap_used_bytes", "Memory of the heap that is in use.")
const heapTotal = gauge("nodejs_heap_size_bytes", "Memory the heap has taken.")
const external = gauge("nodejs_external_memory_bytes", "Memory of buffers outside of the heap.")
const delayMean = gauge("nodejs_eventloop_delay_mean_seconds", "Average delay of the event loop since the last read of these figures.")
const delayMost = gauge("nodejs_eventloop_delay_max_seconds", "Largest delay of the event loop since the last read of these figures.")
const utilization = gauge("nodejs_eventloop_utilization_ratio", "Fraction of the time since the start in which the event loop was busy.")
const started = gauge("process_start_time_seconds", "When the process started, in seconds since 1970.")
const cpu = Metric.counter("process_cpu_seconds_total", {
  description: "CPU time of the process, its system calls included.",
  incremental: true
})

/** Milliseconds between two looks at the event loop. */
const resolution = 20

const delay = monitorEventLoopDelay({ resolution })

const startTime = Math.round(performance.timeOrigin) / 1000

let cpuBefore = 0

/** What a look is late by, in seconds: the histogram tells how long it took from one to the next, and holds nothing before the first. */
const lateness = (nanos: number): number => (Number.isFinite(nanos) ? Math.max(0, nanos / 1e9 - resolution / 1000) : 0)

/** Looks at the event loop from now on. Once is enough. */
export const watchEventLoop = (): void => {
  delay.enable()
}

/** Brings the figures of the runtime up to date. */
export const noteRuntime = (): void => {
  const { external: outside, heapTotal: taken, heapUsed: used, rss } = process.memoryUsage()
  resident.unsafeUpdate(rss, [])
  heapUsed.unsafeUpdate(used, [])
  heapTotal.unsafeUpdate(taken, [])
  external.unsafeUpdate(outside, [])
  delayMean.unsafeUpdate(lateness(delay.mean), [])
  delayMost.unsafeUpdate(delay.count === 0 ? 0 : lateness(delay.max), [])
  delay.reset()
  utilization.unsafeUpdate(performance.eventLoopUtilization().utilization, [])
  started.unsafeUpdate(startTime, [])
  const { system, user } = process.cpuUsage()
  const seconds = (system + user) / 1e6
  cpu.unsafeUpdate(seconds - cpuBefore, [])
  cpuBefore = seconds
}
