import { HttpRouter, HttpServerResponse } from "@effect/platform"
import type { xdr } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { bytesId } from "../../ledger/AccountId.ts"
import { sameAsset } from "../../ledger/Asset.ts"
import { ascending } from "../Ascending.ts"
import { addressOf, canonicalAsset } from "../AssetName.ts"
import { showAmount } from "../DecimalAmount.ts"
import { type Indexed, indexOf } from "../LedgerIndex.ts"
import type { Chain } from "../network/Chain.ts"
import { requestOrigin } from "../RequestOrigin.ts"
import { showTime } from "../ShowTime.ts"
import { modified } from "./ModifiedTime.ts"
import { page } from "./Page.ts"
import { Problem } from "./Problem.ts"
import { accountParameter, assetParameter, pathPart, query } from "./Query.ts"
import { View } from "./View.ts"

const clawbackEnabledFlag = 1

/** 72 hex digits: the XDR of the id, its type included, which is zero for the only one there is. */
const balanceIdOf = ({ body }: Indexed<xdr.ClaimableBalanceEntry>): string => `00000000${bytesId(body.balanceId.v0.value)}`

const predicateJson = (predicate: xdr.ClaimPredicate): object => {
  switch (predicate.type) {
    case "claimPredicateUnconditional":
      return { unconditional: true }
    case "claimPredicateAnd":
      return { and: predicate.andPredicates.map(predicateJson) }
    case "claimPredicateOr":
      return { or: predicate.orPredicates.map(predicateJson) }
    case "claimPredicateNot":
      return predicate.notPredicate === null ? {} : { not: predicateJson(predicate.notPredicate) }
    case "claimPredicateBeforeAbsoluteTime":
      return { abs_before: showTime(predicate.absBefore), abs_before_epoch: predicate.absBefore.toString() }
    case "claimPredicateBeforeRelativeTime":
      return { rel_before: predicate.relBefore.toString() }
  }
}

/** A claimable balance. Paging token: the last changing ledger and the id. */
const claimableBalanceResource = (chain: Chain, balance: Indexed<xdr.ClaimableBalanceEntry>, origin: string) => {
  const { body, lastModified, sponsor } = balance
  const id = balanceIdOf(balance)
  const self = `${origin}/claimable_balances/${id}`
  return {
    _links: { self: { href: self } },
    id,
    asset: canonicalAsset(body.asset),
    amount: showAmount(body.amount),
    ...(sponsor === undefined ? {} : { sponsor }),
    ...modified(chain, lastModified),
    claimants: body.claimants.map(({ v0 }) => ({
      destination: addressOf(v0.destination),
      predicate: predicateJson(v0.predicate)
    })),
    flags: { clawback_enabled: body.ext.type === "v1" && (body.ext.v1.flags & clawbackEnabledFlag) !== 0 },
    paging_token: `${lastModified}-${id}`
  }
}

const idRule = "Claimable Balance ID must be the hex-encoded XDR representation of a Claimable Balance ID"

interface Key {
  readonly ledger: number
  readonly id: string
}

const key = {
  showKey: ({ id, ledger }: Key) => `${ledger}-${id}`,
  readKey: (token: string): Key | undefined => {
    const parts = /^([0-9]{1,10})-([0-9a-f]{72})$/.exec(token)
    return parts?.[1] === undefined || parts[2] === undefined ? undefined : { ledger: Number(parts[1]), id: parts[2] }
  },
  compare: (left: Key, right: Key) => left.ledger - right.ledger || ascending(left.id, right.id)
}

/** `GET /claimable_balances`, by any of claimant, sponsor and asset. */
export const claimableBalances = HttpRouter.makeRoute(
  "GET",
  "/claimable_balances",
  Effect.gen(function*() {
    const from = yield* query
    const claimant = yield* accountParameter(from, "claimant")
    const sponsor = yield* accountParameter(from, "sponsor")
    const asset = yield* assetParameter(from, "asset")
    const chain = yield* View
    return yield* page({
      ...key,
      items: indexOf(chain.state).claimableBalances.filter(
        (balance) =>
          (claimant === undefined || balance.body.claimants.some(({ v0 }) => addressOf(v0.destination) === claimant)) &&
          (sponsor === undefined || balance.sponsor === sponsor) &&
          (asset === undefined || sameAsset(balance.body.asset, asset))
      ),
      isOrdered: true,
      keyOf: (balance): Key => ({ ledger: balance.lastModified, id: balanceIdOf(balance) }),
      render: (balance, origin) => claimableBalanceResource(chain, balance, origin)
    })
  })
)

/** `GET /claimable_balances/{id}`. */
export const claimableBalance = HttpRouter.makeRoute(
  "GET",
  "/claimable_balances/:id",
  Effect.gen(function*() {
    const id = yield* pathPart("id")
    if (!/^0{8}[0-9a-f]{64}$/.test(id)) return yield* Problem.invalidField("claimable_balance_id", idRule)
    const chain = yield* View
    const found = indexOf(chain.state).claimableBalances.find((balance) => balanceIdOf(balance) === id)
    if (found === undefined) return yield* Problem.notFound
    return HttpServerResponse.unsafeJson(claimableBalanceResource(chain, found, yield* requestOrigin))
  })
)
