import { assert, describe, it } from "@effect/vitest"
import { Keypair, xdr } from "@stellar/stellar-sdk"
import { FastCheck as fc } from "effect"
import { newEntry } from "../../../src/ledger/entries/LedgerEntry.ts"
import { comesBefore } from "../../../src/ledger/exchange/BookOrder.ts"
import { type BookedOffer, OfferBook } from "../../../src/ledger/exchange/OfferBook.ts"
import { assetOf, price, xlm } from "../support/Bodies.ts"
import { idOf } from "../support/World.ts"

const seller = Keypair.random()
const selling = assetOf(seller)

const booked = (id: number, n: number, d: number): BookedOffer => {
  const offer = new xdr.OfferEntry({
    sellerId: idOf(seller),
    offerId: BigInt(id),
    selling,
    buying: xlm,
    amount: 1n,
    price: price(n, d),
    flags: 0,
    ext: xdr.OfferEntryExt.v0()
  })
  return { entry: newEntry(xdr.LedgerEntryData.offer(offer)), offer }
}

const step = fc.record({ id: fc.nat(120), n: fc.integer({ min: 1, max: 6 }), d: fc.integer({ min: 1, max: 6 }), stays: fc.boolean() })

const inOrder = (offers: Iterable<BookedOffer>): ReadonlyArray<BookedOffer> =>
  Array.from(offers).toSorted((left, right) => (comesBefore(left.offer, right.offer) ? -1 : 1))

interface Shape {
  readonly left: Shape | undefined
  readonly right: Shape | undefined
  readonly size: number
}

const weightOf = (tree: Shape | undefined): number => (tree?.size ?? 0) + 1

/** Whether at no place of a tree one side weighs more than three times the other. */
const isBalanced = (tree: Shape | undefined): boolean => {
  if (tree === undefined) return true
  const [left, right] = [weightOf(tree.left), weightOf(tree.right)]
  return left <= 3 * right && right <= 3 * left && isBalanced(tree.left) && isBalanced(tree.right)
}

const shapeOf = (book: OfferBook): Shape | undefined => Reflect.get(book, "root") as Shape | undefined

describe("OfferBook", () => {
  it("lists what a sorted list does, by place too, and every earlier version stays as it was", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 300, size: "max" }), (steps) => {
        let book = OfferBook.empty
        const plain = new Map<number, BookedOffer>()
        const versions: Array<readonly [OfferBook, ReadonlyArray<BookedOffer>]> = []
        for (const { d, id, n, stays } of steps) {
          const known = plain.get(id)
          if (known !== undefined) book = book.minus(known)
          plain.delete(id)
          if (stays || known === undefined) {
            const item = booked(id, n, d)
            book = book.plus(item)
            plain.set(id, item)
          }
          assert.deepStrictEqual([...book.minus(booked(121, n, d))], [...book], "an offer that it does not have")
          versions.push([book, inOrder(plain.values())])
        }
        for (const [version, offers] of versions) {
          assert.strictEqual(version.size, offers.length)
          const listed = Array.from(version)
          assert.isTrue(listed.length === offers.length && listed.every((item, at) => item === offers[at]), "listed")
          assert.isTrue(offers.every((item, at) => version.at(at) === item), "by place")
          assert.isUndefined(version.at(offers.length))
          assert.isTrue(isBalanced(shapeOf(version)), "balanced")
        }
      }),
      { numRuns: 30 }
    )
  })

  it("stays shallow whether offers come by rising or by falling prices, and as the best are taken", () => {
    const count = 20_000
    for (const priceOf of [(at: number) => at + 1, (at: number) => count - at]) {
      let book = OfferBook.empty
      for (let at = 0; at < count; at++) book = book.plus(booked(at, priceOf(at), 1))
      for (let left = count; left > 0; left--) {
        const best = book.at(0) ?? assert.fail("nothing left")
        assert.strictEqual(best.offer.price.n, count - left + 1)
        book = book.minus(best)
      }
      assert.strictEqual(book.size, 0)
    }
  })
})
