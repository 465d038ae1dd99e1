import type { xdr } from "@stellar/stellar-sdk"
import { native } from "../../domain/Asset.ts"
import { applyTransaction } from "../../ledger/Apply.ts"
import type { LedgerState } from "../../ledger/LedgerState.ts"
import type { Operation } from "../../operations/Operations.ts"
import type { FeeBid } from "../situation/Fees.ts"
import { succeeded } from "../situation/ResultCodes.ts"

/** A transaction that the ledger applies where it charges no more than its least. */
interface FeeOffer {
  readonly bid: FeeBid
  readonly envelope: xdr.TransactionEnvelope
  readonly operations: ReadonlyArray<Operation>
  /** The ledger before it. */
  readonly ledgerState: LedgerState
  readonly passphrase: string
}

/** Lumens that an operation sends away at most. */
const sentBy = (operation: Operation): bigint => {
  switch (operation.type) {
    case "payment":
      return operation.asset === native ? operation.amount : 0n
    case "path_payment_strict_send":
      return operation.sendAsset === native ? operation.sendAmount : 0n
    case "path_payment_strict_receive":
      return operation.sendAsset === native ? operation.sendMax : 0n
    case "manage_sell_offer":
      return operation.selling === native ? operation.amount : 0n
    default:
      return 0n
  }
}

/** Whether the operations have all the lumens they could ever need, two reserves each among them, though the bid is charged whole. */
const leavesEnough = ({ bid: { perOperation, spendable }, ledgerState: { header }, operations }: FeeOffer): boolean =>
  spendable >= operations.reduce((sum, operation) => sum + perOperation + 2n * BigInt(header.baseReserve) + sentBy(operation), 0n)

/** Whether the ledger applies it also where it charges so many stroops an operation. */
const holdsCharged = ({ envelope, ledgerState, passphrase }: FeeOffer, charged: bigint): boolean => {
  const options = { networkPassphrase: passphrase, signatures: "assume", surgeBaseFee: Number(charged) } as const
  return succeeded(applyTransaction(ledgerState, envelope, options).result)
}

/**
 * What a transaction may offer of its bid, stroops an operation: all of it, or the first of its halves that leaves the operations what they
 * need, for the ledger may charge the whole of an offer before it applies the first. Yields after each that does not.
 */
export function* bearableBid(offered: FeeOffer): Generator<void, bigint> {
  const least = BigInt(offered.ledgerState.header.baseFee)
  let { perOperation } = offered.bid
  if (leavesEnough(offered)) return perOperation
  while (perOperation > least && !holdsCharged(offered, perOperation)) {
    perOperation = perOperation > 2n * least ? perOperation / 2n : least
    yield
  }
  return perOperation
}
