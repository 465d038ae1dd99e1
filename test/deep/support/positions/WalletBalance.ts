import { type Asset, type Keypair, Operation } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { sellingLiabilitiesIn, spendable, trustlineIn } from "../../../../src/close/situation/Holdings.ts"
import { AccountAddress } from "../../../../src/domain/Address.ts"
import { showAmount } from "../../../../src/domain/Amount.ts"
import type { LedgerState } from "../../../../src/ledger/LedgerState.ts"
import { Network } from "../../../../src/sandbox/Network.ts"
import { perform } from "../../../../src/sandbox/scenarios/Scenario.ts"
import { assetIdOf } from "../../../../src/stellar/Assets.ts"
import { accountKey } from "../../../../src/xdr/LedgerKeys.ts"

/** An account, the issuer that raises its balances, and the lender that lowers them. */
interface Parties {
  readonly source: Keypair
  readonly issuer: Keypair
  readonly lender: Keypair
}

/** Runs a step and reports whether it succeeded; a step that fails is left out. */
export const tried = <E, R>(step: Effect.Effect<unknown, E, R>) => Effect.isSuccess(step)

/** The whole balance of an account in an asset; null without a trustline. */
export const balanceOf = (state: LedgerState, key: Keypair, asset: Asset): bigint | null => {
  const address = AccountAddress.make(key.publicKey())
  const found = state.get(accountKey(address))?.data
  if (asset.isNative()) return found?.type === "account" ? found.account.balance : null
  return trustlineIn(state, address, assetIdOf(asset.toXdrObject()))?.balance ?? null
}

/** The spendable balance of an asset; null without a trustline. */
export const spendableOf = (state: LedgerState, key: Keypair, asset: Asset): bigint | null => {
  const address = AccountAddress.make(key.publicKey())
  if (asset.isNative()) {
    const found = state.get(accountKey(address))?.data
    return found?.type === "account" ? spendable(found.account, state.header.baseReserve) : null
  }
  const id = assetIdOf(asset.toXdrObject())
  const line = trustlineIn(state, address, id)
  return line === null ? null : line.balance - sellingLiabilitiesIn(state, address, id)
}

/** The current ledger. */
export const stateNow = Effect.flatMap(Network, ({ snapshot }) => Effect.map(snapshot, ({ state }) => state))

/** Sets an account's exact balance of an issued asset; null: no trustline. */
export const withBalance = Effect.fn("PositionsScene.withBalance")(
  function*(scene: Parties, asset: Asset, wanted: bigint | null) {
    const { issuer, lender, source } = scene
    const now = spendableOf(yield* stateNow, source, asset)
    if (now === null && wanted !== null) {
      yield* perform("the account trusts an asset", { as: source, operations: [Operation.changeTrust({ asset })] })
    }
    const [have, want] = [now ?? 0n, wanted ?? 0n]
    if (have < want) {
      yield* perform("the account gets more", {
        as: issuer,
        operations: [Operation.payment({ destination: source.publicKey(), asset, amount: showAmount(want - have) })]
      })
    }
    if (have > want) {
      yield* perform("the account spends some", {
        as: source,
        operations: [Operation.payment({ destination: lender.publicKey(), asset, amount: showAmount(have - want) })]
      })
    }
    if (now !== null && wanted === null) {
      yield* tried(perform("the account closes a line", { as: source, operations: [Operation.changeTrust({ asset, limit: "0" })] }))
    }
  }
)
