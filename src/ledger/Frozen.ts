import { xdr } from "@stellar/stellar-sdk"
import { keyOfAccount, keyOfConfigSetting, keyOfTrustline } from "../xdr/LedgerKeys.ts"
import { bytesId } from "./AccountId.ts"
import { isNative, toTrustlineAsset } from "./Asset.ts"
import type { Draft } from "./Draft.ts"
import { idOf } from "./EntryId.ts"

/**
 * Ledger keys frozen by validator vote (CAP-77), read from the configuration settings 17 and 19 of the ledger.
 * A transaction that touches one is invalid unless its hash is on the bypass list.
 */
export class FrozenKeys {
  static of(draft: Draft): FrozenKeys {
    const frozen = setting(draft, "configSettingFrozenLedgerKeys")
    const bypass = setting(draft, "configSettingFreezeBypassTxs")
    const keys = frozen?.type === "configSettingFrozenLedgerKeys" ? frozen.frozenLedgerKeys.keys : []
    const hashes = bypass?.type === "configSettingFreezeBypassTxs" ? bypass.freezeBypassTxs.txHashes : []
    return keys.length === 0
      ? noFrozenKeys
      : new FrozenKeys(
        new Set(keys.flatMap((key) => idIn(key.value) ?? [])),
        new Set(hashes.map((hash) => bytesId(hash.value)))
      )
  }

  private readonly ids: ReadonlySet<string>
  private readonly bypass: ReadonlySet<string>

  constructor(ids: ReadonlySet<string>, bypass: ReadonlySet<string>) {
    this.ids = ids
    this.bypass = bypass
  }

  get isEmpty(): boolean {
    return this.ids.size === 0
  }

  hasKey(key: xdr.LedgerKey): boolean {
    return !this.isEmpty && this.ids.has(idOf(key))
  }

  hasAccount(account: xdr.PublicKey): boolean {
    return !this.isEmpty && this.hasKey(keyOfAccount(account))
  }

  /** Whether an account's trustline for an asset is frozen; never for the native asset. */
  hasTrustline(account: xdr.PublicKey, asset: xdr.Asset): boolean {
    return !this.isEmpty && !isNative(asset) && this.hasKey(keyOfTrustline(account, toTrustlineAsset(asset)))
  }

  /** Whether the entry that holds an account's balance of an asset is frozen. */
  hasHolding(account: xdr.PublicKey, asset: xdr.Asset): boolean {
    return isNative(asset) ? this.hasAccount(account) : this.hasTrustline(account, asset)
  }

  /** Whether an offer can no longer be traded with. */
  hasOffer(offer: xdr.OfferEntry): boolean {
    return this.hasHolding(offer.sellerId, offer.selling) || this.hasHolding(offer.sellerId, offer.buying)
  }

  /** Whether a transaction may touch frozen keys anyway. */
  bypasses(hash: Uint8Array): boolean {
    return this.bypass.has(bytesId(hash))
  }
}

/** What a key is stored under; null for one of a newer form, which nothing that the model knows can touch. */
const idIn = (key: Uint8Array): string | null => {
  try {
    return idOf(xdr.LedgerKey.fromXdr(key))
  } catch {
    return null
  }
}

const noFrozenKeys = new FrozenKeys(new Set(), new Set())

const setting = (draft: Draft, name: "configSettingFrozenLedgerKeys" | "configSettingFreezeBypassTxs") => {
  const data = draft.peek(idOf(keyOfConfigSetting(xdr.ConfigSettingId.fromName(name))))?.data
  return data?.type === "configSetting" ? data.configSetting : undefined
}
