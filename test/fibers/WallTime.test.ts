import { assert, it } from "@effect/vitest"
import { readdirSync, readFileSync } from "node:fs"

/** The only files that read the date: to compare it with one (of a ledger, a registry, a key), to store it or to show it. */
const readTheDate = [
  "chain/Exchange.ts",
  "chain/LedgerAge.ts",
  "chain/Probes.ts",
  "client/RetrySchedule.ts",
  "client/UnixTime.ts",
  "close/answer/RevokeBuilder.ts",
  "close/leaving/simulation/LaterLedger.ts",
  "close/mediator/MediationReader.ts",
  "close/mediator/Mediator.ts",
  "close/read/Destinations.ts",
  "close/read/rounds/AccountRound.ts",
  "close/submit/SubmitGate.ts",
  "close/submit/TransactionOutcomes.ts",
  "http/HealthProbe.ts",
  "http/handlers/KeyTerms.ts",
  "http/keys-page/Script.ts",
  "page/CoSign.ts",
  "proof/Computation.ts",
  "proof/Terms.ts",
  "registry/ExchangeRegistry.ts",
  "serving/EmbeddedSandbox.ts",
  "serving/FailureFiles.ts",
  "serving/Start.ts"
]

/** Rooms with good reasons for other clocks: the simulated network, and the key store, whose times are dates. */
const isOther = (file: string): boolean => /^(sandbox|keys)\//.test(file) || file === "fibers/SteadyTime.ts"

it("the date is read where a date is meant; every age and deadline is of the clock that never jumps", () => {
  const files = readdirSync("src", { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".ts") && !isOther(file))
  const found = files.filter((file) =>
    /currentTimeMillis|CurrentTimeMillis|Date\.now|cachedWithTTL|cachedInvalidateWithTTL/i.test(readFileSync(`src/${file}`, "utf8"))
  )
  assert.deepStrictEqual(found.toSorted(), readTheDate)
})
