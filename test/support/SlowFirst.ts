import { BaseSequencer, type TestSpecification } from "vitest/node"

/** The slowest files, slowest first. By their size, which orders files without a past run, most of them would come last. */
const slow = [
  "serving/ThreeInstances",
  "pages/Guides",
  "client/Receipt",
  "page/ClosePage",
  "leaving/RandomPositions",
  "leaving/AllProtocols",
  "cli/Reading",
  "close/MediatorWatch",
  "pages/Snippets",
  "cli/Managing",
  "cli/Closing",
  "serving/Process",
  "keys/Failures",
  "leaving/PoolsMeddled",
  "leaving/LiveCode",
  "close/Batch100",
  "cli/Batch",
  "http/DocsPages",
  "outside/Vault",
  "close/SecondWitness",
  "close/UnreadClaims",
  "test/Isolation",
  "account/Faults",
  "close/SubmitFaults",
  "leaving/tokens/PacedTokens",
  "close/ArmsDrill",
  "close/Campaign",
  "leaving/ClaimLast",
  "leaving/tokens/PlainToken",
  "leaving/CodeByReference",
  "page/Views",
  "keys/KeyStore",
  "leaving/VaultsCloses",
  "close/AcceptedStories",
  "client/Hands",
  "close/RetryBudget",
  "close/ManyClaims"
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
