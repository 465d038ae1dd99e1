import { JSONSchema, Option, Record, Schema, SchemaAST } from "effect"
import { CutConnection, Hang, Latency } from "./Connection.ts"
import { ArchivedLeftOut, EventsTooHeavy, LaggingLedgerApi, ManualRestoration } from "./LimitedServer.ts"
import { GarbageBody, UnknownArms, WrongShape } from "./MalformedAnswers.ts"
import { RequestsPerSecond, TooManyRequests } from "./RateLimiting.ts"
import { GatewayTimeout, RpcError, ServiceUnavailable } from "./ServerErrors.ts"
import { DroppedTransaction, LedgerCapacity, SurgeBaseFee, TryAgainLater } from "./SubmissionFaults.ts"

/**
 * Every fault, by what it meets: requests of both APIs, those of one, one method of the contract RPC, or the network itself, which is its
 * submissions and the ledgers that close. Rules are decoded by it, and the control API documents itself by it.
 */
export const catalogue = {
  requests: [
    TooManyRequests,
    RequestsPerSecond,
    ServiceUnavailable,
    GatewayTimeout,
    Hang,
    CutConnection,
    GarbageBody,
    WrongShape,
    UnknownArms,
    Latency
  ],
  rpc: [RpcError],
  rest: [LaggingLedgerApi],
  network: [DroppedTransaction, TryAgainLater, SurgeBaseFee, LedgerCapacity],
  simulateTransaction: [ManualRestoration],
  getLedgerEntries: [ArchivedLeftOut],
  getEvents: [EventsTooHeavy]
} as const

export type FaultScope = keyof typeof catalogue

/** What a rule of such a fault may name beside it. */
const targets: Readonly<Record<FaultScope, ReadonlyArray<"rpc" | "rest" | "times">>> = {
  requests: ["rpc", "rest", "times"],
  rpc: ["rpc", "times"],
  rest: ["rest", "times"],
  network: ["times"],
  simulateTransaction: ["times"],
  getLedgerEntries: ["times"],
  getEvents: ["times"]
}

/** A fault as the control API reports it. */
export interface FaultKind {
  readonly name: string
  readonly description: string
  /** What it meets. */
  readonly reach: FaultScope
  /** What a rule may name beside it: the method or path it is narrowed to, and how often it bites. */
  readonly narrowedBy: ReadonlyArray<string>
  /** The JSON schema of `fault` in a rule. */
  readonly parameters: object
}

/** The parts of a fault's class that its catalogue entry is made of. */
type FaultClass = Schema.Schema.All & { readonly identifier: string; readonly fields: Schema.Struct.Fields }

const kindOf = (reach: FaultScope) => (fault: FaultClass): FaultKind => ({
  name: fault.identifier,
  description: Option.getOrElse(SchemaAST.getDescriptionAnnotation(SchemaAST.typeAST(fault.ast)), () => ""),
  reach,
  narrowedBy: targets[reach],
  parameters: JSONSchema.make(Schema.Struct(fault.fields))
})

/** All of them, one entry a fault. */
export const faultKinds = (): ReadonlyArray<FaultKind> =>
  Record.toEntries(catalogue).flatMap(([reach, faults]) => faults.map(kindOf(reach)))

const reaches = new Map(
  Record.toEntries(catalogue).flatMap(([reach, faults]) => faults.map(({ identifier }) => [identifier, reach] as const))
)

/** What a fault meets. */
export const scopeOf = ({ _tag }: InstanceType<(typeof catalogue)[FaultScope][number]>): FaultScope => reaches.get(_tag) ?? "network"
