import { xdr } from "@stellar/stellar-sdk"
import type { AssetEvents } from "./AssetEvents.ts"
import { accountParty, type Party, poolParty } from "./Party.ts"

const counterparty = (atom: xdr.ClaimAtom) => {
  switch (atom.type) {
    case "claimAtomTypeV0":
      return { other: accountParty(xdr.PublicKey.publicKeyTypeEd25519(atom.v0.sellerEd25519)), trade: atom.v0 }
    case "claimAtomTypeOrderBook":
      return { other: accountParty(atom.orderBook.sellerId), trade: atom.orderBook }
    case "claimAtomTypeLiquidityPool":
      return { other: poolParty(atom.liquidityPool.liquidityPoolId), trade: atom.liquidityPool }
  }
}

/** Both sides of each trade with an offer or a pool: what the taker pays, then what it gets. */
export const tradeEvents = (
  events: AssetEvents,
  taker: Party,
  atoms: ReadonlyArray<xdr.ClaimAtom>
): ReadonlyArray<xdr.ContractEvent> =>
  atoms.flatMap((atom) => {
    const { other, trade } = counterparty(atom)
    return [
      events.moved({ asset: trade.assetBought, from: taker, to: other, amount: trade.amountBought }),
      events.moved({ asset: trade.assetSold, from: other, to: taker, amount: trade.amountSold })
    ]
  })
