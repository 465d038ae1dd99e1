/** How an endpoint fared. */
export interface EndpointReport {
  /** Origin only: paths and queries may hold credentials. */
  readonly url: string
  /** `healthy` answered last; `degraded` failed last; `down` failed three times in a row. */
  readonly health: "healthy" | "degraded" | "down"
  /** Moving average over answers in milliseconds; 0 before the first. */
  readonly avgLatencyMs: number
}
