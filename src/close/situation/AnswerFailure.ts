import {
  type ConversionFloorMissing,
  PlanChanged,
  type QuoteDrifted,
  type SimulationFailed,
  type TokenUnsafe,
  type TransferDestinationUnusable
} from "../../domain/failure/Planning.ts"

/** Why an answer cannot be built as it was agreed. Another answer can be. */
export type AnswerFailure =
  | QuoteDrifted
  | PlanChanged
  | ConversionFloorMissing
  | TransferDestinationUnusable
  | TokenUnsafe
  | SimulationFailed

/** The amount that an answer agreed to, by the id of its decision, is no longer what it was. */
export const amountChanged = (id: string): PlanChanged => new PlanChanged({ planHash: null, changes: [{ kind: "amount", subject: id }] })
