import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { type Envelope, noRequestId, type Retry } from "../../src/api/ErrorRow.ts"
import { ErrorTable } from "../../src/api/ErrorTable.ts"
import { stroops } from "../../src/domain/Amount.ts"
import { InvalidMemo, InvalidNetwork } from "../../src/domain/failure/Input.ts"
import { DryRunFailed, InsufficientLumens, PlanBlocked } from "../../src/domain/failure/Planning.ts"
import { AccountNotFound, RouteNotFound } from "../../src/domain/failure/Request.ts"
import { NetworkUnavailable } from "../../src/domain/failure/Upstream.ts"

/** The codes by status, as agreed with callers. */
const agreed: Record<number, ReadonlyArray<string>> = {
  400: [
    "bad_request",
    "invalid_accounts",
    "invalid_address",
    "invalid_amount",
    "invalid_asset",
    "invalid_body",
    "invalid_decisions",
    "invalid_destination",
    "invalid_fee_payer",
    "invalid_hash",
    "invalid_memo",
    "invalid_network",
    "invalid_owner",
    "invalid_rate_limit",
    "invalid_slippage",
    "invalid_source",
    "invalid_spender",
    "invalid_spender",
    "invalid_token",
    "invalid_token",
    "invalid_tokens",
    "invalid_transaction",
    "invalid_validity",
    "missing_parameters",
    "secret_key_refused",
    "too_many_accounts"
  ],
  401: ["unauthorized", "unauthorized"],
  403: ["mediator_refused", "session_scope"],
  404: ["api_key_not_found", "not_found", "not_found"],
  405: ["method_not_allowed"],
  409: ["below_accepted_minimum", "key_limit_reached", "plan_changed", "quote_drifted", "stale_sequence", "transaction_expired"],
  413: ["payload_too_large"],
  415: ["unsupported_media_type"],
  422: [
    "account_too_large",
    "bad_signatures",
    "confirmation_required",
    "conversion_floor_missing",
    "destination_not_acknowledged",
    "destination_unusable",
    "dry_run_failed",
    "insufficient_lumens",
    "memo_required",
    "needs_decisions",
    "payout_trustline_missing",
    "plan_blocked",
    "position_cooling_down",
    "position_exit_unavailable",
    "position_exit_unsafe",
    "positions_unread",
    "repay_asset_short",
    "revoke_unsafe",
    "simulation_failed",
    "token_unsafe",
    "transaction_failed",
    "transaction_rejected",
    "transfer_destination_unusable"
  ],
  429: ["rate_limited"],
  500: ["internal_error"],
  502: ["upstream_unusable"],
  503: [
    "admin_not_configured",
    "contract_rpc_lagging",
    "key_store_unavailable",
    "ledger_api_lagging",
    "mediator_not_configured",
    "mediator_overfunded",
    "network_fee_above_limit",
    "network_unavailable",
    "registry_expired",
    "service_busy",
    "sources_disagree",
    "submission_busy",
    "upstream_rate_limited"
  ],
  504: ["confirmation_timeout", "deadline_exceeded"]
}

/** Details that every failure has, outside of a request. */
const common = (retry: Retry, code: string) => ({ retry, requestId: noRequestId, helpUrl: `/docs/errors.md#error-${code}` })

describe("ErrorTable", () => {
  it("holds exactly the agreed codes, each at its status", () => {
    const found: Record<number, Array<string>> = {}
    for (const row of Object.values(ErrorTable)) (found[row.status] ??= []).push(row.code)
    for (const codes of Object.values(found)) codes.sort()
    assert.deepStrictEqual(found, agreed)
  })

  it("gives every row a meaning that fits the documentation", () => {
    for (const row of Object.values(ErrorTable)) assert.match(row.meaning, /^[A-Za-z].*\.$/)
  })

  it("asks to wait for every 503 and 504 but those that an operator must end, and never says so for a request that is wrong", () => {
    const ended = ["registry_expired", "mediator_not_configured", "admin_not_configured"]
    for (const row of Object.values(ErrorTable)) {
      if (row.status >= 503) assert.strictEqual(row.retry, ended.includes(row.code) ? "never" : "after_delay", row.code)
      if (row.status === 400) assert.strictEqual(row.retry, "after_fix", row.code)
    }
  })

  it("encodes a failure without fields with the details of every failure", () => {
    assert.deepEqual(Schema.encodeSync(ErrorTable.InvalidNetwork.schema)(new InvalidNetwork()), {
      error: { code: "invalid_network", message: new InvalidNetwork().message, details: common("after_fix", "invalid_network") }
    })
    assert.deepEqual(Schema.encodeSync(ErrorTable.RouteNotFound.schema)(new RouteNotFound()), {
      error: { code: "not_found", message: new RouteNotFound().message, details: common("after_fix", "not_found") }
    })
  })

  it("asks for no repetition where a network is off, and where the ledger is newer than the model", () => {
    const retryOf = <Self>({ schema }: { readonly schema: Schema.Schema<Self, Envelope> }, failure: Self) =>
      Schema.encodeSync(schema)(failure).error.details.retry
    const unavailable = { network: "mainnet" } as const
    assert.strictEqual(retryOf(ErrorTable.NetworkUnavailable, new NetworkUnavailable(unavailable)), "never")
    assert.strictEqual(
      retryOf(ErrorTable.NetworkUnavailable, new NetworkUnavailable({ ...unavailable, source: "ledger_api" })),
      "after_delay"
    )
    const failed = { transaction: "tx-1", result: { resultCode: "tx_failed", operationResultCodes: [] } }
    assert.strictEqual(retryOf(ErrorTable.DryRunFailed, new DryRunFailed(failed)), "replan")
    assert.strictEqual(retryOf(ErrorTable.DryRunFailed, new DryRunFailed({ ...failed, modelProtocol: 28 })), "never")
  })

  it("encodes the fields of a failure as its details, amounts as decimal text", () => {
    const failure = new InsufficientLumens({ needed: stroops(15_000_000n), spendable: stroops(1n) })
    assert.deepEqual<unknown>(Schema.encodeSync(ErrorTable.InsufficientLumens.schema)(failure), {
      error: {
        code: "insufficient_lumens",
        message: failure.message,
        details: { needed: "1.5000000", spendable: "0.0000001", ...common("after_fix", "insufficient_lumens") }
      }
    })
  })

  it("leaves out optional details that are not there", () => {
    const failure = new AccountNotFound({ address: "G" })
    assert.deepEqual<unknown>(Schema.encodeSync(ErrorTable.AccountNotFound.schema)(failure).error.details, {
      address: "G",
      ...common("after_fix", "not_found")
    })
  })

  it("never sends a message longer than 240 characters", () => {
    const failure = new InvalidMemo({ memoType: "id", rule: "x".repeat(1000) })
    assert.strictEqual(Schema.encodeSync(ErrorTable.InvalidMemo.schema)(failure).error.message.length, 240)
  })

  it("gives a client the class back", () => {
    const wire = {
      error: {
        code: "plan_blocked",
        message: "m",
        details: { blockers: [{ message: "immutable", reason: "auth_immutable" }], ...common("replan", "plan_blocked") }
      }
    }
    const failure = Schema.decodeUnknownSync(ErrorTable.PlanBlocked.schema)(wire)
    assert.instanceOf(failure, PlanBlocked)
    assert.deepEqual(failure.blockers, [{ message: "immutable", reason: "auth_immutable" }])
    assert.throws(() => Schema.decodeUnknownSync(ErrorTable.PlanBlocked.schema)({ error: { ...wire.error, code: "needs_decisions" } }))
  })
})
