// First, so that no module keeps a real source of random numbers or of time.
import { drawFrom } from "./Seams.ts"

import { run } from "./Run.ts"

/** One run to do. */
export interface DealtRun {
  readonly seed: number
  readonly closes: number
  readonly isPrinted: boolean
}

drawFrom(0, () => 0)

process.on(
  "message",
  async ({ isPrinted, ...options }: DealtRun) => process.send?.(await run({ ...options, print: isPrinted ? console.log : null }))
)
