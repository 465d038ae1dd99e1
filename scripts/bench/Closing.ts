import { Asset, Claimant, Keypair, Operation, type xdr } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { fund, perform } from "../../src/sandbox/scenarios/Scenario.ts"

/** The amount of each kind that the closing account holds. */
export interface Closing {
  /** Trustlines with a balance. */
  readonly balances: number
  /** This many of these assets have a buyer for lumens. */
  readonly bought: number
  readonly emptyLines: number
  readonly offers: number
  readonly data: number
  readonly claimable: number
}

const many = <A>(count: number, make: (index: number) => A): ReadonlyArray<A> => Array.from({ length: count }, (_, index) => make(index))

const inHundreds = (as: Keypair, operations: ReadonlyArray<xdr.Operation>) =>
  Effect.forEach(
    many(Math.ceil(operations.length / 100), (at) => operations.slice(at * 100, at * 100 + 100)),
    (some) => perform("a hundred of them", { as, operations: some }),
    { discard: true }
  )

/** Assets of one buyer: a trustline and an offer each, of an account's thousand sub-entries at most. */
const mostBought = 400

/** A closing account with these holdings, and its destination. */
export const closing = Effect.fn("Closing.closing")(function*({ balances, bought, claimable, data, emptyLines, offers }: Closing) {
  const [source, destination, issuer] = [Keypair.random(), Keypair.random(), Keypair.random()]
  yield* fund("10000", source, destination, issuer)
  const named = (kind: string, count: number) => many(count, (index) => new Asset(`${kind}${index}`, issuer.publicKey()))
  const [held, empty, wanted] = [named("HELD", balances), named("EMPTY", emptyLines), new Asset("WANTED", issuer.publicKey())]
  const market = held.slice(0, bought)
  yield* inHundreds(source, [...held, ...empty].map((asset) => Operation.changeTrust({ asset })))
  yield* inHundreds(source, many(data, (index) => Operation.manageData({ name: `entry ${index}`, value: "x" })))
  yield* inHundreds(source, offers === 0 ? [] : [Operation.changeTrust({ asset: wanted })])
  yield* inHundreds(
    source,
    many(offers, (index) => Operation.manageSellOffer({ selling: Asset.native(), buying: wanted, amount: "0.1", price: String(1 + index) }))
  )
  yield* inHundreds(issuer, held.map((asset) => Operation.payment({ asset, amount: "1", destination: source.publicKey() })))
  yield* inHundreds(
    issuer,
    many(
      claimable,
      () => Operation.createClaimableBalance({ asset: Asset.native(), amount: "0.1", claimants: [new Claimant(source.publicKey())] })
    )
  )
  for (let at = 0; at < market.length; at += mostBought) {
    const buyer = Keypair.random()
    yield* fund("100000", buyer)
    yield* inHundreds(
      buyer,
      market.slice(at, at + mostBought).flatMap((asset) => [
        Operation.changeTrust({ asset }),
        Operation.manageBuyOffer({ selling: Asset.native(), buying: asset, buyAmount: "100", price: "2" })
      ])
    )
  }
  return { keys: source, source: source.publicKey(), destination: destination.publicKey() }
})
