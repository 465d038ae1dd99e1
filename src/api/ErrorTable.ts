import { Schema } from "effect"
import * as Input from "../domain/failure/Input.ts"
import * as Planning from "../domain/failure/Planning.ts"
import * as Request from "../domain/failure/Request.ts"
import * as Submitting from "../domain/failure/Submitting.ts"
import * as Upstream from "../domain/failure/Upstream.ts"
import { type Envelope, type ErrorRow, row } from "./ErrorRow.ts"

type Modules = typeof Input & typeof Planning & typeof Request & typeof Submitting & typeof Upstream
/** Every failure a caller can meet. */
export type AnyFailure = InstanceType<Modules[keyof Modules]>
export type FailureTag = AnyFailure["_tag"]
type Rows = { readonly [Tag in FailureTag]: ErrorRow<Extract<AnyFailure, { readonly _tag: Tag }>, Envelope> }

/** The closed set of errors. One row a failure; a failure of the domain without a row does not compile. */
// dprint-ignore: one row a line
export const ErrorTable: Rows = {
  BadRequest: row(Input.BadRequest, "bad_request", { status: 400, retry: "after_fix" }, "The request is malformed."),
  InvalidNetwork: row(Input.InvalidNetwork, "invalid_network", { status: 400, retry: "after_fix" }, "The network in the path is neither mainnet nor testnet."),
  InvalidBody: row(Input.InvalidBody, "invalid_body", { status: 400, retry: "after_fix" }, "The body is not a JSON object, lacks a field, or has a field of the wrong shape."),
  InvalidAddress: row(Input.InvalidAddress, "invalid_address", { status: 400, retry: "after_fix" }, "The address in the path is not an account address."),
  InvalidTokens: row(Input.InvalidTokens, "invalid_tokens", { status: 400, retry: "after_fix" }, "The tokens list is malformed, longer than 20, or has duplicates."),
  InvalidAsset: row(Input.InvalidAsset, "invalid_asset", { status: 400, retry: "after_fix" }, "The asset is neither native nor CODE:ISSUER nor the contract of a token."),
  InvalidAmount: row(Input.InvalidAmount, "invalid_amount", { status: 400, retry: "after_fix" }, "The amount is not a decimal above zero with at most seven fractional digits."),
  MissingParameters: row(Input.MissingParameters, "missing_parameters", { status: 400, retry: "after_fix" }, "Query parameters are missing."),
  InvalidSource: row(Input.InvalidSource, "invalid_source", { status: 400, retry: "after_fix" }, "The account to close is not an account address."),
  InvalidDestination: row(Input.InvalidDestination, "invalid_destination", { status: 400, retry: "after_fix" }, "The destination is not an address, or is the source itself. Or it is a muxed address (M...) of a listed exchange that is not known to credit them."),
  InvalidMemo: row(Input.InvalidMemo, "invalid_memo", { status: 400, retry: "after_fix" }, "The memo has the wrong type for the destination, or a value that its type does not allow. Or it stands beside a muxed address (M...)."),
  InvalidDecisions: row(Input.InvalidDecisions, "invalid_decisions", { status: 400, retry: "after_fix" }, "A decision is malformed, names an unknown point, or chooses an option that the point does not have."),
  InvalidOwner: row(Input.InvalidOwner, "invalid_owner", { status: 400, retry: "after_fix" }, "The owner of the allowance is not an account address."),
  InvalidToken: row(Input.InvalidToken, "invalid_token", { status: 400, retry: "after_fix" }, "The token is not a contract address."),
  InvalidSpender: row(Input.InvalidSpender, "invalid_spender", { status: 400, retry: "after_fix" }, "The spender is neither a contract nor an account address."),
  TokenMissing: row(Input.TokenMissing, "invalid_token", { status: 400, retry: "after_fix" }, "There is no contract at the token's address."),
  NothingToRevoke: row(Input.NothingToRevoke, "invalid_spender", { status: 400, retry: "after_fix" }, "The spender has no allowance, so there is nothing to revoke."),
  InvalidAccounts: row(Input.InvalidAccounts, "invalid_accounts", { status: 400, retry: "after_fix" }, "The accounts of the batch are missing, malformed or listed twice."),
  TooManyAccounts: row(Input.TooManyAccounts, "too_many_accounts", { status: 400, retry: "after_fix" }, "The batch names more accounts than one request may."),
  InvalidFeePayer: row(Input.InvalidFeePayer, "invalid_fee_payer", { status: 400, retry: "after_fix" }, "feePayer is neither source nor fee_bump. Or it is fee_bump for the last transaction into an exchange, whose fee the account itself must pay."),
  InvalidValidity: row(Input.InvalidValidity, "invalid_validity", { status: 400, retry: "after_fix" }, "validForSeconds is out of range."),
  InvalidTransaction: row(Input.InvalidTransaction, "invalid_transaction", { status: 400, retry: "after_fix" }, "The envelope does not decode, or is of the wrong kind."),
  InvalidRateLimit: row(Input.InvalidRateLimit, "invalid_rate_limit", { status: 400, retry: "after_fix" }, "The rate limit of the key is out of range."),
  InvalidSlippage: row(Input.InvalidSlippage, "invalid_slippage", { status: 400, retry: "after_fix" }, "maxSlippageBps is out of range."),
  InvalidHash: row(Input.InvalidHash, "invalid_hash", { status: 400, retry: "after_fix" }, "The transaction hash is not 64 hex characters."),
  SecretKeyRefused: row(Input.SecretKeyRefused, "secret_key_refused", { status: 400, retry: "after_fix" }, "The request contains a secret seed. The service rejects the request and never logs it. Treat that key as exposed."),

  Unauthorized: row(Request.Unauthorized, "unauthorized", { status: 401, retry: "after_fix" }, "The bearer token is missing, unknown or revoked."),
  ChallengeRefused: row(Request.ChallengeRefused, "unauthorized", { status: 401, retry: "after_fix" }, "The challenge is not from this service, has expired, was already used, or is not signed by the account."),

  SessionScope: row(Request.SessionScope, "session_scope", { status: 403, retry: "after_fix" }, "The request, or the inner transaction of its envelope, is about another account than the session of the page /close."),
  MediatorRefused: row(Upstream.MediatorRefused, "mediator_refused", { status: 403, retry: "replan" }, "The mediator does not co-sign this envelope, or is paused; `rule` names the first broken rule."),

  RouteNotFound: row(Request.RouteNotFound, "not_found", { status: 404, retry: "after_fix" }, "The route does not exist."),
  AccountNotFound: row(Request.AccountNotFound, "not_found", { status: 404, retry: "after_fix" }, "The account does not exist on this network."),
  ApiKeyNotFound: row(Request.ApiKeyNotFound, "api_key_not_found", { status: 404, retry: "after_fix" }, "There is no API key with that id."),

  MethodNotAllowed: row(Request.MethodNotAllowed, "method_not_allowed", { status: 405, retry: "after_fix" }, "The route does not support this method. The Allow header lists the methods it supports."),

  QuoteDrifted: row(Planning.QuoteDrifted, "quote_drifted", { status: 409, retry: "replan" }, "A conversion brings less than its agreed floor, or its path no longer exists."),
  BelowAcceptedMinimum: row(Planning.BelowAcceptedMinimum, "below_accepted_minimum", { status: 409, retry: "replan" }, "The whole close brings less than the request's accept.minReceivedLumens."),
  PlanChanged: row(Planning.PlanChanged, "plan_changed", { status: 409, retry: "replan" }, "The account, the request or the prices differ from those of the plan."),
  StaleSequence: row(Submitting.StaleSequence, "stale_sequence", { status: 409, retry: "replan" }, "The sequence number is not the account's next one."),
  TransactionExpired: row(Submitting.TransactionExpired, "transaction_expired", { status: 409, retry: "replan" }, "The transaction's time or ledger bound has passed."),
  KeyLimitReached: row(Request.KeyLimitReached, "key_limit_reached", { status: 409, retry: "after_fix" }, "The address already has the most live keys it may have."),

  PayloadTooLarge: row(Request.PayloadTooLarge, "payload_too_large", { status: 413, retry: "after_fix" }, "The body is larger than the route accepts."),
  UnsupportedMediaType: row(Request.UnsupportedMediaType, "unsupported_media_type", { status: 415, retry: "after_fix" }, "The body is not declared as uncompressed JSON in UTF-8."),

  AccountTooLarge: row(Planning.AccountTooLarge, "account_too_large", { status: 422, retry: "after_fix" }, "The account needs more decisions than one request can carry."),
  PlanBlocked: row(Planning.PlanBlocked, "plan_blocked", { status: 422, retry: "replan" }, "More than one blocker stops the close."),
  ConfirmationRequired: row(Planning.ConfirmationRequired, "confirmation_required", { status: 422, retry: "after_fix" }, "Tools for agents only: a decision that gives something up or sends it away comes without its amount in `confirm`."),
  NeedsDecisions: row(Planning.NeedsDecisions, "needs_decisions", { status: 422, retry: "after_fix" }, "Required decisions are missing."),
  DestinationNotAcknowledged: row(Planning.DestinationNotAcknowledged, "destination_not_acknowledged", { status: 422, retry: "after_fix" }, "The destination is in no exchange registry, and no decision confirms that you control it."),
  DestinationUnusable: row(Planning.DestinationUnusable, "destination_unusable", { status: 422, retry: "after_fix" }, "The destination cannot take the lumens."),
  TransferDestinationUnusable: row(Planning.TransferDestinationUnusable, "transfer_destination_unusable", { status: 422, retry: "after_fix" }, "The destination of a transfer cannot take the asset."),
  MemoRequired: row(Planning.MemoRequired, "memo_required", { status: 422, retry: "after_fix" }, "The destination needs a memo and none was given."),
  ConversionFloorMissing: row(Planning.ConversionFloorMissing, "conversion_floor_missing", { status: 422, retry: "after_fix" }, "A conversion was chosen without minReceive."),
  PositionsUnread: row(Planning.PositionsUnread, "positions_unread", { status: 422, retry: "replan" }, "Positions in some protocols could not be read."),
  PositionExitUnavailable: row(Planning.PositionExitUnavailable, "position_exit_unavailable", { status: 422, retry: "replan" }, "A position has no exit that can be built now."),
  PositionExitUnsafe: row(Planning.PositionExitUnsafe, "position_exit_unsafe", { status: 422, retry: "never" }, "The exit of a position would differ from what it declares: it would authorise more, take more, or pay clearly less."),
  PositionCoolingDown: row(Planning.PositionCoolingDown, "position_cooling_down", { status: 422, retry: "after_delay" }, "A position can be left only later."),
  PayoutTrustlineMissing: row(Planning.PayoutTrustlineMissing, "payout_trustline_missing", { status: 422, retry: "after_fix" }, "An exit pays an asset without a trustline, and the account has too few lumens to add it."),
  RepayAssetShort: row(Planning.RepayAssetShort, "repay_asset_short", { status: 422, retry: "after_fix" }, "A debt is larger than the balance of its asset."),
  TokenUnsafe: row(Planning.TokenUnsafe, "token_unsafe", { status: 422, retry: "never" }, "A token contract requires more authorisation than the named call."),
  SimulationFailed: row(Planning.SimulationFailed, "simulation_failed", { status: 422, retry: "replan" }, "The contract call fails when simulated."),
  InsufficientLumens: row(Planning.InsufficientLumens, "insufficient_lumens", { status: 422, retry: "after_fix" }, "The account cannot pay the fee or reserve of the next transaction."),
  RevokeUnsafe: row(Planning.RevokeUnsafe, "revoke_unsafe", { status: 422, retry: "never" }, "The token's contract requires more authorisation than the revocation."),
  DryRunFailed: row(Planning.DryRunFailed, "dry_run_failed", { status: 422, retry: "replan", neverIf: ({ modelProtocol }) => modelProtocol !== undefined }, "The transaction fails on the ledger model, so the service does not return it. If the ledger runs a newer protocol than the model, `retry` is `never`."),
  BadSignatures: row(Submitting.BadSignatures, "bad_signatures", { status: 422, retry: "after_fix" }, "The signatures do not carry enough weight."),
  TransactionRejected: row(Submitting.TransactionRejected, "transaction_rejected", { status: 422, retry: "replan" }, "The network rejected the transaction before it entered a ledger. If its fee was too low, `feeStroops` is the fee the network requires now."),
  TransactionFailed: row(Submitting.TransactionFailed, "transaction_failed", { status: 422, retry: "replan" }, "The transaction was included in a ledger and failed."),

  RateLimited: row(Request.RateLimited, "rate_limited", { status: 429, retry: "after_delay" }, "More requests than the rate allows."),

  InternalError: row(Request.InternalError, "internal_error", { status: 500, retry: "after_delay" }, "The service has an internal error."),
  UpstreamUnusable: row(Upstream.UpstreamUnusable, "upstream_unusable", { status: 502, retry: "after_delay" }, "A source of ledger data returned a response that does not decode."),

  NetworkUnavailable: row(Upstream.NetworkUnavailable, "network_unavailable", { status: 503, retry: "after_delay", neverIf: ({ source }) => source === undefined }, "None of the network's endpoints responds, or this service has the network switched off. If it is switched off, `retry` is `never`."),
  UpstreamRateLimited: row(Upstream.UpstreamRateLimited, "upstream_rate_limited", { status: 503, retry: "after_delay" }, "Every endpoint rate limits this service."),
  LedgerApiLagging: row(Upstream.LedgerApiLagging, "ledger_api_lagging", { status: 503, retry: "after_delay" }, "The ledger API is too far behind to be relied on."),
  ContractRpcLagging: row(Upstream.ContractRpcLagging, "contract_rpc_lagging", { status: 503, retry: "after_delay" }, "The contract RPC is too far behind the ledger API or the clock to be relied on."),
  NetworkFeeAboveLimit: row(Upstream.NetworkFeeAboveLimit, "network_fee_above_limit", { status: 503, retry: "after_delay" }, "The network's base fee is above the limit that the operator set."),
  SourcesDisagree: row(Upstream.SourcesDisagree, "sources_disagree", { status: 503, retry: "after_delay" }, "Two sources of ledger data disagree about the same ledger, so the service trusts neither."),
  ServiceBusy: row(Upstream.ServiceBusy, "service_busy", { status: 503, retry: "after_delay" }, "The service is shutting down, or overloaded: the request would wait in the queue longer than half its deadline."),
  RegistryExpired: row(Upstream.RegistryExpired, "registry_expired", { status: 503, retry: "never" }, "The exchange registry has expired."),
  MediatorNotConfigured: row(Upstream.MediatorNotConfigured, "mediator_not_configured", { status: 503, retry: "never" }, "The destination needs the mediator, and this network has none configured."),
  MediatorOverfunded: row(Upstream.MediatorOverfunded, "mediator_overfunded", { status: 503, retry: "after_delay" }, "The mediator holds more lumens than the operator's limit and is paused."),
  KeyStoreUnavailable: row(Upstream.KeyStoreUnavailable, "key_store_unavailable", { status: 503, retry: "after_delay" }, "API keys cannot be checked now: the key store does not respond."),
  AdminNotConfigured: row(Upstream.AdminNotConfigured, "admin_not_configured", { status: 503, retry: "never" }, "Key management is switched off on this service."),
  SubmissionBusy: row(Submitting.SubmissionBusy, "submission_busy", { status: 503, retry: "after_delay" }, "The network kept reporting TRY_AGAIN_LATER. Submit the same envelope again."),

  DeadlineExceeded: row(Upstream.DeadlineExceeded, "deadline_exceeded", { status: 504, retry: "after_delay" }, "The request's deadline passed."),
  ConfirmationTimeout: row(Submitting.ConfirmationTimeout, "confirmation_timeout", { status: 504, retry: "after_delay" }, "Sent, but not seen in a ledger in time. Look it up by hash.")
}

/** The failures an endpoint may answer, by name. */
export const failures = <const Tags extends ReadonlyArray<FailureTag>>(...tags: Tags): Schema.Schema<
  Extract<AnyFailure, { readonly _tag: Tags[number] }>,
  Envelope
> => Schema.make(Schema.Union(...tags.map((tag) => ErrorTable[tag].schema)).ast)
