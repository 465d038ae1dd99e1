import { Asset, Claimant, Keypair, Operation, type xdr } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { fund, perform } from "../../src/sandbox/scenarios/Scenario.ts"

const performAll = (as: Keypair, operations: ReadonlyArray<xdr.Operation>, signedBy: ReadonlyArray<Keypair> = [as]) =>
  Effect.gen(function*() {
    for (let from = 0; from < operations.length; from += 100) {
      yield* perform("a hundred of them", { as, signedBy, operations: operations.slice(from, from + 100) })
    }
  })

const many = <A>(count: number, make: (index: number) => A): ReadonlyArray<A> => Array.from({ length: count }, (_, index) => make(index))

/** The amount of each kind that an account holds. */
export interface Holding {
  readonly lines: number
  readonly offers: number
  readonly data: number
  readonly claimable: number
  /** Entries of another account that it sponsors: trustlines, data entries and offers in turn. */
  readonly sponsored: number
}

/** An account with these holdings; offers need at least one trustline. */
export const accountWith = Effect.fn("Accounts.accountWith")(function*({ claimable, data, lines, offers, sponsored }: Holding) {
  const [account, issuer, friend] = [Keypair.random(), Keypair.random(), Keypair.random()]
  yield* fund("10000", account, issuer, friend)
  const assets = many(Math.max(lines, 1), (index) => new Asset(`A${index}`, issuer.publicKey()))
  const [first] = assets
  if (first === undefined) return account
  yield* performAll(account, assets.slice(0, lines).map((asset) => Operation.changeTrust({ asset })))
  yield* performAll(
    account,
    many(offers, (index) => Operation.manageSellOffer({ selling: Asset.native(), buying: first, amount: "0.1", price: String(1 + index) }))
  )
  yield* performAll(account, many(data, (index) => Operation.manageData({ name: `entry ${index}`, value: "x" })))
  yield* performAll(
    issuer,
    many(
      claimable,
      () => Operation.createClaimableBalance({ asset: Asset.native(), amount: "0.1", claimants: [new Claimant(account.publicKey())] })
    )
  )
  const source = friend.publicKey()
  for (let from = 0; from < sponsored; from += 90) {
    yield* perform("sponsor", {
      as: account,
      signedBy: [account, friend],
      operations: [
        Operation.beginSponsoringFutureReserves({ sponsoredId: source }),
        ...many(Math.min(90, sponsored - from), (index) =>
          (from + index) % 2 === 0
            ? Operation.manageData({ name: `entry ${from + index}`, value: "x", source })
            : Operation.changeTrust({ asset: new Asset(`S${from + index}`, issuer.publicKey()), source })),
        Operation.endSponsoringFutureReserves({ source })
      ]
    })
  }
  return account
})
