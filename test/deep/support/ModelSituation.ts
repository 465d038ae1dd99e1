import type { Keypair, xdr } from "@stellar/stellar-sdk"
import type { AccountSnapshot } from "../../../src/account/AccountSnapshot.ts"
import { claimableBalances } from "../../../src/account/ClaimableBalances.ts"
import { positions } from "../../../src/account/Positions.ts"
import { poolShares, subEntryMismatch } from "../../../src/account/SubEntries.ts"
import { Answers } from "../../../src/close/situation/Answers.ts"
import type { CloseInput } from "../../../src/close/situation/CloseInput.ts"
import type { Destination } from "../../../src/close/situation/DestinationState.ts"
import { noExits } from "../../../src/close/situation/Exits.ts"
import { laterAnswerIn } from "../../../src/close/situation/LaterGifts.ts"
import { openClaimsIn } from "../../../src/close/situation/OpenClaims.ts"
import type { Situation } from "../../../src/close/situation/Situation.ts"
import { noTokenWork } from "../../../src/close/situation/TokenWork.ts"
import type { SponsoredEntry } from "../../../src/domain/Account.ts"
import { AccountAddress } from "../../../src/domain/Address.ts"
import { stroops } from "../../../src/domain/Amount.ts"
import type { AssetId } from "../../../src/domain/Asset.ts"
import type { Decision } from "../../../src/domain/Decision.ts"
import { showTime } from "../../../src/domain/Instant.ts"
import type { LedgerState } from "../../../src/ledger/LedgerState.ts"
import { assetIdOf } from "../../../src/stellar/Assets.ts"
import { sponsorOf, sponsorshipsOf } from "../../../src/stellar/Entries.ts"
import { addressOf, balanceIdOf, poolIdOf, signerKeyOf } from "../../../src/stellar/Names.ts"
import { accountKey } from "../../../src/xdr/LedgerKeys.ts"
import { networkPassphrase } from "../../ledger/support/World.ts"
import type { Cast } from "./RandomAccount.ts"

const address = (key: Keypair) => AccountAddress.make(key.publicKey())

const sponsoredIn = (data: xdr.LedgerEntryData, whole: boolean, by: AccountAddress): ReadonlyArray<SponsoredEntry> => {
  const found: Array<SponsoredEntry> = []
  if (data.type === "account") {
    const { account } = data
    const owner = addressOf(account.accountId)
    if (whole) found.push({ kind: "account", owner })
    const ids = account.ext.type === "v1" && account.ext.v1.ext.type === "v2" ? account.ext.v1.ext.v2.signerSponsoringIDs : []
    ids.forEach((id, at) => {
      const signer = account.signers[at]
      if (id !== null && signer !== undefined && addressOf(id) === by) {
        found.push({ kind: "signer", owner, signerKey: signerKeyOf(signer.key) })
      }
    })
  }
  if (!whole) return found
  if (data.type === "offer") found.push({ kind: "offer", owner: addressOf(data.offer.sellerId), offerId: data.offer.offerId.toString() })
  if (data.type === "data") found.push({ kind: "data_entry", owner: addressOf(data.data.accountId), name: data.data.dataName.toString() })
  if (data.type === "claimableBalance") found.push({ kind: "claimable_balance", balanceId: balanceIdOf(data.claimableBalance.balanceId) })
  if (data.type === "trustline") {
    const { accountId, asset } = data.trustLine
    const name = asset.type === "assetTypePoolShare" ? poolIdOf(asset.liquidityPoolId) : assetIdOf(asset) ?? "native"
    found.push({ kind: "trustline", owner: addressOf(accountId), asset: name })
  }
  return found
}

/** The entries that an account sponsors, of any owner. */
export const sponsoredEntriesOf = (state: LedgerState, sponsor: Keypair) => {
  const by = address(sponsor)
  return [...state.entries()].flatMap((entry) =>
    sponsoredIn(entry.data, sponsorOf(entry) === by, by).map((found) => ({
      entry,
      kind: found.kind,
      owner: "owner" in found ? found.owner : null,
      signerKey: "signerKey" in found ? found.signerKey : null
    }))
  )
}

const belongsTo = (source: AccountAddress, { data }: xdr.LedgerEntry): boolean => {
  switch (data.type) {
    case "account":
      return addressOf(data.account.accountId) === source
    case "trustline":
      return addressOf(data.trustLine.accountId) === source
    case "offer":
      return addressOf(data.offer.sellerId) === source
    case "data":
      return addressOf(data.data.accountId) === source
    case "claimableBalance":
      return data.claimableBalance.claimants.some(({ v0 }) => addressOf(v0.destination) === source)
    default:
      return false
  }
}

const snapshotOf = (state: LedgerState, source: AccountAddress, account: xdr.AccountEntry): AccountSnapshot => {
  const { header } = state
  const all = [...state.entries()]
  const entries = all.filter((entry) => belongsTo(source, entry))
  const [, low = 0, med = 0, high = 0] = account.thresholds.value
  const seq = header.ledgerSeq
  return {
    header,
    accountEntry: account,
    entries,
    protocols: [],
    allowances: [],
    called: new Set(),
    carried: new Map(),
    tokens: {
      held: [],
      unreadable: [],
      failed: [],
      dropped: 0,
      unasked: [],
      told: null,
      confirmation: "confirmed",
      queried: [],
      result: { tokens: [], unreadable: [], coverage: [], eventsScanned: null, warnings: [] }
    },
    listed: null,
    claimableListed: { count: 0, complete: true, partial: [], modified: new Map() },
    ledgerApiLedger: seq,
    ledgers: { began: seq, listed: { oldest: seq, newest: seq }, confirmed: { oldest: seq, newest: seq }, header: seq },
    unconfirmed: 0,
    unconfirmedClaims: new Map(),
    unreadable: 0,
    readAt: showTime(header.closeTime),
    warnings: [],
    state: {
      address: source,
      network: "testnet",
      sequence: account.seqNum.toString(),
      nativeBalanceLumens: stroops(account.balance),
      dataEntries: [],
      signers: [],
      thresholds: { low, med, high },
      numSubEntries: account.numSubEntries,
      numSponsoring: sponsorshipsOf(account).numSponsoring,
      sponsoredEntries: all.flatMap((entry) => sponsoredIn(entry.data, sponsorOf(entry) === source, source)),
      sponsorshipEnumerationIncomplete: false,
      sponsoredBy: null,
      authImmutable: (account.flags & 4) !== 0,
      trustlines: [],
      openOffers: [],
      poolShares: poolShares(entries),
      claimableBalances: claimableBalances(entries, source, header.closeTime),
      subEntryMismatch: subEntryMismatch(account, entries),
      defiPositions: positions({
        address: source,
        network: "testnet",
        passphrase: networkPassphrase,
        untracked: [],
        reading: { readings: [], closeTime: null },
        endpoints: [],
        readAt: showTime(header.closeTime)
      }),
      defiPositionsWarnings: [],
      warnings: []
    }
  }
}

const destinationAt = (state: LedgerState, key: Keypair): Destination => {
  const found = state.get(accountKey(key.publicKey()))?.data
  const account = found?.type === "account" ? found.account : null
  return { address: address(key), account, entries: [], asksForMemo: false, listing: null, unverified: null, lockedForEver: false }
}

/** The fee payer, the suggested fee for an operation in stroops, and the size limit of envelopes. */
interface Fees {
  readonly feePayer: CloseInput["feePayer"]
  readonly feePerOperation?: bigint
  /** Size limit of a classic envelope in bytes; null or omitted: the ledger's limit. */
  readonly envelopeLimit?: number | null
}

/** The situation on a ledger that hides nothing; null when the source is gone. */
export const situationOf = (
  state: LedgerState,
  cast: Cast,
  decisions: ReadonlyMap<string, Decision>,
  { envelopeLimit = null, feePayer, feePerOperation = 100n }: Fees
): Situation | null => {
  const source = address(cast.source)
  const found = state.get(accountKey(source))?.data
  if (found?.type !== "account") return null
  const { header } = state
  const answers = new Answers(decisions.values())
  const assets = cast.assets.map((asset) => assetIdOf(asset))
  const detours = (asset: AssetId) => assets.filter((other) => other !== asset).map((other) => [other])
  const destination = destinationAt(state, cast.destination)
  const snapshot = snapshotOf(state, source, found.account)
  const ledgerState = state.at({ ledgerSeq: header.ledgerSeq + 1, closeTime: header.closeTime + 5n })
  return {
    input: {
      source,
      destination: destination.address,
      memo: null,
      answers,
      given: answers,
      accept: null,
      maxSlippageBps: 50,
      mostSlippageBps: 5000,
      entries: [],
      feePayer,
      envelopeLimit,
      validForSeconds: null,
      later: laterAnswerIn(answers),
      mergeHash: null
    },
    passphrase: networkPassphrase,
    unreadable: [],
    closeInterval: 5,
    snapshot,
    destination,
    formerMediators: [],
    transferDestinations: new Map([cast.heir, cast.destination].map((key) => [address(key), destinationAt(state, key)])),
    mediator: null,
    registry: { fresh: true, validUntil: "2099-01-01" },
    market: {
      routes: new Map(assets.map((asset) => [asset, [[], ...detours(asset)]])),
      entries: [],
      unquoted: new Set(),
      ledgers: new Map(),
      waiting: new Set(),
      truncated: []
    },
    issuedAssets: [],
    exits: noExits,
    tokenWork: noTokenWork,
    tokenList: new Set(),
    singleSource: false,
    unreadProtocols: [],
    tokensUnread: false,
    openClaims: openClaimsIn(ledgerState, source, snapshot, header.closeTime),
    ledgerState,
    feePerOperation,
    mostFeePerOperation: 10_000n,
    recommendedImpactBps: 300,
    headerDoubts: [],
    now: header.closeTime
  }
}
