import { assert, describe, it } from "@effect/vitest"
import { Keypair, xdr } from "@stellar/stellar-sdk"
import { KnownLumens } from "../../src/close/watch/KnownLumens.ts"

const accountId = xdr.PublicKey.publicKeyTypeEd25519(Keypair.random().rawPublicKey())

const holding = (balance: bigint) =>
  new xdr.AccountEntry({
    accountId,
    balance,
    seqNum: 0n,
    numSubEntries: 0,
    inflationDest: null,
    flags: 0,
    homeDomain: "",
    thresholds: new Uint8Array([1, 0, 0, 0]),
    signers: [],
    ext: xdr.AccountEntryExt.v0()
  })

/** A balance that last changed in a ledger, read from an endpoint at another ledger. */
const read = (known: KnownLumens, balance: bigint, ledger: number, sequence = ledger) =>
  known.areMissing(holding(balance), ledger, sequence)

/** An account that held 1000 stroops in ledger 10, with its complete history. */
const begun = () => {
  const known = new KnownLumens()
  known.reach(10n << 32n)
  assert.isFalse(read(known, 1000n, 10))
  return known
}

/** The same after it spent 400 stroops in ledger 11, and 100 in ledger 13. */
const spentTwice = () => {
  const known = begun()
  known.spend({ ledger: 11, stroops: 400n })
  known.spend({ ledger: 13, stroops: 100n })
  known.reach(13n << 32n)
  return known
}

describe("the lumens of an account that is watched", () => {
  it("are all there after gifts, closes and sweeps, and missing by one stroop less", () => {
    for (const [balance, missing] of [[1300n, false], [699n, false], [600n, false], [599n, true]] as const) {
      const known = begun()
      known.spend({ ledger: 11, stroops: -100n })
      known.spend({ ledger: 12, stroops: 500n })
      known.reach(12n << 32n)
      assert.strictEqual(read(known, balance, 12), missing, `${balance}`)
    }
  })

  it("are counted from their last change on, each transaction once", () => {
    const known = spentTwice()
    assert.isFalse(read(known, 600n, 11, 13))
    assert.isFalse(read(known, 500n, 13))
    known.reach(null)
    known.reach(14n << 32n)
    assert.isTrue(read(known, 499n, 14))
  })

  it("are missing where less is left than what was spent by then, whatever is spent later", () => {
    const known = spentTwice()
    assert.isTrue(read(known, 599n, 11, 13))
  })

  it("are what the newest entry says: an older one, or another of its ledger, says nothing", () => {
    const known = begun()
    known.spend({ ledger: 12, stroops: 500n })
    known.reach(12n << 32n)
    assert.isFalse(read(known, 500n, 12))
    for (const [balance, ledger] of [[1000n, 10], [499n, 12]] as const) assert.isFalse(read(known, balance, ledger, 12))
    known.reach(13n << 32n)
    assert.isFalse(read(known, 500n, 13))
  })

  it("begin with the first entry, where it is newer than the history that is known: what is learnt of its past counts for nothing", () => {
    const known = new KnownLumens()
    assert.isFalse(read(known, 1000n, 10))
    for (const ledger of [9, 10]) known.spend({ ledger, stroops: 700n })
    known.spend({ ledger: 11, stroops: 100n })
    known.reach(11n << 32n)
    assert.isTrue(read(known, 899n, 11))
  })

  it("are not decided on while the history or the entry is older than the other", () => {
    const known = begun()
    assert.isNull(read(known, 500n, 12))
    known.spend({ ledger: 12, stroops: 500n })
    known.reach(12n << 32n)
    assert.isNull(read(known, 1000n, 10, 11))
    assert.isFalse(read(known, 500n, 12))
  })

  it("of which only transactions before the first read are known begin there", () => {
    const known = new KnownLumens()
    known.spend({ ledger: 5, stroops: 700n })
    known.reach(5n << 32n)
    assert.isNull(read(known, 1000n, 4))
    assert.isFalse(read(known, 300n, 5))
    known.reach(6n << 32n)
    assert.isTrue(read(known, 299n, 6))
  })
})
