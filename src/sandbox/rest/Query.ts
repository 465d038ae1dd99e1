import { HttpRouter, HttpServerRequest } from "@effect/platform"
import { StrKey, type xdr } from "@stellar/stellar-sdk"
import { Effect, Option } from "effect"
import { native } from "../../ledger/Asset.ts"
import { creditAsset, readCanonicalAsset } from "../AssetName.ts"
import { readAmount } from "../DecimalAmount.ts"
import { Problem } from "./Problem.ts"

/** The query parameters of a request. An empty value counts as none. */
export interface Query {
  readonly get: (name: string) => string | undefined
  /** Names and values as they came, for links to other pages. */
  readonly all: URLSearchParams
}

export const query: Effect.Effect<Query, never, HttpServerRequest.HttpServerRequest> = Effect.map(
  HttpServerRequest.HttpServerRequest,
  ({ url }) => {
    const all = new URL(url, "http://localhost").searchParams
    return { all, get: (name) => all.get(name) || undefined }
  }
)

/** A part of the path, as named in the route. */
export const pathPart = (name: string): Effect.Effect<string, Problem, HttpRouter.RouteContext> =>
  Effect.flatMap(HttpRouter.RouteContext, ({ params }) => {
    const value = params[name]
    return value === undefined ? Effect.fail(Problem.notFound) : Effect.succeed(value)
  })

const accountRule = "Account ID must start with `G` and contain 56 alphanum characters"
const assetRule = "Asset must be the string \"native\" or a string of the form \"Code:IssuerAccountID\" for issued assets."
const typeRule = "Asset type must be native, credit_alphanum4 or credit_alphanum12"
const amountRule = "Amount must be positive"

export const checkAccount = (field: string, text: string): Effect.Effect<string, Problem> =>
  StrKey.isValidEd25519PublicKey(text) ? Effect.succeed(text) : Effect.fail(Problem.invalidField(field, accountRule))

/** An optional account parameter. */
export const accountParameter = (from: Query, field: string): Effect.Effect<string | undefined, Problem> => {
  const text = from.get(field)
  return text === undefined ? Effect.succeed(undefined) : checkAccount(field, text)
}

export const checkCanonicalAsset = (field: string, text: string): Effect.Effect<xdr.Asset, Problem> =>
  Option.match(readCanonicalAsset(text), {
    onNone: () => Effect.fail(Problem.invalidField(field, assetRule)),
    onSome: Effect.succeed
  })

/** An optional asset in canonical form. */
export const assetParameter = (from: Query, field: string): Effect.Effect<xdr.Asset | undefined, Problem> => {
  const text = from.get(field)
  return text === undefined ? Effect.succeed(undefined) : checkCanonicalAsset(field, text)
}

/** An optional asset spread over `<prefix>_asset_type`, `_code` and `_issuer`. */
export const assetTriple = (from: Query, prefix: string): Effect.Effect<xdr.Asset | undefined, Problem> => {
  const type = from.get(`${prefix}_asset_type`)
  if (type === undefined) return Effect.succeed(undefined)
  if (type === "native") return Effect.succeed(native)
  if (type !== "credit_alphanum4" && type !== "credit_alphanum12") {
    return Effect.fail(Problem.invalidField(`${prefix}_asset_type`, typeRule))
  }
  const code = from.get(`${prefix}_asset_code`) ?? ""
  const issuer = from.get(`${prefix}_asset_issuer`) ?? ""
  if (code.length === 0 || (code.length <= 4) !== (type === "credit_alphanum4")) {
    return Effect.fail(Problem.invalidField(`${prefix}_asset_code`, "Asset code length is invalid"))
  }
  return Option.match(creditAsset(code, issuer), {
    onNone: () => Effect.fail(Problem.invalidField(`${prefix}_asset_issuer`, accountRule)),
    onSome: Effect.succeed
  })
}

/** A required amount above zero, in stroops. */
export const amountParameter = (from: Query, field: string): Effect.Effect<bigint, Problem> => {
  const value = Option.filter(readAmount(from.get(field) ?? ""), (amount) => amount > 0n)
  return Option.match(value, {
    onNone: () => Effect.fail(Problem.invalidField(field, amountRule)),
    onSome: Effect.succeed
  })
}
