import { assert, describe, it } from "@effect/vitest"
import { Keypair, xdr } from "@stellar/stellar-sdk"
import { createHash } from "node:crypto"
import { withFields } from "../../src/ledger/entries/Account.ts"
import { signaturesOf } from "../../src/ledger/Signatures.ts"
import { readTransaction } from "../../src/ledger/Transaction.ts"
import { begin, bump, createAccount, end, merge, pay, preAuth, setData, setOptions, setSigner, signerKeyOf, xlm } from "./support/Bodies.ts"
import { baseReserve, bothSay, codeAt, codesOf, networkPassphrase, signatureOf, World } from "./support/World.ts"

const one = () => {
  const world = new World()
  const [account, other] = [world.account(), world.account()]
  return { world, account, other, touch: pay(other, xlm, 1n) }
}

describe("multisig", () => {
  const thresholds = (
    world: World,
    account: Keypair,
    low: number,
    medium: number,
    high: number,
    weights: ReadonlyArray<readonly [Keypair, number]>
  ) => {
    world.succeed(account, weights.map(([pair, weight]) => setSigner(signerKeyOf(pair), weight)))
    world.succeed(account, [setOptions({ masterWeight: 1, lowThreshold: low, medThreshold: medium, highThreshold: high })])
  }

  it("not enough rights: first, second, both, and signers without weight", () => {
    const { account, other, touch, world } = one()
    const [light, heavy] = [Keypair.random(), Keypair.random()]
    thresholds(world, account, 1, 50, 100, [[light, 49], [heavy, 99]])
    const check = (signers: ReadonlyArray<Keypair>, body: xdr.OperationBody) => world.check(account, [body], { signers })
    assert.deepStrictEqual(check([light], touch), ["txFailed", "opBadAuth"])
    assert.isNull(check([account, light], touch))
    assert.deepStrictEqual(check([light, heavy], touch), null, "49 is not enough, so both are used")
    assert.deepStrictEqual(check([heavy, light], touch), ["txBadAuthExtra"], "99 is enough, so one is left over")
    assert.deepStrictEqual(check([heavy], merge(other)), ["txFailed", "opBadAuth"])
    assert.isNull(check([account, heavy], merge(other)))
    assert.isNull(check([heavy], touch))
    assert.deepStrictEqual(check([other], touch), ["txBadAuth"])
    assert.deepStrictEqual(check([heavy], setOptions({ setFlags: 1 })), null, "flags are medium")
    assert.deepStrictEqual(check([heavy], setOptions({ lowThreshold: 2 })), ["txFailed", "opBadAuth"], "thresholds are high")
  })

  it("a signer counts once, however often it signs", () => {
    const { account, touch, world } = one()
    const signer = Keypair.random()
    thresholds(world, account, 1, 2, 2, [[signer, 1]])
    assert.deepStrictEqual(world.check(account, [touch], { signers: [signer, signer] }), ["txFailed", "opBadAuth"])
    bothSay(world, account, { signers: [signer, account] }, null, touch)
  })

  it("a transaction may cost a thousand verifications, and one that needs more is not signed", () => {
    const { account, touch, world } = one()
    const signers = [account, ...Array.from({ length: 19 }, () => Keypair.random())]
    thresholds(world, account, 1, 20, 20, signers.slice(1).map((pair) => [pair, 1]))
    const times = (operations: number) => world.check(account, Array.from({ length: operations }, () => touch), { signers })
    assert.isNull(times(49))
    assert.deepStrictEqual(times(50)?.toSpliced(1, 49), ["txFailed", "opBadAuth"])
  })

  it("checks that share what they know keep a thousand verdicts, and trust no signature beyond", () => {
    const { account } = one()
    const hash = Buffer.alloc(32, 1)
    const signer = new xdr.Signer({ key: signerKeyOf(account), weight: 1 })
    const isMet = (known: number) => {
      const verdicts = new Map(Array.from({ length: known }, (_, at) => [String(at), true] as const))
      return signaturesOf({ hash, signatures: [signatureOf(account, hash)] }, "verify", verdicts).meet([signer], 1)
    }
    assert.deepStrictEqual([isMet(999), isMet(1000)], [true, false])
  })

  it("the transaction source needs low whatever its operations are", () => {
    const { account, other, world } = one()
    const signer = Keypair.random()
    thresholds(world, account, 5, 0, 0, [[signer, 5]])
    const body = pay(other, xlm, 1n)
    assert.deepStrictEqual(world.check(account, [body], { signers: [account] }), ["txBadAuth"])
    assert.isNull(world.check(account, [body], { signers: [signer] }))
  })

  it("bump sequence and claims ask low, payments medium, merges high", () => {
    const { account, other, world } = one()
    const signer = Keypair.random()
    thresholds(world, account, 1, 2, 3, [[signer, 2]])
    const levels = (signers: ReadonlyArray<Keypair>) =>
      [bump(0n), pay(other, xlm, 1n), merge(other)].map((body) => world.check(account, [body], { signers }) === null)
    assert.deepStrictEqual([levels([account]), levels([signer]), levels([account, signer])], [
      [true, false, false],
      [true, true, false],
      [false, true, true]
    ], "what is not needed is one too many")
  })

  it("an operation's account not yet created signs with its own key", () => {
    const { account, world } = one()
    const fresh = Keypair.random()
    const steps = [createAccount(fresh, 3n * baseReserve), [fresh, setData("a", "1")]] as const
    assert.deepStrictEqual(world.check(account, steps, { signers: [account] }), ["txFailed", "createAccountSuccess", "opBadAuth"])
    world.succeed(account, steps)
    assert.isTrue(world.hasData(fresh, "a"))
  })

  it("an operation's account missing altogether", () => {
    const { account, world } = one()
    const missing = Keypair.random()
    assert.strictEqual(codeAt(world.apply(account, [[missing, setData("a", "1")]])), "opNoAccount")
  })

  it("hash_x: its preimage signs", () => {
    const { account, touch, world } = one()
    const preimage = Buffer.from("a secret of this test")
    const hash = createHash("sha256").update(preimage).digest()
    world.succeed(account, [setSigner(xdr.SignerKey.signerKeyTypeHashX(hash), 1)])
    const revealed = new xdr.DecoratedSignature({ hint: hash.subarray(-4), signature: preimage })
    bothSay(world, account, { signers: [], extraSignatures: [revealed] }, null, touch)
    const wrong = new xdr.DecoratedSignature({ hint: hash.subarray(-4), signature: Buffer.from("another") })
    bothSay(world, account, { signers: [], extraSignatures: [wrong] }, "txBadAuth", touch)
  })

  it("signed payload: its key signs the payload, under a hint of both", () => {
    for (const length of [1, 3, 4, 29]) {
      const { account, other, touch, world } = one()
      const pair = Keypair.random()
      const payload = Uint8Array.from({ length }, (_, at) => at + 1)
      const signer = xdr.SignerKey.signerKeyTypeEd25519SignedPayload(
        new xdr.SignerKeyEd25519SignedPayload({ ed25519: pair.rawPublicKey(), payload })
      )
      world.succeed(account, [setSigner(signer, 1)])
      const tail = payload.slice(-4)
      const hint = pair.rawPublicKey().slice(-4).map((byte, at) => byte ^ (tail[at] ?? 0))
      const says = (signed: xdr.DecoratedSignature, under: Uint8Array, code: string | null) =>
        bothSay(
          world,
          account,
          { signers: [], extraSignatures: [new xdr.DecoratedSignature({ hint: under, signature: signed.signature })] },
          code,
          touch
        )
      const { hash } = readTransaction(world.envelope(account, [touch]), networkPassphrase)
      says(signatureOf(pair, hash), hint, "txBadAuth")
      says(signatureOf(other, payload), hint, "txBadAuth")
      says(signatureOf(pair, payload), pair.rawPublicKey().slice(-4), "txBadAuth")
      says(signatureOf(pair, payload), hint, null)
    }
  })

  it("one signature that is right makes no other one right", () => {
    const { account, touch, world } = one()
    const signer = Keypair.random()
    thresholds(world, account, 1, 2, 2, [[signer, 1]])
    const forged = new xdr.DecoratedSignature({ hint: signer.rawPublicKey().slice(-4), signature: new Uint8Array(64) })
    const { hash } = readTransaction(world.envelope(account, [touch]), networkPassphrase)
    const copied = new xdr.DecoratedSignature({ hint: forged.hint, signature: signatureOf(account, hash).signature })
    for (const wrong of [forged, copied]) {
      assert.deepStrictEqual(world.check(account, [touch], { signers: [account], extraSignatures: [wrong] }), ["txFailed", "opBadAuth"])
    }
  })

  it("hash_x counts before keys: a key that is not needed any more is one too many", () => {
    const { account, touch, world } = one()
    const preimage = Buffer.from("another secret of this test")
    const hash = createHash("sha256").update(preimage).digest()
    world.succeed(account, [setSigner(xdr.SignerKey.signerKeyTypeHashX(hash), 2), setOptions({ medThreshold: 2 })])
    const revealed = new xdr.DecoratedSignature({ hint: hash.subarray(-4), signature: preimage })
    bothSay(world, account, { signers: [account], extraSignatures: [revealed] }, "txBadAuthExtra", touch)
    bothSay(world, account, { signers: [], extraSignatures: [revealed] }, null, touch)
  })

  it("preauth: no signature, removed even when the transaction fails", () => {
    for (const amount of [1n, 10_000_000_000n]) {
      const { account, other, world } = one()
      const sponsor = world.account()
      const seqNum = world.get(account).seqNum + 2n
      const envelope = world.envelope(account, [pay(other, xlm, amount)], { seqNum, signers: [] })
      const { hash } = readTransaction(envelope, networkPassphrase)
      world.succeed(account, [[sponsor, begin(account)], setSigner(preAuth(hash), 1), end()])
      assert.isNull(world.checkEnvelope(envelope))
      const applied = world.submit(envelope)
      assert.strictEqual(codesOf(applied)[0], amount === 1n ? "txSuccess" : "txFailed")
      assert.deepStrictEqual([world.get(account).signers, world.sponsorship(sponsor)], [[], [0, 0]])
    }
  })

  it("preauth is removed from among other signers, which stay", () => {
    const { account, touch, world } = one()
    const [signer, other] = [signerKeyOf(Keypair.random()), preAuth(Buffer.alloc(32, 1))]
    const envelope = world.envelope(account, [touch], { seqNum: world.get(account).seqNum + 2n, signers: [] })
    const approved = preAuth(readTransaction(envelope, networkPassphrase).hash)
    world.succeed(account, [setSigner(approved, 1), setSigner(signer, 1), setSigner(other, 1)])
    assert.deepStrictEqual(codesOf(world.submit(envelope)), ["txSuccess", "paymentSuccess"])
    assert.deepStrictEqual(world.get(account).signers.map(({ key }) => key), [signer, other])
  })

  it("preauth is removed by a transaction that is rejected once it is in a ledger", () => {
    const { account, touch, world } = one()
    const envelope = world.envelope(account, [touch], { seqNum: world.get(account).seqNum + 3n, signers: [] })
    world.succeed(account, [setSigner(preAuth(readTransaction(envelope, networkPassphrase).hash), 1)])
    assert.deepStrictEqual(codesOf(world.submit(envelope)), ["txBadSeq"])
    assert.deepStrictEqual(world.get(account).signers, [])
  })

  it("preauth on an operation source is removed too", () => {
    const { account, other, world } = one()
    const seqNum = world.get(account).seqNum + 1n
    const envelope = world.envelope(account, [[other, setData("a", "1")]], { seqNum, signers: [account] })
    const { hash } = readTransaction(envelope, networkPassphrase)
    world.succeed(other, [setSigner(preAuth(hash), 1)])
    assert.deepStrictEqual(codesOf(world.submit(envelope)), ["txSuccess", "manageDataSuccess"])
    assert.deepStrictEqual(world.get(other).signers, [])
  })

  it("a merge authorised by preauth works", () => {
    const { account, other, world } = one()
    const envelope = world.envelope(account, [merge(other)], { seqNum: world.get(account).seqNum + 2n, signers: [] })
    world.succeed(account, [setSigner(preAuth(readTransaction(envelope, networkPassphrase).hash), 1)])
    assert.deepStrictEqual(codesOf(world.submit(envelope)), ["txSuccess", "accountMergeSuccess"])
  })
})

describe("change signer and weights mid-transaction", () => {
  it("all signatures are checked before the first operation", () => {
    const { account, other, world } = one()
    world.succeed(account, [setOptions({ masterWeight: 0 }), pay(other, xlm, 1n)], {})
    assert.deepStrictEqual(world.check(account, [pay(other, xlm, 1n)]), ["txBadAuth"])
  })

  it("merge one of signing accounts: by destination, by source signed by destination, signed by both", () => {
    const { account, other, world } = one()
    world.edit(
      account,
      (entry) => withFields(entry, { signers: [new xdr.Signer({ key: signerKeyOf(other), weight: 1 })], numSubEntries: 1 })
    )
    assert.isNull(world.check(other, [[account, merge(other)]], { signers: [other] }))
    assert.deepStrictEqual(world.check(account, [merge(other)], { signers: [account, other] }), ["txBadAuthExtra"])
    assert.isNull(world.check(account, [merge(other)], { signers: [other] }))
    assert.deepStrictEqual(codesOf(world.apply(account, [merge(other)], { signers: [other] })), ["txSuccess", "accountMergeSuccess"])
  })

  it("a signer added in the transaction cannot sign it", () => {
    const { account, other, world } = one()
    const signer = Keypair.random()
    assert.deepStrictEqual(
      codesOf(world.apply(account, [setSigner(signerKeyOf(signer), 1), pay(other, xlm, 1n)], { signers: [account, signer] })),
      ["txBadAuthExtra"]
    )
  })
})
