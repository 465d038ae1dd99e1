import { BaseSequencer, type TestSpecification } from "vitest/node"

/** The slowest files, slowest first. By their size, which orders files without a past run, most of them would come last. */
const slow = [
  "page/ClosePage",
  "close/MediatorWatch",
  "keys/Failures",
  "keys/KeyStore",
  "pages/Guides",
  "leaving/Exits",
  "close/SubmitFaults",
  "pages/Snippets",
  "cli/Reading",
  "cli/Closing",
  "keys/KeyFile",
  "close/Batch100",
  "account/Faults",
  "http/Attacks",
  "close/SecondWitness",
  "close/Drift",
  "verify/Attacks",
  "close/RetryBudget",
  "leaving/ClaimLast",
  "leaving/LiveCode",
  "leaving/GiftsAfterExit",
  "close/OwnClose",
  "client/HostileService",
  "keys/LateStore",
  "keys/WrongCredentials",
  "cli/Entries",
  "account/AccountReader",
  "serving/Process",
  "serving/Nginx",
  "outside/Package"
]

const placeOf = ({ moduleId }: TestSpecification): number => {
  const at = slow.findIndex((name) => moduleId.endsWith(`/${name}.test.ts`))
  return at < 0 ? slow.length : at
}

/** The usual order: by the last durations of files, or else by their size. */
const { sort: byDuration } = BaseSequencer.prototype

/** Starts slow files first, so that no worker runs one alone at the end. */
export class SlowFirst extends BaseSequencer {
  override async sort(files: Array<TestSpecification>): Promise<Array<TestSpecification>> {
    const usual = await byDuration.call(this, files)
    return usual.toSorted((left, right) => placeOf(left) - placeOf(right))
  }
}
