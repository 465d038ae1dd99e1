import { HttpRouter, HttpServerResponse } from "@effect/platform"
import { SignerKey, type xdr } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { heldAsset } from "../../ledger/Asset.ts"
import { AccountFlag, extensionsOf, hasFlag, liabilitiesOf, sponsorshipOf } from "../../ledger/entries/Account.ts"
import { isAuthorized, isClawbackEnabled, lineLiabilities, TrustlineFlag } from "../../ledger/entries/Trustline.ts"
import { addressOf, assetParts } from "../AssetName.ts"
import { showAmount } from "../DecimalAmount.ts"
import { type Indexed, indexOf } from "../LedgerIndex.ts"
import type { Chain } from "../network/Chain.ts"
import { requestOrigin } from "../RequestOrigin.ts"
import { modified } from "./ModifiedTime.ts"
import { pagedLink } from "./Page.ts"
import { Problem } from "./Problem.ts"
import { checkAccount, pathPart } from "./Query.ts"
import { View } from "./View.ts"

const signerTypes = {
  signerKeyTypeEd25519: "ed25519_public_key",
  signerKeyTypePreAuthTx: "preauth_tx",
  signerKeyTypeHashX: "sha256_hash",
  signerKeyTypeEd25519SignedPayload: "ed25519_signed_payload"
} as const

const sponsorField = (sponsor: string | undefined) => (sponsor === undefined ? {} : { sponsor })

/** An account whole: every balance, signer and data entry, without paging. */
export const accountResource = (chain: Chain, id: string, account: Indexed<xdr.AccountEntry>, origin: string) => {
  const { body } = account
  const index = indexOf(chain.state)
  const { sequence } = extensionsOf(body)
  const { numSponsored, numSponsoring } = sponsorshipOf(body)
  const [master = 0, low = 0, medium = 0, high = 0] = body.thresholds.toBytes()
  const self = `${origin}/accounts/${id}`
  const homeDomain = body.homeDomain.toString()
  return {
    _links: {
      self: { href: self },
      transactions: pagedLink(`${self}/transactions`),
      offers: pagedLink(`${self}/offers`),
      data: { href: `${self}/data/{key}`, templated: true }
    },
    id,
    account_id: id,
    sequence: body.seqNum.toString(),
    ...(sequence === undefined
      ? {}
      : { sequence_ledger: sequence.seqLedger, sequence_time: sequence.seqTime.toString() }),
    subentry_count: body.numSubEntries,
    ...(body.inflationDest === null ? {} : { inflation_destination: addressOf(body.inflationDest) }),
    ...(homeDomain === "" ? {} : { home_domain: homeDomain }),
    ...modified(chain, account.lastModified),
    thresholds: { low_threshold: low, med_threshold: medium, high_threshold: high },
    flags: {
      auth_required: hasFlag(body, AccountFlag.authRequired),
      auth_revocable: hasFlag(body, AccountFlag.authRevocable),
      auth_immutable: hasFlag(body, AccountFlag.authImmutable),
      auth_clawback_enabled: hasFlag(body, AccountFlag.clawbackEnabled)
    },
    balances: [
      ...(index.trustlines.get(id) ?? []).map(balance).toSorted(byAsset),
      nativeBalance(body)
    ],
    signers: [...signers(body), { weight: master, key: id, type: signerTypes.signerKeyTypeEd25519 }],
    data: Object.fromEntries(
      (index.data.get(id) ?? [])
        .map(({ body }) => [body.dataName.toString(), Buffer.from(body.dataValue.toBytes()).toString("base64")] as const)
        .toSorted(([left], [right]) => (left < right ? -1 : 1))
    ),
    num_sponsoring: numSponsoring,
    num_sponsored: numSponsored,
    ...sponsorField(account.sponsor),
    paging_token: id
  }
}

const signers = (account: xdr.AccountEntry) => {
  const { signerSponsors } = sponsorshipOf(account)
  return account.signers.map(({ key, weight }, at) => {
    const sponsor = signerSponsors[at]
    return {
      weight,
      key: SignerKey.encodeSignerKey(key),
      type: signerTypes[key.type],
      ...sponsorField(sponsor === null || sponsor === undefined ? undefined : addressOf(sponsor))
    }
  })
}

const nativeBalance = (account: xdr.AccountEntry) => {
  const liabilities = liabilitiesOf(account)
  return {
    balance: showAmount(account.balance),
    buying_liabilities: showAmount(liabilities.buying),
    selling_liabilities: showAmount(liabilities.selling),
    asset_type: "native"
  }
}

/** A pool-share line shows no sponsor: this API has no place for it. */
const balance = ({ body, lastModified, sponsor }: Indexed<xdr.TrustLineEntry>) => {
  const authorized = isAuthorized(body)
  const common = {
    balance: showAmount(body.balance),
    limit: showAmount(body.limit),
    last_modified_ledger: lastModified,
    is_authorized: authorized,
    is_authorized_to_maintain_liabilities: authorized || (body.flags & TrustlineFlag.maintainLiabilities) !== 0,
    ...(isClawbackEnabled(body) ? { is_clawback_enabled: true } : {})
  }
  if (body.asset.type === "assetTypePoolShare") {
    return {
      ...common,
      liquidity_pool_id: Buffer.from(body.asset.liquidityPoolId.toBytes()).toString("hex"),
      asset_type: "liquidity_pool_shares"
    }
  }
  const liabilities = lineLiabilities(body)
  return {
    ...common,
    buying_liabilities: showAmount(liabilities.buying),
    selling_liabilities: showAmount(liabilities.selling),
    ...sponsorField(sponsor),
    ...assetParts(heldAsset(body.asset))
  }
}

type Balance = ReturnType<typeof balance>

const sortKey = (one: Balance): string => "liquidity_pool_id" in one ? `~${one.liquidity_pool_id}` : `${one.asset_code}:${one.asset_issuer}`

const byAsset = (left: Balance, right: Balance): number => (sortKey(left) < sortKey(right) ? -1 : 1)

/** `GET /accounts/{id}`. */
export const account = HttpRouter.makeRoute(
  "GET",
  "/accounts/:id",
  Effect.gen(function*() {
    const id = yield* Effect.flatMap(pathPart("id"), (text) => checkAccount("account_id", text))
    const chain = yield* View
    const found = indexOf(chain.state).accounts.get(id)
    if (found === undefined) return yield* Problem.notFound
    return HttpServerResponse.unsafeJson(accountResource(chain, id, found, yield* requestOrigin))
  })
)
