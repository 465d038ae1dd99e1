import { Config, Effect } from "effect"
import { busyCloses } from "../close/support/BusyCloses.ts"
import { sourcesService } from "../close/support/Sources.ts"
import { layer } from "../support/Layered.ts"
import { curve } from "./support/Curve.ts"

/** The number of closes: `CLOSES`, or a thousand. */
const closes = Effect.runSync(Config.withDefault(Config.integer("CLOSES"), 1000))

/** Closes of one part: an interrupted run has shown the results of the earlier parts. */
const inOnePart = 100

const parts = Array.from(
  { length: Math.ceil(closes / inOnePart) },
  (_, at) => ({ first: at * inOnePart, count: Math.min(inOnePart, closes - at * inOnePart) })
)

layer(sourcesService(2, {}, "everything"), { excludeTestServices: true, timeout: "10 minutes" })(
  "two honest contract RPCs one ledger apart",
  (it) => {
    const printed = Effect.runSync(curve)
    for (const { count, first } of parts) {
      it.effect(
        `meet no contradiction in closes ${first + 1} to ${first + count} of ${closes} with busy pools`,
        () => busyCloses(count, { first, made: (all) => printed(all, closes) }),
        1_800_000
      )
    }
  }
)
