import { xdr } from "@stellar/stellar-sdk"
import { keyOfConfigSetting } from "../../xdr/LedgerKeys.ts"
import { idOf } from "../EntryId.ts"

/**
 * What validators set for contracts, read from the `CONFIG_SETTING` entries of a ledger. Where a ledger has none the
 * values are those of the settings file of the test network. Fees are stroops, sizes bytes, lives ledgers.
 */
export interface Settings {
  readonly maxContractSize: number
  readonly maxDataKeySize: number
  readonly maxDataEntrySize: number
  readonly txMaxInstructions: bigint
  readonly txMaxDiskReadEntries: number
  readonly txMaxDiskReadBytes: number
  readonly txMaxWriteEntries: number
  readonly txMaxWriteBytes: number
  readonly txMaxFootprintEntries: number
  readonly txMaxSize: number
  readonly txMaxEventsSize: number
  readonly feePer10kInstructions: bigint
  readonly feePerDiskReadEntry: bigint
  readonly feePerWriteEntry: bigint
  readonly feePerDiskRead1Kb: bigint
  readonly feePerWrite1Kb: bigint
  readonly feePerHistory1Kb: bigint
  readonly feePerEvents1Kb: bigint
  readonly feePerTxSize1Kb: bigint
  /** Bytes of contract state that the rent fee is priced by. */
  readonly stateSize: bigint
  readonly stateTargetSize: bigint
  readonly rentFee1KbLow: bigint
  readonly rentFee1KbHigh: bigint
  readonly stateSizeGrowthFactor: number
  readonly maxEntryTtl: number
  readonly minTemporaryTtl: number
  readonly minPersistentTtl: number
  readonly persistentRentDenominator: bigint
  readonly temporaryRentDenominator: bigint
}

export const testNetworkSettings: Settings = {
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
}

/** The settings in force in a ledger, of which `find` gives the entry under an id. */
export const settingsOf = (find: (id: string) => xdr.LedgerEntry | undefined): Settings =>
  settingKinds.reduce<Settings>((settings, kind) => {
    const data = find(idOf(settingKey(kind)))?.data
    return data?.type === "configSetting" ? { ...settings, ...fieldsOf(data.configSetting) } : settings
  }, testNetworkSettings)

const settingKinds = [
  "configSettingContractMaxSizeBytes",
  "configSettingContractDataKeySizeBytes",
  "configSettingContractDataEntrySizeBytes",
  "configSettingContractComputeV0",
  "configSettingContractLedgerCostV0",
  "configSettingContractLedgerCostExtV0",
  "configSettingContractHistoricalDataV0",
  "configSettingContractEventsV0",
  "configSettingContractBandwidthV0",
  "configSettingStateArchival",
  "configSettingLiveSorobanStateSizeWindow"
] as const

const settingKey = (kind: (typeof settingKinds)[number]): xdr.LedgerKey => keyOfConfigSetting(xdr.ConfigSettingId.fromName(kind))

/** Keys of the entries that settings are read from. */
export const settingKeys: ReadonlyArray<xdr.LedgerKey> = settingKinds.map(settingKey)

const fieldsOf = (setting: xdr.ConfigSettingEntry): Partial<Settings> => {
  switch (setting.type) {
    case "configSettingContractMaxSizeBytes":
      return { maxContractSize: setting.contractMaxSizeBytes }
    case "configSettingContractDataKeySizeBytes":
      return { maxDataKeySize: setting.contractDataKeySizeBytes }
    case "configSettingContractDataEntrySizeBytes":
      return { maxDataEntrySize: setting.contractDataEntrySizeBytes }
    case "configSettingContractComputeV0":
      return {
        txMaxInstructions: setting.contractCompute.txMaxInstructions,
        feePer10kInstructions: setting.contractCompute.feeRatePerInstructionsIncrement
      }
    case "configSettingContractLedgerCostV0": {
      const cost = setting.contractLedgerCost
      return {
        txMaxDiskReadEntries: cost.txMaxDiskReadEntries,
        txMaxDiskReadBytes: cost.txMaxDiskReadBytes,
        txMaxWriteEntries: cost.txMaxWriteLedgerEntries,
        txMaxWriteBytes: cost.txMaxWriteBytes,
        feePerDiskReadEntry: cost.feeDiskReadLedgerEntry,
        feePerWriteEntry: cost.feeWriteLedgerEntry,
        feePerDiskRead1Kb: cost.feeDiskRead1Kb,
        stateTargetSize: cost.sorobanStateTargetSizeBytes,
        rentFee1KbLow: cost.rentFee1KbSorobanStateSizeLow,
        rentFee1KbHigh: cost.rentFee1KbSorobanStateSizeHigh,
        stateSizeGrowthFactor: cost.sorobanStateRentFeeGrowthFactor
      }
    }
    case "configSettingContractLedgerCostExtV0":
      return {
        txMaxFootprintEntries: setting.contractLedgerCostExt.txMaxFootprintEntries,
        feePerWrite1Kb: setting.contractLedgerCostExt.feeWrite1Kb
      }
    case "configSettingContractHistoricalDataV0":
      return { feePerHistory1Kb: setting.contractHistoricalData.feeHistorical1Kb }
    case "configSettingContractEventsV0":
      return {
        txMaxEventsSize: setting.contractEvents.txMaxContractEventsSizeBytes,
        feePerEvents1Kb: setting.contractEvents.feeContractEvents1Kb
      }
    case "configSettingContractBandwidthV0":
      return { txMaxSize: setting.contractBandwidth.txMaxSizeBytes, feePerTxSize1Kb: setting.contractBandwidth.feeTxSize1Kb }
    case "configSettingStateArchival": {
      const archival = setting.stateArchivalSettings
      return {
        maxEntryTtl: archival.maxEntryTtl,
        minTemporaryTtl: archival.minTemporaryTtl,
        minPersistentTtl: archival.minPersistentTtl,
        persistentRentDenominator: archival.persistentRentRateDenominator,
        temporaryRentDenominator: archival.tempRentRateDenominator
      }
    }
    case "configSettingLiveSorobanStateSizeWindow":
      return averageSize(setting.liveSorobanStateSizeWindow)
    default:
      return {}
  }
}

/** The state counts as large as it was on average; unknown without a sample. */
const averageSize = (window: ReadonlyArray<bigint>): Partial<Settings> =>
  window.length === 0 ? {} : { stateSize: window.reduce((sum, size) => sum + size, 0n) / BigInt(window.length) }

/** Whether an entry of so many bytes may be written, or kept any longer. */
export const fitsEntry = (key: xdr.LedgerKey, size: number, { maxContractSize, maxDataEntrySize }: Settings): boolean => {
  switch (key.type) {
    case "contractCode":
      return size <= maxContractSize
    case "contractData":
      return size <= maxDataEntrySize
    default:
      return true
  }
}
