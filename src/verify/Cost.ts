import type * as xdr from "@stellar/stellar-sdk/xdr"
import { showAmount } from "../domain/Amount.ts"
import { type Breach, breach, firstBreach } from "../operations/Around.ts"
import type { Expected } from "../operations/Expected.ts"

const forContracts: ReadonlySet<xdr.OperationBody["type"]> = new Set(["invokeHostFunction", "restoreFootprint"])

/** A contract operation stands alone, with what it may use of the ledger beside it; nothing else has that. */
const resourceBreaches = ({ ext, operations }: xdr.Transaction, { feeCap }: Expected, fee: bigint): ReadonlyArray<Breach> => {
  const calls = operations.filter(({ body }) => forContracts.has(body.type)).length
  if (calls === 0) return ext.type === "v0" ? [] : breach("resources", "Resources stand in a transaction that has no use for them.")
  if (operations.length > 1) return breach("resources", "A contract is called together with something else.")
  if (ext.type !== "sorobanData") return breach("resources", "A contract is called without resources.")
  const { resourceFee } = ext.sorobanData
  // What is read and written is no more than what the call does; it costs a fee. A fee bump around the transaction pays all of it: then its own fee is 0.
  return firstBreach(
    [resourceFee < 0n || resourceFee > feeCap, "fee", `The resource fee of ${showAmount(resourceFee)} lumens is above the cap.`],
    [fee > 0n && resourceFee > fee, "fee", "The resource fee is not part of the fee."]
  )
}

/** Why a transaction may cost more than its caller pays. */
export const costBreaches = (tx: xdr.Transaction, expected: Expected): ReadonlyArray<Breach> => {
  const fee = BigInt(tx.fee)
  return [
    ...(fee > expected.feeCap
      ? breach("fee", `The fee of up to ${showAmount(fee)} lumens is above the cap of ${showAmount(expected.feeCap)}.`)
      : []),
    ...resourceBreaches(tx, expected, fee)
  ]
}
