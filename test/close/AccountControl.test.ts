import { assert, describe, it } from "@effect/vitest"
import { Keypair, xdr } from "@stellar/stellar-sdk"
import { brokenControl, controlOf } from "../../src/close/watch/AccountControl.ts"
import { newAccount, withFields } from "../../src/ledger/entries/Account.ts"

const key = () => xdr.PublicKey.publicKeyTypeEd25519(Keypair.random().rawPublicKey())

const baseReserve = 5_000_000

/** An account that holds exactly its reserve. */
const account = newAccount(key(), 10_000_000n, 0n)

const signer = (weight: number) => new xdr.Signer({ key: xdr.SignerKey.signerKeyTypeEd25519(Keypair.random().rawPublicKey()), weight })

const ruleOf = (now: xdr.AccountEntry | null, before = account) => brokenControl(controlOf(before, baseReserve), now, baseReserve)

describe("who controls an account", () => {
  it("is the same while its sequence number and its lumens change, but for its reserve", () => {
    assert.isNull(ruleOf(account))
    assert.isNull(ruleOf(withFields(account, { balance: 99_000_000n, seqNum: 9n })))
    assert.strictEqual(ruleOf(withFields(account, { balance: 9_999_999n })), "below_reserve")
  })

  it("changes with its flags, its thresholds and any of its signers", () => {
    const [one, two] = [signer(1), signer(2)]
    const shared = withFields(account, { signers: [one, two], balance: 20_000_000n, numSubEntries: 2 })
    assert.isNull(ruleOf(shared, shared))
    const changed = [
      { flags: 1 },
      { thresholds: new Uint8Array([1, 2, 2, 2]) },
      { signers: [one] },
      { signers: [one, two, signer(1)] },
      { signers: [one, new xdr.Signer({ key: two.key, weight: 1 })] }
    ]
    for (const fields of changed) assert.strictEqual(ruleOf(withFields(shared, fields), shared), "control_changed")
  })

  it("is gone with it", () => {
    assert.strictEqual(ruleOf(null), "account_gone")
  })

  it("counts a change of control first, and no missing reserve that was missing before", () => {
    const poor = withFields(account, { balance: 1n })
    assert.isNull(ruleOf(poor, poor))
    assert.strictEqual(ruleOf(withFields(poor, { flags: 1 })), "control_changed")
  })
})
