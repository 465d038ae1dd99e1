import { assert, describe, it } from "@effect/vitest"
import { Keypair, xdr } from "@stellar/stellar-sdk"
import { compareSignerKeys } from "../../../src/ledger/entries/Signer.ts"
import { assetOf, begin, buy, end, pay, price, sell, setData, setOptions, setSigner, signerKeyOf, trust, xlm } from "../support/Bodies.ts"
import { baseFee, baseReserve, codeAt, idOf, signatureOf, World } from "../support/World.ts"

const signer = () => signerKeyOf(Keypair.random())
const one = () => {
  const world = new World()
  return { world, account: world.account() }
}

describe("set options: fields that are refused whatever the ledger holds", () => {
  const self = Keypair.random()
  const payload = (bytes: Uint8Array) =>
    xdr.SignerKey.signerKeyTypeEd25519SignedPayload(new xdr.SignerKeyEd25519SignedPayload({ ed25519: self.rawPublicKey(), payload: bytes }))
  const rows: ReadonlyArray<readonly [string, xdr.OperationBody, string]> = [
    ["unknown flag set", setOptions({ setFlags: 0x10 }), "setOptionsUnknownFlag"],
    ["unknown flag cleared", setOptions({ clearFlags: 0x10 }), "setOptionsUnknownFlag"],
    ["flag set and cleared", setOptions({ setFlags: 1, clearFlags: 1 }), "setOptionsBadFlags"],
    ["bad weight for master key", setOptions({ masterWeight: 256 }), "setOptionsThresholdOutOfRange"],
    ["bad low threshold", setOptions({ lowThreshold: 256 }), "setOptionsThresholdOutOfRange"],
    ["bad medium threshold", setOptions({ medThreshold: 256 }), "setOptionsThresholdOutOfRange"],
    ["bad high threshold", setOptions({ highThreshold: 256 }), "setOptionsThresholdOutOfRange"],
    ["bad signer weight", setSigner(signer(), 256), "setOptionsBadSigner"],
    ["empty payload signer", setSigner(payload(new Uint8Array()), 1), "setOptionsBadSigner"],
    ["home domain with a control character", setOptions({ homeDomain: "abc\r" }), "setOptionsInvalidHomeDomain"],
    ["home domain beyond ASCII", setOptions({ homeDomain: "é" }), "setOptionsInvalidHomeDomain"]
  ]
  for (const [name, body, code] of rows) {
    it(name, () => {
      const { account, world } = one()
      assert.deepStrictEqual(world.check(account, [body]), ["txFailed", code])
    })
  }

  it("can't use master key as alternate signer", () => {
    const { account, world } = one()
    assert.deepStrictEqual(world.check(account, [setSigner(signerKeyOf(account), 1)]), ["txFailed", "setOptionsBadSigner"])
  })
})

describe("set options: signers", () => {
  it("insufficient balance", () => {
    const { account, world } = one()
    world.setBalance(account, 3n * baseReserve + baseFee - 1n)
    assert.strictEqual(codeAt(world.apply(account, [setSigner(signer(), 1)])), "setOptionsLowReserve")
    world.setBalance(account, 3n * baseReserve + baseFee)
    world.succeed(account, [setSigner(signer(), 1)])
  })

  it("native selling liabilities count, buying liabilities do not", () => {
    const { account, world } = one()
    const usd = assetOf(world.account())
    world.succeed(account, [trust(usd), sell(xlm, usd, 500n, price(1, 1))])
    world.setBalance(account, 5n * baseReserve + 499n + baseFee)
    assert.strictEqual(codeAt(world.apply(account, [setSigner(signer(), 1)])), "setOptionsLowReserve")
    const buyer = world.account()
    const own = assetOf(buyer)
    world.succeed(buyer, [buy(own, xlm, 1_000n, price(1, 1))])
    world.setBalance(buyer, 4n * baseReserve + baseFee)
    world.succeed(buyer, [setSigner(signer(), 1)])
  })

  it("non-account signers, kept in order", () => {
    const { account, world } = one()
    const keys = [
      xdr.SignerKey.signerKeyTypeHashX(Keypair.random().rawPublicKey()),
      xdr.SignerKey.signerKeyTypePreAuthTx(Keypair.random().rawPublicKey()),
      signer(),
      signer()
    ]
    world.succeed(account, keys.map((key) => setSigner(key, 1)), { fee: 1000n })
    const { numSubEntries, signers } = world.get(account)
    assert.strictEqual(numSubEntries, 4)
    assert.deepStrictEqual(signers.map(({ key }) => key.toXdr("hex")), keys.toSorted(compareSignerKeys).map((key) => key.toXdr("hex")))
  })

  it("those of signed payloads come last, by key and then by payload, and each is one of its own", () => {
    const { account, world } = one()
    const [low, high] = [Uint8Array.of(1, ...Array(31).fill(0)), Uint8Array.of(2, ...Array(31).fill(0))]
    const over = (ed25519: Uint8Array, payload: number) =>
      xdr.SignerKey.signerKeyTypeEd25519SignedPayload(new xdr.SignerKeyEd25519SignedPayload({ ed25519, payload: Uint8Array.of(payload) }))
    const [first, second, third] = [over(low, 1), over(low, 2), over(high, 1)]
    const hash = xdr.SignerKey.signerKeyTypeHashX(Uint8Array.of(255, ...Array(31).fill(255)))
    world.succeed(account, [third, second, hash, first].map((key, at) => setSigner(key, at + 1)), { fee: 1000n })
    const shown = () => world.get(account).signers.map(({ key, weight }) => [key.toXdr("hex"), weight])
    const ordered = [hash, first, second, third].map((key) => key.toXdr("hex"))
    assert.deepStrictEqual(shown(), [[ordered[0], 3], [ordered[1], 4], [ordered[2], 2], [ordered[3], 1]])
    world.succeed(account, [setSigner(second, 9)])
    assert.deepStrictEqual(shown(), [[ordered[0], 3], [ordered[1], 4], [ordered[2], 9], [ordered[3], 1]])
    world.succeed(account, [setSigner(first, 0)])
    assert.deepStrictEqual(shown(), [[ordered[0], 3], [ordered[2], 9], [ordered[3], 1]])
  })

  it("too many signers", () => {
    const { account, world } = one()
    world.succeed(account, Array.from({ length: 20 }, () => setSigner(signer(), 1)))
    assert.strictEqual(codeAt(world.apply(account, [setSigner(signer(), 1)])), "setOptionsTooManySigners")
  })

  it("a signer's weight changes without a new reserve, and weight 0 deletes", () => {
    const { account, world } = one()
    const key = signer()
    world.succeed(account, [setSigner(key, 1)])
    world.succeed(account, [setSigner(key, 255)])
    assert.deepStrictEqual(world.get(account).signers.map(({ weight }) => weight), [255])
    world.succeed(account, [setSigner(key, 0)])
    assert.strictEqual(world.get(account).numSubEntries, 0)
  })

  it("delete signer that does not exist", () => {
    const { account, world } = one()
    assert.strictEqual(codeAt(world.apply(account, [setSigner(signer(), 0)])), "setOptionsSuccess")
  })

  it("delete signer that does not exist with sponsorships", () => {
    const { account, world } = one()
    const sponsor = world.account()
    world.succeed(account, [[sponsor, begin(account)], setSigner(signer(), 1), end()])
    world.succeed(account, [setSigner(signer(), 0)])
    assert.deepStrictEqual(world.sponsorship(account), [1, 0])
  })

  it("sponsorship: too poor to pay itself, and a sponsor too poor to pay", () => {
    const { account, world } = one()
    const sponsor = world.account(3n * baseReserve + baseFee - 1n)
    world.setBalance(account, 2n * baseReserve + 3n * baseFee)
    const steps = [begin(account), [account, setSigner(signer(), 1)], [account, end()]] as const
    const payer = world.account()
    const outcome = world.apply(payer, [[sponsor, steps[0]], steps[1], steps[2]])
    assert.strictEqual(codeAt(outcome, 1), "setOptionsSuccess", "the sponsor has one unit and pays no fee")
    assert.deepStrictEqual(world.sponsorship(sponsor), [0, 1])
    const second = world.apply(payer, [[sponsor, begin(account)], [account, setSigner(signer(), 1)], [account, end()]])
    assert.strictEqual(codeAt(second, 1), "setOptionsLowReserve")
  })

  it("add and remove many signers, some with sponsorships", () => {
    const { account, world } = one()
    const sponsor = world.account()
    const own = [signer(), signer(), signer()]
    const paid = [signer(), signer()]
    world.succeed(account, own.map((key) => setSigner(key, 1)))
    world.succeed(account, [[sponsor, begin(account)], ...paid.map((key) => setSigner(key, 1)), end()])
    assert.deepStrictEqual([world.sponsorship(account), world.sponsorship(sponsor)], [[2, 0], [0, 2]])
    world.succeed(account, [setSigner(own[1]!, 0), setSigner(paid[0]!, 0)])
    assert.deepStrictEqual([world.sponsorship(account), world.sponsorship(sponsor)], [[1, 0], [0, 1]])
    world.succeed(account, [setSigner(own[0]!, 0), setSigner(own[2]!, 0), setSigner(paid[1]!, 0)])
    assert.deepStrictEqual([world.sponsorship(account), world.sponsorship(sponsor)], [[0, 0], [0, 0]])
  })

  it("ed25519 payload signer", () => {
    const { account, world } = one()
    const other = Keypair.random()
    const payload = Buffer.from("some bytes")
    const key = xdr.SignerKey.signerKeyTypeEd25519SignedPayload(
      new xdr.SignerKeyEd25519SignedPayload({ ed25519: other.rawPublicKey(), payload })
    )
    world.succeed(account, [setSigner(key, 1)])
    const plain = signatureOf(other, payload)
    const hint = other.rawPublicKey().slice(-4).map((byte, at) => byte ^ payload.subarray(-4)[at]!)
    world.succeed(account, [setData("a", "1")], {
      signers: [],
      extraSignatures: [new xdr.DecoratedSignature({ hint, signature: plain.signature })]
    })
  })
})

describe("set options: flags and the rest", () => {
  it("immutable forbids any change of flags, its own included", () => {
    const { account, world } = one()
    world.succeed(account, [setOptions({ setFlags: 4 })])
    for (const body of [setOptions({ clearFlags: 4 }), setOptions({ setFlags: 1 })]) {
      assert.strictEqual(codeAt(world.apply(account, [body])), "setOptionsCantChange")
    }
    assert.strictEqual(codeAt(world.apply(account, [setOptions({ setFlags: 0 })])), "setOptionsSuccess")
  })

  it("clawback needs revocable", () => {
    const { account, world } = one()
    assert.strictEqual(codeAt(world.apply(account, [setOptions({ setFlags: 8 })])), "setOptionsAuthRevocableRequired")
    world.succeed(account, [setOptions({ setFlags: 10 })])
    assert.strictEqual(codeAt(world.apply(account, [setOptions({ clearFlags: 2 })])), "setOptionsAuthRevocableRequired")
    world.succeed(account, [setOptions({ clearFlags: 10 })])
    assert.strictEqual(world.get(account).flags, 0)
  })

  it("home domain", () => {
    const { account, world } = one()
    world.succeed(account, [setOptions({ homeDomain: "example.org" })])
    assert.strictEqual(world.get(account).homeDomain.toString(), "example.org")
    world.succeed(account, [setOptions({ homeDomain: "" })])
    assert.strictEqual(world.get(account).homeDomain.length, 0)
  })

  it("inflation destination must exist", () => {
    const { account, world } = one()
    assert.strictEqual(codeAt(world.apply(account, [setOptions({ inflationDest: idOf(Keypair.random()) })])), "setOptionsInvalidInflation")
    world.succeed(account, [setOptions({ inflationDest: idOf(account) })])
    const other = world.account()
    world.succeed(account, [setOptions({ inflationDest: idOf(other) })])
    world.succeed(account, [setOptions({ homeDomain: "example.org" })])
    assert.deepStrictEqual(world.get(account).inflationDest, idOf(other))
    world.succeed(account, [setOptions({ inflationDest: idOf(account) })])
    assert.deepStrictEqual([world.get(account).inflationDest, world.get(account).homeDomain.toString()], [idOf(account), "example.org"])
  })

  it("weights and thresholds", () => {
    const { account, world } = one()
    world.succeed(account, [setOptions({ masterWeight: 9, lowThreshold: 1, medThreshold: 2, highThreshold: 3 })])
    assert.deepStrictEqual([...world.get(account).thresholds.value], [9, 1, 2, 3])
    world.succeed(account, [setOptions({ lowThreshold: 2, medThreshold: 2 })])
    assert.deepStrictEqual([...world.get(account).thresholds.value], [9, 2, 2, 3])
    world.succeed(account, [setOptions({ masterWeight: 255, highThreshold: 255 })])
    world.succeed(account, [setOptions({ masterWeight: 0 })])
    assert.deepStrictEqual([...world.get(account).thresholds.value], [0, 2, 2, 255])
    assert.deepStrictEqual(world.check(account, [pay(account, xlm, 1n)]), ["txBadAuth"])
  })
})
