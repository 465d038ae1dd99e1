import { assert, describe, it } from "@effect/vitest"
import { xdr } from "@stellar/stellar-sdk"
import { newAccount, withFields } from "../../../src/ledger/entries/Account.ts"
import { compareSignerKeys, isMasterKey, maxSigners, placeOfSigner, preAuthKey, sameSignerKey } from "../../../src/ledger/entries/Signer.ts"
import { idOf, World } from "../support/World.ts"

const filled = (byte: number): Uint8Array => new Uint8Array(32).fill(byte)
const payloadOf = (byte: number, ...payload: ReadonlyArray<number>): xdr.SignerKey =>
  xdr.SignerKey.signerKeyTypeEd25519SignedPayload(
    new xdr.SignerKeyEd25519SignedPayload({ ed25519: filled(byte), payload: Uint8Array.from(payload) })
  )

/** Keys in order: by kind first, then byte by byte. */
const ordered = [
  xdr.SignerKey.signerKeyTypeEd25519(filled(5)),
  xdr.SignerKey.signerKeyTypeEd25519(filled(6)),
  preAuthKey(filled(3)),
  preAuthKey(filled(4)),
  xdr.SignerKey.signerKeyTypeHashX(filled(1)),
  xdr.SignerKey.signerKeyTypeHashX(filled(2)),
  payloadOf(0, 9),
  payloadOf(1, 1),
  payloadOf(1, 1, 0),
  payloadOf(1, 2)
]

const holding = (...keys: ReadonlyArray<xdr.SignerKey | undefined>): xdr.AccountEntry => {
  const signers = keys.map((key) => new xdr.Signer({ key: key ?? assert.fail("no such key"), weight: 1 }))
  return withFields(newAccount(xdr.PublicKey.publicKeyTypeEd25519(filled(7)), 1n, 1n), { signers })
}

describe("signers", () => {
  it("are in order of kind, then of bytes", () => {
    for (const [at, left] of ordered.entries()) {
      for (const [other, right] of ordered.entries()) {
        assert.strictEqual(Math.sign(compareSignerKeys(left, right)), Math.sign(at - other), `${at} and ${other}`)
        assert.strictEqual(sameSignerKey(left, right), at === other, `${at} and ${other}`)
      }
    }
  })

  it("are found in their place, or where they would be put", () => {
    const account = holding(ordered[1], ordered[3], ordered[5])
    assert.deepStrictEqual(
      ordered.slice(0, 7).map((key) => placeOfSigner(account, key)),
      [[false, 0], [true, 0], [false, 1], [true, 1], [false, 2], [true, 2], [false, 3]].map(([found, at]) => ({ found, at }))
    )
    assert.deepStrictEqual(placeOfSigner(holding(), preAuthKey(filled(1))), { found: false, at: 0 })
  })

  it("are twenty at most", () => assert.strictEqual(maxSigners, 20))

  it("have the bytes of the transaction they approve in advance", () => {
    const key = preAuthKey(filled(3))
    assert.deepStrictEqual([key.type, key.type === "signerKeyTypePreAuthTx" ? key.preAuthTx.value : null], [
      "signerKeyTypePreAuthTx",
      filled(3)
    ])
  })
})

describe("a master key", () => {
  it("is the plain key of the account itself", () => {
    const world = new World()
    const [owner, other] = [world.account(), world.account()]
    const keys = [
      xdr.SignerKey.signerKeyTypeEd25519(owner.rawPublicKey()),
      xdr.SignerKey.signerKeyTypeEd25519(other.rawPublicKey()),
      preAuthKey(owner.rawPublicKey()),
      xdr.SignerKey.signerKeyTypeHashX(owner.rawPublicKey())
    ]
    assert.deepStrictEqual(keys.map((key) => isMasterKey(idOf(owner), key)), [true, false, false, false])
  })
})
