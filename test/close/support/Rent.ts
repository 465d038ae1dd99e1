import { xdr } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { newEntry } from "../../../src/ledger/entries/LedgerEntry.ts"
import { Network } from "../../../src/sandbox/Network.ts"

/** From now on a new or restored entry costs this rent for each kilobyte, and a written entry this fee, in stroops. */
export const rentAt = (fee: bigint, written = 2_500n) =>
  Effect.flatMap(
    Network,
    ({ amend }) =>
      amend((state) =>
        state.set([newEntry(xdr.LedgerEntryData.configSetting(xdr.ConfigSettingEntry.configSettingContractLedgerCostV0(
          new xdr.ConfigSettingContractLedgerCostV0({
            ledgerMaxDiskReadEntries: 400,
            ledgerMaxDiskReadBytes: 2_048_000,
            ledgerMaxWriteLedgerEntries: 200,
            ledgerMaxWriteBytes: 1_024_000,
            txMaxDiskReadEntries: 200,
            txMaxDiskReadBytes: 204_800,
            txMaxWriteLedgerEntries: 200,
            txMaxWriteBytes: 132_096,
            feeDiskReadLedgerEntry: 1_563n,
            feeWriteLedgerEntry: written,
            feeDiskRead1Kb: 447n,
            sorobanStateTargetSizeBytes: 1n,
            rentFee1KbSorobanStateSizeLow: fee,
            rentFee1KbSorobanStateSizeHigh: fee,
            sorobanStateRentFeeGrowthFactor: 1
          })
        )))])
      )
  )
