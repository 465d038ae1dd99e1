import { HttpClient, HttpClientRequest, HttpClientResponse } from "@effect/platform"
import { Address, StrKey, xdr } from "@stellar/stellar-sdk/base"
import { Effect, Option, Schema } from "effect"
import { Amount } from "../domain/Amount.ts"
import { PredicateObject, predicateOf } from "../domain/PredicateObject.ts"
import type { ClaimantOf } from "./ClaimWindow.ts"
import { WitnessUnavailable } from "./ClientFailure.ts"
import { hex } from "./Envelope.ts"

/** Sources of the ledger that the caller trusts more than the service. One of the two suffices; prices come from the ledger API only. */
export interface WitnessUrls {
  /** A contract RPC. */
  readonly rpcUrl?: string
  /** A ledger API. */
  readonly ledgerApiUrl?: string
}

/** An account's own entry. */
export interface WitnessedAccount {
  readonly sequence: bigint
  readonly balanceStroops: bigint
  readonly subEntries: number
}

const unavailable = (url: string) => (failure: unknown) =>
  new WitnessUnavailable({ url, reason: failure instanceof Error ? failure.message.slice(0, 300) : String(failure) })

const answer = <A, I>(
  url: string,
  request: HttpClientRequest.HttpClientRequest,
  schema: Schema.Schema<A, I>
): Effect.Effect<A | null, WitnessUnavailable, HttpClient.HttpClient> =>
  Effect.flatMap(HttpClient.HttpClient, (client) =>
    Effect.gen(function*() {
      const response = yield* client.execute(request)
      if (response.status === 404) return null
      if (response.status !== 200) return yield* Effect.fail(new Error(`it answers ${response.status}`))
      return yield* HttpClientResponse.schemaBodyJson(schema)(response)
    })).pipe(Effect.mapError(unavailable(url)))

const at = (base: string, path: string): string => `${base.replace(/\/+$/, "")}${path}`

const LedgerEntries = Schema.Struct({ result: Schema.Struct({ entries: Schema.Array(Schema.Struct({ xdr: Schema.String })) }) })

const keyOf = (address: string): string =>
  xdr.LedgerKey.account(
    new xdr.LedgerKeyAccount({ accountId: xdr.PublicKey.publicKeyTypeEd25519(StrKey.decodeEd25519PublicKey(address)) })
  ).toXdr("base64")

const instanceKeyOf = (contract: string): string =>
  xdr.LedgerKey.contractData(
    new xdr.LedgerKeyContractData({
      contract: Address.fromString(contract).toScAddress(),
      key: xdr.ScVal.scvLedgerKeyContractInstance(),
      durability: xdr.ContractDataDurability.persistent
    })
  ).toXdr("base64")

const entriesAt = (url: string, keys: ReadonlyArray<string>) => {
  const body = { jsonrpc: "2.0", id: 1, method: "getLedgerEntries", params: { keys } }
  return Effect.flatMap(
    answer(url, HttpClientRequest.bodyUnsafeJson(HttpClientRequest.post(url), body), LedgerEntries),
    (found) =>
      Effect.try({
        try: () => (found?.result.entries ?? []).map((entry) => xdr.LedgerEntryData.fromXdr(entry.xdr, "base64")),
        catch: unavailable(url)
      })
  )
}

/** The code that contracts run, by contract, SHA-256 in hex; of one that is missing here the contract RPC knows none. */
export const witnessedCode = (
  rpcUrl: string,
  contracts: ReadonlyArray<string>
): Effect.Effect<ReadonlyMap<string, string>, WitnessUnavailable, HttpClient.HttpClient> =>
  Effect.map(
    contracts.length === 0 ? Effect.succeed([]) : entriesAt(rpcUrl, contracts.map(instanceKeyOf)),
    (entries) =>
      new Map(entries.flatMap((data) => {
        if (data.type !== "contractData" || data.contractData.val.type !== "scvContractInstance") return []
        const { executable } = data.contractData.val.instance
        if (executable.type !== "contractExecutableWasm") return []
        return [[Address.fromScAddress(data.contractData.contract).toString(), hex(executable.wasmHash.toBytes())] as const]
      }))
  )

const byRpc = (url: string, source: string) =>
  Effect.map(entriesAt(url, [keyOf(source)]), ([data]) => {
    if (data?.type !== "account") return null
    const { balance, numSubEntries, seqNum } = data.account
    return { sequence: BigInt(seqNum), balanceStroops: BigInt(balance), subEntries: numSubEntries }
  })

const LedgerAccount = Schema.Struct({
  sequence: Schema.BigInt,
  subentry_count: Schema.Number,
  balances: Schema.Array(Schema.Struct({ asset_type: Schema.String, balance: Amount }))
})

const byLedgerApi = (url: string, source: string) =>
  Effect.flatMap(answer(url, HttpClientRequest.get(at(url, `/accounts/${source}`)), LedgerAccount), (account) => {
    if (account === null) return Effect.succeed(null)
    const lumens = account.balances.find(({ asset_type }) => asset_type === "native")
    if (lumens === undefined) return new WitnessUnavailable({ url, reason: "its account has no balance of lumens" })
    return Effect.succeed({ sequence: account.sequence, balanceStroops: lumens.balance, subEntries: account.subentry_count })
  })

/** The account's own entry by the witness; null: it is gone. */
export const witnessedAccount = (
  { ledgerApiUrl, rpcUrl }: WitnessUrls,
  source: string
): Effect.Effect<WitnessedAccount | null, WitnessUnavailable, HttpClient.HttpClient> => {
  if (rpcUrl !== undefined) return byRpc(rpcUrl, source)
  if (ledgerApiUrl !== undefined) return byLedgerApi(ledgerApiUrl, source)
  return Effect.fail(new WitnessUnavailable({ url: "witness", reason: "it names neither rpcUrl nor ledgerApiUrl" }))
}

/** Pages of 200 that are read of the claimable balances. */
const mostPages = 20

/** A claimable balance by the ledger API. */
export interface WitnessedClaim {
  readonly id: string
  /** `native` or `CODE:ISSUER`. */
  readonly asset: string
  /** In 10^-7 of the asset. */
  readonly amount: bigint
  /** The ledger that last modified its entry. */
  readonly modifiedIn: number
  /** When that ledger closed, Unix seconds; null: the ledger API does not say. */
  readonly modifiedAt: number | null
  readonly claimants: ReadonlyArray<ClaimantOf>
}

const Claimables = Schema.Struct({
  _embedded: Schema.Struct({
    records: Schema.Array(Schema.Struct({
      id: Schema.String,
      asset: Schema.String,
      amount: Amount,
      last_modified_ledger: Schema.Number,
      last_modified_time: Schema.optional(Schema.NullOr(Schema.String)),
      claimants: Schema.Array(Schema.Struct({ destination: Schema.String, predicate: Schema.Unknown })),
      paging_token: Schema.String
    }))
  })
})

type ClaimableRecord = (typeof Claimables.Type)["_embedded"]["records"][number]

const decodePredicate = Schema.decodeUnknownOption(PredicateObject)

const claimIn = ({ amount, asset, claimants, id, last_modified_ledger, last_modified_time }: ClaimableRecord): WitnessedClaim => {
  const millis = Date.parse(last_modified_time ?? "")
  return {
    id,
    asset,
    amount,
    modifiedIn: last_modified_ledger,
    modifiedAt: Number.isNaN(millis) ? null : Math.floor(millis / 1000),
    claimants: claimants.map(({ destination, predicate }) => ({
      destination,
      predicate: Option.getOrNull(Option.map(decodePredicate(predicate), predicateOf))
    }))
  }
}

/** The balances that the account may claim, by the ledger API; none where the witness has no such. */
export const witnessedClaims = (
  { ledgerApiUrl }: WitnessUrls,
  source: string
): Effect.Effect<ReadonlyArray<WitnessedClaim>, WitnessUnavailable, HttpClient.HttpClient> =>
  Effect.gen(function*() {
    const claims: Array<WitnessedClaim> = []
    if (ledgerApiUrl === undefined) return claims
    let cursor = ""
    for (let page = 0; page < mostPages; page++) {
      const path = `/claimable_balances?claimant=${source}&limit=200${cursor === "" ? "" : `&cursor=${encodeURIComponent(cursor)}`}`
      const found = yield* answer(ledgerApiUrl, HttpClientRequest.get(at(ledgerApiUrl, path)), Claimables)
      const records = found?._embedded.records ?? []
      claims.push(...records.map(claimIn))
      if (records.length < 200) return claims
      cursor = records.at(-1)?.paging_token ?? ""
    }
    return claims
  })

const Paths = Schema.Struct({
  _embedded: Schema.Struct({ records: Schema.Array(Schema.Struct({ destination_amount: Amount })) })
})

const assetType = (code: string): string => (code.length <= 4 ? "credit_alphanum4" : "credit_alphanum12")

/** What an amount of an asset sells for by the ledger API, in stroops; null: the witness has none, or no one buys it. */
export const witnessedSale = (
  { ledgerApiUrl }: WitnessUrls,
  sold: { readonly code: string; readonly issuer: string; readonly amount: string }
): Effect.Effect<bigint | null, WitnessUnavailable, HttpClient.HttpClient> => {
  if (ledgerApiUrl === undefined) return Effect.succeed(null)
  const query = new URLSearchParams({
    source_asset_type: assetType(sold.code),
    source_asset_code: sold.code,
    source_asset_issuer: sold.issuer,
    source_amount: sold.amount,
    destination_assets: "native"
  })
  return Effect.map(
    answer(ledgerApiUrl, HttpClientRequest.get(at(ledgerApiUrl, `/paths/strict-send?${query}`)), Paths),
    (found) => {
      const amounts = (found?._embedded.records ?? []).map(({ destination_amount }) => destination_amount)
      return amounts.length === 0 ? null : amounts.reduce((best, one) => (one > best ? one : best), 0n)
    }
  )
}

/** A transaction in a ledger, as a contract RPC tells it. */
export interface LedgerTransaction {
  readonly envelopeXdr: string
  readonly resultXdr: string
  /** Events of its operations, in order. */
  readonly events: ReadonlyArray<string>
}

const FoundTransaction = Schema.Struct({
  result: Schema.Struct({
    status: Schema.String,
    envelopeXdr: Schema.optional(Schema.String),
    resultXdr: Schema.optional(Schema.String),
    events: Schema.optional(Schema.Struct({ contractEventsXdr: Schema.optional(Schema.Array(Schema.Array(Schema.String))) }))
  })
})

const transactionAt = (rpcUrl: string, hash: string) => {
  const body = { jsonrpc: "2.0", id: 1, method: "getTransaction", params: { hash } }
  return Effect.map(
    answer(rpcUrl, HttpClientRequest.bodyUnsafeJson(HttpClientRequest.post(rpcUrl), body), FoundTransaction),
    (found): (typeof FoundTransaction.Type)["result"] => found?.result ?? { status: "NOT_FOUND" }
  )
}

/** Whether a contract RPC shows that a transaction is in a ledger and failed there. */
export const hasFailed = (rpcUrl: string, hash: string): Effect.Effect<boolean, WitnessUnavailable, HttpClient.HttpClient> =>
  Effect.map(transactionAt(rpcUrl, hash), ({ status }) => status === "FAILED")

/** A transaction by its hash; it fails while the contract RPC has no ledger with it. */
export const witnessedTransaction = (
  rpcUrl: string,
  hash: string
): Effect.Effect<LedgerTransaction, WitnessUnavailable, HttpClient.HttpClient> =>
  Effect.flatMap(
    transactionAt(rpcUrl, hash),
    ({ envelopeXdr, events, resultXdr, status }) =>
      status !== "SUCCESS" || envelopeXdr === undefined || resultXdr === undefined
        ? new WitnessUnavailable({ url: rpcUrl, reason: `it says ${status} of ${hash}` })
        : Effect.succeed({ envelopeXdr, resultXdr, events: (events?.contractEventsXdr ?? []).flat() })
  )
