import type { Either } from "effect"
import type { ContractAddress } from "../../domain/Address.ts"
import type { GateFailure } from "../CodeGate.ts"
import type { Exit, ExitRefusal } from "../Exit.ts"
import { reasonOf } from "./Decoding.ts"
import { type FinalFailure, openQuestions } from "./OpenQuestions.ts"

/** A way out that there is not now. */
export const refused = (refusal: ExitRefusal): Extract<Exit, { readonly _tag: "Refused" }> => ({ _tag: "Refused", refusal })

/** The same, in words a caller can act on. */
export const unavailable = (reason: string) => refused({ _tag: "Unavailable", reason })

const refusalOf = (contract: ContractAddress, failure: FinalFailure<GateFailure>): ExitRefusal => {
  switch (failure._tag) {
    case "NoContract":
      return { _tag: "Unavailable", reason: reasonOf(failure) }
    case "UnknownCode":
      return { _tag: "UnknownCode", contract: failure.contract, wasmHash: failure.wasmHash }
    case "Undecodable":
      return { _tag: "Undecodable", contract, reason: failure.reason }
  }
}

/**
 * Why a contract has no exit yet: queries must be answered first, or it will never decode. Queries that the reads in `beside` need are sent
 * in the same round.
 */
export const noExit =
  (contract: ContractAddress) =>
  (failure: GateFailure, ...beside: ReadonlyArray<Either.Either<unknown, { readonly _tag: string }>>): Exit =>
    failure._tag === "Unread"
      ? { _tag: "Further", questions: [...failure.questions, ...beside.flatMap(openQuestions)] }
      : refused(refusalOf(contract, failure))
