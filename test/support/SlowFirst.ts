import { BaseSequencer, type TestSpecification } from "vitest/node"

/** Files that take longest, longest first. By their size, which orders files that never ran here, most of them would come last. */
const slow = [
  "client/ManInTheMiddle",
  "client/Receipt",
  "client/Stranger",
  "exits/AllProtocols",
  "exits/RandomPositions",
  "exits/ClaimLast",
  "tokens/PacedTokens",
  "exits/PoolsMeddled",
  "serving/ThreeInstances",
  "http/DocsPages",
  "pages/Guides",
  "pages/Snippets",
  "close/Batch100",
  "exits/LyingFields",
  "exits/ManyPools",
  "close/LargeAccount",
  "account/Faults",
  "close/Resume",
  "close/UnreadClaims",
  "close/SecondWitness",
  "close/ArmsDrill",
  "close/Conservation",
  "account/OwnHistory",
  "tokens/AllowancesRead",
  "serving/Process",
  "keys/Failures",
  "close/SubmitFaults",
  "tokens/HostileTokensRead",
  "close/LearnedFacts",
  "serving/Attacked",
  "tokens/OwnerEvents",
  "exits/VaultsCloses",
  "exits/LiveCode"
]

const placeOf = ({ moduleId }: TestSpecification): number => {
  const at = slow.findIndex((name) => moduleId.endsWith(`/${name}.test.ts`))
  return at < 0 ? slow.length : at
}

/** The usual order: by what files took the last time, or else by their size. */
const { sort: byDuration } = BaseSequencer.prototype

/** What takes long begins first, so that at the end no worker is left alone with it. */
export class SlowFirst extends BaseSequencer {
  override async sort(files: Array<TestSpecification>): Promise<Array<TestSpecification>> {
    const usual = await byDuration.call(this, files)
    return usual.toSorted((left, right) => placeOf(left) - placeOf(right))
  }
}
