import type { Keypair, xdr } from "@stellar/stellar-sdk"
import type { LedgerState } from "../../../src/ledger/LedgerState.ts"
import { assetIdOf } from "../../../src/stellar/Assets.ts"
import type { Cast } from "./RandomAccount.ts"

/** The sum of each asset on trustlines, in pools and in claimable balances. */
export const supplies = (state: LedgerState): ReadonlyMap<string, bigint> => {
  const found = new Map<string, bigint>()
  const add = (asset: xdr.Asset, amount: bigint) => found.set(assetIdOf(asset), (found.get(assetIdOf(asset)) ?? 0n) + amount)
  for (const { data } of state.entries()) {
    if (data.type === "claimableBalance") add(data.claimableBalance.asset, data.claimableBalance.amount)
    if (data.type === "liquidityPool") {
      const { params, reserveA, reserveB } = data.liquidityPool.body.constantProduct
      add(params.assetA, reserveA)
      add(params.assetB, reserveB)
    }
    if (data.type === "trustline" && data.trustLine.asset.type !== "assetTypePoolShare") {
      const name = assetIdOf(data.trustLine.asset)
      if (name !== null) found.set(name, (found.get(name) ?? 0n) + data.trustLine.balance)
    }
  }
  return found
}

const goesTo = (to: xdr.MuxedAccount, key: Keypair): boolean =>
  to.type === "keyTypeEd25519" && Buffer.from(to.ed25519.value).equals(Buffer.from(key.rawPublicKey()))

/** The amounts that an envelope's payments return to the issuer. */
export const burnt = (envelope: xdr.TransactionEnvelope, { issuer }: Cast): ReadonlyArray<readonly [asset: string, amount: bigint]> =>
  (envelope.type === "envelopeTypeTx" ? envelope.v1.tx.operations : []).flatMap(({ body }) =>
    body.type === "payment" && body.paymentOp.asset.type !== "assetTypeNative" && goesTo(body.paymentOp.destination, issuer)
      ? [[assetIdOf(body.paymentOp.asset), body.paymentOp.amount] as const]
      : []
  )

/** Stroops that the payments of an envelope bring an account. */
export const paidTo = (envelope: xdr.TransactionEnvelope, to: Keypair): bigint =>
  (envelope.type === "envelopeTypeTx" ? envelope.v1.tx.operations : []).reduce(
    (sum, { body }) =>
      body.type === "payment" && body.paymentOp.asset.type === "assetTypeNative" && goesTo(body.paymentOp.destination, to)
        ? sum + body.paymentOp.amount
        : sum,
    0n
  )
