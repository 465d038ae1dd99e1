import { Operation } from "@stellar/stellar-sdk"
import { Effect, Schema } from "effect"
import { byTransaction, outcomeOfTransaction } from "./EventOutcome.ts"
import { Address, assetNamed, IssuedAssetText, issuerNamed } from "./Subject.ts"

/** The issuer authorizes a holder of its asset. */
export class AuthorizationGranted extends Schema.TaggedClass<AuthorizationGranted>("AuthorizationGranted")("AuthorizationGranted", {
  holder: Address,
  asset: IssuedAssetText
}) {
  happen() {
    return Effect.gen(this, function*() {
      const { asset, holder } = this
      const operation = Operation.setTrustLineFlags({ trustor: holder, asset: assetNamed(asset), flags: { authorized: true } })
      return outcomeOfTransaction(yield* byTransaction(this._tag, issuerNamed(asset), [operation]))
    })
  }
}
