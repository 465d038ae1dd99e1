import { assert, describe, it } from "@effect/vitest"
import { Keypair, xdr } from "@stellar/stellar-sdk"
import { newEntry } from "../../../src/ledger/entries/LedgerEntry.ts"
import { idOfEntry } from "../../../src/ledger/EntryId.ts"
import { fitsEntry, settingKeys, type Settings, settingsOf, testNetworkSettings } from "../../../src/ledger/soroban/Settings.ts"
import { keyOfAccount, keyOfCode, keyOfInstance, keyOfNonce } from "../../../src/xdr/LedgerKeys.ts"
import { idOf } from "../support/World.ts"
import { accountEntry, among, contract, keyNamed } from "./support/Entries.ts"

const { ConfigSettingEntry } = xdr

/** Settings of each kind, no two numbers alike, with the fields that are read from them. */
const kinds: ReadonlyArray<readonly [kind: string, setting: xdr.ConfigSettingEntry, read: Partial<Settings>]> = [
  ["the size of code", ConfigSettingEntry.configSettingContractMaxSizeBytes(1_001), { maxContractSize: 1_001 }],
  ["the size of keys", ConfigSettingEntry.configSettingContractDataKeySizeBytes(1_002), { maxDataKeySize: 1_002 }],
  ["the size of data", ConfigSettingEntry.configSettingContractDataEntrySizeBytes(1_003), { maxDataEntrySize: 1_003 }],
  [
    "instructions",
    ConfigSettingEntry.configSettingContractComputeV0(
      new xdr.ConfigSettingContractComputeV0({
        ledgerMaxInstructions: 1_004n,
        txMaxInstructions: 1_005n,
        feeRatePerInstructionsIncrement: 1_006n,
        txMemoryLimit: 1_007
      })
    ),
    { txMaxInstructions: 1_005n, feePer10kInstructions: 1_006n }
  ],
  [
    "reads, writes and rent",
    ConfigSettingEntry.configSettingContractLedgerCostV0(
      new xdr.ConfigSettingContractLedgerCostV0({
        ledgerMaxDiskReadEntries: 1_008,
        ledgerMaxDiskReadBytes: 1_009,
        ledgerMaxWriteLedgerEntries: 1_010,
        ledgerMaxWriteBytes: 1_011,
        txMaxDiskReadEntries: 1_012,
        txMaxDiskReadBytes: 1_013,
        txMaxWriteLedgerEntries: 1_014,
        txMaxWriteBytes: 1_015,
        feeDiskReadLedgerEntry: 1_016n,
        feeWriteLedgerEntry: 1_017n,
        feeDiskRead1Kb: 1_018n,
        sorobanStateTargetSizeBytes: 1_019n,
        rentFee1KbSorobanStateSizeLow: -1_020n,
        rentFee1KbSorobanStateSizeHigh: 1_021n,
        sorobanStateRentFeeGrowthFactor: 1_022
      })
    ),
    {
      txMaxDiskReadEntries: 1_012,
      txMaxDiskReadBytes: 1_013,
      txMaxWriteEntries: 1_014,
      txMaxWriteBytes: 1_015,
      feePerDiskReadEntry: 1_016n,
      feePerWriteEntry: 1_017n,
      feePerDiskRead1Kb: 1_018n,
      stateTargetSize: 1_019n,
      rentFee1KbLow: -1_020n,
      rentFee1KbHigh: 1_021n,
      stateSizeGrowthFactor: 1_022
    }
  ],
  [
    "footprints",
    ConfigSettingEntry.configSettingContractLedgerCostExtV0(
      new xdr.ConfigSettingContractLedgerCostExtV0({ txMaxFootprintEntries: 1_023, feeWrite1Kb: 1_024n })
    ),
    { txMaxFootprintEntries: 1_023, feePerWrite1Kb: 1_024n }
  ],
  [
    "history",
    ConfigSettingEntry.configSettingContractHistoricalDataV0(new xdr.ConfigSettingContractHistoricalDataV0({ feeHistorical1Kb: 1_025n })),
    { feePerHistory1Kb: 1_025n }
  ],
  [
    "events",
    ConfigSettingEntry.configSettingContractEventsV0(
      new xdr.ConfigSettingContractEventsV0({ txMaxContractEventsSizeBytes: 1_026, feeContractEvents1Kb: 1_027n })
    ),
    { txMaxEventsSize: 1_026, feePerEvents1Kb: 1_027n }
  ],
  [
    "the size of transactions",
    ConfigSettingEntry.configSettingContractBandwidthV0(
      new xdr.ConfigSettingContractBandwidthV0({ ledgerMaxTxsSizeBytes: 1_028, txMaxSizeBytes: 1_029, feeTxSize1Kb: 1_030n })
    ),
    { txMaxSize: 1_029, feePerTxSize1Kb: 1_030n }
  ],
  [
    "lives",
    ConfigSettingEntry.configSettingStateArchival(
      new xdr.StateArchivalSettings({
        maxEntryTtl: 1_031,
        minTemporaryTtl: 1_032,
        minPersistentTtl: 1_033,
        persistentRentRateDenominator: 1_034n,
        tempRentRateDenominator: 1_035n,
        maxEntriesToArchive: 1_036,
        liveSorobanStateSizeWindowSampleSize: 1_037,
        liveSorobanStateSizeWindowSamplePeriod: 1_038,
        evictionScanSize: 1_039,
        startingEvictionScanLevel: 1_040
      })
    ),
    {
      maxEntryTtl: 1_031,
      minTemporaryTtl: 1_032,
      minPersistentTtl: 1_033,
      persistentRentDenominator: 1_034n,
      temporaryRentDenominator: 1_035n
    }
  ],
  ["the size of all state", ConfigSettingEntry.configSettingLiveSorobanStateSizeWindow([1_041n]), { stateSize: 1_041n }]
]

const entryOf = (setting: xdr.ConfigSettingEntry): xdr.LedgerEntry => newEntry(xdr.LedgerEntryData.configSetting(setting))

/** What is read where a ledger has just these settings. */
const settingsAmong = (...settings: ReadonlyArray<xdr.ConfigSettingEntry>): Settings => settingsOf(among(...settings.map(entryOf)))

describe("settings of a ledger", () => {
  it("are those of the test network's own file where it has none", () => {
    assert.deepStrictEqual(settingsAmong(), {
      maxContractSize: 131_072,
      maxDataKeySize: 250,
      maxDataEntrySize: 65_536,
      txMaxInstructions: 400_000_000n,
      txMaxDiskReadEntries: 200,
      txMaxDiskReadBytes: 200_000,
      txMaxWriteEntries: 200,
      txMaxWriteBytes: 132_096,
      txMaxFootprintEntries: 400,
      txMaxSize: 132_096,
      txMaxEventsSize: 16_384,
      feePer10kInstructions: 7n,
      feePerDiskReadEntry: 1_563n,
      feePerWriteEntry: 2_500n,
      feePerDiskRead1Kb: 447n,
      feePerWrite1Kb: 875n,
      feePerHistory1Kb: 4_059n,
      feePerEvents1Kb: 5_000n,
      feePerTxSize1Kb: 406n,
      stateSize: 0n,
      stateTargetSize: 4_000_000_000n,
      rentFee1KbLow: -17_000n,
      rentFee1KbHigh: 10_000n,
      stateSizeGrowthFactor: 5_000,
      maxEntryTtl: 3_110_400,
      minTemporaryTtl: 720,
      minPersistentTtl: 120_960,
      persistentRentDenominator: 1_215n,
      temporaryRentDenominator: 2_430n
    })
  })

  for (const [kind, setting, read] of kinds) {
    it(`include ${kind} where the ledger has it, and keep the rest`, () => {
      assert.deepStrictEqual(settingsAmong(setting), { ...testNetworkSettings, ...read })
    })
  }

  it("are read together, each field from one of them", () => {
    const all: Partial<Settings> = Object.assign({}, ...kinds.map(([, , read]) => read))
    assert.deepStrictEqual(Object.keys(all).toSorted(), Object.keys(testNetworkSettings).toSorted())
    assert.deepStrictEqual(settingsAmong(...kinds.map(([, setting]) => setting)), all)
  })

  it("are looked up under the keys that are named for reading them, in that order", () => {
    assert.deepStrictEqual(settingKeys.map((key) => key.toJson()), [
      { config_setting: { config_setting_id: "contract_max_size_bytes" } },
      { config_setting: { config_setting_id: "contract_data_key_size_bytes" } },
      { config_setting: { config_setting_id: "contract_data_entry_size_bytes" } },
      { config_setting: { config_setting_id: "contract_compute_v0" } },
      { config_setting: { config_setting_id: "contract_ledger_cost_v0" } },
      { config_setting: { config_setting_id: "contract_ledger_cost_ext_v0" } },
      { config_setting: { config_setting_id: "contract_historical_data_v0" } },
      { config_setting: { config_setting_id: "contract_events_v0" } },
      { config_setting: { config_setting_id: "contract_bandwidth_v0" } },
      { config_setting: { config_setting_id: "state_archival" } },
      { config_setting: { config_setting_id: "live_soroban_state_size_window" } }
    ])
    const asked: Array<string> = []
    settingsOf((id) => {
      asked.push(id)
      return undefined
    })
    assert.deepStrictEqual(asked, kinds.map(([, setting]) => idOfEntry(entryOf(setting))))
  })

  it("are not read from entries of other kinds", () => {
    const account = accountEntry(idOf(Keypair.random()))
    const frozen = entryOf(ConfigSettingEntry.configSettingFrozenLedgerKeys(new xdr.FrozenLedgerKeys({ keys: [] })))
    for (const entry of [account, frozen]) assert.deepStrictEqual(settingsOf(() => entry), testNetworkSettings)
  })

  it("count the state as large as its samples on average, rounded down, and not at all without one", () => {
    const sizes = [[], [0n], [7n], [1n, 2n], [1n, 2n, 3n], [1n, 1n, 6n]]
    assert.deepStrictEqual(
      sizes.map((window) => settingsAmong(ConfigSettingEntry.configSettingLiveSorobanStateSizeWindow(window)).stateSize),
      [0n, 0n, 7n, 1n, 2n, 2n]
    )
  })
})

describe("the size of an entry", () => {
  const settings = { ...testNetworkSettings, maxContractSize: 300, maxDataEntrySize: 200 }
  const fits = (key: xdr.LedgerKey) => [0, 199, 200, 201, 299, 300, 301, 1e9].map((size) => fitsEntry(key, size, settings))

  it("has one limit for code and another for data of every kind", () => {
    assert.deepStrictEqual(fits(keyOfCode(new Uint8Array(32))), [true, true, true, true, true, true, false, false])
    for (const key of [keyNamed("a"), keyNamed("a", "temporary"), keyOfInstance(contract), keyOfNonce(contract, 1n)]) {
      assert.deepStrictEqual(fits(key), [true, true, true, false, false, false, false, false])
    }
  })

  it("has none for classic entries", () => {
    assert.deepStrictEqual(fits(keyOfAccount(idOf(Keypair.random()))), [true, true, true, true, true, true, true, true])
  })
})
