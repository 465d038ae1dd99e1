import { assert, describe, it } from "@effect/vitest"
import { Keypair, xdr } from "@stellar/stellar-sdk"
import { native } from "../../../src/ledger/Asset.ts"
import { AccountFlag, withFields, withLiabilities } from "../../../src/ledger/entries/Account.ts"
import { TrustlineFlag } from "../../../src/ledger/entries/Trustline.ts"
import { ledgersPerDay } from "../../../src/ledger/Header.ts"
import { int64Max } from "../../../src/ledger/Int64.ts"
import { addressVal as valOf, asI128, bool, i128, u32, u64, voidVal } from "../../../src/ledger/soroban/Values.ts"
import { accountKey, keyOfInstance } from "../../../src/xdr/LedgerKeys.ts"
import { balanceEntryKey, hold, holderVal, issued, lineOf, refusalText, signersOf, somewhere, trustLine } from "./support/AssetWorld.ts"
import { addressVal, baseReserve, ContractWorld } from "./support/ContractWorld.ts"

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
    const key = balanceEntryKey(contract, somewhere)
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

describe("every function", () => {
  /** A call of each function that succeeds, and who has to agree to it. */
  const setUp = () => {
    const parts = issued(AccountFlag.clawbackEnabled | AccountFlag.authRevocable)
    const { alice, asset, bob, contract, issuer, world } = parts
    trustLine(world, alice, asset, { balance: 100n, flags: TrustlineFlag.authorized | TrustlineFlag.clawbackEnabled })
    trustLine(world, bob, asset)
    world.call(alice, contract, "approve", addressVal(alice), addressVal(bob), i128(30n), u32(world.ledgerSeq + 1_000))
    const fresh = world.account()
    const [from, to, amount] = [addressVal(alice), addressVal(bob), i128(5n)]
    const calls: ReadonlyArray<readonly [agrees: Keypair | undefined, fn: string, ...args: ReadonlyArray<xdr.ScVal>]> = [
      [undefined, "allowance", from, to],
      [alice, "approve", from, to, amount, u32(world.ledgerSeq + 1_000)],
      [undefined, "balance", from],
      [undefined, "authorized", from],
      [alice, "transfer", from, to, amount],
      [bob, "transfer_from", to, from, to, amount],
      [alice, "burn", from, amount],
      [bob, "burn_from", to, from, amount],
      [issuer, "clawback", from, amount],
      [issuer, "set_authorized", from, bool(false)],
      [issuer, "mint", from, amount],
      [issuer, "set_admin", to],
      [fresh, "trust", addressVal(fresh)],
      [undefined, "trust", from]
    ]
    return { ...parts, calls, getters: ["admin", "decimals", "name", "symbol"] as const, stranger: world.account() }
  }

  it("needs the agreement of the one it is about, and of no one else", () => {
    const { calls, contract, getters, stranger, world } = setUp()
    const agreeing = (fn: string, ...args: ReadonlyArray<xdr.ScVal>) => signersOf(world.succeedSimulating(stranger, contract, fn, ...args))
    for (const [agrees, fn, ...args] of calls) {
      assert.deepStrictEqual(agreeing(fn, ...args), agrees === undefined ? [] : [agrees.publicKey()], fn)
    }
    for (const fn of getters) assert.deepStrictEqual(agreeing(fn), [], fn)
  })

  it("makes the contract live seven days on, if it would live less than six; getters of fixed facts do not", () => {
    const { calls, contract, getters, stranger, world } = setUp()
    const key = keyOfInstance(contract)
    const daysLived = (agrees: Keypair, days: number, fn: string, ...args: ReadonlyArray<xdr.ScVal>) => {
      world.liveUntil(key, world.ledgerSeq + 1 + days * ledgersPerDay)
      world.call(agrees, contract, fn, ...args)
      return ((world.lifeOf(key) ?? 0) - world.ledgerSeq) / ledgersPerDay
    }
    const before = world.state
    for (const [agrees = stranger, fn, ...args] of calls) {
      world.state = before
      assert.strictEqual(daysLived(agrees, 2, fn, ...args), 7, fn)
    }
    world.state = before
    assert.strictEqual(daysLived(stranger, 6.5, "balance", holderVal), 6.5)
    for (const fn of getters) assert.strictEqual(daysLived(stranger, 2, fn), 2, fn)
  })

  it("that changes something answers nothing", () => {
    const { calls, contract, stranger, world } = setUp()
    for (const [, fn, ...args] of calls.filter(([, fn]) => !["allowance", "balance", "authorized"].includes(fn))) {
      assert.deepStrictEqual(world.read(stranger, contract, fn, ...args), voidVal, fn)
    }
  })

  it("that moves an amount refuses one below nothing, and takes nothing at all", () => {
    const { alice, bob, contract, stranger, world } = setUp()
    const [from, to, until] = [addressVal(alice), addressVal(bob), u32(world.ledgerSeq + 1_000)]
    const calls: ReadonlyArray<(amount: xdr.ScVal) => readonly [fn: string, ...args: ReadonlyArray<xdr.ScVal>]> = [
      (amount) => ["approve", from, to, amount, until],
      (amount) => ["transfer", from, to, amount],
      (amount) => ["transfer_from", to, from, to, amount],
      (amount) => ["burn", from, amount],
      (amount) => ["burn_from", to, from, amount],
      (amount) => ["clawback", from, amount],
      (amount) => ["mint", from, amount]
    ]
    for (const call of calls) {
      const [fn, ...args] = call(i128(-1n))
      assert.strictEqual(
        refusalText(world, stranger, contract, fn, ...args),
        "HostError: Error(Contract, #8): negative amount is not allowed",
        fn
      )
      const [, ...nothing] = call(i128(0n))
      assert.strictEqual(refusalText(world, stranger, contract, fn, ...nothing), "success", fn)
    }
  })

  it("of an issuer is refused where its own balance would change", () => {
    const { alice, bob, contract, issuer, world } = setUp()
    const text = (fn: string, ...args: ReadonlyArray<xdr.ScVal>) => refusalText(world, alice, contract, fn, ...args)
    const refused = "HostError: Error(Contract, #2): operation invalid on issuer"
    assert.strictEqual(text("burn", addressVal(issuer), i128(1n)), refused)
    assert.strictEqual(text("burn_from", addressVal(bob), addressVal(issuer), i128(1n)), refused)
    assert.strictEqual(text("mint", addressVal(issuer), i128(1n)), refused)
  })

  it("of the native asset is refused where only issued assets have it", () => {
    const world = new ContractWorld()
    const alice = world.account()
    const contract = world.asset(native)
    hold(world, contract, somewhere, { amount: 5n, clawback: true })
    const text = (fn: string, ...args: ReadonlyArray<xdr.ScVal>) => refusalText(world, alice, contract, fn, ...args)
    const refused = "HostError: Error(Contract, #2): operation invalid on native asset"
    assert.strictEqual(text("burn", addressVal(alice), i128(1n)), refused)
    assert.strictEqual(text("burn", holderVal, i128(1n)), refused)
    assert.strictEqual(text("burn_from", addressVal(alice), addressVal(alice), i128(1n)), refused)
    const noAdmin = "HostError: Error(Storage, MissingValue): the asset has no administrator"
    assert.strictEqual(text("admin"), noAdmin)
    assert.strictEqual(text("mint", addressVal(alice), i128(1n)), noAdmin)
    assert.strictEqual(text("set_admin", addressVal(alice)), noAdmin)
    assert.strictEqual(text("set_authorized", addressVal(alice), bool(true)), noAdmin)
    assert.strictEqual(text("clawback", holderVal, i128(1n)), noAdmin)
  })

  it("wants as many arguments as it has, of the right types", () => {
    const { alice, bob, contract, world } = setUp()
    const text = (fn: string, ...args: ReadonlyArray<xdr.ScVal>) => refusalText(world, alice, contract, fn, ...args)
    const [from, to] = [addressVal(alice), addressVal(bob)]
    const wrongNumber = "HostError: Error(Context, UnexpectedSize): wrong number of args to func"
    assert.strictEqual(text("balance"), wrongNumber)
    assert.strictEqual(text("transfer", from, to), wrongNumber)
    assert.strictEqual(text("decimals", u32(1)), wrongNumber)
    const wrongType = "HostError: Error(Value, UnexpectedType)"
    assert.strictEqual(text("transfer", from, u32(1), i128(1n)), wrongType)
    assert.strictEqual(text("transfer", from, to, u64(1n)), wrongType)
    const muxed = xdr.ScAddress.scAddressTypeMuxedAccount(new xdr.MuxedEd25519Account({ id: 1n, ed25519: bob.rawPublicKey() }))
    assert.strictEqual(text("mint", valOf(muxed), i128(1n)), wrongType, "only a transfer pays such an address")
    assert.strictEqual(text("init_asset"), "HostError: Error(Context, MissingValue): unknown function init_asset")
  })
})
