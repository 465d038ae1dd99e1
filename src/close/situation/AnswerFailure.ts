import type {
  ConversionFloorMissing,
  PlanChanged,
  QuoteDrifted,
  SimulationFailed,
  TokenUnsafe,
  TransferDestinationUnusable
} from "../../domain/failure/Planning.ts"

/** Why an answer cannot be built as it was agreed. Another answer can be. */
export type AnswerFailure =
  | QuoteDrifted
  | PlanChanged
  | ConversionFloorMissing
  | TransferDestinationUnusable
  | TokenUnsafe
  | SimulationFailed
