import { assert, describe, it } from "@effect/vitest"
import {
  Account,
  Address,
  Asset,
  Claimant,
  Keypair,
  nativeToScVal,
  Operation,
  SorobanDataBuilder,
  TransactionBuilder,
  xdr
} from "@stellar/stellar-sdk"
import { Either, Schema } from "effect"
import { placesIn } from "../../src/chain/xdr/XdrPlaces.ts"
import { ScValText } from "../../src/chain/xdr/XdrText.ts"
import { isWhole } from "../../src/chain/xdr/XdrWalk.ts"
import { passphrase } from "./support/Scripted.ts"

const [source, other] = [Keypair.random(), Keypair.random()]
const contract = Address.contract(Buffer.alloc(32, 5))

const key = (index: number) =>
  xdr.LedgerKey.contractData(
    new xdr.LedgerKeyContractData({
      contract: contract.toScAddress(),
      key: nativeToScVal({ of: ["Positions", index], for: source.publicKey(), much: 1n << 90n, bytes: Buffer.alloc(index) }),
      durability: xdr.ContractDataDurability.persistent
    })
  )

const footprint = {
  readOnly: [key(1), key(2), key(3)],
  readWrite: [key(4), xdr.LedgerKey.contractCode(new xdr.LedgerKeyContractCode({ hash: new xdr.Hash(Buffer.alloc(32, 9)) }))]
}

const building = () =>
  new TransactionBuilder(new Account(source.publicKey(), "7"), { fee: "100", networkPassphrase: passphrase }).setTimeout(300)

const call = () =>
  building().addOperation(
    Operation.invokeContractFunction({
      contract: contract.toString(),
      function: "submit",
      args: [nativeToScVal([1, "two", { three: 3n }])],
      source: other.publicKey()
    })
  )
    .setSorobanData(new SorobanDataBuilder().setReadOnly(footprint.readOnly).setReadWrite(footprint.readWrite).build()).build()

const classic = () =>
  building().addOperation(Operation.payment({ destination: other.publicKey(), asset: new Asset("EURC", other.publicKey()), amount: "3" }))
    .addOperation(Operation.manageData({ name: "odd", value: Buffer.alloc(13, 1) }))
    .addOperation(
      Operation.createClaimableBalance({
        asset: Asset.native(),
        amount: "1",
        claimants: [new Claimant(other.publicKey(), Claimant.predicateNot(Claimant.predicateUnconditional()))]
      })
    )
    .addOperation(Operation.bumpSequence({ bumpTo: "99" })).setMinAccountSequence("3").build()

const envelopes = () => {
  const [called, bumped] = [call(), classic()]
  bumped.sign(source)
  const all = [called, classic(), TransactionBuilder.buildFeeBumpTransaction(other, "200", bumped, passphrase)]
  for (const one of all) one.sign(source, other)
  return all.map((one) => Buffer.from(one.toXDR(), "base64"))
}

const isOne = (bytes: Buffer): boolean => xdr.TransactionEnvelope.validateXdr(bytes)

describe("a walk through the XDR of an envelope", () => {
  it("takes what the SDK decodes, and nothing else: any byte changed, left out or added", () => {
    let refused = 0
    for (const bytes of envelopes()) {
      assert.isTrue(isWhole(xdr.TransactionEnvelope, bytes))
      for (let at = 0; at < bytes.length; at++) {
        for (const value of [0, 1, 2, 7, 255]) {
          const changed = Buffer.from(bytes)
          changed[at] = value
          const is = isOne(changed)
          assert.strictEqual(isWhole(xdr.TransactionEnvelope, changed), is, `byte ${at} made ${value}`)
          if (!is) refused++
        }
        assert.isFalse(isWhole(xdr.TransactionEnvelope, bytes.subarray(0, at)))
      }
      assert.isFalse(isWhole(xdr.TransactionEnvelope, Buffer.concat([bytes, Buffer.alloc(4)])))
    }
    assert.isAbove(refused, 1_000)
  })

  it("finds each part where the SDK has it", () => {
    const [called, plain, bumped] = envelopes()
    const listAt = (bytes: Buffer, ...path: ReadonlyArray<string>) =>
      placesIn(xdr.TransactionEnvelope, { list: [path] })(bytes)?.list?.map(({ from, to }) =>
        bytes.subarray(from, to).toString("base64")
      ) ?? null
    const to64 = (all: ReadonlyArray<{ readonly toXdr: (format: "base64") => string }>) => all.map((one) => one.toXdr("base64"))
    const footprintPath = ["v1", "tx", "ext", "sorobanData", "resources", "footprint"]
    assert.deepStrictEqual(listAt(called!, ...footprintPath, "readOnly"), to64(footprint.readOnly))
    assert.deepStrictEqual(listAt(called!, ...footprintPath, "readWrite"), to64(footprint.readWrite))
    assert.isNull(listAt(plain!, ...footprintPath, "readOnly"))
    const decoded = xdr.TransactionEnvelope.fromXdr(bumped!)
    const inner = decoded.type === "envelopeTypeTxFeeBump" ? decoded.feeBump.tx.innerTx.v1.tx : assert.fail("no fee bump")
    assert.deepStrictEqual(listAt(bumped!, "feeBump", "tx", "innerTx", "v1", "tx", "operations"), to64(inner.operations))
    assert.isNull(listAt(bumped!, "v1", "tx"))
    assert.deepStrictEqual(listAt(bumped!, "feeBump", "tx", "innerTx", "v1", "tx"), to64([inner]))
  })
})

describe("XDR as sources write it", () => {
  it("is read from base64 in every spelling that the SDK reads, and from nothing else", () => {
    const value = nativeToScVal("??>>~~ what has to be padded")
    const text = value.toXdr("base64")
    const spellings = [
      text,
      text.replace(/=+$/, ""),
      text.replaceAll("+", "-").replaceAll("/", "_"),
      `${text.slice(0, 8)}\n${text.slice(8)}`
    ]
    for (const spelling of spellings) assert.isTrue(Either.getOrThrow(Schema.decodeEither(ScValText)(spelling)).equals(value), spelling)
    for (const wrong of ["", "?", `${text}!`, text.slice(4), `${text}AAAA`, `${text.slice(0, 8)}$${text.slice(8)}`]) {
      assert.isTrue(Either.isLeft(Schema.decodeEither(ScValText)(wrong)), wrong)
    }
  })
})
