import { assert, describe, it } from "@effect/vitest"
import { Keypair, xdr } from "@stellar/stellar-sdk"
import { native, toTrustlineAsset } from "../../../src/ledger/Asset.ts"
import { nonRefundableFee } from "../../../src/ledger/soroban/ResourceFee.ts"
import { declaredResources, envelopeSize } from "../../../src/ledger/soroban/Resources.ts"
import { type Settings, testNetworkSettings } from "../../../src/ledger/soroban/Settings.ts"
import { hasSoundResourceFee, validateSoroban } from "../../../src/ledger/soroban/SorobanRules.ts"
import {
  keyOfAccount,
  keyOfClaimableBalance,
  keyOfCode,
  keyOfConfigSetting,
  keyOfData,
  keyOfInstance,
  keyOfOffer,
  keyOfPool,
  keyOfTrustline,
  keyOfTtl
} from "../../../src/xdr/LedgerKeys.ts"
import { assetOf, extend, poolOf, restore, shareOf, withId } from "../support/Bodies.ts"
import { addressOf, idOf } from "../support/World.ts"
import { ample, withResources } from "./support/ContractWorld.ts"
import { contract, keyNamed } from "./support/Entries.ts"
import { operationOf, transactionOf } from "./support/Operations.ts"

const [alice, bob, issuer] = [Keypair.random(), Keypair.random(), Keypair.random()]
const [a, b, c, lent] = [keyNamed("a"), keyNamed("b"), keyNamed("c"), keyNamed("a", "temporary")]
const [instance, code, account] = [keyOfInstance(contract), keyOfCode(new Uint8Array(32)), keyOfAccount(idOf(bob))]
const line = (asset: xdr.Asset, holder = alice) => keyOfTrustline(idOf(holder), toTrustlineAsset(asset))

const call = xdr.OperationBody.invokeHostFunction(operationOf(contract, "work"))

/** Fields of a transaction that differ from those of a call that nothing is wrong with. */
interface Shape extends NonNullable<Parameters<typeof transactionOf>[3]> {
  readonly bodies?: ReadonlyArray<xdr.OperationBody>
  readonly data?: xdr.SorobanTransactionData | null
}

const plenty = ample([instance, code, account], [a, lent])

const built = ({ bodies = [call], data = plenty, ...fields }: Shape): xdr.Transaction =>
  transactionOf(alice, bodies, data === null ? xdr.TransactionExt.v0() : xdr.TransactionExt.sorobanData(data), {
    fee: 10_000_000,
    ...fields
  })

const signatures = [new xdr.DecoratedSignature({ hint: new Uint8Array(4), signature: new Uint8Array(64) })]

/** What is wrong with a transaction; undefined where nothing is. */
const wrongWith = (shape: Shape, settings: Partial<Settings> = {}, paysFee = true) =>
  validateSoroban(
    { _tag: "PlainTransaction", tx: built(shape), signatures, hash: new Uint8Array(32), source: idOf(alice) },
    { ...testNetworkSettings, ...settings },
    paysFee
  )

/** The same for a footprint. */
const wrongWithKeys = (readOnly: Array<xdr.LedgerKey>, readWrite: Array<xdr.LedgerKey>, archived?: Array<number>) =>
  wrongWith({ data: withResources(plenty, { readOnly, readWrite, ...(archived === undefined ? {} : { archived }) }) })

const invalid = "txSorobanInvalid" as const
const malformed = "txMalformed" as const

describe("the resources of a contract transaction", () => {
  const most = 1n << 50n
  const priced = (resourceFee: bigint) => withResources(plenty, { resourceFee })

  it("have a fee from nothing to a bound", () => {
    const fees = [-1n, 0n, 1n, most - 1n, most, most + 1n]
    const sound = fees.map((fee) => hasSoundResourceFee(built({ data: priced(fee) })))
    assert.deepStrictEqual(sound, [false, true, true, true, true, false])
    assert.isFalse(hasSoundResourceFee(built({ data: null })))
  })

  it("must be there with such a fee, before anything else is looked at", () => {
    assert.isUndefined(wrongWith({}))
    const memo = xdr.Memo.memoId(1n)
    for (const bad of [null, priced(-1n), priced(most + 1n)]) {
      assert.deepStrictEqual([wrongWith({ data: bad }), wrongWith({ data: bad, memo })], [malformed, malformed])
    }
    assert.strictEqual(wrongWith({ data: priced(most) }), invalid, "the fee is sound, yet more than the transaction bids")
    assert.isUndefined(wrongWith({ data: priced(most) }, {}, false))
  })

  it("are paid out of the whole fee, but for the inner transaction of a fee bump", () => {
    const { resourceFee } = plenty
    const asked = [Number(resourceFee) - 1, Number(resourceFee), Number(resourceFee) + 1]
    assert.deepStrictEqual(asked.map((fee) => wrongWith({ fee })), [invalid, undefined, undefined])
    assert.deepStrictEqual(asked.map((fee) => wrongWith({ fee }, {}, false)), [undefined, undefined, undefined])
  })

  it("cost at least what is never given back", () => {
    for (const [bodies, isRestore] of [[[call], false], [[restore], true]] as const) {
      const size = envelopeSize(built({ bodies }), signatures)
      const least = nonRefundableFee(declaredResources(plenty, isRestore, size), testNetworkSettings)
      const wrong = [least - 1n, least, least + 1n].map((fee) => wrongWith({ bodies, data: priced(fee) }))
      assert.deepStrictEqual(wrong, [invalid, undefined, undefined])
    }
  })
})

describe("a memo or a multiplexed source", () => {
  const memos = [
    xdr.Memo.memoText("a"),
    xdr.Memo.memoId(0n),
    xdr.Memo.memoHash(new Uint8Array(32)),
    xdr.Memo.memoReturn(new Uint8Array(32))
  ]
  const others: ReadonlyArray<Shape> = [...memos.map((memo) => ({ memo })), { sourceAccount: withId(alice, 1n) }, {
    operationSource: withId(bob, 1n)
  }]

  it("each makes a call invalid", () => {
    assert.deepStrictEqual(others.map((shape) => wrongWith(shape)), others.map(() => invalid))
    assert.isUndefined(wrongWith({ operationSource: addressOf(bob) }))
  })

  it("may be in a transaction that restores or extends, or holds no operation", () => {
    for (const bodies of [[restore], [extend(1)], []]) {
      assert.deepStrictEqual(others.map((shape) => wrongWith({ ...shape, bodies })), others.map(() => undefined))
    }
  })
})

describe("limits", () => {
  /** Entries of the archive are read from disk: with the account there are three. */
  const declared = withResources(ample([instance, code, account], [a, lent, b]), { archived: [0, 2] })
  const { diskReadBytes, instructions, writeBytes } = declared.resources
  const size = envelopeSize(built({ data: declared }), signatures)
  const longest = keyNamed("a".repeat(32))
  const keySize = longest.toXdr().length

  /** Settings that the transaction just fits. */
  const tight = {
    txMaxInstructions: BigInt(instructions),
    txMaxDiskReadBytes: diskReadBytes,
    txMaxWriteBytes: writeBytes,
    txMaxFootprintEntries: 6,
    txMaxDiskReadEntries: 3,
    txMaxWriteEntries: 3,
    txMaxSize: size
  } satisfies Partial<Settings>

  it("let through what just fits", () => assert.isUndefined(wrongWith({ data: declared }, tight)))

  for (const name of Object.keys(tight) as ReadonlyArray<keyof typeof tight>) {
    it(`refuse what exceeds ${name} by one`, () => {
      const smaller = name === "txMaxInstructions" ? tight[name] - 1n : tight[name] - 1
      assert.strictEqual(wrongWith({ data: declared }, { ...tight, [name]: smaller }), invalid)
    })
  }

  it("hold for the bytes of every key", () => {
    for (const data of [ample([a, longest, b], [c]), ample([a], [b, longest, c])]) {
      const wrong = [keySize - 1, keySize, keySize + 1].map((maxDataKeySize) => wrongWith({ data }, { maxDataKeySize }))
      assert.deepStrictEqual(wrong, [invalid, undefined, undefined])
    }
  })

  it("count all that a restore writes as read from disk", () => {
    const shape = { bodies: [restore], data: ample([], [a, b]) }
    const wrong = [1, 2].map((txMaxDiskReadEntries) => wrongWith(shape, { txMaxDiskReadEntries }))
    assert.deepStrictEqual(wrong, [invalid, undefined])
    assert.isUndefined(wrongWith({ data: ample([], [a, b]) }, { txMaxDiskReadEntries: 0 }))
  })
})

describe("the footprint", () => {
  const usd = assetOf(issuer)
  const touched: ReadonlyArray<readonly [string, xdr.LedgerKey, boolean]> = [
    ["an account", account, true],
    ["an instance", instance, true],
    ["temporary data", lent, true],
    ["code", code, true],
    ["a holder's trustline", line(usd), true],
    ["a trustline of pool shares", keyOfTrustline(idOf(alice), shareOf(usd, native)), true],
    ["the issuer's own trustline", line(usd, issuer), false],
    ["a trustline of native coins", line(native), false],
    ["a trustline of an asset with a bad code", line(assetOf(issuer, "U D")), false],
    ["an offer", keyOfOffer(idOf(alice), 1n), false],
    ["data of an account", keyOfData(idOf(alice), "name"), false],
    ["a claimable balance", keyOfClaimableBalance(xdr.ClaimableBalanceId.claimableBalanceIdTypeV0(new Uint8Array(32))), false],
    ["a pool", keyOfPool(poolOf(usd, native)), false],
    ["a setting", keyOfConfigSetting(xdr.ConfigSettingId.configSettingStateArchival), false],
    ["a life", keyOfTtl(new Uint8Array(32)), false]
  ]
  for (const [name, key, may] of touched) {
    it(`may ${may ? "" : "not "}name ${name}`, () => {
      const expected = may ? undefined : invalid
      const footprints: ReadonlyArray<[Array<xdr.LedgerKey>, Array<xdr.LedgerKey>]> = [[[a, key], [b]], [[a], [key, b]], [[key], []], [[], [
        key
      ]]]
      assert.deepStrictEqual(footprints.map((keys) => wrongWithKeys(...keys)), footprints.map(() => expected))
    })
  }

  it("may be empty, and names no key twice", () => {
    assert.deepStrictEqual([wrongWithKeys([], []), wrongWithKeys([a], [b]), wrongWithKeys([a, b], [lent, c])], [
      undefined,
      undefined,
      undefined
    ])
    const twice = [wrongWithKeys([a, b, a], []), wrongWithKeys([], [c, a, a]), wrongWithKeys([a, b], [c, a])]
    assert.deepStrictEqual(twice, [invalid, invalid, invalid])
  })

  it("names archived entries in ascending order, each of them once", () => {
    const named = (...archived: Array<number>) => wrongWithKeys([], [a, b, c], archived)
    assert.deepStrictEqual(
      [named(), named(0), named(2), named(0, 1), named(0, 2), named(0, 1, 2)],
      Array.from({ length: 6 }, () => undefined)
    )
    const unordered = [named(1, 0), named(2, 1), named(0, 0), named(1, 1), named(0, 2, 1), named(1, 2, 0)]
    assert.deepStrictEqual(unordered, unordered.map(() => invalid))
  })

  it("names archived entries only where they are written and lasting", () => {
    const named = (...archived: Array<number>) => wrongWithKeys([instance, code], [a, lent, account, b], archived)
    assert.deepStrictEqual([0, 1, 2, 3, 4, 5].map((index) => named(index)), [undefined, invalid, invalid, undefined, invalid, invalid])
    assert.deepStrictEqual([named(0, 3), named(0, 4), named(0, 1)], [undefined, invalid, invalid])
  })
})
