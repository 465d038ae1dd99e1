/** What the service costs: the model of the ledger, reads of accounts, plans and builds of closes. */
import { Console, Effect, Logger, LogLevel } from "effect"
import { allowances } from "./bench/Allowances.ts"
import { applies } from "./bench/Applies.ts"
import { closes } from "./bench/Closes.ts"
import { fullLists } from "./bench/FullLists.ts"
import { manyAssets } from "./bench/ManyAssets.ts"
import { manyClaims } from "./bench/ManyClaims.ts"
import { ownHistories } from "./bench/OwnHistory.ts"
import { positions } from "./bench/Positions.ts"
import { reads } from "./bench/Reads.ts"
import { start } from "./bench/Start.ts"
import { trips } from "./bench/Trips.ts"
import { turns } from "./bench/Turns.ts"
import { waits } from "./bench/Waits.ts"
import { witnesses } from "./bench/Witnesses.ts"

const bench = Effect.gen(function*() {
  yield* applies
  yield* Console.log("")
  yield* reads
  yield* Console.log("")
  yield* positions
  yield* Console.log("")
  yield* fullLists
  yield* Console.log("")
  yield* ownHistories
  yield* Console.log("")
  yield* witnesses
  yield* Console.log("")
  yield* allowances
  yield* Console.log("")
  yield* closes
  yield* Console.log("")
  yield* trips
  yield* Console.log("")
  yield* manyClaims
  yield* Console.log("")
  yield* manyAssets
  yield* Console.log("")
  yield* turns()
  yield* Console.log("")
  yield* waits
  yield* Console.log("")
  yield* start
})

await Effect.runPromise(Logger.withMinimumLogLevel(bench, LogLevel.Warning))
