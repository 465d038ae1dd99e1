/** Requests a page over and over from a thread of its own. On a message to stop, returns the time of the slowest answer. */
import { parentPort, workerData } from "node:worker_threads"
import { answerText } from "../AnswerText.ts"

const port = parentPort
if (port === null) throw new Error("this runs in a thread of its own")

const stop = new AbortController()
let most = 0
port.once("message", () => stop.abort())
// The first requests wait for this thread, which still loads its HTTP client.
for (let warmUp = 0; warmUp < 100; warmUp++) await answerText(String(workerData))
port.postMessage(0)
while (!stop.signal.aborted) {
  const start = performance.now()
  await answerText(String(workerData))
  most = Math.max(most, performance.now() - start)
  await new Promise((resume) => setTimeout(resume, 5))
}
port.postMessage(most)
