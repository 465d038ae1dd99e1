import { HttpRouter, HttpServerResponse } from "@effect/platform"
import { Effect } from "effect"
import { sameAsset } from "../../ledger/Asset.ts"
import { ascending } from "../Ascending.ts"
import { addressOf } from "../AssetName.ts"
import { indexOf } from "../LedgerIndex.ts"
import { requestOrigin } from "../RequestOrigin.ts"
import { balanceIdOf, claimableBalanceResource } from "./ClaimableBalanceResource.ts"
import { page } from "./Page.ts"
import { Problem } from "./Problem.ts"
import { accountParameter, assetParameter, pathPart, query } from "./Query.ts"
import { View } from "./View.ts"

const ID_RULE = "Claimable Balance ID must be the hex-encoded XDR representation of a Claimable Balance ID"

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
    if (!/^0{8}[0-9a-f]{64}$/.test(id)) return yield* Problem.invalidField("claimable_balance_id", ID_RULE)
    const chain = yield* View
    const found = indexOf(chain.state).claimableBalances.find((balance) => balanceIdOf(balance) === id)
    if (found === undefined) return yield* Problem.notFound
    return HttpServerResponse.unsafeJson(claimableBalanceResource(chain, found, yield* requestOrigin))
  })
)
