import { AuthRevocableFlag, Operation, type xdr } from "@stellar/stellar-sdk"
import { Effect, Schema } from "effect"
import { AccountFlag, hasFlag } from "../../ledger/entries/Account.ts"
import { indexOf } from "../LedgerIndex.ts"
import { Network } from "../Network.ts"
import { byTransaction, outcomeOfTransaction } from "./EventOutcome.ts"
import { Address, assetNamed, IssuedAssetText, issuerNamed } from "./Subject.ts"

/**
 * The issuer takes a holder's authorization for its asset away. All of it goes, and with it the holder's offers for the
 * asset and its shares of pools of it, unless `maintain` leaves it what it has. An issuer that could not do so yet
 * reserves the right first.
 */
export class AuthorizationRevoked extends Schema.TaggedClass<AuthorizationRevoked>("AuthorizationRevoked")("AuthorizationRevoked", {
  holder: Address,
  asset: IssuedAssetText,
  maintain: Schema.optionalWith(Schema.Boolean, { exact: true })
}) {
  happen() {
    return Effect.gen(this, function*() {
      const { asset, holder, maintain = false } = this
      const issuer = issuerNamed(asset)
      const { state } = yield* Effect.flatMap(Network, ({ snapshot }) => snapshot)
      const account = indexOf(state).accounts.get(issuer)
      const mayRevoke = account !== undefined && hasFlag(account.body, AccountFlag.authRevocable)
      const operations: ReadonlyArray<xdr.Operation> = [
        ...(mayRevoke ? [] : [Operation.setOptions({ setFlags: AuthRevocableFlag })]),
        Operation.setTrustLineFlags({
          trustor: holder,
          asset: assetNamed(asset),
          flags: { authorized: false, authorizedToMaintainLiabilities: maintain }
        })
      ]
      return outcomeOfTransaction(yield* byTransaction(this._tag, issuer, operations))
    })
  }
}
