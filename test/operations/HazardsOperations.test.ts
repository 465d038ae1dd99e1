import { assert, describe, it } from "@effect/vitest"
import { Asset, Claimant, Keypair, Operation, type xdr } from "@stellar/stellar-sdk"
import { randomBytes } from "node:crypto"
import { AccountAddress } from "../../src/domain/Address.ts"
import { decode } from "../../src/operations/Operations.ts"

const source = AccountAddress.make(Keypair.random().publicKey())
const other = Keypair.random().publicKey()
const asset = new Asset("USD", other)

/** Operations that would bind the account, weaken it or move value out of sight, by their effect. */
const harmful: Readonly<Record<string, xdr.Operation>> = {
  "lock value in a claimable balance": Operation.createClaimableBalance({ asset, amount: "1", claimants: [new Claimant(other)] }),
  "raise a threshold": Operation.setOptions({ highThreshold: 255 }),
  "disable the master key": Operation.setOptions({ masterWeight: 0 }),
  "add a signer": Operation.setOptions({ signer: { ed25519PublicKey: other, weight: 1 } }),
  "remove a signer": Operation.setOptions({ signer: { ed25519PublicKey: other, weight: 0 } }),
  "approve a transaction in advance": Operation.setOptions({ signer: { preAuthTx: randomBytes(32), weight: 1 } }),
  "make the account immutable": Operation.setOptions({ setFlags: 4 }),
  "change the home domain": Operation.setOptions({ homeDomain: "example.org" }),
  "use up sequence numbers": Operation.bumpSequence({ bumpTo: "9223372036854775807" }),
  "take a balance back": Operation.clawback({ asset, amount: "1", from: other }),
  "create an account": Operation.createAccount({ destination: other, startingBalance: "1" }),
  "deposit into a pool": Operation.liquidityPoolDeposit({
    liquidityPoolId: "00".repeat(32),
    maxAmountA: "1",
    maxAmountB: "1",
    minPrice: "1",
    maxPrice: "1"
  }),
  "sell in the open": Operation.createPassiveSellOffer({ selling: asset, buying: Asset.native(), amount: "1", price: "1" }),
  "write a data entry": Operation.manageData({ name: "entry", value: "1" }),
  "pay whatever it costs": Operation.pathPaymentStrictReceive({
    sendAsset: asset,
    sendMax: "9",
    destination: other,
    destAsset: Asset.native(),
    destAmount: "1"
  })
}

describe("what the service could never build", () => {
  for (const [name, operation] of Object.entries(harmful)) {
    it(name, () => assert.isNull(decode(operation, source)))
  }
})
