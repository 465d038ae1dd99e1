/**
 * Measures the cost of the service: the model of the ledger, reads of accounts, plans and builds of closes. Names of sections after the
 * command select sections.
 */
import { Cause, Console, Duration, Effect, Logger, LogLevel } from "effect"
import { allowances } from "./bench/Allowances.ts"
import { applies } from "./bench/Applies.ts"
import { besideBare } from "./bench/BesideBare.ts"
import { closes } from "./bench/Closes.ts"
import { crowd } from "./bench/Crowd.ts"
import { fullLists } from "./bench/FullLists.ts"
import { healthUnderLoad } from "./bench/HealthUnderLoad.ts"
import { instances } from "./bench/Instances.ts"
import { manyAssets } from "./bench/ManyAssets.ts"
import { manyClaims } from "./bench/ManyClaims.ts"
import { mediatorWatch } from "./bench/MediatorWatch.ts"
import { ownHistories } from "./bench/OwnHistory.ts"
import { positions } from "./bench/Positions.ts"
import { reads } from "./bench/Reads.ts"
import { requests } from "./bench/Requests.ts"
import { start } from "./bench/Start.ts"
import { tokenHolders } from "./bench/TokenHolders.ts"
import { trips } from "./bench/Trips.ts"
import { turns } from "./bench/Turns.ts"
import { waits } from "./bench/Waits.ts"
import { witnesses } from "./bench/Witnesses.ts"

const sections: Readonly<Record<string, Effect.Effect<void, unknown>>> = {
  applies,
  reads,
  positions,
  fullLists,
  ownHistories,
  witnesses,
  allowances,
  tokenHolders,
  closes,
  trips,
  requests,
  manyClaims,
  manyAssets,
  mediatorWatch,
  turns: turns(),
  waits,
  healthUnderLoad,
  crowd,
  besideBare,
  instances,
  start
}

/** Time limit of a section. The longest takes two minutes on an idle machine with two cores. */
const most = Duration.minutes(10)

const late = () => new Error(`it was given up after ${Duration.toMinutes(most)} minutes`)

/**
 * A section that cannot be measured, or hangs, gives the reason in one row, and everything it started ends with it. The others continue.
 */
const measured = (name: string, section: Effect.Effect<void, unknown>) =>
  Effect.catchAllCause(
    Effect.timeoutFail(Effect.disconnect(section), { duration: most, onTimeout: late }),
    (cause) => Console.log(`${name} could not be measured here: ${Cause.pretty(cause).split("\n")[0]?.slice(0, 300)}`)
  )

const wanted = process.argv.slice(2)
const unknown = wanted.filter((name) => !(name in sections))

const bench = Effect.forEach(
  Object.entries(sections).filter(([name]) => wanted.length === 0 || wanted.includes(name)),
  ([name, section]) => Effect.zipRight(measured(name, section), Console.log("")),
  { discard: true }
)

if (unknown.length > 0) {
  console.error(`there is no section ${unknown.join(", ")}; there are ${Object.keys(sections).join(", ")}`)
  process.exitCode = 1
} else {
  await Effect.runPromise(Logger.withMinimumLogLevel(bench, LogLevel.Warning))
  // Unfinished work of an aborted section would keep the process alive.
  process.exit()
}
