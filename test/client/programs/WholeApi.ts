import { called, retrySchedule, serviceClient } from "account-closeout/client"
import { Effect } from "effect"

const { KEY = "", URL = "" } = process.env

const index = Effect.gen(function*() {
  const service = yield* serviceClient({ baseUrl: URL, apiKey: KEY })
  return yield* Effect.retry(called(service.index.index({})), retrySchedule("30 seconds"))
})
console.log((await Effect.runPromise(index)).networks)
