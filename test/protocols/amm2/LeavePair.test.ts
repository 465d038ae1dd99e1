import { assert, describe, it } from "@effect/vitest"
import { contract as sdk, xdr } from "@stellar/stellar-sdk"
import type { ContractAddress } from "../../../src/domain/Address.ts"
import type { ContractCall } from "../../../src/operations/ContractCall.ts"
import { balance, feesEnabled, feeTo, inPair, routerFactory, totalPairs } from "../../../src/protocols/amm2/Keys.ts"
import type { Exit } from "../../../src/protocols/Exit.ts"
import { unitsOf } from "../../../src/protocols/HeldPosition.ts"
import type { EntryState, GetterState, LedgerView } from "../../../src/protocols/kit/LedgerView.ts"
import { decodePlaces } from "../../../src/protocols/Place.ts"
import { codeKey, contractDataKey, instanceKey } from "../../../src/stellar/ContractKeys.ts"
import { address, bool, contract, i128, u32 } from "../../../src/stellar/ScValCodec.ts"
import { keyText } from "../../../src/xdr/LedgerKeys.ts"
import { codeEntry, specOf } from "../support/Declared.ts"
import { exitIn } from "../support/Leaving.ts"
import { instanceVal, written } from "../support/Written.ts"
import { decoderOf, pairsRecorded, withPairs } from "./RecordedPairs.ts"

const recording = pairsRecorded("amm_2")
const more = pairsRecorded("amm_2_more")
const { user } = recording
const [pair, factory, router] = [recording.contract("pairXlmUsdc"), recording.contract("factory"), recording.contract("router")]
const [xlm, usdc] = [recording.contract("xlm"), recording.contract("usdc")]
const base = recording.view("deposited")
const decoder = withPairs(decoderOf(recording), base)

const hashOf = (name: string): string => recording.contracts[name]?.wasmHash ?? ""

type Entry = readonly [xdr.LedgerKey, xdr.ScVal | null]

/** A view with other values of some contract entries; null: missing. */
const viewWith = (
  entries: ReadonlyArray<Entry>,
  view: LedgerView = base,
  told: GetterState = { _tag: "Failed", reason: "nobody is asked" }
): LedgerView => {
  const states = new Map(
    entries.map(([key, val]): [string, EntryState] => [
      keyText(key),
      val === null ? { _tag: "Absent" } : { _tag: "Present", data: written(key, val), archived: false }
    ])
  )
  return { ...view, state: (key) => states.get(keyText(key)) ?? view.state(key), answer: () => told }
}

/** The instance of the pair, in numbers that do not divide evenly. */
interface Books {
  readonly reserves: readonly [bigint, bigint]
  readonly supply: bigint
  readonly held: bigint
  readonly own?: bigint
  readonly lastProduct?: bigint
  readonly names?: ContractAddress
  readonly code?: string
}

/** The pair with these books; its tokens hold the balance that it counts as its own. */
const pairWith = (
  { code = hashOf("pairXlmUsdc"), held, lastProduct, names = factory, own = 1_000n, reserves, supply }: Books
): ReadonlyArray<Entry> => [
  [
    instanceKey(pair),
    instanceVal(code, [
      [inPair.token0, contract.encode(xlm)],
      [inPair.token1, contract.encode(usdc)],
      [inPair.reserve0, i128.encode(reserves[0])],
      [inPair.reserve1, i128.encode(reserves[1])],
      [inPair.factory, contract.encode(names)],
      ...(lastProduct === undefined ? [] : [[inPair.lastProduct, i128.encode(lastProduct)] as const]),
      [inPair.totalSupply, i128.encode(supply)]
    ])
  ],
  [contractDataKey(pair, balance(user)), i128.encode(held)],
  [contractDataKey(pair, balance(pair)), i128.encode(own)],
  [contractDataKey(xlm, balance(pair)), i128.encode(reserves[0])],
  [contractDataKey(usdc, balance(pair)), i128.encode(reserves[1])]
]

const books: Books = { reserves: [1_000_003n, 2_000_029n], supply: 1_414_225n, held: 777_777n }

const position = { contract: pair, key: "shares" }

const leave = (view: LedgerView, maxSlippageBps = 50, protocol = decoder): Exit =>
  exitIn(protocol, position, { user, view, spendable: () => 0n, maxSlippageBps, deadline: 1_795_103_900n, withoutRewards: false })

const callIn = (exit: Exit): ContractCall => (exit._tag === "Calls" ? exit.calls[0] : assert.fail(JSON.stringify(exit)))

const paidIn = (exit: Exit) => callIn(exit).payouts.map(({ expected }) => expected)

const refusalIn = (exit: Exit) => (exit._tag === "Refused" ? exit.refusal : assert.fail(exit._tag))

const decoded = (view: LedgerView, protocol = decoder) => decodePlaces(protocol.places, user, view)

const detailIn = (view: LedgerView) => {
  const [row] = decoded(view).positions.find((one) => one.contract === pair)?.rows ?? []
  return row?.display?.detail
}

describe("leaving a pair", () => {
  it("takes all shares through the router, pays what they come to, and accepts no less than was agreed", () => {
    const call = callIn(leave(viewWith(pairWith(books))))
    // 1_000_003 * 777_777 / 1_414_225 = 549_968.5..., 2_000_029 * 777_777 / 1_414_225 = 1_099_949.8...
    assert.deepStrictEqual(call.payouts, [{ token: xlm, expected: 549_968n }, { token: usdc, expected: 1_099_949n }])
    assert.deepStrictEqual([call.contract, call.function, call.holds], [router, "remove_liquidity", [{ token: pair, amount: 777_777n }]])
    const args = [549_968n * 9_950n / 10_000n, 1_099_949n * 9_950n / 10_000n].map((floor) => i128.encode(floor).toXdr("base64"))
    assert.deepStrictEqual(call.args.slice(3, 5).map((arg) => arg.toXdr("base64")), args)
    assert.deepStrictEqual(call.args[6], xdr.ScVal.scvU64(1_795_103_900n))
    assert.deepStrictEqual(call.subCalls.map((sub) => [sub.contract, sub.function]), [[pair, "transfer"]])
    assert.deepStrictEqual(call.recipients, [pair])
  })

  it("never accepts nothing, however little is due and however much slippage is agreed", () => {
    const small = viewWith(pairWith({ ...books, held: 3n }))
    assert.deepStrictEqual(paidIn(leave(small, 5_000)), [2n, 4n])
    const floors = callIn(leave(viewWith(pairWith({ ...books, held: 2n })), 9_999)).args.slice(3, 5)
    assert.deepStrictEqual(floors, [i128.encode(1n), i128.encode(1n)])
  })

  it("pays gifts of tokens and of shares with the rest", () => {
    const gift = viewWith([...pairWith({ ...books, own: 1_000n + 222_223n }), [
      contractDataKey(usdc, balance(pair)),
      i128.encode(3_000_029n)
    ]])
    // A million shares then: 1_000_003_000_000 / 1_414_225 = 707_103.1..., 3_000_029_000_000 / 1_414_225 = 2_121_323.6...
    assert.deepStrictEqual(paidIn(leave(gift)), [707_103n, 2_121_323n])
  })

  it("names whoever is given the factory's part, which is made before anything is paid", () => {
    const settings = (value: boolean): Entry => [
      instanceKey(factory),
      instanceVal(hashOf("factory"), [
        [totalPairs, u32.encode(2)],
        [feesEnabled, bool.encode(value)],
        [feeTo, address.encode(recording.user)]
      ])
    ]
    // The last root is 500_000: 170_769 shares are minted first (Withdrawal.test.ts).
    const due = { ...books, lastProduct: 250_000_000_000n, held: 400_000n }
    const taking = callIn(leave(viewWith([...pairWith(due), settings(true)])))
    assert.deepStrictEqual(taking.payouts.map(({ expected }) => expected), [252_367n, 504_741n])
    assert.deepStrictEqual(taking.recipients, [pair, recording.user])
    const without = callIn(leave(viewWith([...pairWith(due), settings(false)])))
    assert.deepStrictEqual([without.payouts[0]?.expected, without.recipients], [282_841n, [pair]])
  })

  it("is over where nothing is held, and passes over dust, which is told", () => {
    assert.strictEqual(leave(viewWith([[contractDataKey(pair, balance(user)), i128.encode(0n)]]))._tag, "Gone")
    assert.strictEqual(leave(viewWith([[contractDataKey(pair, balance(user)), null]]))._tag, "Gone")
    const dust = viewWith(pairWith({ ...books, held: 1n }))
    assert.strictEqual(leave(dust)._tag, "Gone")
    const [found] = decoded(dust).positions
    assert.strictEqual(found?.dust, "0.0000000 XLM and 0.0000001 USDC")
    assert.strictEqual(
      detailIn(dust),
      "The shares are worth 0.0000000 XLM and 0.0000001 USDC now. The pair pays nothing if one side rounds to zero."
    )
  })

  it("is refused where one side comes to none and the other is worth something: nobody gives that up unasked", () => {
    const uneven = viewWith(pairWith({ reserves: [10n ** 12n, 100n], supply: 10n ** 7n, held: 99_999n }))
    const refusal = refusalIn(leave(uneven))
    assert.match(
      refusal._tag === "Unavailable" ? refusal.reason : "",
      /^The shares are worth 999\.9900000 XLM and 0\.0000000 USDC, and the pair pays nothing/
    )
    assert.isUndefined(decoded(uneven).positions[0]?.dust)
    const last = viewWith(pairWith({ reserves: [1_000n * 10n ** 7n, 100n], supply: 10n ** 7n, held: 1n }))
    assert.strictEqual(leave(last)._tag, "Gone", "a thousand units are dust")
    const next = viewWith(pairWith({ reserves: [1_001n * 10n ** 7n, 100n], supply: 10n ** 7n, held: 1n }))
    assert.strictEqual(leave(next)._tag, "Refused", "one more is not")
    // A source that shows a pair as empty does not hide the holding there.
    const emptied = (held: bigint) => viewWith(pairWith({ reserves: [1n, 1n], supply: 10n ** 7n, held }))
    assert.strictEqual(leave(emptied(1_000n))._tag, "Gone")
    assert.strictEqual(leave(emptied(1_001n))._tag, "Refused")
    assert.isUndefined(decoded(emptied(1_001n)).positions[0]?.dust)
  })

  it("is refused where the pair could not reckon it", () => {
    const huge = viewWith(pairWith({ reserves: [1n << 120n, 5n], supply: 1n << 60n, held: 1n << 20n }))
    assert.match(JSON.stringify(refusalIn(leave(huge))), /too large for the pair to compute/)
    assert.match(detailIn(huge) ?? "", /too large for the pair to compute/)
  })

  it("is refused where the router does not find the pair: another factory in the pair, or in the router", () => {
    const elsewhere = viewWith(pairWith({ ...books, names: usdc }))
    assert.match(JSON.stringify(refusalIn(leave(elsewhere))), /names another factory/)
    const other = viewWith([[instanceKey(router), instanceVal(hashOf("router"), [[routerFactory, contract.encode(usdc)]])]])
    assert.match(JSON.stringify(refusalIn(leave(other))), /No known router/)
  })

  it("calls neither a router nor a pair whose code is not known", () => {
    const strange = "ab".repeat(32)
    const views: ReadonlyArray<readonly [ContractAddress, LedgerView]> = [
      [router, viewWith([[instanceKey(router), instanceVal(strange, [[routerFactory, contract.encode(factory)]])]])],
      [pair, viewWith(pairWith({ ...books, code: strange }))]
    ]
    for (const [stranger, view] of views) {
      assert.deepStrictEqual(refusalIn(leave(view)), { _tag: "UnknownCode", contract: stranger, wasmHash: strange })
    }
  })

  it("goes by what a factory keeps, whatever code it runs", () => {
    const upgraded = viewWith([[instanceKey(factory), instanceVal("ab".repeat(32), [[totalPairs, u32.encode(2)]])]])
    assert.strictEqual(leave(upgraded)._tag, "Calls")
  })
})

describe("a token of a pair that keeps its balances elsewhere", () => {
  const hidden: Entry = [contractDataKey(usdc, balance(pair)), null]

  it("is asked, and what it does not tell is not taken for none", () => {
    for (const reports of [{ _tag: "Failed", reason: "it traps" }, { _tag: "Returned", value: i128.encode(-1n) }] as const) {
      // A single share would be dust by what the pair counts as its own.
      const view = viewWith([...pairWith({ ...books, held: 1n }), hidden], base, reports)
      assert.deepStrictEqual(refusalIn(leave(view)), {
        _tag: "Unavailable",
        reason: "A token of the pair does not report what the pair holds, so the payout is not known."
      })
      const { positions, unrecognized } = decoded(view)
      const held = positions.find((one) => one.contract === pair)
      assert.deepStrictEqual(unrecognized, [])
      assert.deepStrictEqual([held === undefined ? null : unitsOf(held), held?.dust], [1n, undefined])
      assert.deepStrictEqual(held?.givenUnder, contractDataKey(pair, balance(user)))
      assert.strictEqual(
        detailIn(view),
        "A token of the pair does not report what the pair holds. What the shares are worth is not known."
      )
    }
    const telling = viewWith([...pairWith(books), hidden], base, { _tag: "Returned", value: i128.encode(1_999_999n) })
    assert.deepStrictEqual(paidIn(leave(telling)), [549_968n, 1_099_933n])
    const unasked = { ...telling, answer: () => ({ _tag: "Unread" }) as const }
    const asking = leave(unasked)
    assert.deepStrictEqual(
      asking._tag === "Further" ? asking.questions : asking,
      [{ contract: usdc, function: "balance", args: [contract.encode(pair)], untrusted: true }]
    )
  })

  it("has none where the pair counts on none", () => {
    const view = viewWith([...pairWith({ ...books, reserves: [1_000_003n, 0n] }), hidden])
    assert.match(detailIn(view) ?? "", /and 0\.0000000 USDC now/)
  })
})

describe("what is shown of a pair", () => {
  it("has both tokens in their own units", () => {
    const plain = withPairs(decoderOf(more), more.view("plainPair"))
    const { enrichment, positions } = decodePlaces(plain.places, more.user, more.view("plainPair"))
    const found = positions.find((one) => one.contract === more.contract("pairPlainUsdc"))
    assert.deepStrictEqual(found?.rows[0]?.display, {
      pool: null,
      asset: "PLN/USDC",
      amount: null,
      collateralAmount: null,
      yieldPct: null,
      yieldKind: null,
      detail: "The shares are worth 99.999999 PLN and 105.5555553 USDC now."
    })
    assert.deepStrictEqual(enrichment[more.contract("plainToken")], { symbol: "PLN", decimals: 6, priceLumens: null, priceSource: null })
  })
})

describe("a pair whose code is known by what it declares", () => {
  const T = xdr.ScSpecTypeDef
  const [who, number] = [T.scSpecTypeAddress(), T.scSpecTypeI128()]
  const dataKey = xdr.ScSpecEntry.scSpecEntryUdtUnionV0(
    new xdr.ScSpecUdtUnionV0({
      doc: "",
      lib: "",
      name: "DataKey",
      cases: [
        xdr.ScSpecUdtUnionCaseV0.scSpecUdtUnionCaseTupleV0(
          new xdr.ScSpecUdtUnionCaseTupleV0({
            doc: "",
            name: "Allowance",
            type: [T.scSpecTypeUdt(new xdr.ScSpecTypeUdt({ name: "AllowanceDataKey" }))]
          })
        ),
        xdr.ScSpecUdtUnionCaseV0.scSpecUdtUnionCaseTupleV0(new xdr.ScSpecUdtUnionCaseTupleV0({ doc: "", name: "Balance", type: [who] })),
        xdr.ScSpecUdtUnionCaseV0.scSpecUdtUnionCaseVoidV0(new xdr.ScSpecUdtUnionCaseVoidV0({ doc: "", name: "TotalSupply" }))
      ]
    })
  )
  const functions = {
    initialize: [who, who, who],
    transfer: [who, who, number],
    balance: [who],
    total_supply: [],
    factory: [],
    withdraw: [who],
    get_reserves: [],
    k_last: []
  }
  const code = "cd".repeat(32)
  const declaring = (declared: Readonly<Record<string, ReadonlyArray<xdr.ScSpecTypeDef>>>): LedgerView => {
    const view = viewWith(pairWith({ ...books, code }))
    const data = codeEntry(code, new sdk.Spec([...specOf(declared).entries, dataKey]))
    return {
      ...view,
      state: (key) => (keyText(key) === keyText(codeKey(code)) ? { _tag: "Present", data, archived: false } : view.state(key))
    }
  }
  const permitting = withPairs(decoderOf(recording, { byInterface: true }), base)

  it("is left, with its code named below the router's, and told", () => {
    const view = declaring(functions)
    assert.deepStrictEqual(callIn(leave(view, 50, permitting)).codeBelow, [code])
    assert.deepStrictEqual(decoded(view, permitting).positions.find((one) => one.contract === pair)?.knownByInterface, [pair])
  })

  it("is not left where the operator refuses such code, or it declares less", () => {
    assert.strictEqual(refusalIn(leave(declaring(functions)))._tag, "UnknownCode")
    assert.strictEqual(refusalIn(leave(declaring({ ...functions, withdraw: [who, number] }), 50, permitting))._tag, "UnknownCode")
  })
})
