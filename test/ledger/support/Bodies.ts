import { type Keypair, xdr } from "@stellar/stellar-sdk"
import { compareAssets, native, poolFee, poolIdOf } from "../../../src/ledger/Asset.ts"
import { int64Max } from "../../../src/ledger/Int64.ts"
import { addressOf, idOf } from "./World.ts"

export const xlm = native

/** An asset of four letters at most. */
export const assetOf = (issuer: Keypair, code = "USD"): xdr.Asset =>
  xdr.Asset.assetTypeCreditAlphanum4(new xdr.AlphaNum4({ assetCode: code, issuer: idOf(issuer) }))

export const price = (n: number, d: number): xdr.Price => new xdr.Price({ n, d })

export const createAccount = (destination: Keypair, startingBalance: bigint): xdr.OperationBody =>
  xdr.OperationBody.createAccount(new xdr.CreateAccountOp({ destination: idOf(destination), startingBalance }))

export const pay = (destination: Keypair, asset: xdr.Asset, amount: bigint): xdr.OperationBody =>
  xdr.OperationBody.payment(new xdr.PaymentOp({ destination: addressOf(destination), asset, amount }))

/** The muxed account with an id. */
export const withId = (account: Keypair, id: bigint): xdr.MuxedAccount =>
  xdr.MuxedAccount.keyTypeMuxedEd25519(new xdr.MuxedAccountMed25519({ id, ed25519: account.rawPublicKey() }))

export const payMuxed = (destination: xdr.MuxedAccount, asset: xdr.Asset, amount: bigint): xdr.OperationBody =>
  xdr.OperationBody.payment(new xdr.PaymentOp({ destination, asset, amount }))

export const mergeMuxed = (destination: xdr.MuxedAccount): xdr.OperationBody => xdr.OperationBody.accountMerge(destination)

export const merge = (destination: Keypair): xdr.OperationBody => xdr.OperationBody.accountMerge(addressOf(destination))

export const trust = (asset: xdr.Asset, limit: bigint = int64Max): xdr.OperationBody =>
  xdr.OperationBody.changeTrust(new xdr.ChangeTrustOp({ line: changeTrustAsset(asset), limit }))

const changeTrustAsset = (asset: xdr.Asset): xdr.ChangeTrustAsset => {
  switch (asset.type) {
    case "assetTypeNative":
      return xdr.ChangeTrustAsset.assetTypeNative()
    case "assetTypeCreditAlphanum4":
      return xdr.ChangeTrustAsset.assetTypeCreditAlphanum4(asset.alphaNum4)
    case "assetTypeCreditAlphanum12":
      return xdr.ChangeTrustAsset.assetTypeCreditAlphanum12(asset.alphaNum12)
  }
}

export const poolParameters = (left: xdr.Asset, right: xdr.Asset): xdr.LiquidityPoolParameters => {
  const [assetA, assetB] = compareAssets(left, right) < 0 ? [left, right] : [right, left]
  return xdr.LiquidityPoolParameters.liquidityPoolConstantProduct(
    new xdr.LiquidityPoolConstantProductParameters({ assetA, assetB, fee: poolFee })
  )
}

export const poolOf = (left: xdr.Asset, right: xdr.Asset): xdr.PoolId => poolIdOf(poolParameters(left, right))

export const shareOf = (left: xdr.Asset, right: xdr.Asset): xdr.TrustLineAsset => xdr.TrustLineAsset.assetTypePoolShare(poolOf(left, right))

export const trustPool = (left: xdr.Asset, right: xdr.Asset, limit: bigint = int64Max): xdr.OperationBody =>
  xdr.OperationBody.changeTrust(
    new xdr.ChangeTrustOp({ line: xdr.ChangeTrustAsset.assetTypePoolShare(poolParameters(left, right)), limit })
  )

export const deposit = (
  left: xdr.Asset,
  right: xdr.Asset,
  maxAmountA: bigint,
  maxAmountB: bigint,
  minPrice: xdr.Price = price(1, 2_000_000_000),
  maxPrice: xdr.Price = price(2_000_000_000, 1)
): xdr.OperationBody =>
  xdr.OperationBody.liquidityPoolDeposit(
    new xdr.LiquidityPoolDepositOp({ liquidityPoolId: poolOf(left, right), maxAmountA, maxAmountB, minPrice, maxPrice })
  )

export const withdraw = (left: xdr.Asset, right: xdr.Asset, amount: bigint, minAmountA = 0n, minAmountB = 0n): xdr.OperationBody =>
  xdr.OperationBody.liquidityPoolWithdraw(
    new xdr.LiquidityPoolWithdrawOp({ liquidityPoolId: poolOf(left, right), amount, minAmountA, minAmountB })
  )

export const sell = (selling: xdr.Asset, buying: xdr.Asset, amount: bigint, at: xdr.Price, offerId = 0n): xdr.OperationBody =>
  xdr.OperationBody.manageSellOffer(new xdr.ManageSellOfferOp({ selling, buying, amount, price: at, offerId }))

export const buy = (selling: xdr.Asset, buying: xdr.Asset, buyAmount: bigint, at: xdr.Price, offerId = 0n): xdr.OperationBody =>
  xdr.OperationBody.manageBuyOffer(new xdr.ManageBuyOfferOp({ selling, buying, buyAmount, price: at, offerId }))

export const sellPassive = (selling: xdr.Asset, buying: xdr.Asset, amount: bigint, at: xdr.Price): xdr.OperationBody =>
  xdr.OperationBody.createPassiveSellOffer(new xdr.CreatePassiveSellOfferOp({ selling, buying, amount, price: at }))

export const strictSend = (
  destination: Keypair,
  sendAsset: xdr.Asset,
  sendAmount: bigint,
  destAsset: xdr.Asset,
  destMin: bigint,
  path: Array<xdr.Asset> = []
): xdr.OperationBody =>
  xdr.OperationBody.pathPaymentStrictSend(
    new xdr.PathPaymentStrictSendOp({ sendAsset, sendAmount, destination: addressOf(destination), destAsset, destMin, path })
  )

export const strictReceive = (
  destination: Keypair,
  sendAsset: xdr.Asset,
  sendMax: bigint,
  destAsset: xdr.Asset,
  destAmount: bigint,
  path: Array<xdr.Asset> = []
): xdr.OperationBody =>
  xdr.OperationBody.pathPaymentStrictReceive(
    new xdr.PathPaymentStrictReceiveOp({ sendAsset, sendMax, destination: addressOf(destination), destAsset, destAmount, path })
  )

export const setData = (name: string, value: string | null): xdr.OperationBody =>
  xdr.OperationBody.manageData(
    new xdr.ManageDataOp({ dataName: name, dataValue: value === null ? null : new xdr.DataValue(Buffer.from(value)) })
  )

type Options = ConstructorParameters<typeof xdr.SetOptionsOp>[0]

export const setOptions = (options: Partial<Options>): xdr.OperationBody =>
  xdr.OperationBody.setOptions(
    new xdr.SetOptionsOp({
      inflationDest: null,
      clearFlags: null,
      setFlags: null,
      masterWeight: null,
      lowThreshold: null,
      medThreshold: null,
      highThreshold: null,
      homeDomain: null,
      signer: null,
      ...options
    })
  )

export const signerKeyOf = (pair: Keypair): xdr.SignerKey => xdr.SignerKey.signerKeyTypeEd25519(pair.rawPublicKey())

/** The signer that a hash of a transaction is. */
export const preAuth = (hash: Uint8Array): xdr.SignerKey => xdr.SignerKey.signerKeyTypePreAuthTx(hash)

export const setSigner = (key: xdr.SignerKey, weight: number): xdr.OperationBody => setOptions({ signer: new xdr.Signer({ key, weight }) })

export const begin = (sponsored: Keypair): xdr.OperationBody =>
  xdr.OperationBody.beginSponsoringFutureReserves(new xdr.BeginSponsoringFutureReservesOp({ sponsoredId: idOf(sponsored) }))

export const end = (): xdr.OperationBody => xdr.OperationBody.endSponsoringFutureReserves()

export const revoke = (key: xdr.LedgerKey): xdr.OperationBody =>
  xdr.OperationBody.revokeSponsorship(xdr.RevokeSponsorshipOp.revokeSponsorshipLedgerEntry(key))

export const revokeSigner = (account: Keypair, signerKey: xdr.SignerKey): xdr.OperationBody =>
  xdr.OperationBody.revokeSponsorship(
    xdr.RevokeSponsorshipOp.revokeSponsorshipSigner(new xdr.RevokeSponsorshipOpSigner({ accountId: idOf(account), signerKey }))
  )

export const unconditional = xdr.ClaimPredicate.claimPredicateUnconditional()

export const claimant = (pair: Keypair, predicate: xdr.ClaimPredicate = unconditional): xdr.Claimant =>
  xdr.Claimant.claimantTypeV0(new xdr.ClaimantV0({ destination: idOf(pair), predicate }))

export const setApart = (asset: xdr.Asset, amount: bigint, ...claimants: Array<xdr.Claimant>): xdr.OperationBody =>
  xdr.OperationBody.createClaimableBalance(new xdr.CreateClaimableBalanceOp({ asset, amount, claimants }))

export const claim = (balanceId: xdr.ClaimableBalanceId): xdr.OperationBody =>
  xdr.OperationBody.claimClaimableBalance(new xdr.ClaimClaimableBalanceOp({ balanceId }))

export const clawBackBalance = (balanceId: xdr.ClaimableBalanceId): xdr.OperationBody =>
  xdr.OperationBody.clawbackClaimableBalance(new xdr.ClawbackClaimableBalanceOp({ balanceId }))

export const clawBack = (from: Keypair, asset: xdr.Asset, amount: bigint): xdr.OperationBody =>
  xdr.OperationBody.clawback(new xdr.ClawbackOp({ asset, from: addressOf(from), amount }))

export const allow = (trustor: Keypair, code: string, authorize: number): xdr.OperationBody =>
  xdr.OperationBody.allowTrust(
    new xdr.AllowTrustOp({ trustor: idOf(trustor), asset: xdr.AssetCode.assetTypeCreditAlphanum4(code), authorize })
  )

export const setLineFlags = (trustor: Keypair, asset: xdr.Asset, setFlags: number, clearFlags: number): xdr.OperationBody =>
  xdr.OperationBody.setTrustLineFlags(new xdr.SetTrustLineFlagsOp({ trustor: idOf(trustor), asset, clearFlags, setFlags }))

export const bump = (bumpTo: bigint): xdr.OperationBody => xdr.OperationBody.bumpSequence(new xdr.BumpSequenceOp({ bumpTo }))

export const restore = xdr.OperationBody.restoreFootprint(new xdr.RestoreFootprintOp({ ext: xdr.ExtensionPoint.v0() }))

export const extend = (extendTo: number): xdr.OperationBody =>
  xdr.OperationBody.extendFootprintTtl(new xdr.ExtendFootprintTtlOp({ ext: xdr.ExtensionPoint.v0(), extendTo }))
