import { Asset, Claimant, Operation, xdr } from "@stellar/stellar-sdk"
import { type Case, changed, type Choose, hostile, type Mutation, txOf } from "../Case.ts"
import { strangeAsset, stranger, strangerId } from "../Strangers.ts"

const evil = new Asset("EVIL", stranger)
const somewhere = "100"

/** One more operation, at any place, in the account's own name. */
const added = (operation: (one: Case) => xdr.Operation): Mutation["of"] => (one: Case, choose: Choose) => {
  const { operations } = txOf(one)
  const at = choose(Array.from({ length: operations.length + 1 }, (_, place) => place))
  const { body } = operation(one)
  const own = new xdr.Operation({ sourceAccount: operations[0]?.sourceAccount ?? null, body })
  return changed(one, { operations: [...operations.slice(0, at), own, ...operations.slice(at)] })
}

const flags = { setFlags: 1 } as const

/** Operations that a close never has, or that no decision covers. */
export const ofAddedOperations: ReadonlyArray<Mutation> = [
  hostile("pays a stranger", added(() => Operation.payment({ destination: stranger, asset: Asset.native(), amount: "1" }))),
  hostile(
    "pays a stranger an asset",
    added(() => Operation.payment({ destination: stranger, asset: new Asset("USD", stranger), amount: "1" }))
  ),
  hostile(
    "pays the destination before the merge",
    added(({ expected }) => Operation.payment({ destination: expected.destination, asset: Asset.native(), amount: "1" }))
  ),
  hostile("makes an account", added(() => Operation.createAccount({ destination: stranger, startingBalance: "5" }))),
  hostile("adds a signer", added(() => Operation.setOptions({ signer: { ed25519PublicKey: stranger, weight: 255 } }))),
  hostile("adds a hash as signer", added(() => Operation.setOptions({ signer: { sha256Hash: Buffer.alloc(32, 5), weight: 1 } }))),
  hostile("takes the master key's weight", added(() => Operation.setOptions({ masterWeight: 0 }))),
  hostile("raises the thresholds", added(() => Operation.setOptions({ lowThreshold: 255, medThreshold: 255, highThreshold: 255 }))),
  hostile("lowers the thresholds", added(() => Operation.setOptions({ highThreshold: 0 }))),
  hostile("sets flags", added(() => Operation.setOptions(flags))),
  hostile("sets a home domain", added(() => Operation.setOptions({ homeDomain: "evil.example" }))),
  hostile("sets nothing", added(() => Operation.setOptions({}))),
  hostile("merges into a stranger", added(() => Operation.accountMerge({ destination: stranger }))),
  hostile(
    "gives a claimable balance",
    added(() => Operation.createClaimableBalance({ asset: Asset.native(), amount: "1", claimants: [new Claimant(stranger)] }))
  ),
  hostile("claims a balance that nobody saw", added(() => Operation.claimClaimableBalance({ balanceId: `00000000${"ef".repeat(32)}` }))),
  hostile("opens a line to a strange asset", added(() => Operation.changeTrust({ asset: evil, limit: somewhere }))),
  hostile(
    "opens a line to shares of a pool",
    added(() =>
      new xdr.Operation({
        sourceAccount: null,
        body: xdr.OperationBody.changeTrust(
          new xdr.ChangeTrustOp({
            line: xdr.ChangeTrustAsset.assetTypePoolShare(
              xdr.LiquidityPoolParameters.liquidityPoolConstantProduct(
                new xdr.LiquidityPoolConstantProductParameters({ assetA: xdr.Asset.assetTypeNative(), assetB: strangeAsset, fee: 30 })
              )
            ),
            limit: 100n
          })
        )
      })
    )
  ),
  hostile(
    "offers lumens",
    added(() => Operation.manageSellOffer({ selling: Asset.native(), buying: evil, amount: "1", price: "1", offerId: "0" }))
  ),
  hostile("offers to buy", added(() => Operation.manageBuyOffer({ selling: Asset.native(), buying: evil, buyAmount: "1", price: "1" }))),
  hostile(
    "offers at the price of others",
    added(() => Operation.createPassiveSellOffer({ selling: Asset.native(), buying: evil, amount: "1", price: "1" }))
  ),
  hostile(
    "buys a strange asset",
    added(({ expected }) =>
      Operation.pathPaymentStrictReceive({
        sendAsset: Asset.native(),
        sendMax: "5",
        destination: expected.source,
        destAsset: evil,
        destAmount: "1"
      })
    )
  ),
  hostile(
    "sells lumens",
    added(({ expected }) =>
      Operation.pathPaymentStrictSend({
        sendAsset: Asset.native(),
        sendAmount: "5",
        destination: expected.source,
        destAsset: Asset.native(),
        destMin: "1"
      })
    )
  ),
  hostile(
    "sells what nobody decided about",
    added(({ expected }) =>
      Operation.pathPaymentStrictSend({
        sendAsset: evil,
        sendAmount: "5",
        destination: expected.source,
        destAsset: Asset.native(),
        destMin: "1"
      })
    )
  ),
  hostile("writes a data entry", added(() => Operation.manageData({ name: "config", value: "evil" }))),
  hostile("bumps the sequence number", added(() => Operation.bumpSequence({ bumpTo: "9000000000000000000" }))),
  hostile("allows a line", added(() => Operation.allowTrust({ trustor: stranger, assetCode: "USD", authorize: 1 }))),
  hostile(
    "sets flags of a line",
    added(() => Operation.setTrustLineFlags({ trustor: stranger, asset: evil, flags: { authorized: true } }))
  ),
  hostile("claws back", added(() => Operation.clawback({ asset: evil, amount: "1", from: stranger }))),
  hostile("claws a balance back", added(() => Operation.clawbackClaimableBalance({ balanceId: `00000000${"ef".repeat(32)}` }))),
  hostile("begins to sponsor somebody", added(() => Operation.beginSponsoringFutureReserves({ sponsoredId: stranger }))),
  hostile("ends a sponsorship that did not begin", added(() => Operation.endSponsoringFutureReserves({}))),
  hostile(
    "deposits in a pool",
    added(() =>
      Operation.liquidityPoolDeposit({ liquidityPoolId: "cd".repeat(32), maxAmountA: "1", maxAmountB: "1", minPrice: "1", maxPrice: "2" })
    )
  ),
  hostile(
    "gives shares of a pool for nothing",
    added(() => Operation.liquidityPoolWithdraw({ liquidityPoolId: "cd".repeat(32), amount: "1", minAmountA: "0", minAmountB: "0" }))
  ),
  hostile("runs the inflation", added(() => Operation.inflation({}))),
  hostile("keeps contract entries alive", added(() => Operation.extendFootprintTtl({ extendTo: 1000 }))),
  hostile("puts code on the ledger", added(() => Operation.uploadContractWasm({ wasm: Buffer.alloc(8) }))),
  hostile(
    "revokes in the name of nobody",
    added(() =>
      new xdr.Operation({
        sourceAccount: null,
        body: xdr.OperationBody.revokeSponsorship(
          xdr.RevokeSponsorshipOp.revokeSponsorshipLedgerEntry(
            xdr.LedgerKey.liquidityPool(new xdr.LedgerKeyLiquidityPool({ liquidityPoolId: new xdr.PoolId(Buffer.alloc(32, 4)) }))
          )
        )
      })
    )
  ),
  hostile("pays in a stranger's name", (one, choose) => {
    const { operations } = txOf(one)
    const at = choose(Array.from({ length: operations.length + 1 }, (_, place) => place))
    const payment = Operation.payment({ source: stranger, destination: one.expected.source, asset: Asset.native(), amount: "1" })
    return changed(one, { operations: [...operations.slice(0, at), payment, ...operations.slice(at)] })
  }),
  hostile("an operation of a stranger's account", (one, choose) => {
    const { operations } = txOf(one)
    const at = choose(operations.map((_, place) => place))
    const own = operations[at]
    if (own === undefined) return null
    const sourceAccount = xdr.MuxedAccount.keyTypeEd25519(strangerId.ed25519)
    return changed(one, {
      operations: operations.map((other, place) => place === at ? new xdr.Operation({ sourceAccount, body: own.body }) : other)
    })
  }),
  hostile("an operation whose account is not written out", (one, choose) => {
    const { operations } = txOf(one)
    const at = choose(operations.map((_, place) => place))
    return changed(one, {
      operations: operations.map((other, place) => place === at ? new xdr.Operation({ sourceAccount: null, body: other.body }) : other)
    })
  })
]
