import type { xdr } from "@stellar/stellar-sdk"
import { Either } from "effect"
import type { ContractAddress } from "../../domain/Address.ts"
import { contractDataKey } from "../../stellar/ContractKeys.ts"
import { address, payloadsOf, struct, symbol, tuple, u128, variant } from "../../stellar/ScValCodec.ts"
import type { Of, ScValCodec } from "../../stellar/ScValCodec.ts"

/** What the contract calls a currency, for instance `USD`: not the code of the asset it lends. */
export type Denomination = string

/** The denominations the contract was written for; its instance may hold more. */
export const knownDenominations: ReadonlyArray<Denomination> = ["USD", "EUR", "GBP"]

/** Names one vault. `index` is its collateral over its debt and changes with them; owner and denomination stay. */
export const VaultKey = struct({ account: address, denomination: symbol, index: u128 })
export type VaultKey = Of<typeof VaultKey>

/** The contract's own option type, which is not the host's: `["None"]` or `["Some", key]`. Null stands for none. */
export const OptionalVaultKey: ScValCodec<VaultKey | null> = {
  decode: (value) => {
    if (payloadsOf("None", value)?.length === 0) return Either.right(null)
    const [key, ...rest] = payloadsOf("Some", value) ?? []
    return key === undefined || rest.length > 0
      ? Either.left({ path: [], expected: "an optional vault key" })
      : Either.mapLeft(VaultKey.decode(key), ({ expected, path }) => ({ path: ["Some", ...path], expected }))
  },
  encode: (key) => (key === null ? variant("None") : variant("Some", VaultKey.encode(key)))
}

export const sameVault = (left: VaultKey, right: VaultKey): boolean =>
  left.account === right.account && left.denomination === right.denomination && left.index === right.index

const Owned = tuple(address, symbol)

const IndexKey = struct({ denomination: symbol, user: address })

/** The storage key of a vault: an owner has at most one in a denomination. */
export const vaultDataKey = (owner: string, denomination: Denomination): xdr.ScVal => variant("Vault", Owned.encode([owner, denomination]))

/** The storage key of the index kept beside a vault. */
export const vaultIndexDataKey = (owner: string, denomination: Denomination): xdr.ScVal =>
  variant("VaultIndex", IndexKey.encode({ denomination, user: owner }))

/** The two entries that make a vault. Both persistent. */
export const vaultKeys = (contract: ContractAddress, owner: string, denomination: Denomination): ReadonlyArray<xdr.LedgerKey> => [
  contractDataKey(contract, vaultDataKey(owner, denomination)),
  contractDataKey(contract, vaultIndexDataKey(owner, denomination))
]
