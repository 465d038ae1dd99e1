import { type Remedy, remedy } from "../domain/Help.ts"
import type { FailureTag } from "./ErrorTable.ts"

const fix = (what: string): Remedy => remedy(what, "caller")
const wait = remedy(
  "Send the same request again after `Retry-After`. If the error persists, the operator checks `/health/deep`.",
  "time",
  "operator"
)

/** What to do about every failure, and by whom; a failure of the table without it does not compile. */
export const remedies: Readonly<Record<FailureTag, Remedy>> = {
  BadRequest: fix("The message says what could not be read: headers, a path, or the encoding."),
  InvalidNetwork: fix("Use `mainnet` or `testnet` in the path."),
  InvalidBody: fix("`details.issues` names each field and what is wrong with it. `/openapi.json` has the schema."),
  InvalidAddress: fix("Send a G address of 56 characters, without spaces. Compare every character with the original."),
  InvalidTokens: fix("Send up to 20 different contract addresses, separated by commas."),
  InvalidAsset: fix("Send `native`, `CODE:ISSUER` or the contract of a token."),
  InvalidAmount: fix("Send a decimal such as `12.5`, as a string, without an exponent or thousands separators."),
  MissingParameters: fix("Add the parameters that `details.missing` names."),
  InvalidSource: fix("Send the account's G address. For an M address, send the G address that it contains."),
  InvalidDestination: fix(
    "Send another account's address. The account cannot be closed into itself. For a muxed address (M...), send the G address that it contains, and a memo."
  ),
  InvalidMemo: fix(
    "Send the memo as the exchange assigned it, of the type that `details.memoType` names. A muxed address (M...) takes no memo."
  ),
  InvalidDecisions: fix(
    "Send back an option of the plan's decision point, with its `params`. `details.issues` names the decision. Plan again for the current options."
  ),
  InvalidOwner: fix("Send the G address of the account that gave the allowance."),
  InvalidToken: fix("Send the C address of the token's contract."),
  InvalidSpender: fix("Send the C or G address that was allowed to spend."),
  TokenMissing: fix("Check the address and the network. Without a contract there is no allowance."),
  NothingToRevoke: fix(
    "Do nothing. The allowance never existed, or it is revoked, used up or expired. `GET` allowances lists the live ones."
  ),
  InvalidAccounts: fix("Send each account once, as a G address."),
  TooManyAccounts: fix("Split the batch. `details.max` is the most accounts of one request."),
  InvalidFeePayer: fix(
    "Use `source`, or `fee_bump` if another account wraps and pays for the transactions. The last one into a mediated exchange allows"
      + " `source` only."
  ),
  InvalidValidity: fix("Send whole seconds from 60 to 86400."),
  InvalidTransaction: fix("Send the envelope in base64, as it came from the last step. `details.reason` says what is wrong."),
  InvalidRateLimit: fix("Send a limit from 1 to 1000000 and a window from 1 to 86400 seconds."),
  InvalidSlippage: fix("Send whole basis points from 1 to 5000."),
  InvalidHash: fix("Send the 64 hex characters of `hash`."),
  SecretKeyRefused: remedy(
    "Never send a secret key to any service. Move everything to an account with a new key, because others may know the old one now.",
    "owner",
    "caller"
  ),
  Unauthorized: fix(
    "Send a live key as `Authorization: Bearer lk_...`. Routes below `/admin` take the operator's token, routes below `/keys/mine` and `/close` each a session token of their own."
  ),
  ChallengeRefused: fix("Request a new challenge, and sign it with the account's keys for the network of `networkPassphrase`."),
  SessionScope: fix("Open a session on the page `/close` for that account: a session is for one account on one network."),
  MediatorRefused: remedy(
    "Request the transaction again and forward it unchanged. `details.rule` names the broken rule (docs/exchanges.md lists the rules). " +
      "`mediator_paused`: the operator must look at the mediator's account. Until then, close into your own address.",
    "caller",
    "operator"
  ),
  RouteNotFound: fix("`GET /openapi.json` lists every route."),
  AccountNotFound: remedy(
    "Check the network and the address. After a close, compare `details` with your request. Send `mergeHash` if you know the merge.",
    "caller",
    "owner"
  ),
  ApiKeyNotFound: fix("List the keys and use the `id` of one of them."),
  MethodNotAllowed: fix("Use a method that the `Allow` header lists."),
  QuoteDrifted: remedy(
    "Plan again, check the new quote and send the decision with it. Nothing is sold below an agreed floor.",
    "caller",
    "owner"
  ),
  BelowAcceptedMinimum: remedy(
    "Plan again and accept the new `estimate.minReceivedLumens`. The service makes no sale that would bring the total below the accepted amount.",
    "caller",
    "owner"
  ),
  PlanChanged: remedy("Plan again, show the owner what `details.changes` names, and build with the new `planHash`.", "caller", "owner"),
  StaleSequence: remedy("Another transaction of the account came first. Request the next transaction again and sign that one.", "caller"),
  TransactionExpired: remedy(
    "Request the next transaction again and sign sooner. A classic transaction stays valid for longer with a larger `validForSeconds`.",
    "caller",
    "owner"
  ),
  KeyLimitReached: remedy("Revoke a key that you no longer use.", "owner"),
  PayloadTooLarge: fix(
    "Send less: `details.maxBytes` is the limit. Decide many claimable balances or positions with one decision for the group."
  ),
  UnsupportedMediaType: fix("Send `Content-Type: application/json`, in UTF-8, not compressed."),
  AccountTooLarge: remedy("Close part of the account by hand first: claim, sell or remove some of what it holds.", "owner"),
  PlanBlocked: remedy("Look up the `reason` of each entry in `details.blockers` among the blockers below.", "owner", "caller"),
  ConfirmationRequired: remedy(
    "Ask the account's owner the questions of `details.confirm`. After a yes, call the tool again with the `id` and `amount` of each entry added to `confirm`.",
    "caller",
    "owner"
  ),
  NeedsDecisions: remedy("Send a decision for every point that `details.missing` names. The plan lists their options.", "caller", "owner"),
  DestinationNotAcknowledged: remedy(
    "Make sure that the destination is yours and not an exchange's. Then decide `destination:<address>` with `i_control_this_address`.",
    "owner"
  ),
  DestinationUnusable: remedy("Send another destination, or fund this one first. A merge cannot create an account.", "owner"),
  TransferDestinationUnusable: remedy(
    "Have the destination open an authorised trustline with a sufficient limit, or choose another option.",
    "owner",
    "others"
  ),
  MemoRequired: remedy(
    "Send the memo that the destination assigned to you. Without it the deposit is credited to no one.",
    "owner",
    "caller"
  ),
  ConversionFloorMissing: fix("Send back the plan's option. Its `params.minReceive` is the floor."),
  PositionsUnread: remedy(
    "Exit the positions in `details.protocols` with each protocol's own app. Or give them up by name where the plan offers that.",
    "owner",
    "operator"
  ),
  PositionExitUnavailable: remedy(
    "`details.reason` says why. Wait, exit the position with the protocol's own app, or choose another option.",
    "owner",
    "time"
  ),
  PositionExitUnsafe: remedy(
    "Do not sign such a call elsewhere unless you understand it. Give the position up where the plan offers that.",
    "owner",
    "operator"
  ),
  PositionCoolingDown: remedy("Request the next transaction after `details.unlocksAt`. The close then continues from this step.", "time"),
  PayoutTrustlineMissing: remedy("Send the account enough lumens for one more base reserve, and build again.", "owner"),
  RepayAssetShort: remedy("Send the account the missing amount that `details` names, or choose `buy_repay_asset_then_exit`.", "owner"),
  TokenUnsafe: remedy("The service builds nothing for this token. Give it up where the plan offers that.", "owner"),
  SimulationFailed: remedy("Plan again. If the error persists, `details.reason` has the contract's own error.", "caller", "owner"),
  InsufficientLumens: remedy("Send the account lumens, or have another account wrap the transaction (`feePayer` `fee_bump`).", "owner"),
  RevokeUnsafe: remedy("Do not sign it elsewhere unless you understand it: the token's contract does more than revoke.", "owner"),
  DryRunFailed: remedy(
    "Plan again. `details.result` has the result codes of the ledger model. No transaction was returned and no fee charged.",
    "caller",
    "owner"
  ),
  BadSignatures: remedy(
    "Have the accounts of `details.needed` sign for the network of `networkPassphrase`. Send no signature twice, and none that is not needed.",
    "owner",
    "caller"
  ),
  TransactionRejected: remedy(
    "Request the next transaction again. With `details.feeStroops` the network is in surge pricing, and the new transaction bids more.",
    "caller"
  ),
  TransactionFailed: remedy("Plan again: the account or the market changed after the build. Only the fee was charged.", "caller"),
  RateLimited: remedy("Wait `details.retryAfterSeconds` seconds, or ask the operator for a higher rate.", "time", "operator"),
  InternalError: remedy(
    "Try again. If the error persists, report the `X-Request-Id` of the response. After a submit, look the transaction up by its hash first.",
    "caller",
    "operator"
  ),
  UpstreamUnusable: remedy(
    "Send the same request again after some seconds. If the error persists, the operator checks `/health/deep`.",
    "time",
    "operator"
  ),
  NetworkUnavailable: remedy(
    "With `details.source`, try again after `Retry-After`; the operator checks why that source does not respond. Without it the network is switched off: use another network, or have the operator set its URLs.",
    "time",
    "operator"
  ),
  UpstreamRateLimited: remedy("Wait, then try again. The operator needs sources with a higher rate limit.", "time", "operator"),
  LedgerApiLagging: wait,
  ContractRpcLagging: wait,
  NetworkFeeAboveLimit: remedy("Wait until the base fee falls, or raise MAX_FEE_STROOPS_PER_OPERATION.", "time", "operator"),
  SourcesDisagree: remedy(
    "Try again after `Retry-After`. If the error persists, one source is wrong and the operator replaces it.",
    "time",
    "operator"
  ),
  ServiceBusy: wait,
  RegistryExpired: remedy(
    "Set EXCHANGE_REGISTRY_FILE to a checked registry, or close into your own address.",
    "operator",
    "owner"
  ),
  MediatorNotConfigured: remedy(
    "Set the network's mediator (docs/operating.md), or close into your own address.",
    "operator",
    "owner"
  ),
  MediatorOverfunded: remedy("Move the mediator's surplus (`npm run mediator:sweep`). The service also retries it.", "operator"),
  KeyStoreUnavailable: wait,
  AdminNotConfigured: remedy("Set ADMIN_TOKEN, or do not use these routes.", "operator"),
  SubmissionBusy: remedy("Submit the same envelope again. The ledger applies it at most once.", "caller", "time"),
  DeadlineExceeded: remedy(
    "Try again: part of the data is cached now. After a submit, look the transaction up by its hash first.",
    "caller"
  ),
  ConfirmationTimeout: remedy(
    "Look it up (`GET /v1/{network}/transactions/{hash}`) or submit the same envelope again. Build nothing new until its result is known.",
    "caller"
  )
}
