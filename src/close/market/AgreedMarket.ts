import { StrKey, xdr } from "@stellar/stellar-sdk"
import { BigInt as Big } from "effect"
import { AccountAddress } from "../../domain/Address.ts"
import { AssetId } from "../../domain/Asset.ts"
import type { Operation } from "../../operations/Operations.ts"
import { assetOf, pairPoolId, poolPair } from "../../stellar/Assets.ts"
import type { Answers } from "../situation/Answers.ts"
import type { Route, Sale } from "../situation/Routes.ts"
import { floorShare } from "./Floors.ts"
import { agreedFloor } from "./SaleAnswer.ts"

/** A made-up issuer and asset: they stand between an unquoted asset and lumens in a projection, and nowhere else. */
const keeper = AccountAddress.make(StrKey.encodeEd25519PublicKey(new Uint8Array(32).fill(1)))
const voucher = AssetId.make(`AGREED:${keeper}`)

/** The way of a sale that is played at its agreed price. No transaction that is handed over has it. */
export const agreedRoute: Route = [voucher]

/** Pools keep thirty of ten thousand. */
const basis = 10_000n
const kept = 9_970n

/** More lumens, and of any asset, than an account of a network holds; small enough that their sums are amounts. */
const most = 1n << 61n

const within = Big.clamp({ minimum: 1n, maximum: most })

/** An agreed sale: so much of an asset for so many lumens at least. */
export interface AgreedSale {
  readonly asset: AssetId
  readonly amount: bigint
  readonly floor: bigint
}

const entry = (data: xdr.LedgerEntryData): xdr.LedgerEntry =>
  new xdr.LedgerEntry({ lastModifiedLedgerSeq: 0, data, ext: xdr.LedgerEntryExt.v0() })

/** A pool that pays exactly the floor in vouchers for exactly the amount. */
const poolOf = ({ amount, asset, floor }: AgreedSale): xdr.LedgerEntry => {
  const sent = within(amount)
  const reserveOut = (within(floor) * (basis * sent + kept * sent) + kept * sent - 1n) / (kept * sent)
  const [first, second] = poolPair(asset, voucher)
  const isFirst = first === asset
  return entry(xdr.LedgerEntryData.liquidityPool(
    new xdr.LiquidityPoolEntry({
      liquidityPoolId: xdr.PoolId.fromXdr(pairPoolId(asset, voucher), "hex"),
      body: xdr.LiquidityPoolEntryBody.liquidityPoolConstantProduct(
        new xdr.LiquidityPoolEntryConstantProduct({
          params: new xdr.LiquidityPoolConstantProductParameters({ assetA: assetOf(first), assetB: assetOf(second), fee: 30 }),
          reserveA: isFirst ? sent : reserveOut,
          reserveB: isFirst ? reserveOut : sent,
          totalPoolShares: sent,
          poolSharesTrustLineCount: 1n
        })
      )
    })
  ))
}

/** Who gives a lumen for each voucher. */
const keeperEntries = (): ReadonlyArray<xdr.LedgerEntry> => {
  const accountId = xdr.PublicKey.publicKeyTypeEd25519(new Uint8Array(32).fill(1))
  const liabilities = new xdr.Liabilities({ buying: 0n, selling: most })
  return [
    entry(xdr.LedgerEntryData.account(
      new xdr.AccountEntry({
        accountId,
        balance: most + (most >> 1n),
        seqNum: 0n,
        numSubEntries: 1,
        inflationDest: null,
        flags: 0,
        homeDomain: "",
        thresholds: new Uint8Array([1, 0, 0, 0]),
        signers: [],
        ext: xdr.AccountEntryExt.v1(new xdr.AccountEntryExtensionV1({ liabilities, ext: xdr.AccountEntryExtensionV1Ext.v0() }))
      })
    )),
    entry(xdr.LedgerEntryData.offer(
      new xdr.OfferEntry({
        sellerId: accountId,
        offerId: 1n,
        selling: xdr.Asset.assetTypeNative(),
        buying: assetOf(voucher),
        amount: most,
        price: new xdr.Price({ n: 1, d: 1 }),
        flags: 0,
        ext: xdr.OfferEntryExt.v0()
      })
    ))
  ]
}

/** What a market leaves unquoted of sales that were agreed. */
export const agreedSales = (
  sales: ReadonlyArray<Sale>,
  unquoted: ReadonlySet<AssetId>,
  answers: Answers
): ReadonlyArray<AgreedSale> =>
  sales.flatMap(({ amount, asset }) => {
    const answer = answers.asset(asset)
    if (!unquoted.has(asset) || answer?.choice !== "convert_to_native") return []
    const floor = agreedFloor(answer, (agreed) => floorShare(agreed, answer.params?.amount, amount))
    return floor === null ? [] : [{ asset, amount, floor }]
  })

/** Whether an operation is a sale that is only played: it is never handed over. */
export const isAgreedSale = (operation: Operation): boolean =>
  operation.type === "path_payment_strict_send" && operation.path.includes(voucher)

/**
 * Entries on which sales that were agreed and not quoted are played at their floors, so that what comes after them can be projected.
 * Other ways never lead over them, because nothing else is sold for vouchers.
 */
export const agreedEntries = (sales: ReadonlyArray<AgreedSale>): ReadonlyArray<xdr.LedgerEntry> =>
  sales.length === 0 ? [] : [...keeperEntries(), ...sales.map(poolOf)]
