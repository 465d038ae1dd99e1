import { DryRunFailed } from "../../domain/failure/Planning.ts"
import { newerProtocol } from "../../domain/NewerProtocol.ts"
import { modelProtocol } from "../../ledger/ModelProtocol.ts"
import { resultCodes } from "../situation/ResultCodes.ts"
import type { TrialResult } from "./DryRun.ts"

/**
 * The refusal of a transaction that fails on the ledger model. On a ledger whose protocol is newer than the model the same would come out of every
 * try, so the model's protocol is named.
 */
export const dryRunRefusal = (
  transaction: string,
  { applied }: { readonly applied: Pick<TrialResult, "result" | "state"> }
): DryRunFailed =>
  new DryRunFailed({
    transaction,
    result: resultCodes(applied.result),
    ...(newerProtocol(applied.state.header.ledgerVersion, modelProtocol) === null
      ? {}
      : { modelProtocol })
  })
