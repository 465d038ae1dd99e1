import { assert, describe, it } from "@effect/vitest"
import { type Keypair, xdr } from "@stellar/stellar-sdk"
import { native } from "../../../src/ledger/Asset.ts"
import { AccountFlag } from "../../../src/ledger/entries/Account.ts"
import { TrustlineFlag } from "../../../src/ledger/entries/Trustline.ts"
import { addressVal as valOf, bool, i128, strkeyOf, u32 } from "../../../src/ledger/soroban/Values.ts"
import { hold, holderVal, issued, somewhere, through, trustLine } from "./support/AssetWorld.ts"
import { addressVal, ContractWorld, muxedAddress } from "./support/ContractWorld.ts"

/** Alice and Bob have 100 units each, and so does the vault. */
const setUp = () => {
  const parts = issued(AccountFlag.clawbackEnabled | AccountFlag.authRevocable)
  const { alice, asset, bob, contract, issuer, vault, world } = parts
  const flags = TrustlineFlag.authorized | TrustlineFlag.clawbackEnabled
  for (const holder of [alice, bob]) trustLine(world, holder, asset, { balance: 100n, flags })
  hold(world, contract, vault, { amount: 100n })
  return {
    ...parts,
    name: { string: `USD:${issuer.publicKey()}` },
    event: (source: Keypair, fn: string, ...args: ReadonlyArray<xdr.ScVal>) => eventOf(world.call(source, contract, fn, ...args), contract)
  }
}

/** The only event of a transaction, which a contract emitted: its topics, then its data. */
const eventOf = ({ receipt }: ReturnType<ContractWorld["call"]>, contract: xdr.ScAddress) => {
  const [event, ...others] = receipt?.events ?? []
  assert(event?.contractId !== null && event?.contractId !== undefined && others.length === 0)
  assert.strictEqual(strkeyOf(xdr.ScAddress.scAddressTypeContract(event.contractId)), strkeyOf(contract))
  assert.strictEqual(event.type.name, "contract")
  const { data, topics } = event.body.v0
  return [topics.map((topic) => topic.toJson()), data.toJson()]
}

const muxed = (pair: Keypair, id: bigint): xdr.ScVal => valOf(muxedAddress(pair, id))

const symbolOf = (kind: string) => ({ symbol: kind })
const addressOf = (pair: Keypair) => ({ address: pair.publicKey() })
const contractOf = (contract: xdr.ScAddress) => ({ address: strkeyOf(contract) })
const amountOf = (amount: string) => ({ i128: amount })
const muxedAmount = (amount: string, id: string) => ({
  map: [{ key: { symbol: "amount" }, val: { i128: amount } }, { key: { symbol: "to_muxed_id" }, val: { u64: id } }]
})

describe("a transfer announces", () => {
  it("who paid whom in what", () => {
    const { alice, bob, event, name } = setUp()
    assert.deepStrictEqual(event(alice, "transfer", addressVal(alice), addressVal(bob), i128(5n)), [
      [symbolOf("transfer"), addressOf(alice), addressOf(bob), name],
      amountOf("5")
    ])
    assert.deepStrictEqual(event(alice, "transfer", addressVal(alice), muxed(bob, 0n), i128(5n)), [
      [symbolOf("transfer"), addressOf(alice), addressOf(bob), name],
      muxedAmount("5", "0")
    ])
  })

  it("contracts by their own addresses", () => {
    const { alice, contract, event, name, vault, world } = setUp()
    assert.deepStrictEqual(event(alice, "transfer", addressVal(alice), holderVal, i128(5n)), [
      [symbolOf("transfer"), addressOf(alice), contractOf(somewhere), name],
      amountOf("5")
    ])
    const run = through(contract, "transfer", valOf(vault), addressVal(alice), i128(5n))
    assert.deepStrictEqual(eventOf(world.call(alice, vault, "run", ...run), contract), [
      [symbolOf("transfer"), contractOf(vault), addressOf(alice), name],
      amountOf("5")
    ])
  })

  it("a mint where the issuer pays, with the id behind the receiver", () => {
    const { alice, event, issuer, name } = setUp()
    const topics = [symbolOf("mint"), addressOf(alice), name]
    assert.deepStrictEqual(event(issuer, "transfer", addressVal(issuer), addressVal(alice), i128(5n)), [topics, amountOf("5")])
    assert.deepStrictEqual(event(issuer, "transfer", addressVal(issuer), muxed(alice, 7n), i128(5n)), [topics, muxedAmount("5", "7")])
  })

  it("a burn where the issuer receives, whatever id is behind it", () => {
    const { alice, event, issuer, name } = setUp()
    const topics = [symbolOf("burn"), addressOf(alice), name]
    assert.deepStrictEqual(event(alice, "transfer", addressVal(alice), addressVal(issuer), i128(5n)), [topics, amountOf("5")])
    assert.deepStrictEqual(event(alice, "transfer", addressVal(alice), muxed(issuer, 7n), i128(5n)), [topics, amountOf("5")])
  })

  it("itself where the issuer pays itself", () => {
    const { event, issuer, name } = setUp()
    const topics = [symbolOf("transfer"), addressOf(issuer), addressOf(issuer), name]
    assert.deepStrictEqual(event(issuer, "transfer", addressVal(issuer), addressVal(issuer), i128(5n)), [topics, amountOf("5")])
    assert.deepStrictEqual(event(issuer, "transfer", addressVal(issuer), muxed(issuer, 7n), i128(5n)), [topics, muxedAmount("5", "7")])
  })

  it("the native asset by that name", () => {
    const world = new ContractWorld()
    const [alice, bob] = [world.account(), world.account()]
    const contract = world.asset(native)
    assert.deepStrictEqual(eventOf(world.call(alice, contract, "transfer", addressVal(alice), addressVal(bob), i128(5n)), contract), [
      [symbolOf("transfer"), addressOf(alice), addressOf(bob), { string: "native" }],
      amountOf("5")
    ])
  })
})

describe("every other change announces", () => {
  it("an allowance, and what is taken from it", () => {
    const { alice, bob, event, issuer, name, world } = setUp()
    const until = world.ledgerSeq + 1_000
    assert.deepStrictEqual(event(alice, "approve", addressVal(alice), addressVal(bob), i128(30n), u32(until)), [
      [symbolOf("approve"), addressOf(alice), addressOf(bob), name],
      { vec: [{ i128: "30" }, { u32: until }] }
    ])
    assert.deepStrictEqual(event(bob, "transfer_from", addressVal(bob), addressVal(alice), addressVal(bob), i128(5n)), [
      [symbolOf("transfer"), addressOf(alice), addressOf(bob), name],
      amountOf("5")
    ])
    assert.deepStrictEqual(event(bob, "transfer_from", addressVal(bob), addressVal(alice), addressVal(issuer), i128(5n)), [
      [symbolOf("burn"), addressOf(alice), name],
      amountOf("5")
    ])
    assert.deepStrictEqual(event(bob, "burn_from", addressVal(bob), addressVal(alice), i128(5n)), [
      [symbolOf("burn"), addressOf(alice), name],
      amountOf("5")
    ])
  })

  it("what comes into being and what goes", () => {
    const { alice, event, issuer, name } = setUp()
    const by = (kind: string) => [[symbolOf(kind), addressOf(alice), name], amountOf("5")]
    assert.deepStrictEqual(event(issuer, "mint", addressVal(alice), i128(5n)), by("mint"))
    assert.deepStrictEqual(event(alice, "burn", addressVal(alice), i128(5n)), by("burn"))
    assert.deepStrictEqual(event(issuer, "clawback", addressVal(alice), i128(5n)), by("clawback"))
  })

  it("authorization and administration", () => {
    const { alice, event, issuer, name } = setUp()
    const topics = [symbolOf("set_authorized"), addressOf(alice), name]
    assert.deepStrictEqual(event(issuer, "set_authorized", addressVal(alice), bool(false)), [topics, { bool: false }])
    assert.deepStrictEqual(event(issuer, "set_authorized", addressVal(alice), bool(true)), [topics, { bool: true }])
    assert.deepStrictEqual(event(issuer, "set_admin", addressVal(alice)), [
      [symbolOf("set_admin"), addressOf(issuer), name],
      addressOf(alice)
    ])
    assert.deepStrictEqual(event(alice, "set_admin", holderVal), [[symbolOf("set_admin"), addressOf(alice), name], contractOf(somewhere)])
  })
})

it("what only looks something up, or makes a trustline, announces nothing", () => {
  const { alice, bob, contract, world } = setUp()
  const eventsOf = (fn: string, ...args: ReadonlyArray<xdr.ScVal>) => world.succeedSimulating(alice, contract, fn, ...args).events
  assert.deepStrictEqual(eventsOf("allowance", addressVal(alice), addressVal(bob)), [])
  assert.deepStrictEqual(eventsOf("balance", addressVal(alice)), [])
  assert.deepStrictEqual(eventsOf("authorized", addressVal(alice)), [])
  assert.deepStrictEqual(eventsOf("trust", addressVal(world.account())), [])
})
