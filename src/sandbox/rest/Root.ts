import { HttpRouter, HttpServerResponse } from "@effect/platform"
import { Effect } from "effect"
import { Network } from "../Network.ts"
import { requestOrigin } from "../RequestOrigin.ts"
import { showTime } from "../ShowTime.ts"
import { pagedLink } from "./Page.ts"
import { View } from "./View.ts"

/** `GET /`: what network this is and how far it has come. */
export const root = HttpRouter.makeRoute(
  "GET",
  "/",
  Effect.gen(function*() {
    const { history: { latest, oldest }, state } = yield* View
    const { passphrase } = yield* Network
    const origin = yield* requestOrigin
    return HttpServerResponse.unsafeJson({
      _links: {
        self: { href: `${origin}/` },
        account: { href: `${origin}/accounts/{account_id}`, templated: true },
        accounts: { href: `${origin}/accounts{?signer,sponsor,asset,liquidity_pool,cursor,limit,order}`, templated: true },
        account_transactions: pagedLink(`${origin}/accounts/{account_id}/transactions`),
        assets: { href: `${origin}/assets{?asset_code,asset_issuer,cursor,limit,order}`, templated: true },
        claimable_balances: {
          href: `${origin}/claimable_balances{?asset,sponsor,claimant,cursor,limit,order}`,
          templated: true
        },
        fee_stats: { href: `${origin}/fee_stats` },
        friendbot: { href: `${origin}/friendbot{?addr}`, templated: true },
        ledger: { href: `${origin}/ledgers/{sequence}`, templated: true },
        ledgers: pagedLink(`${origin}/ledgers`),
        liquidity_pools: { href: `${origin}/liquidity_pools{?reserves,account,cursor,limit,order}`, templated: true },
        offer: { href: `${origin}/offers/{offer_id}`, templated: true },
        offers: { href: `${origin}/offers{?selling,buying,seller,sponsor,cursor,limit,order}`, templated: true },
        order_book: {
          href:
            `${origin}/order_book{?selling_asset_type,selling_asset_code,selling_asset_issuer,buying_asset_type,buying_asset_code,buying_asset_issuer,limit}`,
          templated: true
        },
        strict_receive_paths: { href: `${origin}/paths/strict-receive`, templated: true },
        strict_send_paths: { href: `${origin}/paths/strict-send`, templated: true },
        transaction: { href: `${origin}/transactions/{hash}`, templated: true },
        transactions: pagedLink(`${origin}/transactions`)
      },
      horizon_version: "28.0.0-sandbox",
      core_version: "sandbox",
      ingest_latest_ledger: latest.sequence,
      history_latest_ledger: latest.sequence,
      history_latest_ledger_closed_at: showTime(latest.closeTime),
      history_elder_ledger: oldest.sequence,
      core_latest_ledger: latest.sequence,
      network_passphrase: passphrase,
      current_protocol_version: state.header.ledgerVersion,
      supported_protocol_version: state.header.ledgerVersion,
      core_supported_protocol_version: state.header.ledgerVersion
    })
  })
)
