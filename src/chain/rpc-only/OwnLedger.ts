import { StrKey, type xdr } from "@stellar/stellar-sdk"
import { Effect, Schema } from "effect"
import { AccountAddress } from "../../domain/Address.ts"
import { baseAccount } from "../../domain/DestinationAddress.ts"
import { UpstreamUnusable } from "../../domain/failure/Upstream.ts"
import { sequenceLedgerOf } from "../../stellar/Entries.ts"
import { destinationOf } from "../../stellar/Names.ts"
import { distinctKeys } from "../../xdr/LedgerKeys.ts"
import type { ChainFailure } from "../ChainFailure.ts"
import type { ListedTransaction } from "../contract-rpc/TransactionPage.ts"
import type { ContractRpc } from "../ContractRpc.ts"
import type { OwnRecord } from "../ledger-api/OwnRecord.ts"
import { pagingToken } from "../ledger-api/PagingToken.ts"
import { NewerXdr } from "../xdr/KnownXdr.ts"
import { TransactionEnvelopeText, TransactionMetaText } from "../xdr/XdrText.ts"
import { accountBefore, keysConcerning } from "./ConcernedKeys.ts"
import { transactionsOf } from "./LedgerTransactions.ts"

/** An account's own transaction, as the ledger API would list it, with its hash and its result (base64). */
export interface OwnTransactionText extends OwnRecord {
  readonly result_xdr: string
}

/** An account's own transactions of one ledger. */
export interface OwnLedger {
  /** The newest first. */
  readonly records: ReadonlyArray<OwnTransactionText>
  /** Entries that they concern and the account owns, sponsors or may claim. */
  readonly keys: ReadonlyArray<xdr.LedgerKey>
  /** The ledger of the own transaction before them; 0: the account's entry names none. */
  readonly before: number
}

const unusable = () => new UpstreamUnusable({ source: "contract_rpc" })

/** The account whose sequence number a transaction uses, and the number. */
const sourceOf = (envelope: xdr.TransactionEnvelope): { readonly address: AccountAddress; readonly sequence: bigint } => {
  if (envelope.type === "envelopeTypeTxV0") {
    const { seqNum, sourceAccountEd25519 } = envelope.v0.tx
    return { address: AccountAddress.make(StrKey.encodeEd25519PublicKey(sourceAccountEd25519.toBytes())), sequence: seqNum }
  }
  const tx = envelope.type === "envelopeTypeTxFeeBump" ? envelope.feeBump.tx.innerTx.v1.tx : envelope.v1.tx
  return { address: baseAccount(destinationOf(tx.sourceAccount)), sequence: tx.seqNum }
}

interface Own {
  readonly listed: ListedTransaction
  readonly sequence: bigint
}

/** Whether XDR may be about an account: most is about others, and is passed over without decoding. */
const mayConcern = (address: AccountAddress) => {
  const publicKey = Buffer.from(StrKey.decodeEd25519PublicKey(address))
  return (text: string): boolean => Buffer.from(text, "base64").includes(publicKey)
}

const decodeEnvelope = (text: string) => Effect.mapError(Schema.decode(TransactionEnvelopeText)(text), unusable)
const decodeMeta = (text: string) => Effect.mapError(Schema.decode(TransactionMetaText)(text), unusable)

/** A transaction where it is the account's own; none where it is another's. */
const ownIn = (address: AccountAddress, listed: ListedTransaction, envelope: xdr.TransactionEnvelope | undefined): ReadonlyArray<Own> => {
  if (envelope === undefined) return []
  const { address: source, sequence } = sourceOf(envelope)
  return source === address ? [{ listed, sequence }] : []
}

const recordOf = (address: AccountAddress, { listed, sequence }: Own): OwnTransactionText => ({
  ledger: listed.ledger,
  paging_token: pagingToken(listed.ledger, listed.applicationOrder),
  successful: listed.status === "SUCCESS",
  source_account: address,
  source_account_sequence: sequence,
  envelope_xdr: listed.envelopeXdr,
  result_xdr: listed.resultXdr
})

/** Values of some XDR; null where any of it is newer than this version. */
const allKnown = <A>(decoded: ReadonlyArray<A | NewerXdr>): ReadonlyArray<A> | null => {
  const known = decoded.filter((one): one is A => !(one instanceof NewerXdr))
  return known.length === decoded.length ? known : null
}

/**
 * An account's own transactions of a ledger in which its sequence number was used (`getTransactions`). The first change of its entry in that
 * ledger shows the account as it was before, and so the ledger in which the number was used before that. Null where the endpoint does not
 * keep the ledger any more, or where XDR that names the account is newer than this version: anyone can send it such a transaction.
 */
export const readOwnLedger = (
  rpc: Pick<ContractRpc["Type"], "transactions">,
  address: AccountAddress,
  ledger: number
): Effect.Effect<OwnLedger | null, ChainFailure> =>
  Effect.gen(function*() {
    const all = yield* transactionsOf(rpc, ledger)
    if (all === null) return null
    const isNamed = mayConcern(address)
    const named = all.filter(({ envelopeXdr }) => isNamed(envelopeXdr))
    const envelopes = allKnown(yield* Effect.forEach(named, ({ envelopeXdr }) => decodeEnvelope(envelopeXdr)))
    const changing = all.filter(({ resultMetaXdr }) => isNamed(resultMetaXdr))
    const metas = allKnown(yield* Effect.forEach(changing, ({ resultMetaXdr }) => decodeMeta(resultMetaXdr)))
    if (envelopes === null || metas === null) return null
    const own = named.flatMap((listed, at) => ownIn(address, listed, envelopes[at]))
    const keys = metas.map((meta) => keysConcerning(address, meta))
    const before = metas.map((meta) => accountBefore(address, meta)).find((one) => one !== null)
    // The account's entry says that its number was used in this ledger: an answer without that is no answer.
    if (before === undefined || before === null || keys.includes(null)) return yield* unusable()
    return {
      records: own.map((one) => recordOf(address, one)).toReversed(),
      keys: distinctKeys(keys.flatMap((some) => some ?? [])),
      before: sequenceLedgerOf(before)
    }
  })
