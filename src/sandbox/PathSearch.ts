import { xdr } from "@stellar/stellar-sdk"
import { objectMemo } from "../fibers/ObjectMemo.ts"
import { applyTransaction } from "../ledger/Apply.ts"
import { assetId, isNative, toTrustlineAsset } from "../ledger/Asset.ts"
import { newAccount } from "../ledger/entries/Account.ts"
import { newEntry } from "../ledger/entries/LedgerEntry.ts"
import { TrustlineFlag } from "../ledger/entries/Trustline.ts"
import { int64Max } from "../ledger/Int64.ts"
import type { LedgerState } from "../ledger/LedgerState.ts"
import { accountKey, trustlineKey } from "../xdr/LedgerKeys.ts"
import { addressOf } from "./AssetName.ts"
import { indexOf } from "./LedgerIndex.ts"

const maxInterior = 2
/** More candidate routes than this are not tried: a bound on the work of one request. */
const maxRoutes = 400
const traderKey = xdr.PublicKey.publicKeyTypeEd25519(new Uint8Array(32).fill(0xfe))

/** A route that works on this ledger, and what it takes and gives in stroops. */
export interface Route {
  readonly source: xdr.Asset
  readonly destination: xdr.Asset
  readonly interior: ReadonlyArray<xdr.Asset>
  readonly sourceAmount: bigint
  readonly destinationAmount: bigint
}

/**
 * Routes that send exactly `amount`. Each is tried as the path payment it would be, on a copy of the ledger, by a
 * trader that owns nothing else: what is found is what such a payment then executes at, offers of one's own aside.
 */
export const strictSendRoutes = (
  state: LedgerState,
  source: xdr.Asset,
  amount: bigint,
  destinations: ReadonlyArray<xdr.Asset>
): ReadonlyArray<Route> =>
  destinations.flatMap((destination) =>
    interiors(state, source, destination).flatMap((interior) => {
      const moved = pay(state, { asset: source, amount }, destination, (trader) =>
        xdr.OperationBody.pathPaymentStrictSend(
          new xdr.PathPaymentStrictSendOp({
            sendAsset: source,
            sendAmount: amount,
            destination: trader,
            destAsset: destination,
            destMin: 1n,
            path: [...interior]
          })
        ))
      return moved === undefined ? [] : [{ source, destination, interior, sourceAmount: amount, destinationAmount: moved.received }]
    })
  )

/** Routes that deliver exactly `amount`; see {@link strictSendRoutes}. */
export const strictReceiveRoutes = (
  state: LedgerState,
  sources: ReadonlyArray<xdr.Asset>,
  destination: xdr.Asset,
  amount: bigint
): ReadonlyArray<Route> =>
  sources.flatMap((source) =>
    interiors(state, source, destination).flatMap((interior) => {
      const purse = { asset: source, amount: int64Max / 2n }
      const moved = pay(state, purse, destination, (trader) =>
        xdr.OperationBody.pathPaymentStrictReceive(
          new xdr.PathPaymentStrictReceiveOp({
            sendAsset: source,
            sendMax: purse.amount,
            destination: trader,
            destAsset: destination,
            destAmount: amount,
            path: [...interior]
          })
        ))
      return moved === undefined ? [] : [{ source, destination, interior, sourceAmount: moved.sent, destinationAmount: amount }]
    })
  )

/** Every way from one asset to another over markets that exist, with at most two assets between and none twice. */
const interiors = (state: LedgerState, source: xdr.Asset, destination: xdr.Asset): ReadonlyArray<ReadonlyArray<xdr.Asset>> => {
  const markets = marketsOf(state)
  const goal = assetId(destination)
  const found: Array<ReadonlyArray<xdr.Asset>> = []
  const walk = (at: xdr.Asset, interior: ReadonlyArray<xdr.Asset>, seen: ReadonlySet<string>): void => {
    for (const [id, next] of markets.get(assetId(at)) ?? []) {
      if (found.length >= maxRoutes) return
      if (id === goal) found.push(interior)
      else if (!seen.has(id) && interior.length < maxInterior) walk(next, [...interior, next], new Set([...seen, id]))
    }
  }
  if (assetId(source) !== goal) walk(source, [], new Set([assetId(source)]))
  return found.toSorted((left, right) => left.length - right.length)
}

type Markets = ReadonlyMap<string, ReadonlyMap<string, xdr.Asset>>

/** What each asset can be turned into in one hop, through offers or a pool. */
const marketsOf = objectMemo((state: LedgerState): Markets => {
  const markets = new Map<string, Map<string, xdr.Asset>>()
  const add = (from: xdr.Asset, to: xdr.Asset): void => {
    const targets = markets.get(assetId(from))
    if (targets === undefined) markets.set(assetId(from), new Map([[assetId(to), to]]))
    else targets.set(assetId(to), to)
  }
  const { offers, pools } = indexOf(state)
  for (const { body } of offers) add(body.buying, body.selling)
  for (const { body } of pools) {
    const { assetA, assetB } = body.body.constantProduct.params
    add(assetA, assetB)
    add(assetB, assetA)
  }
  return markets
})

/** What the trader is furnished with, in stroops. */
interface Purse {
  readonly asset: xdr.Asset
  readonly amount: bigint
}

/** Lets the trader, furnished with a purse, make one payment to itself; undefined when it fails. */
const pay = (
  state: LedgerState,
  { amount: purse, asset: source }: Purse,
  destination: xdr.Asset,
  operation: (trader: xdr.MuxedAccount) => xdr.OperationBody
): { readonly sent: bigint; readonly received: bigint } | undefined => {
  const upkeep = BigInt(state.header.baseReserve) * 10n + BigInt(state.header.baseFee)
  const lumens = upkeep + (isNative(source) ? purse : 0n)
  const account = newAccount(traderKey, lumens, 0n)
  const lines = [
    ...(isNative(source) ? [] : [line(source, purse)]),
    ...(isNative(destination) ? [] : [line(destination, 0n)])
  ]
  const before = state
    .at({ ledgerSeq: state.header.ledgerSeq + 1 })
    .set([newEntry(xdr.LedgerEntryData.account(account)), ...lines])
  const trader = xdr.MuxedAccount.keyTypeEd25519(traderKey.ed25519)
  const envelope = xdr.TransactionEnvelope.envelopeTypeTx(
    new xdr.TransactionV1Envelope({
      tx: new xdr.Transaction({
        sourceAccount: trader,
        fee: state.header.baseFee,
        seqNum: 1n,
        cond: xdr.Preconditions.precondNone(),
        memo: xdr.Memo.memoNone(),
        operations: [new xdr.Operation({ sourceAccount: null, body: operation(trader) })],
        ext: xdr.TransactionExt.v0()
      }),
      signatures: []
    })
  )
  const applied = applyTransaction(before, envelope, { networkPassphrase: "path search", signatures: "assume" })
  if (applied.result.result.type !== "txSuccess") return undefined
  const fee = applied.feeCharged
  const change = (asset: xdr.Asset): bigint => held(applied.state, asset) - held(before, asset) + (isNative(asset) ? fee : 0n)
  return { sent: -change(source), received: change(destination) }
}

const line = (asset: xdr.Asset, balance: bigint): xdr.LedgerEntry =>
  newEntry(
    xdr.LedgerEntryData.trustline(
      new xdr.TrustLineEntry({
        accountId: traderKey,
        asset: toTrustlineAsset(asset),
        balance,
        limit: int64Max,
        flags: TrustlineFlag.authorized,
        ext: xdr.TrustLineEntryExt.v0()
      })
    )
  )

const held = (state: LedgerState, asset: xdr.Asset): bigint => {
  const trader = addressOf(traderKey)
  const entry = state.get(isNative(asset) ? accountKey(trader) : trustlineKey(trader, toTrustlineAsset(asset)))
  switch (entry?.data.type) {
    case "account":
      return entry.data.account.balance
    case "trustline":
      return entry.data.trustLine.balance
    default:
      return 0n
  }
}
