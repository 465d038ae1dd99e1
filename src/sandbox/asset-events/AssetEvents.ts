import { xdr } from "@stellar/stellar-sdk"
import { isIssuer, native } from "../../ledger/Asset.ts"
import { assetContractId } from "../../ledger/soroban/ContractEntries.ts"
import { canonicalAsset } from "../AssetName.ts"
import { networkId } from "../network/TransactionFacts.ts"
import { accountParty, type Party } from "./Party.ts"

const symbol = (text: string): xdr.ScVal => xdr.ScVal.scvSymbol(text)

const amountValue = (amount: bigint): xdr.ScVal =>
  xdr.ScVal.scvI128(new xdr.Int128Parts({ hi: amount >> 64n, lo: BigInt.asUintN(64, amount) }))

/** A memo as the receiver's id in an event; undefined without a memo. */
const memoValue = (memo: xdr.Memo): xdr.ScVal | undefined => {
  switch (memo.type) {
    case "memoNone":
      return undefined
    case "memoText":
      return xdr.ScVal.scvString(memo.text.bytes)
    case "memoId":
      return xdr.ScVal.scvU64(memo.id)
    case "memoHash":
      return xdr.ScVal.scvBytes(memo.hash.toBytes())
    case "memoReturn":
      return xdr.ScVal.scvBytes(memo.retHash.toBytes())
  }
}

const receiverId = ({ account, muxedId }: Party, memo: xdr.Memo): xdr.ScVal | undefined => {
  if (muxedId !== undefined) return xdr.ScVal.scvU64(muxedId)
  return account === undefined ? undefined : memoValue(memo)
}

/** The amount, with the id behind the receiving account where there is one: its multiplexing id, else the memo. */
const movedValue = (amount: bigint, to: Party, memo: xdr.Memo | undefined): xdr.ScVal => {
  const id = memo === undefined ? undefined : receiverId(to, memo)
  return id === undefined
    ? amountValue(amount)
    : xdr.ScVal.scvMap([
      new xdr.ScMapEntry({ key: symbol("amount"), val: amountValue(amount) }),
      new xdr.ScMapEntry({ key: symbol("to_muxed_id"), val: id })
    ])
}

/** An amount of an asset, in stroops, that passes from one party to another. */
export interface Movement {
  readonly asset: xdr.Asset
  readonly from: Party
  readonly to: Party
  readonly amount: bigint
  /** Given, even empty, the event tells the id behind the receiver. */
  readonly memo?: xdr.Memo
}

/** The unified asset events of one network (CAP-67): what the contract of an asset would emit for a classic movement. */
export class AssetEvents {
  private readonly networkId: Uint8Array

  constructor(passphrase: string) {
    this.networkId = networkId(passphrase)
  }

  /** A movement: a `mint` when it comes from the issuer, a `burn` when it goes back there, else a `transfer`. */
  moved({ amount, asset, from, memo, to }: Movement): xdr.ContractEvent {
    const fromIssuer = from.account !== undefined && isIssuer(from.account, asset)
    const toIssuer = to.account !== undefined && isIssuer(to.account, asset)
    if (fromIssuer && !toIssuer) return this.event(asset, "mint", [to], movedValue(amount, to, memo))
    if (toIssuer && !fromIssuer) return this.event(asset, "burn", [from], amountValue(amount))
    return this.event(asset, "transfer", [from, to], movedValue(amount, to, memo))
  }

  clawedBack(asset: xdr.Asset, from: Party, amount: bigint): xdr.ContractEvent {
    return this.event(asset, "clawback", [from], amountValue(amount))
  }

  authorized(asset: xdr.Asset, holder: xdr.PublicKey, isAuthorized: boolean): xdr.ContractEvent {
    return this.event(asset, "set_authorized", [accountParty(holder)], xdr.ScVal.scvBool(isAuthorized))
  }

  /** A fee charged, in stroops. Has no asset among its topics. */
  fee(payer: xdr.PublicKey, amount: bigint): xdr.ContractEvent {
    return this.emit(native, [symbol("fee"), xdr.ScVal.scvAddress(accountParty(payer).address)], amountValue(amount))
  }

  private event(asset: xdr.Asset, name: string, parties: ReadonlyArray<Party>, data: xdr.ScVal): xdr.ContractEvent {
    return this.emit(
      asset,
      [
        symbol(name),
        ...parties.map(({ address }) => xdr.ScVal.scvAddress(address)),
        xdr.ScVal.scvString(canonicalAsset(asset))
      ],
      data
    )
  }

  private emit(asset: xdr.Asset, topics: Array<xdr.ScVal>, data: xdr.ScVal): xdr.ContractEvent {
    return new xdr.ContractEvent({
      ext: xdr.ExtensionPoint.v0(),
      contractId: assetContractId(asset, this.networkId),
      type: xdr.ContractEventType.contract,
      body: xdr.ContractEventBody.v0(new xdr.ContractEventV0({ topics, data }))
    })
  }
}
