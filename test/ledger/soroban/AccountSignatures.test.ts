import { assert, describe, it } from "@effect/vitest"
import { Keypair, xdr } from "@stellar/stellar-sdk"
import { toTrustlineAsset } from "../../../src/ledger/Asset.ts"
import { newEntry } from "../../../src/ledger/entries/LedgerEntry.ts"
import { int64Max } from "../../../src/ledger/Int64.ts"
import { bytes, struct, symbol, vec, voidVal } from "../../../src/ledger/soroban/Values.ts"
import { keyOfAccount } from "../../../src/xdr/LedgerKeys.ts"
import { assetOf, preAuth, signerKeyOf } from "../support/Bodies.ts"
import { idOf, signatureOf } from "../support/World.ts"
import { authenticatorOver, payload } from "./support/Authenticators.ts"
import { addressIn, ContractWorld } from "./support/ContractWorld.ts"
import { mismatch } from "./support/HostErrors.ts"
import { inOrder, signed, signedBy } from "./support/Signatures.ts"

const by = (pair: Keypair, message = payload): xdr.ScVal => signedBy(pair, message)

const refusals = {
  tooMany: "HostError: Error(Contract, #5): too many account signers",
  none: "HostError: Error(Contract, #5): no account signatures found",
  unordered: "HostError: Error(Contract, #5): public keys are not ordered",
  stranger: "HostError: Error(Contract, #5): signer does not belong to account",
  tooLight: "HostError: Error(Contract, #5): signature weight is lower than threshold",
  badSignature: "HostError: Error(Crypto, InvalidInput): failed ED25519 verification",
  noAccount: "HostError: Error(Storage, MissingValue): trying to get non-existing value for account"
}

const signer = (pair: Keypair, weight: number): xdr.Signer => new xdr.Signer({ key: signerKeyOf(pair), weight })

/** Two signers of weights 1 and 2 in the order of their keys, and a stranger after them, on an account of these thresholds. */
const shared = (thresholds = Uint8Array.of(4, 1, 3, 5)) => {
  const [light, heavy, stranger] = inOrder([Keypair.random(), Keypair.random(), Keypair.random()])
  assert(light !== undefined && heavy !== undefined && stranger !== undefined)
  const world = new ContractWorld()
  const master = world.account(1_000_000_000n, {
    thresholds,
    signers: [new xdr.Signer({ key: preAuth(light.rawPublicKey()), weight: 9 }), signer(light, 1), signer(heavy, 2)]
  })
  const answer = (...signatures: ReadonlyArray<xdr.ScVal>): string =>
    authenticatorOver(world).authenticate(addressIn(master), vec(...signatures))
  return { world, master, light, heavy, stranger, answer }
}

describe("signatures of an account", () => {
  it("reach its medium threshold by the weights of its signers", () => {
    const { answer, heavy, light, master } = shared()
    assert.strictEqual(answer(by(light)), refusals.tooLight)
    assert.strictEqual(answer(by(heavy)), refusals.tooLight)
    assert.strictEqual(answer(by(light), by(heavy)), "success")
    assert.strictEqual(answer(by(master)), "success")
    const exact = shared(Uint8Array.of(3, 4, 3, 4))
    assert.strictEqual(exact.answer(by(exact.master)), "success")
  })

  it("come from its signers alone, even where others reach the threshold", () => {
    const { answer, heavy, light, stranger } = shared()
    assert.strictEqual(answer(by(light), by(heavy), by(stranger)), refusals.stranger)
    const open = shared(Uint8Array.of(0, 0, 0, 0))
    assert.strictEqual(open.answer(by(open.stranger)), refusals.stranger)
    assert.strictEqual(open.answer(by(open.master)), refusals.stranger)
    assert.strictEqual(open.answer(by(open.light)), "success")
  })

  it("stand in the order of their keys, each key once", () => {
    const { answer, heavy, light } = shared()
    assert.strictEqual(answer(by(heavy), by(light)), refusals.unordered)
    assert.strictEqual(answer(by(heavy), by(heavy)), refusals.unordered)
  })

  it("number from one to twenty", () => {
    const pairs = Array.from({ length: 20 }, () => Keypair.random())
    const world = new ContractWorld()
    const master = world.account(1_000_000_000n, { thresholds: Uint8Array.of(1, 0, 20, 0), signers: pairs.map((pair) => signer(pair, 1)) })
    const answer = (chosen: ReadonlyArray<Keypair>) =>
      authenticatorOver(world).authenticate(addressIn(master), vec(...inOrder(chosen).map((pair) => by(pair))))
    assert.strictEqual(answer([]), refusals.none)
    assert.strictEqual(answer(pairs.slice(1)), refusals.tooLight)
    assert.strictEqual(answer(pairs), "success")
    assert.strictEqual(answer([...pairs, master]), refusals.tooMany)
  })

  it("sign the payload with the key that they name", () => {
    const { answer, heavy, light, master } = shared()
    const valid = signatureOf(master, payload).signature.value
    assert.strictEqual(answer(by(master, new Uint8Array(32).fill(6))), refusals.badSignature)
    assert.strictEqual(answer(signed(master.rawPublicKey(), signatureOf(light, payload).signature.value)), refusals.badSignature)
    assert.strictEqual(answer(by(light), by(heavy, new Uint8Array(32))), refusals.badSignature)
    assert.strictEqual(answer(signed(master.rawPublicKey(), valid.slice(1))), refusals.badSignature)
  })

  it("cannot move bytes between key, signature and payload", () => {
    const { answer, master } = shared()
    const signature = signatureOf(master, Buffer.concat([Uint8Array.of(7), payload])).signature.value
    const shifted = signed(
      Buffer.concat([master.rawPublicKey(), signature.slice(0, 1)]),
      Buffer.concat([signature.slice(1), Uint8Array.of(7)])
    )
    assert.match(answer(shifted), /^HostError: Error\((?:Crypto|Value), /)
  })

  it("are a list of keys with signatures", () => {
    const { answer, master, world } = shared()
    assert.strictEqual(authenticatorOver(world).authenticate(addressIn(master), voidVal), mismatch)
    assert.strictEqual(answer(voidVal), mismatch)
    assert.strictEqual(answer(struct({ public_key: bytes(master.rawPublicKey()) })), mismatch)
    assert.strictEqual(answer(struct({ public_key: symbol("key"), signature: bytes(payload) })), mismatch)
  })

  it("are refused where the account does not exist, or is something else", () => {
    const { master, world } = shared()
    const missing = Keypair.random()
    assert.strictEqual(authenticatorOver(world).authenticate(addressIn(missing), vec(by(missing))), refusals.noAccount)
    const line = new xdr.TrustLineEntry({
      accountId: idOf(master),
      asset: toTrustlineAsset(assetOf(missing)),
      balance: 0n,
      limit: int64Max,
      flags: 1,
      ext: xdr.TrustLineEntryExt.v0()
    })
    assert.strictEqual(
      authenticatorOver(world, "verify", newEntry(xdr.LedgerEntryData.trustline(line))).authenticate(addressIn(master), vec(by(master))),
      "HostError: Error(Storage, InternalError): ledger entry is not account"
    )
  })

  it("are taken as given where they are assumed, of accounts that exist", () => {
    const { master, world } = shared()
    const { authenticate, engine } = authenticatorOver(world, "assume")
    assert.strictEqual(authenticate(addressIn(master), voidVal), "success")
    assert.deepStrictEqual(engine.storage.final().map(({ access, key }) => [access, key]), [["readOnly", keyOfAccount(idOf(master))]])
    assert.strictEqual(authenticate(addressIn(Keypair.random()), voidVal), refusals.noAccount)
  })
})

it("checking signatures costs the same for each, and at least the price of one", () => {
  const { master, world } = shared()
  const costs = [voidVal, vec(), vec(voidVal), vec(voidVal, voidVal)].map((signature) => {
    const { authenticate, engine } = authenticatorOver(world, "assume")
    assert.strictEqual(authenticate(addressIn(master), signature), "success")
    return engine.meter.used
  })
  assert.deepStrictEqual(costs, [400_000, 400_000, 400_000, 800_000])
})
