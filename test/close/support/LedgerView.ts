import { type Asset, type Keypair, StrKey, type xdr } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { accountKey, trustlineKey } from "../../../src/xdr/LedgerKeys.ts"
import { Service } from "./Service.ts"

/** The account on the sandbox's ledger; null when it is gone. */
export const accountOf = (key: Keypair): Effect.Effect<xdr.AccountEntry | null, never, Service> =>
  Effect.flatMap(Service, ({ sandbox }) =>
    Effect.map(sandbox.snapshot, ({ state }) => {
      const found = state.get(accountKey(key.publicKey()))
      return found?.data.type === "account" ? found.data.account : null
    }))

/** Its lumens in stroops; a missing account fails the test. */
export const lumensOf = (key: Keypair): Effect.Effect<bigint, never, Service> =>
  Effect.flatMap(
    accountOf(key),
    (account) => (account === null ? Effect.dieMessage("the account is missing") : Effect.succeed(account.balance))
  )

/** Its stroops of an asset; null without a trustline. */
export const heldOf = (key: Keypair, asset: Asset): Effect.Effect<bigint | null, never, Service> =>
  Effect.flatMap(Service, ({ sandbox }) =>
    Effect.map(sandbox.snapshot, ({ state }) => {
      const found = state.get(trustlineKey(key.publicKey(), asset.toTrustLineXdrObject()))
      return found?.data.type === "trustline" ? found.data.trustLine.balance : null
    }))

/** Ids of the offers of an account. */
export const offersOf = (key: Keypair): Effect.Effect<ReadonlyArray<bigint>, never, Service> =>
  Effect.flatMap(
    Service,
    ({ sandbox }) =>
      Effect.map(sandbox.snapshot, ({ state }) =>
        [...state.entries()].flatMap(({ data }) =>
          data.type === "offer" && StrKey.encodeEd25519PublicKey(data.offer.sellerId.ed25519.value) === key.publicKey()
            ? [data.offer.offerId]
            : []
        ))
  )
