import { Networks } from "@stellar/stellar-sdk/base"
import { Duration, Effect, Schema } from "effect"
import { AccountAddress } from "../domain/Address.ts"
import { lumen, parseAmount, type Stroops } from "../domain/Amount.ts"
import type { Memo } from "../domain/Memo.ts"
import type { Network } from "../domain/Network.ts"
import type { ContractBook } from "../operations/Expected.ts"
import { contractsOf } from "../verify/Shipped.ts"
import type { Given } from "./Callback.ts"
import { InvalidOption } from "./ClientFailure.ts"
import type { Decided, Decision, Question } from "./Question.ts"
import { usualWait } from "./RetrySchedule.ts"
import type { ServiceAddress } from "./ServiceClient.ts"
import type { Sign } from "./SigningRequest.ts"
import type { Verifier } from "./Verdict.ts"
import type { WitnessUrls } from "./WitnessSource.ts"

/** Lumens, as a decimal with at most seven places. */
export type Lumens = string | number

/** An account that pays the fees of every transaction by wrapping it. */
export interface FeePayer {
  readonly account: string
  /** Signs the fee bump that the client built. */
  readonly sign: Sign
}

/** What to close, and what the caller knows and wants of it. */
export interface CloseOptions extends ServiceAddress {
  readonly network: Network
  /** Where the network is none of the two public ones, as a sandbox. */
  readonly networkPassphrase?: string
  readonly source: string
  readonly destination: string
  readonly memo?: Memo | null
  /** Signs every transaction, after it was verified. */
  readonly sign: Sign
  /** Decisions that are known beforehand. The client never changes them. */
  readonly decisions?: ReadonlyArray<Decision>
  /**
   * Ids of `decisions` whose params a plan filled in. Floors of their sales are compared with the witness's market. Other floors in `decisions` are
   * the caller's own, and are not.
   */
  readonly echoed?: ReadonlyArray<string>
  /** Answers what only the owner can decide. */
  readonly decide?: (question: Question) => Given<Decided>
  /** The least lumens that must arrive. With it floors of sales in the merge's own transaction are renewed unasked as long as the whole brings as much. */
  readonly accept?: Lumens
  readonly signal?: AbortSignal
  /** The caller's own sources of the ledger. */
  readonly witness?: WitnessUrls
  /** Contracts that calls may reach. Default: the list of this package for the network. */
  readonly contracts?: ContractBook
  /** The most that one transaction may cost. Default: 0.2 lumens, 6 where it calls a contract. */
  readonly feeCap?: Lumens
  readonly feePayer?: FeePayer
  /** The account that passes the lumens on to an exchange. Without it no transaction goes through a mediator. */
  readonly mediator?: string
  /** How far a floor may be below what the witness quotes, in basis points. Default: 300. */
  readonly maxPriceGapBps?: number
  /** How long one call is repeated where waiting helps. One attempt takes at most 3 minutes, one of a witness 10 seconds. Default: 10 minutes. */
  readonly maxWaitMillis?: number
  readonly maxSlippageBps?: number
  /** Keeps every classic envelope at 5,000 bytes at most, its signatures included, for hardware wallets. Default: false. */
  readonly smallEnvelopes?: boolean
  /** Entries to look up, by name (`trustline:G...:CODE-ISSUER`): on a network without a ledger API, entries without a name are not found. */
  readonly entries?: ReadonlyArray<string>
  readonly validForSeconds?: number
  /** In place of the package's verifier. */
  readonly verify?: Verifier
}

/** The caller's options with every default, in the units that the client counts in. */
export interface CloseSettings extends
  Pick<
    CloseOptions,
    | "network"
    | "source"
    | "destination"
    | "sign"
    | "decide"
    | "echoed"
    | "witness"
    | "feePayer"
    | "mediator"
    | "maxSlippageBps"
    | "smallEnvelopes"
    | "entries"
    | "validForSeconds"
    | "verify"
    | "fetch"
  >
{
  readonly passphrase: string
  readonly memo: Memo | null
  readonly decisions: ReadonlyArray<Decision>
  /** Stroops; null where the caller names no amount. */
  readonly accept: Stroops | null
  readonly contracts: ContractBook
  /** Stroops, by whether the transaction calls a contract. */
  readonly feeCap: (callsContract: boolean) => bigint
  readonly maxPriceGapBps: bigint
  readonly maxWait: Duration.Duration
}

const isAddress = Schema.is(AccountAddress)

const passphrases: Readonly<Record<Network, string>> = { mainnet: Networks.PUBLIC, testnet: Networks.TESTNET }

const stroopsIn = (option: string, lumens: Lumens): Effect.Effect<Stroops, InvalidOption> => {
  const stroops = parseAmount(String(lumens))
  return stroops === null
    ? Effect.fail(new InvalidOption({ option, reason: "It must be lumens, as a decimal with at most seven places." }))
    : Effect.succeed(stroops)
}

/** What is wrong with options that are no amounts; null: nothing. */
const wrongIn = ({ maxPriceGapBps = 300, source }: CloseOptions): InvalidOption | null => {
  if (!isAddress(source)) return new InvalidOption({ option: "source", reason: "It must be the address of an account (G...)." })
  return Number.isInteger(maxPriceGapBps) && maxPriceGapBps >= 0 && maxPriceGapBps <= 10_000
    ? null
    : new InvalidOption({ option: "maxPriceGapBps", reason: "It must be a whole number from 0 to 10000." })
}

/** Reads the caller's options. */
export const settingsOf = (options: CloseOptions): Effect.Effect<CloseSettings, InvalidOption> =>
  Effect.gen(function*() {
    const wrong = wrongIn(options)
    if (wrong !== null) return yield* wrong
    const accept = options.accept === undefined ? null : yield* stroopsIn("accept", options.accept)
    const cap = options.feeCap === undefined ? null : yield* stroopsIn("feeCap", options.feeCap)
    return {
      ...options,
      passphrase: options.networkPassphrase ?? passphrases[options.network],
      memo: options.memo ?? null,
      decisions: options.decisions ?? [],
      accept,
      contracts: options.contracts ?? contractsOf(options.network),
      feeCap: (callsContract) => cap ?? (callsContract ? 6n * lumen : lumen / 5n),
      maxPriceGapBps: BigInt(options.maxPriceGapBps ?? 300),
      maxWait: options.maxWaitMillis === undefined ? usualWait : Duration.millis(options.maxWaitMillis)
    }
  })
