import type { ContractAddress } from "../../domain/Address.ts"
import type { ProtocolName } from "../../domain/ProtocolName.ts"
import type { GateFailure } from "../CodeGate.ts"
import { noPositions } from "../HeldPosition.ts"
import type { Decoded } from "../HeldPosition.ts"
import type { FinalFailure } from "./OpenQuestions.ts"

/** Several parts of one protocol as one. */
export const merged = (parts: ReadonlyArray<Decoded>): Decoded => ({
  further: parts.flatMap(({ further }) => further),
  positions: parts.flatMap(({ positions }) => positions),
  unrecognized: parts.flatMap(({ unrecognized }) => unrecognized),
  enrichment: Object.assign({}, ...parts.map(({ enrichment }) => enrichment))
})

/** Why something was not understood, in words for people. */
export const reasonOf = (failure: FinalFailure<GateFailure>): string => {
  switch (failure._tag) {
    case "NoContract":
      return "The contract is not on the ledger, so positions in it cannot be read."
    case "UnknownCode":
      return failure.wasmHash === null
        ? "The contract runs code that cannot be identified, so positions in it are not read."
        : `The contract runs code that this service does not know (${failure.wasmHash}), so positions in it are not read.`
    case "Undecodable":
      return `An entry does not decode: ${failure.reason}.`
  }
}

/** What becomes of a part that could not be decoded: keys to read, or something unrecognised. Never nothing. */
export const undecoded = (protocol: ProtocolName, contract: ContractAddress, rawType: string, failure: GateFailure): Decoded =>
  failure._tag === "Unread"
    ? { ...noPositions, further: failure.questions }
    : { ...noPositions, unrecognized: [{ protocol, contract, rawType, reason: reasonOf(failure) }] }
