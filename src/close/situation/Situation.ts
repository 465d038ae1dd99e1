import type { xdr } from "@stellar/stellar-sdk"
import type { AccountSnapshot } from "../../account/AccountSnapshot.ts"
import type { CloseInterval } from "../../chain/CloseInterval.ts"
import type { AssetRecord } from "../../chain/ledger-api/AssetRecord.ts"
import type { AccountAddress, ContractAddress } from "../../domain/Address.ts"
import { native } from "../../domain/Asset.ts"
import type { DestinationAddress } from "../../domain/DestinationAddress.ts"
import type { NetworkFeeAboveLimit } from "../../domain/failure/Upstream.ts"
import type { LedgerState } from "../../ledger/LedgerState.ts"
import { assetContract } from "../../stellar/AssetTokens.ts"
import type { CloseInput } from "./CloseInput.ts"
import type { Destination } from "./DestinationState.ts"
import type { Exits } from "./Exits.ts"
import type { HeaderDoubt } from "./HeaderRule.ts"
import type { Market } from "./Market.ts"
import type { MediatorState } from "./MediatorAccount.ts"
import type { OpenClaim } from "./OpenClaims.ts"
import type { TokenAssets } from "./TokenAssets.ts"
import type { TokenWork } from "./TokenWork.ts"

/** Everything one call is computed from: the request, and what was read for it. Nothing is read after it. */
export interface Situation {
  readonly input: CloseInput
  readonly passphrase: string
  readonly snapshot: AccountSnapshot
  /** Null when no destination was named. */
  readonly destination: Destination | null
  /** Where answers want assets transferred to. */
  readonly transferDestinations: ReadonlyMap<DestinationAddress, Destination>
  /** Null: this network has none. */
  readonly mediator: MediatorState | null
  /** Addresses that the mediator had before its key was changed. */
  readonly formerMediators: ReadonlyArray<AccountAddress>
  readonly registry: { readonly fresh: boolean; readonly validUntil: string }
  readonly market: Market
  /** The claimable balances that it can claim now or later. */
  readonly openClaims: ReadonlyArray<OpenClaim>
  /** Whether no second contract RPC is configured. */
  readonly singleSource: boolean
  /** What the account itself issued. */
  readonly issuedAssets: ReadonlyArray<AssetRecord>
  /** What else concerns the close and is there in a form of a newer protocol, so that it is missing from `ledgerState`. */
  readonly unreadable: ReadonlyArray<xdr.LedgerKey>
  /** What is held in protocols, and how it is left. */
  readonly exits: Exits
  /** What is held in contract tokens and who may take any, and what becomes of it. */
  readonly tokenWork: TokenWork
  /** Token contracts of the token list: quotes for strangers' gifts count only in these and in lumens. */
  readonly tokenList: ReadonlySet<ContractAddress>
  /** Protocols with addresses on this network and no decoder. */
  readonly unreadProtocols: ReadonlyArray<string>
  /** Token contracts are configured on this network, and their balances were not read. */
  readonly tokensUnread: boolean
  /** Every entry that was read, under the header of the next ledger. */
  readonly ledgerState: LedgerState
  /** Stroops an operation should offer to get into the next ledger. */
  readonly feePerOperation: bigint
  /** Stroops an operation offers at most, however fees surge. */
  readonly mostFeePerOperation: bigint
  /** Basis points: the largest price impact of a sale that is recommended. */
  readonly recommendedImpactBps: number
  /** Why nothing is built on the header that was read: its close time, or the fee it asks for. */
  readonly headerDoubts: ReadonlyArray<HeaderDoubt | NetworkFeeAboveLimit>
  /** How fast ledgers close. */
  readonly closeInterval: CloseInterval
  /** Unix seconds; a transaction built now counts its validity from here. */
  readonly now: bigint
}

/** Token contracts that stand for an asset of the ledger, as far as calls of the close move them: lumens, what is sold, what positions move. */
export const knownAssetsIn = (
  { exits, passphrase, tokenWork: { sales } }: Pick<Situation, "exits" | "passphrase" | "tokenWork">
): TokenAssets =>
  new Map([
    ...exits.assets,
    [assetContract(native, passphrase), native],
    ...sales.map(({ asset, contract }) => [contract, asset] as const)
  ])
