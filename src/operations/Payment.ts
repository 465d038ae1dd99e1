import * as xdr from "@stellar/stellar-sdk/xdr"
import { showAmount, stroops } from "../domain/Amount.ts"
import { dashed, issued, native } from "../domain/Asset.ts"
import { amountIn } from "../domain/DecisionAmount.ts"
import { baseAccount, isMuxed } from "../domain/DestinationAddress.ts"
import { assetIdOf, assetOf } from "../stellar/Assets.ts"
import { destinationOf, toMuxed } from "../stellar/Names.ts"
import { type Around, type Breach, breach, firstBreach } from "./Around.ts"
import { lumensIn } from "./Decided.ts"
import type { SentDecision } from "./Expected.ts"
import type { OperationDefinition, OperationOf } from "./OperationDefinition.ts"
import { ownerIn } from "./SponsorshipTarget.ts"

type Paid = OperationOf<"payment">

/** Everything that the transaction pays of an asset to one account. */
const totalTo = ({ asset, destination, source }: Paid, { operations }: Around): bigint =>
  operations.reduce(
    (sum, one) =>
      one?.type === "payment" && one.asset === asset && one.destination === destination && one.source === source ? sum + one.amount : sum,
    0n
  )

/** A mediator pays on what the merge before brought it: all of it but the fee, to the destination and no one else. */
const mediatedBreaches = ({ amount, asset, destination }: Paid, { expected, fee, index, operations }: Around): ReadonlyArray<Breach> => {
  const { balanceStroops, destination: wanted, mediator } = expected
  const [merge] = operations
  const least = balanceStroops - fee
  const follows = index === 1 && operations.length === 2 && merge?.type === "account_merge" && merge.destination === mediator?.address
  return firstBreach(
    [!follows, "operation_order", "The mediator pays without the merge that pays it."],
    [asset !== native, "mediator_payment", `The mediator pays ${asset} instead of lumens.`],
    [destination !== wanted, "mediator_payment", `The mediator pays ${destination} instead of ${wanted}.`],
    [amount < least, "mediator_payment", `The mediator pays ${showAmount(amount)} lumens and would keep ${showAmount(least - amount)}.`]
  )
}

/**
 * Lumens go to no one but owners of sponsored entries who lack their reserve, where a decision tops them up: no more than the least that any
 * of their decisions names, and only together with the end of a sponsorship that it pays for.
 */
const topUpBreaches = (operation: Paid, around: Around): ReadonlyArray<Breach> => {
  const { decided, operations } = around
  const topped = decided.all.filter(({ choice, id }) =>
    choice === "top_up_then_revoke" && id.startsWith("sponsorship:") && ownerIn(id.slice("sponsorship:".length)) === operation.destination
  )
  const maxima = topped.map(({ params }) => lumensIn(params?.maxLumens) ?? 0n)
  const total = totalTo(operation, around)
  const isEnded = topped.some(({ id }) => operations.some((one) => one?.type === "revoke_sponsorship" && `sponsorship:${one.entry}` === id))
  return firstBreach(
    [topped.length === 0, "payment", `Pays lumens to ${operation.destination}, which no decision asks for.`],
    [!isEnded, "sponsorship", `Pays ${operation.destination} for reserves that it does not take back in this transaction.`],
    [maxima.some((most) => total > most), "amount", `Pays ${operation.destination} ${showAmount(total)} lumens, more than was decided.`]
  )
}

/** More than a decision gives away. What goes to the close's own destination is not given away. */
const amountBreaches = (operation: Paid, { id, params }: SentDecision, around: Around): ReadonlyArray<Breach> => {
  const total = totalTo(operation, around)
  const most = amountIn(id, params?.maxAmount)
  const isOwn = operation.destination === around.expected.destination && params?.maxAmount === undefined
  return isOwn || (most !== null && total <= most)
    ? []
    : breach("amount", `Gives away ${showAmount(total)} ${operation.asset}, more than was decided.`)
}

/** What goes back to its issuer is destroyed. */
const returnBreaches = (operation: Paid, around: Around): ReadonlyArray<Breach> => {
  const { decided } = around
  if (isMuxed(operation.destination)) {
    return breach("payment", `Destroys ${operation.asset} at ${operation.destination}, an id of its issuer.`)
  }
  const decision = decided.to(`asset:${dashed(operation.asset)}`)
  if (decision?.choice === "return_to_issuer") return amountBreaches(operation, decision, around)
  return decided.isReturnedUnsold(operation.asset) ? [] : breach("payment", `Destroys ${operation.asset}, which no decision asks for.`)
}

/** PAYMENT: an asset to its issuer (which burns it) or to another account. */
export const Payment: OperationDefinition<"payment"> = {
  type: "payment",
  level: "med",
  build: ({ source, destination, asset, amount }) =>
    new xdr.Operation({
      sourceAccount: toMuxed(source),
      body: xdr.OperationBody.payment(
        new xdr.PaymentOp({ destination: toMuxed(destination), asset: assetOf(asset), amount })
      )
    }),
  decode: (body, source) => {
    if (body.type !== "payment") return null
    const { amount, asset, destination } = body.paymentOp
    if (amount <= 0n) return null
    return { type: "payment", source, destination: destinationOf(destination), asset: assetIdOf(asset), amount: stroops(amount) }
  },
  admits: (operation, around) => {
    const { decided, expected: { mediator, source } } = around
    if (operation.source !== source) {
      return operation.source === mediator?.address
        ? mediatedBreaches(operation, around)
        : breach("operation_source", `Pays from ${operation.source}, which is neither the account nor its mediator.`)
    }
    const { asset, destination } = operation
    if (asset === native) return topUpBreaches(operation, around)
    if (baseAccount(destination) === issued(asset)?.issuer) return returnBreaches(operation, around)
    const decision = decided.to(`asset:${dashed(asset)}`)
    return decision?.choice === "transfer_to_account" && decision.params?.destination === destination
      ? amountBreaches(operation, decision, around)
      : breach("payment", `Pays ${asset} to ${destination}, which no decision asks for.`)
  }
}
