import type {
  ConversionFloorMissing,
  PlanChanged,
  QuoteDrifted,
  SimulationFailed,
  TokenUnsafe,
  TransferDestinationUnusable
} from "../../domain/failure/Planning.ts"

/** Why what was answered cannot be built as it was agreed. Another answer can be. */
export type AnswerFailure =
  | QuoteDrifted
  | PlanChanged
  | ConversionFloorMissing
  | TransferDestinationUnusable
  | TokenUnsafe
  | SimulationFailed
