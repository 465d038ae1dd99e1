import { assert, describe, it } from "@effect/vitest"
import { Keypair, xdr } from "@stellar/stellar-sdk"
import { native, toTrustlineAsset } from "../../../src/ledger/Asset.ts"
import { AccountFlag, withFields, withLiabilities } from "../../../src/ledger/entries/Account.ts"
import { newEntry } from "../../../src/ledger/entries/LedgerEntry.ts"
import { TrustlineFlag, withLineLiabilities } from "../../../src/ledger/entries/Trustline.ts"
import { int64Max } from "../../../src/ledger/Int64.ts"
import { balanceKey } from "../../../src/ledger/soroban/AssetBalance.ts"
import { asI128, bool, contractAddress, i128, u32, u64 } from "../../../src/ledger/soroban/Values.ts"
import { accountKey, keyOfContractData, trustlineKey } from "../../../src/xdr/LedgerKeys.ts"
import { assetOf } from "../support/Bodies.ts"
import { idOf } from "../support/World.ts"
import { addressVal, baseReserve, ContractWorld } from "./support/ContractWorld.ts"

const somewhere = contractAddress(new xdr.ContractId(Buffer.alloc(32, 9)))
const holderVal = xdr.ScVal.scvAddress(somewhere)

/** Gives an account a trustline, counted as its sub-entry. */
const trustLine = (
  world: ContractWorld,
  holder: Keypair,
  asset: xdr.Asset,
  line: {
    readonly balance?: bigint
    readonly limit?: bigint
    readonly flags?: number
    readonly selling?: bigint
    readonly buying?: bigint
  } = {}
): void => {
  const { balance = 0n, buying = 0n, flags = 1, limit = int64Max, selling = 0n } = line
  const entry = new xdr.TrustLineEntry({
    accountId: idOf(holder),
    asset: toTrustlineAsset(asset),
    balance,
    limit,
    flags,
    ext: xdr.TrustLineEntryExt.v0()
  })
  const liabilities = new xdr.Liabilities({ buying, selling })
  world.put(newEntry(xdr.LedgerEntryData.trustline(buying + selling === 0n ? entry : withLineLiabilities(entry, liabilities))))
  world.edit(holder, (account) => withFields(account, { numSubEntries: account.numSubEntries + 1 }))
}

const issued = (flags = 0) => {
  const world = new ContractWorld()
  const issuer = world.account(100_000_000n, { flags })
  const asset = assetOf(issuer)
  const [alice, bob] = [world.account(), world.account()]
  return { world, issuer, asset, alice, bob, contract: world.asset(asset) }
}

const lineOf = (world: ContractWorld, holder: Keypair, asset: xdr.Asset): xdr.TrustLineEntry => {
  const data = world.state.get(trustlineKey(holder.publicKey(), toTrustlineAsset(asset)))?.data
  return data?.type === "trustline" ? data.trustLine : assert.fail("no trustline")
}

describe("native asset", () => {
  const setUp = () => {
    const world = new ContractWorld()
    return { world, alice: world.account(100_000_000n), bob: world.account(), contract: world.asset(native) }
  }

  it("moves lumens between accounts, down to the reserve and what offers promise", () => {
    const { alice, bob, contract, world } = setUp()
    const transfer = (amount: bigint) => world.refusal(alice, contract, "transfer", addressVal(alice), addressVal(bob), i128(amount))
    assert.strictEqual(transfer(100_000_000n - 2n * baseReserve), "success")
    assert.strictEqual(transfer(100_000_000n - 2n * baseReserve + 1n), "Error(Contract, #10)")
    world.edit(alice, (account) => withLiabilities(account, new xdr.Liabilities({ buying: 0n, selling: 30_000_000n })))
    assert.strictEqual(transfer(60_000_000n), "success")
    assert.strictEqual(transfer(60_000_001n), "Error(Contract, #10)")
    assert.strictEqual(transfer(-1n), "Error(Contract, #8)")
    assert.strictEqual(transfer(1n << 63n), "Error(Contract, #12)")
  })

  it("does not overfill who has offers that may bring in more", () => {
    const { alice, bob, contract, world } = setUp()
    world.edit(bob, (account) => withLiabilities(account, new xdr.Liabilities({ buying: int64Max - account.balance - 5n, selling: 0n })))
    assert.strictEqual(world.refusal(alice, contract, "transfer", addressVal(alice), addressVal(bob), i128(5n)), "success")
    assert.strictEqual(world.refusal(alice, contract, "transfer", addressVal(alice), addressVal(bob), i128(6n)), "Error(Contract, #10)")
  })

  it("creates the account that receives two reserves or more", () => {
    const { alice, contract, world } = setUp()
    const fresh = Keypair.random()
    const transfer = (amount: bigint) => world.refusal(alice, contract, "transfer", addressVal(alice), addressVal(fresh), i128(amount))
    assert.strictEqual(transfer(2n * baseReserve - 1n), "Error(Contract, #14)")
    assert.strictEqual(transfer(0n), "Error(Contract, #6)")
    world.call(alice, contract, "transfer", addressVal(alice), addressVal(fresh), i128(2n * baseReserve))
    const created = world.entry(fresh)
    assert.strictEqual(created.balance, 2n * baseReserve)
    assert.strictEqual(created.seqNum, BigInt(world.ledgerSeq) << 32n)
    assert.deepStrictEqual([...created.thresholds.value], [1, 0, 0, 0])
  })

  it("knows no issuer: no burn, no clawback, no trust, no administrator", () => {
    const { alice, contract, world } = setUp()
    assert.strictEqual(world.refusal(alice, contract, "burn", addressVal(alice), i128(1n)), "Error(Contract, #2)")
    assert.strictEqual(world.refusal(alice, contract, "clawback", addressVal(alice), i128(1n)), "Error(Contract, #2)")
    assert.strictEqual(world.refusal(alice, contract, "trust", addressVal(alice)), "Error(Contract, #2)")
    assert.strictEqual(world.refusal(alice, contract, "admin"), "Error(Storage, MissingValue)")
    assert.strictEqual(world.refusal(alice, contract, "balance", addressVal(Keypair.random())), "Error(Contract, #6)")
    assert.strictEqual(world.refusal(alice, contract, "no_such_thing"), "Error(Context, MissingValue)")
    assert.strictEqual(world.refusal(alice, contract, "toString"), "Error(Context, MissingValue)")
  })

  it("pays an account with an id of its own behind it, and says so in the event", () => {
    const { alice, bob, contract, world } = setUp()
    const muxed = xdr.ScVal.scvAddress(
      xdr.ScAddress.scAddressTypeMuxedAccount(new xdr.MuxedEd25519Account({ id: 77n, ed25519: bob.rawPublicKey() }))
    )
    const before = world.entry(bob).balance
    const applied = world.call(alice, contract, "transfer", addressVal(alice), muxed, i128(5n))
    assert.strictEqual(world.entry(bob).balance, before + 5n)
    const data = applied.receipt?.events[0]?.body.v0.data
    assert(data?.type === "scvMap")
    assert.deepStrictEqual(data.map?.map(({ val }) => val.toXdr("base64")), [i128(5n), u64(77n)].map((each) => each.toXdr("base64")))
  })

  it("cannot read an account whose balance fell below its reserve", () => {
    const { alice, contract, world } = setUp()
    world.edit(alice, (account) => withFields(account, { balance: 1n }))
    assert.strictEqual(world.refusal(alice, contract, "balance", addressVal(alice)), "Error(Storage, InternalError)")
  })
})

describe("issued asset", () => {
  it("keeps to limits and liabilities of trustlines", () => {
    const { alice, asset, bob, contract, world } = issued()
    trustLine(world, alice, asset, { balance: 100n, selling: 30n })
    trustLine(world, bob, asset, { limit: 50n, buying: 10n })
    const transfer = (amount: bigint) => world.refusal(alice, contract, "transfer", addressVal(alice), addressVal(bob), i128(amount))
    assert.strictEqual(transfer(40n), "success")
    assert.strictEqual(transfer(41n), "Error(Contract, #10)")
    trustLine(world, bob, asset)
    assert.strictEqual(transfer(70n), "success")
    assert.strictEqual(transfer(71n), "Error(Contract, #10)")
  })

  it("asks for full authorization on both sides", () => {
    const { alice, asset, bob, contract, world } = issued()
    const transfer = () => world.refusal(alice, contract, "transfer", addressVal(alice), addressVal(bob), i128(1n))
    trustLine(world, alice, asset, { balance: 10n })
    assert.strictEqual(transfer(), "Error(Contract, #13)")
    trustLine(world, bob, asset, { flags: TrustlineFlag.maintainLiabilities })
    assert.strictEqual(transfer(), "Error(Contract, #11)")
    trustLine(world, bob, asset)
    assert.strictEqual(transfer(), "success")
    trustLine(world, alice, asset, { balance: 10n, flags: 0 })
    assert.strictEqual(transfer(), "Error(Contract, #11)")
  })

  it("is minted by its issuer and burnt by sending it back, without end", () => {
    const { alice, asset, contract, issuer, world } = issued()
    trustLine(world, alice, asset)
    const kind = (applied: ReturnType<ContractWorld["call"]>) => {
      const topic = applied.receipt?.events[0]?.body.v0.topics[0]
      return topic?.type === "scvSymbol" ? String(topic.sym) : undefined
    }
    assert.strictEqual(kind(world.call(issuer, contract, "transfer", addressVal(issuer), addressVal(alice), i128(50n))), "mint")
    assert.strictEqual(kind(world.call(issuer, contract, "mint", addressVal(alice), i128(50n))), "mint")
    assert.strictEqual(lineOf(world, alice, asset).balance, 100n)
    assert.strictEqual(kind(world.call(alice, contract, "transfer", addressVal(alice), addressVal(issuer), i128(30n))), "burn")
    assert.strictEqual(kind(world.call(alice, contract, "burn", addressVal(alice), i128(30n))), "burn")
    assert.strictEqual(lineOf(world, alice, asset).balance, 40n)
    assert.strictEqual(asI128(world.read(alice, contract, "balance", addressVal(issuer))), int64Max)
    assert.strictEqual(world.refusal(alice, contract, "burn", addressVal(issuer), i128(1n)), "Error(Contract, #2)")
    assert.strictEqual(world.refusal(alice, contract, "mint", addressVal(issuer), i128(1n)), "Error(Contract, #2)")
  })

  it("is held by contracts in entries of their own", () => {
    const { alice, asset, contract, world } = issued(AccountFlag.clawbackEnabled | AccountFlag.authRevocable)
    trustLine(world, alice, asset, { balance: 100n, flags: TrustlineFlag.authorized | TrustlineFlag.clawbackEnabled })
    world.call(alice, contract, "transfer", addressVal(alice), holderVal, i128(60n))
    const key = keyOfContractData(contract, balanceKey(somewhere), "persistent")
    assert.deepStrictEqual(world.valueOf(key)?.toJson(), {
      map: [
        { key: { symbol: "amount" }, val: { i128: "60" } },
        { key: { symbol: "authorized" }, val: { bool: true } },
        { key: { symbol: "clawback" }, val: { bool: true } }
      ]
    })
    assert.strictEqual(world.lifeOf(key), world.ledgerSeq + 30 * 17_280)
    assert.strictEqual(asI128(world.read(alice, contract, "balance", holderVal)), 60n)
  })

  it("is clawed back where the issuer may, and only by the issuer", () => {
    const flags = AccountFlag.clawbackEnabled | AccountFlag.authRevocable
    const { alice, asset, bob, contract, issuer, world } = issued(flags)
    trustLine(world, alice, asset, { balance: 100n, flags: TrustlineFlag.authorized | TrustlineFlag.clawbackEnabled })
    trustLine(world, bob, asset, { balance: 100n })
    world.call(issuer, contract, "clawback", addressVal(alice), i128(25n))
    assert.strictEqual(lineOf(world, alice, asset).balance, 75n)
    assert.strictEqual(world.refusal(issuer, contract, "clawback", addressVal(bob), i128(1n)), "Error(Contract, #10)")
    const [entry] = world.succeedSimulating(bob, contract, "clawback", addressVal(alice), i128(1n)).auth
    assert.strictEqual(entry?.credentials.type, "sorobanCredentialsAddress", "the issuer has to sign, whoever asks")
  })

  it("is frozen and freed by its issuer, keeping what offers need", () => {
    const { alice, asset, contract, issuer, world } = issued(AccountFlag.authRevocable | AccountFlag.authRequired)
    trustLine(world, alice, asset, { balance: 10n })
    world.call(issuer, contract, "set_authorized", addressVal(alice), bool(false))
    assert.strictEqual(lineOf(world, alice, asset).flags, TrustlineFlag.maintainLiabilities)
    world.call(issuer, contract, "set_authorized", addressVal(alice), bool(true))
    assert.strictEqual(lineOf(world, alice, asset).flags, TrustlineFlag.authorized)
    assert.strictEqual(
      world.refusal(alice, contract, "transfer", addressVal(alice), holderVal, i128(1n)),
      "Error(Contract, #11)",
      "an unauthorized contract"
    )
    world.call(issuer, contract, "set_authorized", holderVal, bool(true))
    assert.strictEqual(world.refusal(alice, contract, "transfer", addressVal(alice), holderVal, i128(1n)), "success")
    world.edit(issuer, (account) => withFields(account, { flags: 0 }))
    assert.strictEqual(world.refusal(issuer, contract, "set_authorized", addressVal(alice), bool(false)), "Error(Contract, #2)")
  })

  it("gives a trustline to who agrees, for a reserve", () => {
    const { alice, asset, contract, world } = issued(AccountFlag.authRequired | AccountFlag.clawbackEnabled)
    world.call(alice, contract, "trust", addressVal(alice))
    const line = lineOf(world, alice, asset)
    assert.deepStrictEqual([line.balance, line.limit, line.flags], [0n, int64Max, TrustlineFlag.clawbackEnabled])
    assert.strictEqual(world.entry(alice).numSubEntries, 1)
    assert.deepStrictEqual(world.succeedSimulating(alice, contract, "trust", addressVal(alice)).auth, [], "nothing left to agree to")
    const poor = world.account(3n * baseReserve - 1n)
    assert.strictEqual(world.refusal(poor, contract, "trust", addressVal(poor)), "Error(Contract, #14)")
    world.edit(poor, (account) => withFields(account, { balance: 10n ** 12n, numSubEntries: 1000 }))
    assert.strictEqual(world.refusal(poor, contract, "trust", addressVal(poor)), "Error(Contract, #15)")
  })

  it("hands on its administration", () => {
    const { alice, asset, bob, contract, issuer, world } = issued()
    trustLine(world, alice, asset)
    world.call(issuer, contract, "set_admin", addressVal(bob))
    assert.strictEqual(world.read(alice, contract, "admin").toXdr("base64"), addressVal(bob).toXdr("base64"))
    world.call(bob, contract, "mint", addressVal(alice), i128(7n))
    assert.strictEqual(lineOf(world, alice, asset).balance, 7n)
  })
})

describe("allowance", () => {
  it("is spent down to nothing, and no further", () => {
    const { alice, asset, bob, contract, world } = issued()
    trustLine(world, alice, asset, { balance: 100n })
    trustLine(world, bob, asset)
    const until = world.ledgerSeq + 50
    world.call(alice, contract, "approve", addressVal(alice), addressVal(bob), i128(30n), u32(until))
    const spend = (amount: bigint) =>
      world.refusal(bob, contract, "transfer_from", addressVal(bob), addressVal(alice), addressVal(bob), i128(amount))
    assert.strictEqual(spend(31n), "Error(Contract, #9)")
    world.call(bob, contract, "transfer_from", addressVal(bob), addressVal(alice), addressVal(bob), i128(20n))
    world.call(bob, contract, "burn_from", addressVal(bob), addressVal(alice), i128(10n))
    assert.strictEqual(spend(1n), "Error(Contract, #9)")
    assert.strictEqual(spend(0n), "success")
    assert.deepStrictEqual([lineOf(world, alice, asset).balance, lineOf(world, bob, asset).balance], [70n, 20n])
  })

  it("runs out with the ledger it names", () => {
    const { alice, asset, bob, contract, world } = issued()
    trustLine(world, alice, asset, { balance: 100n })
    const until = world.ledgerSeq + 3
    const allowance = () => asI128(world.read(bob, contract, "allowance", addressVal(alice), addressVal(bob)))
    world.call(alice, contract, "approve", addressVal(alice), addressVal(bob), i128(30n), u32(until))
    world.next(until - world.ledgerSeq)
    assert.strictEqual(allowance(), 30n)
    world.next()
    assert.strictEqual(allowance(), 0n)
    assert.strictEqual(
      world.refusal(alice, contract, "approve", addressVal(alice), addressVal(bob), i128(1n), u32(world.ledgerSeq - 1)),
      "Error(Contract, #9)"
    )
  })
})

it("an account that is gone cannot spend its allowance's balance", () => {
  const world = new ContractWorld()
  const [alice, bob] = [world.account(), world.account()]
  const contract = world.asset(native)
  world.call(alice, contract, "approve", addressVal(alice), addressVal(bob), i128(30n), u32(world.ledgerSeq + 50))
  world.state = world.state.delete([accountKey(alice.publicKey())])
  assert.strictEqual(
    world.refusal(bob, contract, "transfer_from", addressVal(bob), addressVal(alice), addressVal(bob), i128(1n)),
    "Error(Contract, #6)"
  )
})
