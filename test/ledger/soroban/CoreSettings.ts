import { xdr } from "@stellar/stellar-sdk"
import { newEntry } from "../../../src/ledger/entries/LedgerEntry.ts"

const setting = (entry: xdr.ConfigSettingEntry): xdr.LedgerEntry => newEntry(xdr.LedgerEntryData.configSetting(entry))

/** Network settings of stellar-core's own contract tests: the first fees, rent as of protocol 23, high limits, short lifetimes. */
export const coreTestSettings: ReadonlyArray<xdr.LedgerEntry> = [
  setting(
    xdr.ConfigSettingEntry.configSettingContractComputeV0(
      new xdr.ConfigSettingContractComputeV0({
        ledgerMaxInstructions: 1_000_000_000n,
        txMaxInstructions: 100_000_000n,
        feeRatePerInstructionsIncrement: 100n,
        txMemoryLimit: 104_857_600
      })
    )
  ),
  setting(
    xdr.ConfigSettingEntry.configSettingContractLedgerCostV0(
      new xdr.ConfigSettingContractLedgerCostV0({
        ledgerMaxDiskReadEntries: 400,
        ledgerMaxDiskReadBytes: 2_048_000,
        ledgerMaxWriteLedgerEntries: 200,
        ledgerMaxWriteBytes: 1_024_000,
        txMaxDiskReadEntries: 40,
        txMaxDiskReadBytes: 204_800,
        txMaxWriteLedgerEntries: 20,
        txMaxWriteBytes: 102_400,
        feeDiskReadLedgerEntry: 5_000n,
        feeWriteLedgerEntry: 20_000n,
        feeDiskRead1Kb: 1_000n,
        sorobanStateTargetSizeBytes: 3_000_000_000n,
        rentFee1KbSorobanStateSizeLow: -17_000n,
        rentFee1KbSorobanStateSizeHigh: 10_000n,
        sorobanStateRentFeeGrowthFactor: 1
      })
    )
  ),
  setting(
    xdr.ConfigSettingEntry.configSettingContractLedgerCostExtV0(
      new xdr.ConfigSettingContractLedgerCostExtV0({ txMaxFootprintEntries: 40, feeWrite1Kb: 3_500n })
    )
  ),
  setting(
    xdr.ConfigSettingEntry.configSettingContractHistoricalDataV0(
      new xdr.ConfigSettingContractHistoricalDataV0({ feeHistorical1Kb: 100n })
    )
  ),
  setting(
    xdr.ConfigSettingEntry.configSettingContractEventsV0(
      new xdr.ConfigSettingContractEventsV0({ txMaxContractEventsSizeBytes: 10_000, feeContractEvents1Kb: 200n })
    )
  ),
  setting(
    xdr.ConfigSettingEntry.configSettingContractBandwidthV0(
      new xdr.ConfigSettingContractBandwidthV0({ ledgerMaxTxsSizeBytes: 1_024_000, txMaxSizeBytes: 102_400, feeTxSize1Kb: 2_000n })
    )
  ),
  setting(
    xdr.ConfigSettingEntry.configSettingStateArchival(
      new xdr.StateArchivalSettings({
        maxEntryTtl: 6_312_000,
        minTemporaryTtl: 16,
        minPersistentTtl: 20,
        persistentRentRateDenominator: 1_215n,
        tempRentRateDenominator: 2_430n,
        maxEntriesToArchive: 100,
        liveSorobanStateSizeWindowSampleSize: 30,
        liveSorobanStateSizeWindowSamplePeriod: 64,
        evictionScanSize: 100_000,
        startingEvictionScanLevel: 6
      })
    )
  )
]
