import { Effect, Schema } from "effect"
import { optional } from "../../domain/OptionalField.ts"
import { readLedgerHeader } from "../../xdr/LedgerHeader.ts"
import type { EndpointTip } from "../EndpointTip.ts"
import { type Fault, Undecodable } from "../Fault.ts"
import type { Call } from "./JsonRpc.ts"
import { BigText, LedgerNumber } from "./WireNumbers.ts"

/** The newest ledger the contract RPC knows, from its header. */
export interface LatestLedger {
  readonly sequence: number
  /** Unix seconds. */
  readonly closeTime: bigint
  readonly protocolVersion: number
  /** Stroops per operation. */
  readonly baseFee: number
  /** Stroops per reserve unit. */
  readonly baseReserve: number
  /** The last offer id given out. */
  readonly idPool: bigint
  /** `LedgerHeaderFlags`; 0 while none was ever voted. */
  readonly flags: number
}

const Result = Schema.Struct({
  sequence: LedgerNumber,
  protocolVersion: LedgerNumber,
  closeTime: optional(BigText),
  headerXdr: Schema.String
})

/** The header must say the same as the answer around it. */
const latestLedger = ({ closeTime, headerXdr, protocolVersion, sequence }: typeof Result.Type): LatestLedger | null => {
  const header = readLedgerHeader(Buffer.from(headerXdr, "base64"), sequence)
  if (header === null || header.ledgerVersion !== protocolVersion || (closeTime ?? header.closeTime) !== header.closeTime) return null
  const { baseFee, baseReserve, flags, idPool } = header
  return { sequence, closeTime: header.closeTime, protocolVersion, baseFee, baseReserve, idPool, flags }
}

const otherHeader = new Undecodable({ reason: "getLatestLedger: headerXdr is no header of the ledger named" })

/** `getLatestLedger`. */
export const getLatestLedger = (call: Call) => (url: URL): Effect.Effect<LatestLedger, Fault> =>
  Effect.flatMap(call("getLatestLedger", {}, Result)(url), (told) => {
    const ledger = latestLedger(told)
    return ledger === null ? otherHeader : Effect.succeed(ledger)
  })

const NetworkResult = Schema.Struct({ passphrase: Schema.NonEmptyString })

/** `getNetwork`: the passphrase of the network that an endpoint serves. */
export const passphraseOf = (call: Call) => (url: URL): Effect.Effect<string, Fault> =>
  Effect.map(call("getNetwork", {}, NetworkResult)(url), ({ passphrase }) => passphrase)

/** `getNetwork` and `getLatestLedger` of one endpoint, asked together. */
export const readTip = (call: Call) => (url: URL): Effect.Effect<EndpointTip, Fault> =>
  Effect.map(
    Effect.all([passphraseOf(call)(url), getLatestLedger(call)(url)], { concurrency: 2 }),
    ([passphrase, { closeTime, protocolVersion, sequence }]) => ({ passphrase, ledger: sequence, closeTime, protocolVersion })
  )
