import type { Decision } from "../../domain/Decision.ts"
import type { CloseInput } from "./CloseInput.ts"

/** Basis points that a quote may lose until the transaction is applied: by the answer, else by the request. */
export const slippageOf = (
  { maxSlippageBps, mostSlippageBps }: Pick<CloseInput, "maxSlippageBps" | "mostSlippageBps">,
  answer?: Decision
): number => Math.min(answer?.params?.maxSlippageBps ?? maxSlippageBps, mostSlippageBps)
