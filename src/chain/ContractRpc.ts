import type { xdr } from "@stellar/stellar-sdk"
import { Context } from "effect"
import type { Effect } from "effect"
import type { ChainFailure } from "./ChainFailure.ts"
import type { FeeStats } from "./contract-rpc/FeeStats.ts"
import type { LatestLedger } from "./contract-rpc/LatestLedger.ts"
import type { LiveEntries } from "./contract-rpc/LiveEntry.ts"
import type { SendAnswer } from "./contract-rpc/SendAnswer.ts"
import type { TransactionAnswer } from "./contract-rpc/TransactionAnswer.ts"
import type { EndpointReport } from "./Endpoints.ts"

/** The contract RPC (Stellar RPC, JSON-RPC 2.0) of one network: the ground truth about ledger entries. */
export class ContractRpc extends Context.Tag("closeout/chain/ContractRpc")<ContractRpc, {
  /** The newest ledger the RPC knows, with its header (`getLatestLedger`). */
  readonly latestLedger: Effect.Effect<LatestLedger, ChainFailure>

  /**
   * Entries by key (`getLedgerEntries`), in the order of the keys; a key without an entry is left out.
   * At most 200 distinct keys, else a defect: callers go through `LedgerEntries`, which batches and removes duplicates.
   */
  readonly ledgerEntries: (keys: ReadonlyArray<xdr.LedgerKey>) => Effect.Effect<LiveEntries, ChainFailure>

  /** What recent transactions paid per operation (`getFeeStats`). */
  readonly feeStats: Effect.Effect<FeeStats, ChainFailure>

  /**
   * Hands a signed envelope (base64) to the network (`sendTransaction`). Sending is idempotent by hash, so a lost answer is
   * followed by sending the same envelope again; `resent` tells that it happened.
   */
  readonly sendTransaction: (envelope: string) => Effect.Effect<SendAnswer, ChainFailure>

  /** What became of a transaction (`getTransaction`); `hash` is 64 hex characters. */
  readonly transaction: (hash: string) => Effect.Effect<TransactionAnswer, ChainFailure>

  /** The endpoints in use, as they fared so far; asks nobody. */
  readonly endpoints: Effect.Effect<ReadonlyArray<EndpointReport>>
}>() {}
