import { assert, describe, it } from "@effect/vitest"
import { Address, Keypair } from "@stellar/stellar-sdk"
import { disposalWay, type StepsAlike, titleOfMany } from "../../src/close/project/StepTitle.ts"
import type { PlannedStep } from "../../src/close/situation/AtomicGroup.ts"
import type { Moved } from "../../src/close/situation/Moved.ts"
import type { TokenNames } from "../../src/close/situation/SpokenAmount.ts"
import { AccountAddress, ContractAddress } from "../../src/domain/Address.ts"
import { stroops } from "../../src/domain/Amount.ts"
import { AssetId, native } from "../../src/domain/Asset.ts"
import type { Operation } from "../../src/operations/Operations.ts"

const [owner, issuer, other] = [1, 2, 3].map((seed) =>
  AccountAddress.make(Keypair.fromRawEd25519Seed(Buffer.alloc(32, seed)).publicKey())
) as [AccountAddress, AccountAddress, AccountAddress]
const [usd, eur] = ["USD", "EUR"].map((code) => AssetId.make(`${code}:${issuer}`)) as [AssetId, AssetId]
const token = ContractAddress.make(Address.contract(Buffer.alloc(32, 1)).toString())
const names: TokenNames = (of) => (of === token ? { symbol: "TOK", decimals: 2 } : { symbol: null, decimals: null })

const payment = (asset: AssetId, destination: AccountAddress): Operation => ({
  type: "payment",
  source: owner,
  destination,
  asset,
  amount: stroops(10_000_000n)
})
const merge: Operation = { type: "account_merge", source: owner, destination: other }
const sale: Operation = {
  type: "path_payment_strict_send",
  source: owner,
  destination: owner,
  sendAsset: usd,
  sendAmount: stroops(10_000_000n),
  destAsset: native,
  destMin: stroops(1n),
  path: []
}

const step = (more: Partial<PlannedStep> = {}): PlannedStep => ({
  type: "HANDLE_ASSETS",
  title: "The first",
  description: "",
  operations: [],
  ...more
})

const moved = (of: Moved["of"], units: bigint): Moved => ({ of, units })

/** Three steps alike with four operations, which bring 1.5 XLM and 0.25 TOK, and take 2 USD and 3 EUR. */
const alike = (first: Partial<PlannedStep>, more: Partial<StepsAlike> = {}): StepsAlike => ({
  first: step(first),
  count: 3,
  operations: 4,
  moves: { pays: [moved(native, 15_000_000n), moved(token, 25n)], takes: [moved(usd, 20_000_000n), moved(eur, 30_000_000n)] },
  ...more
})

const ofMany = (steps: StepsAlike): string => titleOfMany(steps, names, false)

describe("the disposal of an asset", () => {
  it("is a return where it is paid to its issuer, a transfer where to another, and else a sale", () => {
    assert.deepStrictEqual(
      [
        [payment(usd, issuer)],
        [payment(usd, other)],
        [payment(native, other)],
        [payment(usd, other), payment(usd, issuer)],
        [sale],
        [merge, payment(usd, issuer)],
        []
      ].map((operations) => disposalWay(step({ operations }))),
      ["returned", "transferred", "transferred", "transferred", "sold", "sold", "sold"]
    )
  })
})

describe("the title of several disposals", () => {
  const oneAsset: Partial<StepsAlike> = { moves: { pays: [moved(native, 5_000_000n)], takes: [moved(usd, 20_000_000n)] } }
  const titlesOf = (operations: ReadonlyArray<Operation>) => [
    ofMany(alike({ operations }, { ...oneAsset, count: 3 })),
    ofMany(alike({ operations }, { count: 2 }))
  ]

  it("says what is sold and for how much", () => {
    assert.deepStrictEqual(titlesOf([sale]), [
      "Sell 2 USD in 3 parts for about 0.5 XLM",
      "Sell 2 USD and 3 EUR for about 1.5 XLM and 0.25 TOK"
    ])
  })

  it("says what is returned, to one issuer or to several", () => {
    assert.deepStrictEqual(titlesOf([payment(usd, issuer)]), [
      "Return 2 USD in 3 parts to its issuer",
      "Return 2 USD and 3 EUR to their issuers"
    ])
  })

  it("says what is transferred", () => {
    assert.deepStrictEqual(titlesOf([payment(usd, other)]), [
      "Transfer 2 USD in 3 parts to other accounts",
      "Transfer 2 USD and 3 EUR to other accounts"
    ])
  })

  it("names the parts only where there are more of them than assets", () => {
    const inParts = (count: number) => ofMany(alike({ operations: [sale] }, { count })).replace(/ for about .*/, "")
    assert.deepStrictEqual([1, 2, 3].map(inParts), ["Sell 2 USD and 3 EUR", "Sell 2 USD and 3 EUR", "Sell 2 USD and 3 EUR in 3 parts"])
  })
})

describe("the title of several steps", () => {
  it("says what is done to how many, and what comes of it", () => {
    const types = ["CANCEL_OFFERS", "REMOVE_DATA_ENTRIES", "CLAIM_BALANCES", "WITHDRAW_POOL_SHARES", "REVOKE_SPONSORSHIP"] as const
    assert.deepStrictEqual(types.map((type) => ofMany(alike({ type }))), [
      "Cancel 3 offers",
      "Remove 3 data entries",
      "Claim 3 balances of 1.5 XLM and 0.25 TOK",
      "Withdraw 1.5 XLM and 0.25 TOK from 3 pools",
      "Stop 3 sponsorships"
    ])
  })

  it("is that of the first where there is no word for all of them, with the number of the others and of all operations", () => {
    for (const type of ["RESTORE_ENTRIES", "EXIT_POSITIONS", "HANDLE_TOKENS", "REVOKE_ALLOWANCES", "MERGE"] as const) {
      assert.strictEqual(ofMany(alike({ type })), "The first, and 2 more alike (4 operations)")
    }
    assert.strictEqual(ofMany(alike({ type: "MERGE" }, { count: 2, operations: 1 })), "The first, and 1 more alike (1 operation)")
  })
})

describe("the title of several trustlines", () => {
  const titlesOf = (isOneAsset: boolean, asset?: AssetId) =>
    (["ADD_TRUSTLINE", "REMOVE_TRUSTLINES"] as const).map((type) =>
      titleOfMany(alike({ type, ...(asset === undefined ? {} : { asset }) }), names, isOneAsset)
    )

  it("names the asset where all are to one, and that is known", () => {
    assert.deepStrictEqual(titlesOf(true, usd), ["Add a trustline to USD 3 times", "Remove the trustline to USD 3 times"])
    assert.deepStrictEqual(titlesOf(true), ["Add a trustline 3 times", "Remove the trustline 3 times"])
  })

  it("is their number where they are to several", () => {
    assert.deepStrictEqual(titlesOf(false, usd), ["Add or raise 3 trustlines", "Remove 3 trustlines"])
  })
})
