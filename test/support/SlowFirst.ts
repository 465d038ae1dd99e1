import { BaseSequencer, type TestSpecification } from "vitest/node"

/** The slowest files, slowest first. By their size, which orders files without a past run, most of them would come last. */
const slow = [
  "page/ClosePage",
  "cli/Closing",
  "client/HostileService",
  "keys/Failures",
  "cli/Batch",
  "cli/OneSource",
  "close/MediatorWatch",
  "leaving/UnansweredExits",
  "cli/Reading",
  "keys/KeyFile",
  "keys/KeyStore",
  "close/SecondWitness",
  "pages/Guides",
  "verify/Attacks",
  "close/Batch100",
  "leaving/GiftsAfterExit",
  "leaving/Exits",
  "leaving/BuriedHistory",
  "account/Faults",
  "leaving/ClaimLast",
  "close/SubmitFaults",
  "close/Drift",
  "close/TransactionOutcome",
  "close/Conservation",
  "leaving/LiveCode",
  "pages/Snippets",
  "close/RetryBudget",
  "client/Witness",
  "leaving/OwnPosition",
  "close/OwnClose",
  "http/Attacks",
  "page/OneSource",
  "keys/LateStore",
  "keys/WrongCredentials",
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
