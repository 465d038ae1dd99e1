import { assert, describe, it } from "@effect/vitest"
import { alteredCopies, besideExist, type RecordedCase, type RecordedFiles, recordings, recordingsBeside } from "./support/Recording.ts"
import { leftOut, replay, standsByItself } from "./support/Replay.ts"
import { isWhole, replayLedgers } from "./support/ReplayLedgers.ts"

/** Results of the cases of a file; all numbers are exact, so that no lost case goes unseen. */
interface Counts {
  readonly replayed: number
  /** Counts of replayed cases whose fee, or whose offer ids, do not come from the result. */
  readonly fees: number
  readonly offerIds: number
  /** The reasons why others are not replayed, with their counts. */
  readonly leftOut: Readonly<Record<string, number>>
}

const unrecorded = "entries it reads were not recorded"
const old = "rules of an old protocol"

const own: Readonly<Record<string, Counts>> = {
  "expert-recorded-classic.json": {
    replayed: 16,
    fees: 0,
    offerIds: 0,
    leftOut: { [old]: 4, "the close time is unknown": 3, [unrecorded]: 3 }
  },
  "mainnet-ledger-53312000.json": { replayed: 66, fees: 66, offerIds: 4, leftOut: { [unrecorded]: 49 } },
  "mainnet-rpc-corpus-2026-08.json": { replayed: 44, fees: 0, offerIds: 0, leftOut: {} },
  "network-ledgers-997-999.json": { replayed: 7, fees: 7, offerIds: 0, leftOut: { [unrecorded]: 8 } }
}

const beside: Readonly<Record<string, Counts>> = {
  "core-BeginSponsoringFutureReservesTests.json": { replayed: 11, fees: 11, offerIds: 0, leftOut: {} },
  "core-FrozenLedgerKeysTests.json": { replayed: 119, fees: 119, offerIds: 19, leftOut: {} },
  "core-InvokeHostFunctionTests-classic.json": { replayed: 77, fees: 77, offerIds: 0, leftOut: { [old]: 1 } },
  "core-MergeTests.json": { replayed: 2, fees: 2, offerIds: 0, leftOut: {} },
  "core-OfferTests.json": { replayed: 96, fees: 96, offerIds: 10, leftOut: {} },
  "core-PathPaymentTests.json": { replayed: 66, fees: 66, offerIds: 9, leftOut: {} },
  "core-TxEnvelopeTests.json": { replayed: 3, fees: 3, offerIds: 0, leftOut: {} },
  "core-TxResultsTests.json": { replayed: 22, fees: 22, offerIds: 2, leftOut: {} },
  "horizon-processor-fixtures.json": { replayed: 0, fees: 0, offerIds: 0, leftOut: { [old]: 30 } },
  "horizon-scenarios.json": { replayed: 0, fees: 0, offerIds: 0, leftOut: { [old]: 185 } },
  "load-test-protocol-27-28-payments.json": { replayed: 18, fees: 18, offerIds: 0, leftOut: {} },
  "soroban-native-classic.json": { replayed: 10, fees: 10, offerIds: 0, leftOut: { "a contract operation": 20 } }
}

const replayAll = (cases: ReadonlyArray<RecordedCase>): { readonly failures: ReadonlyArray<string>; readonly counts: Counts } => {
  const reasons: Record<string, number> = {}
  const failures: Array<string> = []
  let [replayed, fees, offerIds] = [0, 0, 0]
  for (const recorded of cases) {
    const reason = leftOut(recorded)
    if (reason !== undefined) {
      reasons[reason] = (reasons[reason] ?? 0) + 1
      continue
    }
    failures.push(...replay(recorded).map((difference) => `${recorded.id} (${recorded.operations.join(", ")}): ${difference}`))
    const stands = standsByItself(recorded)
    replayed += 1
    fees += stands.fee ? 1 : 0
    offerIds += stands.offerIds ? 1 : 0
  }
  return { failures, counts: { replayed, fees, offerIds, leftOut: reasons } }
}

const replays = (
  files: RecordedFiles,
  expected: Readonly<Record<string, Counts>>,
  sequences: readonly [count: number, transactions: number]
): void => {
  it("all files are here", () => {
    assert.deepStrictEqual([...files.keys()], Object.keys(expected))
  })

  for (const [file, units] of files) {
    it(file, () => {
      const { counts, failures } = replayAll(units.flat())
      assert.deepStrictEqual(failures, [])
      assert.deepStrictEqual(counts, expected[file])
    })
  }

  it("sequences, as whole ledgers handed on from one to the next", () => {
    const whole = [...files.values()].flat().filter(isWhole)
    assert.deepStrictEqual(whole.flatMap(replayLedgers), [])
    assert.deepStrictEqual([whole.length, whole.flat().length], sequences)
  })
}

describe("recorded transactions of public ledgers", () => {
  replays(recordings(), own, [1, 4])
})

describe.skipIf(!besideExist)("recorded transactions that are kept beside the project", () => {
  replays(recordingsBeside(), beside, [7, 60])

  it("those of public ledgers are copied as they are", () => {
    assert.deepStrictEqual(alteredCopies(), [])
  })
})

describe("what a replay takes for granted", () => {
  it("a case that opens a trustline is mislabelled when it is called complete and its issuer is not in it", () => {
    const mislabelled = [...recordings().values()].flat(2)
      .filter((recorded) => recorded.complete && leftOut(recorded) === undefined)
      .filter((recorded) => leftOut({ ...recorded, before: [], context: [], after: [] })?.startsWith("called complete") === true)
    // Other cases close trustlines, open those of pools, or name no issuer.
    assert.deepStrictEqual(mislabelled.map(({ id }) => id), [
      "expert-create-and-cross-offers-lp-deposit-path-payments-through-offers-and-of",
      "expert-sponsored-account-signer-trustline-data-entry-claimable-balance-offer",
      "expert-xlm-payment-create-trustline-asset-payment"
    ])
  })
})
