import type { xdr } from "@stellar/stellar-sdk"
import { Effect, Option } from "effect"
import type { Listing } from "../../account/Listing.ts"
import type { ChainFailure } from "../../chain/ChainFailure.ts"
import type { LatestLedger } from "../../chain/contract-rpc/LatestLedger.ts"
import { inTurns, type Stoppable } from "../../chain/pace/Turns.ts"
import { maxKeysPerCall } from "../../chain/RpcPolicy.ts"
import type { AccountAddress } from "../../domain/Address.ts"
import { accountKey } from "../../xdr/LedgerKeys.ts"
import { keysIn } from "../market/MarketReader.ts"
import type { MarketApi } from "../market/MarketSource.ts"
import { keptBooks } from "../market/MarketSurvey.ts"
import type { CloseInput } from "../situation/CloseInput.ts"
import { foreseenSales } from "./CloseSales.ts"
import { freezeSettings, issuersOf, newSponsors } from "./RelatedEntries.ts"

/** What the keys of a close are foreseen from: the request, its market, the header. */
interface Foreseeable {
  readonly input: CloseInput
  readonly purpose: "plan" | "build"
  readonly market: MarketApi
  readonly header: Effect.Effect<LatestLedger, ChainFailure>
}

/** Sponsors of entries in the listing. It has none of data entries and pool shares. */
const sponsorsIn = ({ account, claimableBalances, offers }: Listing): ReadonlyArray<AccountAddress> =>
  [
    ...(account === null ? [] : [account, ...account.trustlines, ...account.signers]),
    ...offers,
    ...claimableBalances
  ].flatMap(({ sponsor }) => sponsor ?? [])

/** Accounts that the close concerns, as far as the listing tells, and no more than one call takes. */
const accountsIn = (input: CloseInput, listed: Listing): ReadonlyArray<AccountAddress> => {
  const claimable = new Set(listed.claimableBalances.map(({ asset }) => asset))
  return [...new Set([...newSponsors(input), ...sponsorsIn(listed), ...issuersOf(claimable)])].slice(0, maxKeysPerCall)
}

function* keysOf({ input, market, purpose }: Foreseeable, listed: Listing, ledgerVersion: number): Stoppable<ReadonlyArray<xdr.LedgerKey>> {
  const keys = [...freezeSettings(ledgerVersion), ...accountsIn(input, listed).map(accountKey)]
  for (const sale of foreseenSales(input, listed.account?.trustlines ?? [], purpose)) {
    if (keys.length >= maxKeysPerCall) break
    keys.push(...keptBooks(market, input.source, sale).flatMap(keysIn))
    yield
  }
  return keys
}

/**
 * Keys that a close asks for beyond what the account holds, as far as the listing and the header show them: they travel with the account's
 * own entries. The market's are those of ways and books that are remembered. Fewer than there are cost a question later, nothing else.
 */
export const keysAhead = (foreseeable: Foreseeable) => (listed: Listing): Effect.Effect<ReadonlyArray<xdr.LedgerKey>> =>
  foreseeable.header.pipe(
    Effect.flatMap(({ protocolVersion }) => inTurns(() => keysOf(foreseeable, listed, protocolVersion))),
    Effect.option,
    Effect.map(Option.getOrElse((): ReadonlyArray<xdr.LedgerKey> => []))
  )
