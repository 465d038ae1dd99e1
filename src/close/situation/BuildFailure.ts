import type { ChainFailure } from "../../chain/ChainFailure.ts"
import type {
  AccountTooLarge,
  BelowAcceptedMinimum,
  ConversionFloorMissing,
  DestinationNotAcknowledged,
  DestinationUnusable,
  DryRunFailed,
  InsufficientLumens,
  MemoRequired,
  NeedsDecisions,
  PayoutTrustlineMissing,
  PlanBlocked,
  PlanChanged,
  PositionCoolingDown,
  PositionExitUnavailable,
  PositionExitUnsafe,
  PositionsUnread,
  QuoteDrifted,
  RepayAssetShort,
  SimulationFailed,
  TokenUnsafe,
  TransferDestinationUnusable
} from "../../domain/failure/Planning.ts"
import type { AccountNotFound } from "../../domain/failure/Request.ts"
import type {
  ContractRpcLagging,
  LedgerApiLagging,
  MediatorNotConfigured,
  MediatorOverfunded,
  NetworkFeeAboveLimit,
  RegistryExpired,
  ServiceBusy,
  SourcesDisagree
} from "../../domain/failure/Upstream.ts"
import type { InputFailure } from "./CloseInput.ts"

/** Why there is no plan: bad input, no account, or sources that do not answer or cannot be believed. Everything else is in the plan itself. */
export type PlanFailure = InputFailure | AccountNotFound | AccountTooLarge | ChainFailure | LedgerApiLagging | ServiceBusy | SourcesDisagree

/** What keeps a transaction from being handed over, beyond what keeps a plan from being made. */
export type Refusal =
  | MemoRequired
  | RegistryExpired
  | DestinationNotAcknowledged
  | DestinationUnusable
  | TransferDestinationUnusable
  | MediatorNotConfigured
  | MediatorOverfunded
  | PositionsUnread
  | PositionExitUnavailable
  | PositionExitUnsafe
  | PositionCoolingDown
  | PayoutTrustlineMissing
  | RepayAssetShort
  | SimulationFailed
  | TokenUnsafe
  | InsufficientLumens
  | PlanChanged
  | PlanBlocked
  | NeedsDecisions
  | QuoteDrifted
  | BelowAcceptedMinimum
  | ConversionFloorMissing
  | LedgerApiLagging
  | ContractRpcLagging
  | SourcesDisagree
  | NetworkFeeAboveLimit
  | DryRunFailed

export type BuildFailure = PlanFailure | Refusal
