import { Keypair, type xdr } from "@stellar/stellar-sdk"
import { Cause, Context, Deferred, type Duration, Effect, Layer, type Option, Ref, Schedule } from "effect"
import { ledgersPerDay } from "../ledger/Header.ts"
import type { LedgerState } from "../ledger/LedgerState.ts"
import type { Contracts } from "../ledger/soroban/Contract.ts"
import { sandboxContracts } from "./contracts/All.ts"
import { type Faults, makeFaults } from "./faults/Faults.ts"
import { type Chain, genesis } from "./network/Chain.ts"
import type { LedgerRecord, TransactionRecord } from "./network/LedgerRecord.ts"
import {
  clockSeconds,
  closeLedger,
  type CloseOptions,
  type EnactFailed,
  enactTransaction,
  type NetworkState,
  type RunningNetwork,
  type Submission,
  submitTransaction,
  transactionOutcome
} from "./network/RunningNetwork.ts"

/** The passphrase of sandbox networks: fixed, and no other network's. */
export const sandboxPassphrase = "Account Close-out Sandbox Network ; November 2026"

export interface NetworkOptions {
  readonly passphrase: string
  /** Stroops. */
  readonly baseReserve: number
  /** Stroops per operation. */
  readonly baseFee: number
  /** What the header says; it decides how headers are written, and no rule of the ledger model. */
  readonly protocolVersion: number
  /** Seconds by which the network's clock begins behind the process's, and stays behind until a ledger is closed later. */
  readonly secondsBehind: number
  /** Ledgers of history that are kept. */
  readonly retention: number
  /** Whether each accepted transaction closes a ledger at once. */
  readonly closeOnSubmit: boolean
  /** Closes a ledger this often as well, whether anything is pending or not; null: never. */
  readonly closeEvery: Duration.DurationInput | null
  /** Models of the contracts it can run besides those of classic assets. */
  readonly contracts: Contracts
  /**
   * Whether the contract of lumens is there from the start, and that of each issued asset as soon as someone trusts or may claim it;
   * else transactions must deploy them, as on a real network.
   */
  readonly deploysAssetContracts: boolean
}

const networkDefaults: NetworkOptions = {
  passphrase: sandboxPassphrase,
  baseReserve: 5_000_000,
  baseFee: 100,
  protocolVersion: 30,
  secondsBehind: 0,
  retention: ledgersPerDay,
  closeOnSubmit: true,
  closeEvery: null,
  contracts: sandboxContracts,
  deploysAssetContracts: true
}

/**
 * A whole Stellar network in this process: a ledger, its clock, a transaction queue and the history.
 * Two networks share nothing.
 */
export class Network extends Context.Tag("closeout/sandbox/Network")<
  Network,
  {
    readonly passphrase: string
    /** Models of the contracts it runs besides those of classic assets. */
    readonly contracts: Contracts
    /** Holds all lumens at the start; derived from the passphrase as on every Stellar network. */
    readonly root: Keypair
    /** The network as of now. */
    readonly snapshot: Effect.Effect<Chain>
    /** Offers a transaction to the queue. Unless the network closes ledgers only on demand, it is applied on return. */
    readonly submit: (envelope: xdr.TransactionEnvelope) => Effect.Effect<Submission>
    /** Waits until the transaction is in a ledger; none when it is neither in one nor pending. */
    readonly outcome: (hash: string) => Effect.Effect<Option.Option<TransactionRecord>>
    /**
     * Closes a ledger over everything pending. Its close time is that of the network's clock, or the last ledger's plus `advanceSeconds`
     * (at least one), which puts the network's clock ahead permanently.
     *
     * Ledgers closed within one second share a close time, while a real network spaces them by at least one second. Here ledgers close as
     * fast as transactions come. Close times that ran ahead would distort what a service computes from its clock, such as time bounds and
     * claim deadlines.
     */
    readonly closeLedger: (options?: CloseOptions) => Effect.Effect<LedgerRecord>
    /**
     * Applies operations as a transaction of an account in a ledger of its own, without requiring signatures. It stands for what others on
     * the network do. Pending transactions stay pending. A failed transaction also returns its record. A contract call needs resources, as
     * simulated.
     */
    readonly enact: (
      source: string,
      operations: ReadonlyArray<xdr.Operation>,
      resources?: xdr.SorobanTransactionData
    ) => Effect.Effect<TransactionRecord, EnactFailed>
    /** The network as it was so many ledgers ago, as far back as is remembered. */
    readonly past: (ledgers: number) => Effect.Effect<Chain>
    /** What makes the network misbehave. */
    readonly faults: Faults
    /** Closes a ledger after which entries or header fields are changed by other means than transactions. */
    readonly amend: (change: (state: LedgerState) => LedgerState) => Effect.Effect<LedgerRecord>
  }
>() {
  static layer(options: Partial<NetworkOptions> = {}): Layer.Layer<Network> {
    return Layer.scoped(Network, makeNetwork({ ...networkDefaults, ...options }))
  }
}

const makeNetwork = Effect.fnUntraced(function*(options: NetworkOptions) {
  const { contracts, deploysAssetContracts, passphrase, retention } = options
  const clock = yield* clockSeconds
  const closeTime = clock > BigInt(options.secondsBehind) ? clock - BigInt(options.secondsBehind) : 0n
  const first = genesis(
    {
      ledgerVersion: options.protocolVersion,
      closeTime,
      baseFee: options.baseFee,
      baseReserve: options.baseReserve
    },
    { passphrase, retention, deploysAssetContracts }
  )
  const state = yield* Ref.make<NetworkState>({ chain: first, past: [], ahead: closeTime - clock, next: yield* Deferred.make<void>() })
  const running: RunningNetwork = {
    state,
    rules: { networkPassphrase: passphrase, signatures: "verify", contracts, deploysAssetContracts },
    faults: yield* makeFaults,
    closeOnSubmit: options.closeOnSubmit
  }
  if (options.closeEvery !== null) {
    yield* closeLedger(running, {}).pipe(
      Effect.catchAllDefect((defect) => Effect.logError("a ledger could not be closed", Cause.die(defect))),
      Effect.schedule(Schedule.spaced(options.closeEvery)),
      Effect.forkScoped
    )
  }
  return Network.of({
    passphrase,
    contracts,
    root: Keypair.master(passphrase),
    snapshot: Effect.map(Ref.get(state), ({ chain }) => chain),
    submit: (envelope) => submitTransaction(running, envelope),
    outcome: (hash) => transactionOutcome(running, hash),
    closeLedger: (closing = {}) => closeLedger(running, closing),
    enact: (source, operations, resources) => enactTransaction(running, { source, operations, resources }),
    past: (ledgers) =>
      Effect.map(
        Ref.get(state),
        ({ chain, past }) => ledgers <= 0 ? chain : (past[Math.min(Math.floor(ledgers), past.length) - 1] ?? chain)
      ),
    faults: running.faults,
    amend: (amend) => closeLedger(running, { amend })
  })
})
