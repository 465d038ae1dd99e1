import { type Remedy, remedy } from "../domain/Help.ts"
import type { FailureTag } from "./ErrorTable.ts"

const fix = (what: string): Remedy => remedy(what, "caller")
const wait = remedy(
  "Send the same request again after `Retry-After`. If it stays, the operator looks at `/health/deep`.",
  "time",
  "operator"
)

/** What to do about every failure, and by whom; a failure of the table without it does not compile. */
export const remedies: Readonly<Record<FailureTag, Remedy>> = {
  BadRequest: fix("The message says what could not be read: headers, a path, or the encoding."),
  InvalidNetwork: fix("Write `mainnet` or `testnet`."),
  InvalidBody: fix("`details.issues` names each field and what is wrong with it. `/openapi.json` has the schema."),
  InvalidAddress: fix("Send a G address of 56 characters, without spaces; check it letter by letter with whoever gave it."),
  InvalidTokens: fix("Send up to 20 different contract addresses, separated by commas."),
  InvalidAsset: fix("Write `native`, `CODE:ISSUER` or the contract of a token."),
  InvalidAmount: fix("Write a decimal such as `12.5`, as a string: no exponent, no separator of thousands."),
  MissingParameters: fix("Add the parameters that `details.missing` names."),
  InvalidSource: fix("Send the G address of the account. Of an M address, send the account under it."),
  InvalidDestination: fix("Send another account's address. The account cannot be closed into itself."),
  InvalidMemo: fix("Send the memo as the exchange assigned it, of the type that `details.memoType` names."),
  InvalidDecisions: fix(
    "Echo an option of the plan's decision point with its `params`; `details.issues` names the answer. Plan again for the options of now."
  ),
  InvalidOwner: fix("Send the G address of the account that gave the allowance."),
  InvalidToken: fix("Send the C address of the token's contract."),
  InvalidSpender: fix("Send the C or G address that was allowed to spend."),
  TokenMissing: fix("Check address and network; what is not there cannot be spent."),
  NothingToRevoke: fix("Nothing: it was never given, or is revoked, used up or over. `GET` allowances lists what is live."),
  InvalidAccounts: fix("Send each account once, as a G address."),
  TooManyAccounts: fix("Split the batch; `details.max` says how many one call takes."),
  InvalidFeePayer: fix(
    "Use `source`, or `fee_bump` for transactions that somebody else wraps and pays. The last one into a mediated exchange takes"
      + " `source` only."
  ),
  InvalidValidity: fix("Send whole seconds from 60 to 86400."),
  InvalidTransaction: fix("Send the envelope in base64, as it came from the last step. `details.reason` says what it lacks."),
  InvalidRateLimit: fix("Send a limit from 1 to 1000000 and a window from 1 to 86400 seconds."),
  InvalidSlippage: fix("Send whole basis points from 1 to 5000."),
  InvalidHash: fix("Send the 64 hex characters of `hash`."),
  SecretKeyRefused: remedy(
    "Never send a secret anywhere. Move everything to an account with a new key, because what was sent must be taken as known to others.",
    "owner",
    "caller"
  ),
  Unauthorized: fix(
    "Send a live key as `Authorization: Bearer lk_...`; below `/admin` the operator's token, below `/keys/mine` that of a session."
  ),
  ChallengeRefused: fix("Ask for a new challenge, and sign it with the account's keys for the network of `networkPassphrase`."),
  MediatorRefused: remedy(
    "Ask for the transaction again and send it on unchanged; `details.rule` names what was broken (docs/exchanges.md lists the rules).",
    "caller"
  ),
  RouteNotFound: fix("`GET /openapi.json` lists every route."),
  AccountNotFound: remedy(
    "Check network and address. After a close, compare `details` with what you asked for; send `mergeHash` if you know the merge.",
    "caller",
    "owner"
  ),
  ApiKeyNotFound: fix("List the keys and use the `id` of one of them."),
  MethodNotAllowed: fix("Use a method of the `Allow` header."),
  QuoteDrifted: remedy("Plan again, look at the new quote and answer anew. Nothing is sold below an agreed floor.", "caller", "owner"),
  BelowAcceptedMinimum: remedy(
    "Plan again and accept the new `estimate.minReceivedLumens`. Nothing is sold that would bring the total below the accepted one.",
    "caller",
    "owner"
  ),
  PlanChanged: remedy("Plan again, show what `details.changes` names, and build with the new `planHash`.", "caller", "owner"),
  StaleSequence: remedy("Another transaction of the account came first. Ask for the next transaction again and sign that.", "caller"),
  TransactionExpired: remedy("Ask for the next transaction again and sign sooner, or send a larger `validForSeconds`.", "caller", "owner"),
  KeyLimitReached: remedy("Revoke a key that is not used any more.", "owner"),
  PayloadTooLarge: fix("Send less; `details.maxBytes` is the limit. Answer many claimable balances or positions by their common question."),
  UnsupportedMediaType: fix("Send `Content-Type: application/json`, in UTF-8, not compressed."),
  AccountTooLarge: remedy("Close part of the account by hand first: claim, sell or remove some of what it holds.", "owner"),
  PlanBlocked: remedy("Each of `details.blockers` has a `reason`; look it up among the blockers below.", "owner", "caller"),
  NeedsDecisions: remedy("Answer the decision points that `details.missing` names. The plan has their options.", "caller", "owner"),
  DestinationNotAcknowledged: remedy(
    "Be sure that the destination is yours and no exchange's, and answer `destination:<address>` with `i_control_this_address`.",
    "owner"
  ),
  DestinationUnusable: remedy("Name another destination, or fund it first: a merge cannot create it.", "owner"),
  TransferDestinationUnusable: remedy(
    "Have the destination open a trustline with room and authorisation, or answer otherwise.",
    "owner",
    "others"
  ),
  MemoRequired: remedy("Send the memo that the destination assigned to you. Without it nobody is credited.", "owner", "caller"),
  ConversionFloorMissing: fix("Echo the option of the plan, whose `params.minReceive` is the floor."),
  PositionsUnread: remedy(
    "Leave what is in `details.protocols` by its own means, or give it up by name where the plan asks.",
    "owner",
    "operator"
  ),
  PositionExitUnavailable: remedy(
    "`details.reason` says why. Wait, leave the position by the protocol's own means, or answer otherwise.",
    "owner",
    "time"
  ),
  PositionExitUnsafe: remedy(
    "Do not sign such a call elsewhere without understanding it. Give the position up where the plan offers that.",
    "owner",
    "operator"
  ),
  PositionCoolingDown: remedy("Ask again after `details.unlocksAt`; the close goes on where it stood.", "time"),
  PayoutTrustlineMissing: remedy("Send the account the lumens for one more base reserve, and build again.", "owner"),
  RepayAssetShort: remedy("Send the account what `details` says is missing, or answer with `buy_repay_asset_then_exit`.", "owner"),
  TokenUnsafe: remedy("Nothing is built for this token. Give it up where the plan offers that.", "owner"),
  SimulationFailed: remedy("Plan again. If it stays, `details.reason` tells what the contract says.", "caller", "owner"),
  InsufficientLumens: remedy("Send the account lumens, or let somebody wrap the transaction (`feePayer` `fee_bump`).", "owner"),
  RevokeUnsafe: remedy("Do not sign it elsewhere without understanding it: the token does more than revoke.", "owner"),
  DryRunFailed: remedy(
    "Plan again; `details.result` has the codes of the ledger model. Nothing was handed over and nothing charged.",
    "caller",
    "owner"
  ),
  BadSignatures: remedy(
    "Let the accounts of `details.needed` sign, for the network of `networkPassphrase`, and no key twice or in vain.",
    "owner",
    "caller"
  ),
  TransactionRejected: remedy(
    "Ask for the next transaction again. With `details.feeStroops` others bid more, and the new one offers more.",
    "caller"
  ),
  TransactionFailed: remedy("Plan again: something changed between build and ledger. Only the fee was charged.", "caller"),
  RateLimited: remedy("Wait `details.retryAfterSeconds`, or ask the operator for a higher rate.", "time", "operator"),
  InternalError: remedy(
    "Try again, and report the `X-Request-Id` of the answer if it stays. A submitted transaction is looked up by its hash first.",
    "caller",
    "operator"
  ),
  NotImplemented: remedy("Do without the route; README.md lists which ones wait.", "caller"),
  UpstreamUnusable: wait,
  NetworkUnavailable: remedy(
    "With `details.source`, try again after `Retry-After`; the operator finds out why that source does not answer. Without it the network is off: use another one, or have the operator set both kinds of its URLs.",
    "time",
    "operator"
  ),
  UpstreamRateLimited: remedy("Wait. The operator needs sources that allow more requests.", "time", "operator"),
  LedgerApiLagging: wait,
  ContractRpcLagging: wait,
  NetworkFeeAboveLimit: remedy("Wait until the base fee falls, or raise MAX_FEE_STROOPS_PER_OPERATION.", "time", "operator"),
  SourcesDisagree: remedy("Try again after `Retry-After`. If it stays, one source is wrong: the operator replaces it.", "time", "operator"),
  ServiceBusy: wait,
  RegistryExpired: remedy(
    "Put a registry that was checked into EXCHANGE_REGISTRY_FILE, or close into an address of your own.",
    "operator",
    "owner"
  ),
  MediatorNotConfigured: remedy(
    "Set the network's mediator (docs/operating.md), or close into an address of your own.",
    "operator",
    "owner"
  ),
  MediatorOverfunded: remedy("Move the mediator's surplus (`npm run mediator:sweep`); the service tries by itself.", "operator"),
  KeyStoreUnavailable: wait,
  AdminNotConfigured: remedy("Set the administrator's token, or do without these routes.", "operator"),
  SubmissionBusy: remedy("Submit the same envelope again. It is applied once at most.", "caller", "time"),
  DeadlineExceeded: remedy(
    "Try again; what was read is partly remembered. After a submit, look the transaction up by its hash first.",
    "caller"
  ),
  ConfirmationTimeout: remedy(
    "Look it up (`GET /v1/{network}/transactions/{hash}`) or submit the same envelope again. Build nothing new before it is settled.",
    "caller"
  )
}
