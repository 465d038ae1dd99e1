import { xdr } from "@stellar/stellar-sdk"
import type { AccountAddress } from "../../domain/Address.ts"
import { native } from "../../domain/Asset.ts"
import { trustlineKey } from "../../ledger/LedgerKey.ts"
import type { State } from "../../ledger/State.ts"
import { sdkAsset } from "../../stellar/Assets.ts"
import type { Credits } from "./Exits.ts"

const least = (amount: bigint): bigint => (amount > 0n ? amount : 0n)

/** A ledger on which the lines of an account hold so much more, or less; lumens are left out. */
export const credited = (world: State, account: AccountAddress, credits: Credits): State =>
  world.set([...credits].filter(([asset]) => asset !== native).flatMap(([asset, amount]) => {
    const found = world.get(trustlineKey(account, sdkAsset(asset).toTrustLineXdrObject()))
    if (found?.data.type !== "trustline") return []
    const { trustLine } = found.data
    return [new xdr.LedgerEntry({ ...found, data: xdr.LedgerEntryData.trustline(new xdr.TrustLineEntry({ ...trustLine, balance: least(trustLine.balance + amount) })) })]
  }))
