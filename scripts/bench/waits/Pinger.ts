/** Asks a page over and over from a thread of its own, and says how long the slowest answer took when it gets a message to stop. */
import { parentPort, workerData } from "node:worker_threads"
import { asked } from "../Asked.ts"

const port = parentPort
if (port === null) throw new Error("this runs in a thread of its own")

const stop = new AbortController()
let most = 0
port.once("message", () => stop.abort())
// The first ones wait for this thread itself, which has to load what it asks with.
for (let warmUp = 0; warmUp < 100; warmUp++) await asked(String(workerData))
port.postMessage(0)
while (!stop.signal.aborted) {
  const start = performance.now()
  await asked(String(workerData))
  most = Math.max(most, performance.now() - start)
  await new Promise((resume) => setTimeout(resume, 5))
}
port.postMessage(most)
