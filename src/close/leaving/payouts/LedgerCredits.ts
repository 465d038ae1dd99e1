import { xdr } from "@stellar/stellar-sdk"
import { BigInt as Big } from "effect"
import type { AccountAddress } from "../../../domain/Address.ts"
import { native } from "../../../domain/Asset.ts"
import type { LedgerState } from "../../../ledger/LedgerState.ts"
import { trustlineAssetOf } from "../../../stellar/Assets.ts"
import { trustlineKey } from "../../../xdr/LedgerKeys.ts"
import type { Credits } from "../../situation/CallSimulation.ts"

/** A ledger on which the lines of an account hold so much more, or less; lumens are left out. */
export const withCredits = (ledgerState: LedgerState, account: AccountAddress, credits: Credits): LedgerState =>
  ledgerState.set(
    [...credits].filter(([asset]) => asset !== native).flatMap(([asset, amount]) => {
      const found = ledgerState.get(trustlineKey(account, trustlineAssetOf(asset)))
      if (found?.data.type !== "trustline") return []
      const { trustLine } = found.data
      return [
        new xdr.LedgerEntry({
          ...found,
          data: xdr.LedgerEntryData.trustline(new xdr.TrustLineEntry({ ...trustLine, balance: Big.max(trustLine.balance + amount, 0n) }))
        })
      ]
    })
  )
