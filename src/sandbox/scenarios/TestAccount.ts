import { Asset, Claimant, Keypair, Operation } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { Network } from "../Network.ts"
import { perform } from "./Scenario.ts"

/** An account of a given key with lumens and two claimable balances, one of an asset that can be sold, and a destination. */
export const TestAccount = (address: string) =>
  Effect.gen(function*() {
    const { root } = yield* Network
    const [destination, issuer, maker] = [Keypair.random(), Keypair.random(), Keypair.random()]
    const asset = new Asset("DEMO", issuer.publicKey())
    const claimants = [new Claimant(address)]
    yield* perform("accounts of a person who tries the page", {
      as: root,
      operations: [
        Operation.createAccount({ destination: address, startingBalance: "100" }),
        ...[destination, issuer].map((one) => Operation.createAccount({ destination: one.publicKey(), startingBalance: "20" })),
        Operation.createAccount({ destination: maker.publicKey(), startingBalance: "2000" })
      ]
    })
    yield* perform("something to claim, and who buys it", {
      as: issuer,
      signedBy: [issuer, maker],
      operations: [
        Operation.changeTrust({ asset, source: maker.publicKey() }),
        Operation.createClaimableBalance({ asset, amount: "40", claimants }),
        Operation.createClaimableBalance({ asset: Asset.native(), amount: "5", claimants }),
        Operation.manageSellOffer({ selling: Asset.native(), buying: asset, amount: "1000", price: "0.5", source: maker.publicKey() })
      ]
    })
    return { destination }
  })
