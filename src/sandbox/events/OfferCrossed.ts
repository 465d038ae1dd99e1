import { Keypair, Operation, type xdr } from "@stellar/stellar-sdk"
import { Effect, Schema } from "effect"
import { pairOf } from "../../ledger/exchange/BookOrder.ts"
import { addressOf, canonicalAsset } from "../AssetName.ts"
import { showAmount } from "../DecimalAmount.ts"
import { indexOf } from "../LedgerIndex.ts"
import { Network } from "../Network.ts"
import { byTransaction, EventRefused, outcomeOfTransaction } from "./EventOutcome.ts"
import { amountNamed, AmountText, assetNamed, issuerNamed } from "./Subject.ts"

/** Lumens a stranger comes with besides what it pays. */
const strangerLumens = 100_0000000n

/** What an issuer does so that the stranger can hold the asset. */
const welcomed = (stranger: string, asset: string, needed: string | undefined): ReadonlyArray<xdr.Operation> => {
  if (asset === "native") return []
  const [traded, issuer] = [assetNamed(asset), issuerNamed(asset)]
  return [
    Operation.changeTrust({ source: stranger, asset: traded }),
    Operation.setTrustLineFlags({ source: issuer, trustor: stranger, asset: traded, flags: { authorized: true } }),
    ...(needed === undefined ? [] : [Operation.payment({ source: issuer, destination: stranger, asset: traded, amount: needed })])
  ]
}

/**
 * A stranger with an account of its own buys what an offer sells, all of it unless an amount is given. Offers with a
 * better price go first, as in every book.
 */
export class OfferCrossed extends Schema.TaggedClass<OfferCrossed>("OfferCrossed")("OfferCrossed", {
  offer: Schema.String.pipe(Schema.pattern(/^[1-9][0-9]{0,18}$/)),
  amount: Schema.optionalWith(AmountText, { exact: true })
}) {
  happen() {
    return Effect.gen(this, function*() {
      const refuse = (reason: string) => new EventRefused({ event: this._tag, reason })
      const { root, snapshot } = yield* Network
      const { state } = yield* snapshot
      const found = indexOf(state).offers.find(({ body }) => body.offerId.toString() === this.offer)?.body
      if (found === undefined) return yield* refuse("there is no such offer")
      const book = Array.from(state.book(pairOf(found.selling, found.buying)), ({ offer }) => offer)
      const better = book.slice(0, book.findIndex(({ offerId }) => offerId === found.offerId))
      const { d, n } = found.price
      const wanted = this.amount === undefined ? found.amount : amountNamed(this.amount)
      const bought = better.reduce((sum, { amount }) => sum + amount, wanted)
      // Every offer crossed asks this price or less; one unit more for what is rounded up.
      const paid = (bought * BigInt(n)) / BigInt(d) + 1n + BigInt(better.length)
      const [selling, buying] = [canonicalAsset(found.buying), canonicalAsset(found.selling)]
      const stranger = Keypair.random().publicKey()
      const startingBalance = showAmount(strangerLumens + (selling === "native" ? paid : 0n))
      const crossing = yield* byTransaction(this._tag, root.publicKey(), [
        Operation.createAccount({ destination: stranger, startingBalance }),
        ...welcomed(stranger, selling, showAmount(paid)),
        ...welcomed(stranger, buying, undefined),
        Operation.manageBuyOffer({
          source: stranger,
          selling: assetNamed(selling),
          buying: assetNamed(buying),
          buyAmount: showAmount(bought),
          price: { n, d }
        })
      ])
      const left = indexOf((yield* snapshot).state).offers.filter(({ body }) => addressOf(body.sellerId) === stranger)
      for (const { body } of left) {
        yield* byTransaction(this._tag, stranger, [
          Operation.manageBuyOffer({
            selling: assetNamed(selling),
            buying: assetNamed(buying),
            buyAmount: "0",
            price: { n, d },
            offerId: body.offerId.toString()
          })
        ])
      }
      return outcomeOfTransaction(crossing)
    })
  }
}
