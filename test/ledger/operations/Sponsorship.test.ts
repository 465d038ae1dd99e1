import { assert, describe, it } from "@effect/vitest"
import { Keypair, xdr } from "@stellar/stellar-sdk"
import { applyTransaction } from "../../../src/ledger/Apply.ts"
import { toTrustlineAsset } from "../../../src/ledger/Asset.ts"
import { withSponsorship } from "../../../src/ledger/entries/Account.ts"
import { withSponsor } from "../../../src/ledger/entries/LedgerEntry.ts"
import { uint32Max } from "../../../src/ledger/Int64.ts"
import { accountKey, dataKey, keyOfClaimableBalance, keyOfPool, offerKey, trustlineKey } from "../../../src/xdr/LedgerKeys.ts"
import {
  assetOf,
  begin,
  claimant,
  createAccount,
  end,
  poolOf,
  price,
  revoke,
  revokeSigner,
  sell,
  setApart,
  setData,
  setSigner,
  shareOf,
  signerKeyOf,
  trust,
  trustPool,
  xlm
} from "../support/Bodies.ts"
import { baseFee, baseReserve, codeAt, codesOf, idOf, networkPassphrase, World } from "../support/World.ts"

describe("begin sponsoring future reserves", () => {
  it("malformed, already sponsored, bad sponsorship, recursive both ways", () => {
    const world = new World()
    const [a, b, c] = [world.account(), world.account(), world.account()]
    assert.deepStrictEqual(world.check(a, [begin(a)]), ["txFailed", "beginSponsoringFutureReservesMalformed"])
    assert.strictEqual(codeAt(world.apply(a, [begin(b), [c, begin(b)], [b, end()]]), 1), "beginSponsoringFutureReservesAlreadySponsored")
    assert.deepStrictEqual(codesOf(world.apply(a, [begin(b)])), ["txBadSponsorship"])
    assert.strictEqual(
      codeAt(world.apply(a, [begin(b), [b, begin(c)], [c, end()], [b, end()]]), 1),
      "beginSponsoringFutureReservesRecursive"
    )
    assert.strictEqual(
      codeAt(world.apply(a, [begin(b), [c, begin(a)], [a, end()], [b, end()]]), 1),
      "beginSponsoringFutureReservesRecursive"
    )
    world.succeed(a, [begin(b), begin(c), [b, end()], [c, end()]])
  })

  it("end: not sponsored", () => {
    const world = new World()
    const a = world.account()
    assert.strictEqual(codeAt(world.apply(a, [end()])), "endSponsoringFutureReservesNotSponsored")
  })

  it("a sponsorship of an account yet to be created", () => {
    const world = new World()
    const a = world.account()
    const fresh = Keypair.random()
    world.succeed(a, [begin(fresh), createAccount(fresh, 0n), [fresh, end()]])
    assert.deepStrictEqual([world.sponsorship(fresh), world.sponsorship(a), world.get(fresh).balance], [[2, 0], [0, 2], 0n])
  })
})

/** One kind of entry with a reserve: the operation that creates it, and its name. */
interface Kind {
  readonly name: string
  readonly units: number
  readonly make: (world: World, owner: Keypair, sponsor: Keypair | undefined, helper: Keypair) => xdr.OperationBody
}

const usdOf = (helper: Keypair) => assetOf(helper)
const signer = signerKeyOf(Keypair.random())

const within = (owner: Keypair, sponsor: Keypair | undefined, ...bodies: ReadonlyArray<xdr.OperationBody>) => [
  ...(sponsor === undefined ? [] : [[sponsor, begin(owner)] as const]),
  ...bodies.map((body) => [owner, body] as const),
  ...(sponsor === undefined ? [] : [[owner, end()] as const])
]

const kinds: ReadonlyArray<Kind> = [
  {
    name: "trust line",
    units: 1,
    make: (world, owner, sponsor, helper) => {
      world.succeed(helper, within(owner, sponsor, trust(usdOf(helper))))
      return revoke(trustlineKey(owner.publicKey(), toTrustlineAsset(usdOf(helper))))
    }
  },
  {
    name: "pool share trustline",
    units: 2,
    make: (world, owner, sponsor, helper) => {
      world.succeed(owner, [trust(usdOf(helper))])
      world.succeed(helper, within(owner, sponsor, trustPool(xlm, usdOf(helper))))
      return revoke(trustlineKey(owner.publicKey(), shareOf(xlm, usdOf(helper))))
    }
  },
  {
    name: "signer",
    units: 1,
    make: (world, owner, sponsor, helper) => {
      world.succeed(helper, within(owner, sponsor, setSigner(signer, 1)))
      return revokeSigner(owner, signer)
    }
  },
  {
    name: "data",
    units: 1,
    make: (world, owner, sponsor, helper) => {
      world.succeed(helper, within(owner, sponsor, setData("name", "value")))
      return revoke(dataKey(owner.publicKey(), "name"))
    }
  },
  {
    name: "offer",
    units: 1,
    make: (world, owner, sponsor, helper) => {
      world.succeed(owner, [trust(usdOf(helper))])
      world.succeed(helper, within(owner, sponsor, sell(xlm, usdOf(helper), 10n, price(1, 1))))
      return revoke(offerKey(owner.publicKey(), world.header.idPool))
    }
  }
]

const scene = () => {
  const world = new World()
  const [owner, sponsor, next, helper] = [world.account(), world.account(), world.account(), world.account()]
  return { world, owner, sponsor, next, helper }
}

describe("update sponsorship", () => {
  for (const { make, name, units } of kinds) {
    it(`${name}: entry is not sponsored, sponsor not sponsored: nothing happens, even at the reserve`, () => {
      const { helper, owner, world } = scene()
      const body = make(world, owner, undefined, helper)
      world.setBalance(owner, BigInt(2 + world.get(owner).numSubEntries) * baseReserve + world.sellingLiabilities(owner))
      const before = world.get(owner)
      world.succeed(helper, [[owner, body]])
      assert.deepStrictEqual(world.get(owner), before)
      const op = body.type === "revokeSponsorship" ? body.revokeSponsorshipOp : undefined
      if (op?.type === "revokeSponsorshipLedgerEntry") assert.strictEqual(world.state.get(op.ledgerKey)?.ext.type, "v0")
    })

    it(`${name}: entry is not sponsored, owner sponsored: sponsorship is established`, () => {
      const { helper, owner, sponsor, world } = scene()
      const body = make(world, owner, undefined, helper)
      world.succeed(helper, within(owner, sponsor, body))
      assert.deepStrictEqual([world.sponsorship(owner), world.sponsorship(sponsor)], [[units, 0], [0, units]])
    })

    it(`${name}: entry is sponsored, sponsor not sponsored: sponsorship is removed without the owner`, () => {
      const { helper, owner, sponsor, world } = scene()
      const body = make(world, owner, sponsor, helper)
      world.succeed(sponsor, [body])
      assert.deepStrictEqual([world.sponsorship(owner), world.sponsorship(sponsor)], [[0, 0], [0, 0]])
    })

    it(`${name}: entry is sponsored, sponsor sponsored: sponsorship is transferred`, () => {
      const { helper, next, owner, sponsor, world } = scene()
      const body = make(world, owner, sponsor, helper)
      world.succeed(helper, within(sponsor, next, body))
      assert.deepStrictEqual([world.sponsorship(owner), world.sponsorship(sponsor), world.sponsorship(next)], [[units, 0], [0, 0], [
        0,
        units
      ]])
    })

    it(`${name}: entry is sponsored, sponsor sponsored by owner: sponsorship is removed`, () => {
      const { helper, owner, sponsor, world } = scene()
      const body = make(world, owner, sponsor, helper)
      world.succeed(helper, within(sponsor, owner, body))
      assert.deepStrictEqual([world.sponsorship(owner), world.sponsorship(sponsor)], [[0, 0], [0, 0]])
    })

    it(`${name}: not sponsor, of a sponsored and of an unsponsored entry`, () => {
      const { helper, next, owner, sponsor, world } = scene()
      const body = make(world, owner, sponsor, helper)
      for (const who of [owner, next]) assert.strictEqual(codeAt(world.apply(who, [body])), "revokeSponsorshipNotSponsor")
      world.succeed(sponsor, [body])
      for (const who of [sponsor, next]) assert.strictEqual(codeAt(world.apply(who, [body])), "revokeSponsorshipNotSponsor")
    })

    it(`${name}: low reserve to remove, establish and transfer`, () => {
      const { helper, next, owner, sponsor, world } = scene()
      const body = make(world, owner, sponsor, helper)
      const units2 = BigInt(world.get(owner).numSubEntries - units + 2)
      const liabilities = world.sellingLiabilities(owner)
      world.setBalance(owner, (units2 + BigInt(units)) * baseReserve + liabilities - 1n)
      assert.strictEqual(codeAt(world.apply(sponsor, [body])), "revokeSponsorshipLowReserve")
      world.setBalance(next, BigInt(2 + units) * baseReserve - 1n)
      assert.strictEqual(codeAt(world.apply(helper, within(sponsor, next, body)), 1), "revokeSponsorshipLowReserve")
      world.setBalance(owner, (units2 + BigInt(units)) * baseReserve + liabilities)
      world.succeed(sponsor, [body])
      assert.strictEqual(codeAt(world.apply(helper, within(owner, next, body)), 1), "revokeSponsorshipLowReserve")
      world.setBalance(next, BigInt(2 + units) * baseReserve)
      world.succeed(helper, within(owner, next, body))
    })
  }

  it("account: established, transferred, removed", () => {
    const { next, owner, sponsor, world } = scene()
    const body = revoke(accountKey(owner.publicKey()))
    world.succeed(next, within(owner, sponsor, body))
    assert.deepStrictEqual([world.sponsorship(owner), world.sponsorship(sponsor)], [[2, 0], [0, 2]])
    world.succeed(next, within(sponsor, next, body))
    assert.deepStrictEqual([world.sponsorship(sponsor), world.sponsorship(next)], [[0, 0], [0, 2]])
    world.setBalance(owner, 2n * baseReserve - 1n)
    assert.strictEqual(codeAt(world.apply(next, [body])), "revokeSponsorshipLowReserve")
    world.setBalance(owner, 2n * baseReserve)
    world.succeed(next, [body])
    assert.deepStrictEqual(world.sponsorship(owner), [0, 0])
  })

  it("does not exist, wrong account in offer key included", () => {
    const { helper, next, owner, sponsor, world } = scene()
    kinds.find(({ name }) => name === "offer")?.make(world, owner, sponsor, helper)
    const missing = [
      revoke(accountKey(Keypair.random().publicKey())),
      revoke(trustlineKey(owner.publicKey(), toTrustlineAsset(assetOf(next)))),
      revoke(dataKey(owner.publicKey(), "none")),
      revoke(offerKey(next.publicKey(), world.header.idPool)),
      revoke(keyOfClaimableBalance(xdr.ClaimableBalanceId.claimableBalanceIdTypeV0(Keypair.random().rawPublicKey()))),
      revokeSigner(owner, signer),
      revokeSigner(Keypair.random(), signer)
    ]
    for (const body of missing) assert.strictEqual(codeAt(world.apply(sponsor, [body])), "revokeSponsorshipDoesNotExist")
  })

  it("invalid input: native and issuer trustline keys, offer id, data name, keys without a reserve", () => {
    const { owner, world } = scene()
    const malformed = [
      trustlineKey(owner.publicKey(), xdr.TrustLineAsset.assetTypeNative()),
      trustlineKey(owner.publicKey(), toTrustlineAsset(assetOf(owner))),
      trustlineKey(owner.publicKey(), toTrustlineAsset(assetOf(Keypair.random(), "A B"))),
      offerKey(owner.publicKey(), 0n),
      dataKey(owner.publicKey(), ""),
      dataKey(owner.publicKey(), "a\n"),
      keyOfPool(poolOf(xlm, assetOf(owner))),
      xdr.LedgerKey.ttl(new xdr.LedgerKeyTtl({ keyHash: Keypair.random().rawPublicKey() }))
    ]
    for (const key of malformed) assert.deepStrictEqual(world.check(owner, [revoke(key)]), ["txFailed", "revokeSponsorshipMalformed"])
    assert.isNull(world.check(owner, [revoke(dataKey(owner.publicKey(), "a")), revoke(offerKey(owner.publicKey(), 1n))]))
  })

  it("top up the owner and revoke in one transaction", () => {
    const { owner, sponsor, world } = scene()
    world.succeed(sponsor, within(owner, sponsor, setData("name", "value")))
    world.setBalance(owner, 2n * baseReserve)
    const top = xdr.OperationBody.payment(
      new xdr.PaymentOp({ destination: xdr.MuxedAccount.keyTypeEd25519(owner.rawPublicKey()), asset: xlm, amount: baseReserve })
    )
    assert.strictEqual(codeAt(world.apply(sponsor, [revoke(dataKey(owner.publicKey(), "name"))])), "revokeSponsorshipLowReserve")
    world.succeed(sponsor, [top, revoke(dataKey(owner.publicKey(), "name"))])
  })
})

describe("too many sponsoring", () => {
  it("the counter and the sub-entries together stay in 32 bits", () => {
    const world = new World({ baseReserve: 0 })
    const [owner, sponsor] = [world.account(), world.account()]
    world.succeed(sponsor, [setData("own", "1")])
    world.edit(sponsor, (account) => withSponsorship(account, { numSponsoring: uint32Max - 1 }))
    const code = () => {
      const envelope = world.envelope(sponsor, within(owner, sponsor, setData("a", "1")))
      return codeAt(applyTransaction(world.state, envelope, { networkPassphrase, signatures: "verify" }), 1)
    }
    assert.strictEqual(code(), "opTooManySponsoring")
    world.edit(sponsor, (account) => withSponsorship(account, { numSponsoring: uint32Max - 2 }))
    assert.strictEqual(code(), "manageDataSuccess")
  })

  it("they do so where the account pays for its own entry or signer as well", () => {
    const world = new World({ baseReserve: 0 })
    const owner = world.account()
    world.succeed(owner, [setData("own", "1")])
    const codes = (numSponsoring: number) => {
      world.edit(owner, (account) => withSponsorship(account, { numSponsoring }))
      return [setData("a", "1"), setSigner(xdr.SignerKey.signerKeyTypeHashX(Buffer.alloc(32, 1)), 1)].map((body) =>
        codeAt(applyTransaction(world.state, world.envelope(owner, [body]), { networkPassphrase, signatures: "verify" }))
      )
    }
    assert.deepStrictEqual(codes(uint32Max - 1), ["opTooManySubentries", "opTooManySubentries"])
    assert.deepStrictEqual(codes(uint32Max - 2), ["manageDataSuccess", "setOptionsSuccess"])
  })
})

describe("a ledger whose sponsorships contradict each other", () => {
  const ends: Readonly<Record<string, (made: ReturnType<typeof scene>) => void>> = {
    "a sponsor that counts less": ({ sponsor, world }) => world.edit(sponsor, (account) => withSponsorship(account, { numSponsoring: 0 })),
    "an owner that counts less": ({ owner, world }) => world.edit(owner, (account) => withSponsorship(account, { numSponsored: 0 })),
    "an account that sponsors itself": ({ owner, world }) => {
      const entry = world.state.get(dataKey(owner.publicKey(), "a")) ?? assert.fail("the entry is missing")
      world.put(withSponsor(entry, idOf(owner)))
      world.edit(owner, (account) => withSponsorship(account, { numSponsoring: 1 }))
    }
  }
  for (const [name, contradict] of Object.entries(ends)) {
    it(`ends a transaction in an internal error: ${name}`, () => {
      const made = scene()
      const { owner, sponsor, world } = made
      world.succeed(sponsor, within(owner, sponsor, setData("a", "1")))
      contradict(made)
      const removal = world.envelope(owner, [setData("a", null)])
      const applied = applyTransaction(world.state, removal, { networkPassphrase, signatures: "verify" })
      assert.deepStrictEqual(codesOf(applied), ["txInternalError"])
    })
  }
})

describe("claimable balance", () => {
  it("one unit a claimant moves with it", () => {
    const { next, owner, sponsor, world } = scene()
    world.succeed(owner, [setApart(xlm, 5n, claimant(sponsor), claimant(next))])
    const balance = Array.from(world.state.entries()).find(({ data }) => data.type === "claimableBalance")
    const key = balance?.data.type === "claimableBalance"
      ? keyOfClaimableBalance(balance.data.claimableBalance.balanceId)
      : assert.fail("no balance")
    assert.strictEqual(codeAt(world.apply(sponsor, [revoke(key)])), "revokeSponsorshipNotSponsor")
    world.succeed(next, within(owner, sponsor, revoke(key)))
    assert.deepStrictEqual([world.sponsorship(owner), world.sponsorship(sponsor)], [[0, 0], [0, 2]])
    world.setBalance(owner, 2n * baseReserve + 3n * baseFee)
    assert.strictEqual(codeAt(world.apply(next, within(sponsor, owner, revoke(key))), 1), "revokeSponsorshipLowReserve")
  })
})
