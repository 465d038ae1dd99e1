import { HttpRouter } from "@effect/platform"
import { SignerKey, type xdr } from "@stellar/stellar-sdk"
import { Effect, Option } from "effect"
import { assetId } from "../../ledger/Asset.ts"
import { sponsorshipOf } from "../../ledger/entries/Account.ts"
import { addressOf } from "../AssetName.ts"
import { type Indexed, indexOf } from "../LedgerIndex.ts"
import type { Chain } from "../network/Chain.ts"
import { accountResource } from "./AccountResource.ts"
import { page, textKey } from "./Page.ts"
import { Problem } from "./Problem.ts"
import { accountParameter, assetParameter, query } from "./Query.ts"
import { View } from "./View.ts"

const oneFilter = new Problem({
  status: 400,
  type: "invalid_accounts_params",
  title: "Invalid Accounts Parameters",
  detail: "Exactly one filter is required: signer, sponsor, asset or liquidity_pool."
})

type AccountFilter = (id: string, account: Indexed<xdr.AccountEntry>) => boolean

/** The account itself, or a trustline, data entry or signer of it; offers and claimable balances have their own lists. */
const sponsoredBy = (chain: Chain, sponsor: string): AccountFilter => {
  const index = indexOf(chain.state)
  return (id, account) =>
    account.sponsor === sponsor ||
    (index.trustlines.get(id) ?? []).some((line) => line.sponsor === sponsor) ||
    (index.data.get(id) ?? []).some((entry) => entry.sponsor === sponsor) ||
    sponsorshipOf(account.body).signerSponsors.some((key) => key !== null && addressOf(key) === sponsor)
}

const signedBy = (signer: string): AccountFilter => (id, { body }) =>
  (id === signer && (body.thresholds.toBytes()[0] ?? 0) > 0) ||
  body.signers.some(({ key }) => SignerKey.encodeSignerKey(key) === signer)

const holding = (chain: Chain, line: string): AccountFilter => {
  const index = indexOf(chain.state)
  return (id) => (index.trustlines.get(id) ?? []).some(({ body }) => assetId(body.asset) === line)
}

const filter = Effect.fnUntraced(function*(chain: Chain) {
  const from = yield* query
  const given = ["signer", "sponsor", "asset", "liquidity_pool"].filter((name) => from.get(name) !== undefined)
  if (from.get("asset") === "native") return yield* Problem.invalidField("asset", "you can't filter by asset: native")
  if (given.length !== 1) return yield* oneFilter
  const sponsor = yield* accountParameter(from, "sponsor")
  if (sponsor !== undefined) return sponsoredBy(chain, sponsor)
  const signer = from.get("signer")
  if (signer !== undefined) {
    const isSigner = Option.isSome(Option.liftThrowable(SignerKey.decodeAddress)(signer))
    return isSigner ? signedBy(signer) : yield* Problem.invalidField("signer", "not the key of a signer")
  }
  const asset = yield* assetParameter(from, "asset")
  if (asset !== undefined) return holding(chain, assetId(asset))
  const pool = from.get("liquidity_pool") ?? ""
  return /^[0-9a-f]{64}$/.test(pool)
    ? holding(chain, `pool:${pool}`)
    : yield* Problem.invalidField("liquidity_pool", `${pool} does not validate as sha256`)
})

/** `GET /accounts`, by exactly one of sponsor, signer, asset or pool. */
export const accounts = HttpRouter.makeRoute(
  "GET",
  "/accounts",
  Effect.gen(function*() {
    const chain = yield* View
    const matches = yield* filter(chain)
    return yield* page({
      ...textKey,
      items: Array.from(indexOf(chain.state).accounts).filter(([id, account]) => matches(id, account)),
      keyOf: ([id]) => id,
      render: ([id, account], origin) => accountResource(chain, id, account, origin)
    })
  })
)
