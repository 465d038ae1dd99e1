import { Keypair, xdr } from "@stellar/stellar-sdk"
import { type AppliedTransaction, type ApplyOptions, checkTransaction, closeLedger } from "../../ledger/Apply.ts"
import { newAccount } from "../../ledger/entries/Account.ts"
import { newEntry } from "../../ledger/entries/LedgerEntry.ts"
import { type Header, ledgerSeconds } from "../../ledger/Header.ts"
import { LedgerState } from "../../ledger/LedgerState.ts"
import { availableBalance } from "../../ledger/Reserves.ts"
import { accountKey } from "../../xdr/LedgerKeys.ts"
import { publicKeyOf } from "../AssetName.ts"
import { assetsTakenUp, withAssetContracts } from "./AssetContracts.ts"
import { ledgerRecord } from "./CloseMeta.ts"
import { History } from "./History.ts"
import type { LedgerRecord } from "./LedgerRecord.ts"
import { admission, afterLedger, banned, emptyQueue, enqueue, pendingFees, type Queue, rejection } from "./Queue.ts"
import { lanesOf, roomFor } from "./SurgePricing.ts"
import { timeBoundsOf, type TransactionFacts } from "./TransactionFacts.ts"

/** All lumens there are, in stroops. */
const totalCoins = 1_000_000_000_000_000_000n

/** A network at one moment. Immutable; versions share storage. */
export interface Chain {
  /** Header and entries after the latest ledger. */
  readonly state: LedgerState
  readonly history: History
  readonly queue: Queue
}

/** What transactions are judged by, and how many operations a ledger takes of each lane; all of them when absent. */
export interface ChainOptions extends ApplyOptions {
  readonly capacity?: number
  /** Whether each asset that comes to be held has its contract from then on; else transactions must deploy it. */
  readonly deploysAssetContracts: boolean
}

/** What a network is known by, and how it is kept. */
export interface GenesisOptions extends Pick<ChainOptions, "deploysAssetContracts"> {
  readonly passphrase: string
  /** Ledgers of history that are kept. */
  readonly retention: number
}

/** What the network answers to a submitted transaction. */
export type Verdict = "pending" | "duplicate" | "try_again_later" | { readonly rejected: xdr.TransactionResult }

/** A network whose first ledger holds nothing but the root account and, where contracts of assets are deployed, that of lumens. */
export const genesis = (
  header: Pick<Header, "ledgerVersion" | "closeTime" | "baseFee" | "baseReserve">,
  { deploysAssetContracts, passphrase, retention }: GenesisOptions
): Chain => {
  const root = newAccount(publicKeyOf(Keypair.master(passphrase).publicKey()), totalCoins, 0n)
  const entry = new xdr.LedgerEntry({ ...newEntry(xdr.LedgerEntryData.account(root)), lastModifiedLedgerSeq: 1 })
  const bare = LedgerState.make({ ...header, ledgerSeq: 1, idPool: 0n, flags: 0 }, [entry])
  const state = deploysAssetContracts ? withAssetContracts(bare, [xdr.Asset.assetTypeNative()], passphrase) : bare
  const first = ledgerRecord({
    previous: null,
    state,
    applied: [],
    baseFee: header.baseFee,
    totalCoins,
    passphrase
  })
  return { state, history: History.make(first, retention), queue: emptyQueue }
}

/** Offers a transaction to the queue, at the given time in Unix seconds. */
export const submitTo = (
  chain: Chain,
  facts: TransactionFacts,
  options: ChainOptions,
  now: bigint
): { readonly verdict: Verdict; readonly chain: Chain } => {
  const refuse = (verdict: Verdict, queue = chain.queue) => ({ verdict, chain: { ...chain, queue } })
  const admitted = admission(chain.queue, facts)
  if (admitted !== "admit") return refuse(admitted)
  const ledger = chain.state.header.ledgerSeq
  const others = chain.queue.pending.filter(({ source }) => source !== facts.source)
  const room = options.capacity === undefined ? { outbid: [] } : roomFor(facts, others, options.capacity)
  if ("needed" in room) {
    return refuse(
      { rejected: rejection(xdr.TransactionResultResult.txInsufficientFee(), room.needed) },
      banned(chain.queue, [facts], ledger)
    )
  }
  const rejected = checkAt(chain.state, facts, options, now)
  if (rejected !== null) return refuse({ rejected })
  const payer = chain.state.get(accountKey(facts.feeSource))
  if (payer?.data.type === "account") {
    const owed = pendingFees(chain.queue, facts.feeSource, facts.source)
    if (availableBalance(chain.state.header, payer.data.account) < owed + facts.feeBid && owed > 0n) {
      return refuse({ rejected: rejection(xdr.TransactionResultResult.txInsufficientBalance()) })
    }
  }
  return { verdict: "pending", chain: { ...chain, queue: enqueue(banned(chain.queue, room.outbid, ledger), facts) } }
}

/**
 * Validity at submission: judged as of the next ledger. Time bounds must hold from the last close until two ledgers
 * from now; a network that closes only on demand counts as if it had closed within the last few seconds.
 */
const checkAt = (
  state: LedgerState,
  facts: TransactionFacts,
  options: ApplyOptions,
  now: bigint
): xdr.TransactionResult | null => {
  const last = state.header.closeTime
  const lower = max(last, now - BigInt(ledgerSeconds))
  const upper = max(last, now) + BigInt(2 * ledgerSeconds)
  const next = state.at({ ledgerSeq: state.header.ledgerSeq + 1, closeTime: lower })
  const result = checkTransaction(next, facts.envelope, options)
  const maxTime = timeBoundsOf(facts.transaction)?.maxTime ?? 0n
  if (result?.result.type === "txTooEarly" || maxTime === 0n || maxTime >= upper) return result
  return checkTransaction(next.at({ closeTime: upper }), facts.envelope, options)
}

const max = (left: bigint, right: bigint): bigint => (left > right ? left : right)

/** The network once so many ledgers have passed in which nothing happened; they are not kept. */
export const afterEmpty = (chain: Chain, ledgers: number): Chain =>
  ledgers <= 0 ? chain : { ...chain, state: chain.state.at({ ledgerSeq: chain.state.header.ledgerSeq + ledgers }) }

export interface LedgerClose {
  readonly chain: Chain
  readonly ledger: LedgerRecord
}

/**
 * Closes the next ledger over everything pending. `amend` changes entries or header fields after the transactions,
 * as a validator vote or an archived entry would: what no transaction can bring about.
 */
export const closeNext = (
  chain: Chain,
  options: ChainOptions,
  closeTime: bigint,
  amend: (state: LedgerState) => LedgerState = (state) => state
): LedgerClose => {
  const closing = { ledgerSeq: chain.state.header.ledgerSeq + 1, closeTime }
  const open = chain.state.at(closing)
  const surge = BigInt(options.surgeBaseFee ?? 0)
  const sound = chain.queue.pending.filter(({ envelope }) => checkTransaction(open, envelope, options) === null)
  const dropped = chain.queue.pending.filter((facts) => !sound.includes(facts))
  const bidEnough = sound.filter(({ feeUnits, inclusionBid }) => inclusionBid >= surge * feeUnits)
  const { classic, contracts } = options.capacity === undefined
    ? { classic: { taken: bidEnough }, contracts: { taken: [] } }
    : lanesOf(bidEnough, options.capacity)
  const valid = bidEnough.filter((facts) => classic.taken.includes(facts) || contracts.taken.includes(facts))
  const passedOver = sound.filter((facts) => !valid.includes(facts))
  const baseFee = options.surgeBaseFee ?? classic.baseFee ?? open.header.baseFee
  const contractFee = options.surgeBaseFee ?? contracts.baseFee ?? open.header.baseFee
  const result = closeLedger(open, valid.map(({ envelope }) => envelope), {
    ...options,
    surgeBaseFee: baseFee,
    surgeContractFee: contractFee
  })
  const taken = options.deploysAssetContracts ? assetsTakenUp(result.transactions) : []
  const state = amend(withAssetContracts(result.state, taken, options.networkPassphrase)).at(closing)
  const ledger = ledgerRecord({
    previous: { ...chain.history.latest, hash: Buffer.from(chain.history.latest.hash, "hex") },
    state,
    applied: result.transactions.flatMap((applied) => {
      const facts = valid.find(({ hash }) => hash === hexOf(applied))
      return facts === undefined ? [] : [{ facts, applied }]
    }),
    baseFee,
    ...(options.capacity === undefined ? {} : { capacity: options.capacity }),
    totalCoins,
    passphrase: options.networkPassphrase
  })
  return {
    chain: { state, history: chain.history.add(ledger), queue: afterLedger(chain.queue, closing.ledgerSeq, { dropped, passedOver }) },
    ledger
  }
}

/**
 * Closes a ledger over one transaction alone, whose signatures are taken as given; what is pending stays so. An invalid
 * one closes no ledger and answers its result.
 */
export const enactNext = (
  chain: Chain,
  facts: TransactionFacts,
  options: ChainOptions,
  closeTime: bigint
): { readonly chain: Chain; readonly ledger: LedgerRecord } | { readonly refused: xdr.TransactionResult } => {
  const assumed: ChainOptions = { ...options, signatures: "assume" }
  const open = chain.state.at({ ledgerSeq: chain.state.header.ledgerSeq + 1, closeTime })
  const refused = checkTransaction(open, facts.envelope, assumed)
  if (refused !== null) return { refused }
  const closed = closeNext({ ...chain, queue: { ...chain.queue, pending: [facts] } }, assumed, closeTime)
  return {
    chain: { ...closed.chain, queue: { ...closed.chain.queue, pending: chain.queue.pending, passedOver: chain.queue.passedOver } },
    ledger: closed.ledger
  }
}

const hexOf = (applied: AppliedTransaction): string => Buffer.from(applied.transaction.hash).toString("hex")
