import { Effect, Schema } from "effect"
import type { EndpointTip } from "../EndpointTip.ts"
import type { Fault } from "../Fault.ts"
import type { Call } from "./JsonRpc.ts"
import { getLatestLedger } from "./LatestLedger.ts"

const Result = Schema.Struct({ passphrase: Schema.NonEmptyString })

/** `getNetwork`: the passphrase of the network that an endpoint serves. */
export const passphraseOf = (call: Call) => (url: URL): Effect.Effect<string, Fault> =>
  Effect.map(call("getNetwork", {}, Result)(url), ({ passphrase }) => passphrase)

/** `getNetwork` and `getLatestLedger` of one endpoint, asked together. */
export const standing = (call: Call) => (url: URL): Effect.Effect<EndpointTip, Fault> =>
  Effect.map(
    Effect.all([passphraseOf(call)(url), getLatestLedger(call)(url)], { concurrency: 2 }),
    ([passphrase, { closeTime, protocolVersion, sequence }]) => ({ passphrase, ledger: sequence, closeTime, protocolVersion })
  )
