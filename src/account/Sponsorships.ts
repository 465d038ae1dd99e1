import type { xdr } from "@stellar/stellar-sdk"
import { Effect, Option } from "effect"
import type { ChainFailure } from "../chain/ChainFailure.ts"
import type { EntryAnswer } from "../chain/EntryAnswer.ts"
import type { AccountRecord } from "../chain/ledger-api/AccountRecord.ts"
import type { SponsoredEntry } from "../domain/Account.ts"
import type { AccountAddress } from "../domain/Address.ts"
import { native } from "../domain/Asset.ts"
import { assetIdOf, poolShareTrustlineOf, trustlineAssetOf } from "../stellar/Assets.ts"
import { reserveUnits, sponsorOf, sponsorshipsOf } from "../stellar/Entries.ts"
import { addressOf, balanceIdOf, poolIdOf, signerKeyOf } from "../stellar/Names.ts"
import { accountKey, claimableBalanceKey, dataKey, distinctKeys, offerKey, trustlineKey } from "../xdr/LedgerKeys.ts"
import type { Sources } from "./Sources.ts"

/** What was found of the entries an account sponsors. */
export interface Sponsorships {
  readonly sponsoredEntries: ReadonlyArray<SponsoredEntry>
  /** Base reserves that these cost. */
  readonly reserves: number
  /** The oldest ledger of the lists that named them; infinite where no list was fetched. */
  readonly listedAt: number
  /** The ledgers of the answers that confirmed them. */
  readonly answers: ReadonlyArray<EntryAnswer>
}

/**
 * Beyond this many reserves nothing is listed: such accounts are operators of services, and the list would outlast any request.
 */
export const mostReserves = 5000

const none: Sponsorships = { sponsoredEntries: [], reserves: 0, listedAt: Number.POSITIVE_INFINITY, answers: [] }

/**
 * Every entry whose reserve the account pays. The ledger API names candidates; the contract RPC confirms who sponsors each. No source is
 * queried for an account that sponsors nothing, or more than `mostReserves` reserves.
 */
export const sponsorships = (
  { api, entries }: Sources,
  sponsor: AccountAddress,
  account: xdr.AccountEntry
): Effect.Effect<Sponsorships, ChainFailure> =>
  Effect.gen(function*() {
    const expected = sponsorshipsOf(account).numSponsoring
    if (expected === 0 || expected > mostReserves) return none
    const [accounts, offers, balances] = yield* Effect.all([
      api.accountsSponsoredBy(sponsor),
      api.offersSponsoredBy(sponsor),
      api.claimableBalancesSponsoredBy(sponsor)
    ], { concurrency: "unbounded" })
    const keys = [
      ...accounts.accounts.flatMap((candidate) => candidateKeys(candidate, sponsor)),
      ...offers.offers.map(({ id, seller }) => offerKey(seller, id)),
      ...balances.claimableBalances.map(({ id }) => claimableBalanceKey(id))
    ]
    const answers = yield* entries.answers(distinctKeys(keys))
    // One that cannot be read is not found, and so the count tells that something is missing.
    const entriesFound = answers.flatMap(({ live }) => Option.getOrNull(live)?.entry ?? [])
    const found = entriesFound.flatMap((entry) => sponsoredIn(entry, sponsor))
    return {
      sponsoredEntries: found.map(({ entry }) => entry),
      reserves: found.reduce((total, each) => total + each.reserves, 0),
      listedAt: Math.min(accounts.latestLedger, offers.latestLedger, balances.latestLedger),
      answers
    }
  })

/** Whether less was found than the account entry counts, which it does in base reserves: something is sponsored that is not listed. */
export const enumerationIncomplete = ({ reserves }: Sponsorships, account: xdr.AccountEntry): boolean =>
  reserves < sponsorshipsOf(account).numSponsoring

/** What of an account may be sponsored: the ledger API does not tell for data entries and pool shares. */
const candidateKeys = ({ address, data, poolShares, trustlines }: AccountRecord, sponsor: AccountAddress): ReadonlyArray<xdr.LedgerKey> => [
  accountKey(address),
  ...trustlines.filter((line) => line.sponsor === sponsor).map(({ asset }) => trustlineKey(address, trustlineAssetOf(asset))),
  ...poolShares.map(({ poolId }) => trustlineKey(address, poolShareTrustlineOf(poolId))),
  ...Array.from(data.keys(), (name) => dataKey(address, name))
]

/** A sponsored entry and the base reserves it costs. */
interface EntryReserves {
  readonly entry: SponsoredEntry
  readonly reserves: number
}

/** What the sponsor pays for in one ledger entry: the entry itself, and signers inside an account. */
const sponsoredIn = (entry: xdr.LedgerEntry, sponsor: AccountAddress): ReadonlyArray<EntryReserves> => {
  const whole = sponsorOf(entry) === sponsor ? describe(entry.data) : null
  const signers = entry.data.type === "account" ? sponsoredSigners(entry.data.account, sponsor) : []
  return whole === null ? signers : [{ entry: whole, reserves: reserveUnits(entry.data) }, ...signers]
}

const describe = (data: xdr.LedgerEntryData): SponsoredEntry | null => {
  switch (data.type) {
    case "account":
      return { kind: "account", owner: addressOf(data.account.accountId) }
    case "trustline": {
      const { accountId, asset } = data.trustLine
      const held = asset.type === "assetTypePoolShare" ? poolIdOf(asset.liquidityPoolId) : assetIdOf(asset) ?? native
      return { kind: "trustline", owner: addressOf(accountId), asset: held }
    }
    case "offer":
      return { kind: "offer", owner: addressOf(data.offer.sellerId), offerId: data.offer.offerId.toString() }
    case "data":
      return { kind: "data_entry", owner: addressOf(data.data.accountId), name: data.data.dataName.toString() }
    case "claimableBalance":
      return { kind: "claimable_balance", balanceId: balanceIdOf(data.claimableBalance.balanceId) }
    default:
      return null
  }
}

/** The second extension names the sponsor of each signer, in the order of the signers. */
const sponsoredSigners = (account: xdr.AccountEntry, sponsor: AccountAddress): ReadonlyArray<EntryReserves> =>
  sponsorshipsOf(account).signerSponsors.flatMap((paidBy, index) => {
    const signer = account.signers[index]
    return signer === undefined || paidBy !== sponsor
      ? []
      : [{ entry: { kind: "signer" as const, owner: addressOf(account.accountId), signerKey: signerKeyOf(signer.key) }, reserves: 1 }]
  })
