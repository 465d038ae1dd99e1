import { assert, describe, it } from "@effect/vitest"
import {
  Account,
  Asset,
  Claimant,
  Keypair,
  Memo,
  Networks,
  Operation,
  StrKey,
  Transaction,
  TransactionBuilder,
  type xdr
} from "@stellar/stellar-sdk"
import { bundleProblem, type Typed } from "../../src/page/BundleCheck.ts"

const [owner, to, thief, broker] = Array.from({ length: 4 }, () => Keypair.random().publicKey()) as [string, string, string, string]
const usd = new Asset("USD", Keypair.random().publicKey())
const now = 1_800_000_000

const merge = (destination: string) => Operation.accountMerge({ source: owner, destination })
const pays = (source: string, destination: string, amount: string, asset = Asset.native()) =>
  Operation.payment({ source, destination, asset, amount })
const sale = (destMin: string, destination = owner) =>
  Operation.pathPaymentStrictSend({
    source: owner,
    sendAsset: usd,
    sendAmount: "100",
    destination,
    destAsset: Asset.native(),
    destMin,
    path: []
  })

interface Built {
  readonly operations: ReadonlyArray<xdr.Operation>
  readonly memo?: Memo
  readonly maxTime?: number
}

const problemOf = ({ maxTime = now + 300, memo = Memo.none(), operations }: Built, typed: Partial<Typed> = {}) => {
  const builder = new TransactionBuilder(new Account(owner, "41"), { fee: "100", networkPassphrase: Networks.TESTNET, memo })
    .setTimebounds(0, maxTime).setLedgerbounds(0, 9_000_000)
  operations.forEach((operation) => builder.addOperation(operation))
  const transaction = builder.build()
  assert.instanceOf(transaction, Transaction)
  const terms: Typed = { destination: to, memo: null, mediator: null, least: null, ...typed }
  return bundleProblem(transaction.toXdr(), transaction, terms, now)
}

const call = (name: string, args: ReadonlyArray<xdr.ScVal>) =>
  Operation.invokeContractFunction({
    source: owner,
    contract: StrKey.encodeContract(new Uint8Array(32) as Buffer),
    function: name,
    args: [...args]
  })

describe("what a co-signer's page signs", () => {
  it("passes what a close does with what the co-signer typed", () => {
    assert.isNull(problemOf({ operations: [merge(to)] }))
    const balanceId = "00000000".padEnd(72, "7")
    const whole = [
      Operation.manageData({ source: owner, name: "a name", value: null }),
      Operation.claimClaimableBalance({ source: owner, balanceId }),
      sale("12.5"),
      sale("2"),
      Operation.changeTrust({ source: owner, asset: usd, limit: "0" }),
      merge(to)
    ]
    assert.isNull(problemOf({ operations: whole }, { least: 145_000_000n }))
    assert.isNull(problemOf({ operations: [pays(owner, to, "3", usd), merge(to)] }))
    const id = { type: "id", value: "7" } as const
    assert.isNull(
      problemOf({ operations: [merge(broker), pays(broker, to, "99")], memo: Memo.id("7") }, {
        memo: id,
        mediator: broker,
        least: 990_000_000n
      })
    )
  })

  it("refuses a pass-through account that the co-signer did not name, or that keeps something", () => {
    const operations = [merge(thief), pays(thief, to, "0.0000001")]
    assert.strictEqual(problemOf({ operations }, { mediator: broker, least: 1n })?.field, "mediator")
    assert.strictEqual(problemOf({ operations }, { least: 1n })?.field, "mediator")
    assert.strictEqual(problemOf({ operations }, { mediator: thief })?.field, "least")
    assert.strictEqual(problemOf({ operations }, { mediator: thief, least: 2n })?.field, "least")
    assert.isNotNull(problemOf({ operations: [merge(broker), pays(broker, thief, "99")] }, { mediator: broker, least: 1n }))
  })

  it("refuses calls of contracts, and names the command that checks them", () => {
    for (const name of ["transfer", "approve", "leave"]) {
      assert.include(problemOf({ operations: [call(name, [])] })?.message, "closeout bundle sign")
    }
  })

  it("compares the memo with its kind", () => {
    const operations = [merge(to)]
    assert.strictEqual(problemOf({ operations, memo: Memo.id("7") }, { memo: { type: "text", value: "7" } })?.field, "memo")
    assert.strictEqual(problemOf({ operations, memo: Memo.text("7") }, { memo: { type: "id", value: "7" } })?.field, "memo")
    assert.strictEqual(problemOf({ operations, memo: Memo.text("7") })?.field, "memo")
    assert.isNull(problemOf({ operations, memo: Memo.text("7") }, { memo: { type: "text", value: "7" } }))
  })

  it("refuses sales that may bring less than the co-signer typed", () => {
    assert.strictEqual(problemOf({ operations: [sale("0.0000001"), merge(to)] }, { least: 100_000_000n })?.field, "least")
    assert.strictEqual(problemOf({ operations: [sale("9"), merge(to)] })?.field, "least")
  })

  const gifts: Readonly<Record<string, ReadonlyArray<xdr.Operation>>> = {
    "a payment": [pays(owner, thief, "50"), merge(to)],
    "a payment of an asset": [pays(owner, thief, "3", usd), merge(to)],
    "a payment back to the issuer": [pays(owner, usd.getIssuer() ?? "", "3", usd), merge(to)],
    "a new account": [Operation.createAccount({ source: owner, destination: thief, startingBalance: "5" }), merge(to)],
    "a claimable balance": [
      Operation.createClaimableBalance({
        source: owner,
        asset: Asset.native(),
        amount: "50",
        claimants: [new Claimant(thief)]
      }),
      merge(to)
    ],
    "an offer": [Operation.manageSellOffer({ source: owner, selling: usd, buying: Asset.native(), amount: "100", price: "0.01" })],
    "a deposit": [
      Operation.liquidityPoolDeposit({
        source: owner,
        liquidityPoolId: "7".repeat(64),
        maxAmountA: "1",
        maxAmountB: "1",
        minPrice: "1",
        maxPrice: "1"
      })
    ],
    "a sale for another": [sale("12", thief), merge(to)],
    "reserves for another": [
      Operation.beginSponsoringFutureReserves({ source: owner, sponsoredId: thief }),
      Operation.endSponsoringFutureReserves({ source: thief })
    ],
    "a new sponsor": [Operation.beginSponsoringFutureReserves({ source: thief, sponsoredId: owner })],
    "a signer": [Operation.setOptions({ source: owner, signer: { ed25519PublicKey: thief, weight: 10 } }), merge(to)],
    "another merge": [merge(thief)]
  }
  for (const [what, operations] of Object.entries(gifts)) {
    it(`refuses ${what}`, () => assert.include(problemOf({ operations }, { least: 1n })?.message, "Do not sign it"))
  }

  it("refuses what never ends", () => assert.isNotNull(problemOf({ operations: [merge(to)], maxTime: 0 })))
})
