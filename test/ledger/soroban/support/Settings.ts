import { Lifetimes } from "../../../../src/ledger/soroban/Life.ts"
import { type Settings, testNetworkSettings } from "../../../../src/ledger/soroban/Settings.ts"

/** Nothing costs anything but rent; a test sets the fees that it looks at. */
export const free: Settings = {
  ...testNetworkSettings,
  feePer10kInstructions: 0n,
  feePerDiskReadEntry: 0n,
  feePerWriteEntry: 0n,
  feePerDiskRead1Kb: 0n,
  feePerWrite1Kb: 0n,
  feePerHistory1Kb: 0n,
  feePerEvents1Kb: 0n,
  feePerTxSize1Kb: 0n
}

/** In ledger 1000: persistent entries live until 1099 at least, temporary ones until 1019, and nothing lives beyond 1499. */
export const shortLives = new Lifetimes(1_000, { ...testNetworkSettings, minPersistentTtl: 100, minTemporaryTtl: 20, maxEntryTtl: 500 })
