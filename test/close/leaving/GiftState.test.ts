import { assert, describe, it } from "@effect/vitest"
import { Address } from "@stellar/stellar-sdk"
import { withGiftStates } from "../../../src/close/leaving/payouts/GiftState.ts"
import { noExits } from "../../../src/close/situation/Exits.ts"
import type { PlannedExit } from "../../../src/close/situation/PlannedExit.ts"
import { ContractAddress } from "../../../src/domain/Address.ts"
import { accountKey } from "../../../src/xdr/LedgerKeys.ts"
import { exitOf, smallClose } from "../support/SmallClose.ts"
import { leave } from "./support/Simulating.ts"

const { address, situation: at } = smallClose()
const { snapshot, ...situation } = at()

const numbered = (kind: number, number: number): ContractAddress =>
  ContractAddress.make(Address.contract(Buffer.from([...Buffer.alloc(28), kind, 0, number >> 8, number & 0xff])).toString())

const poolOf = (number: number) => numbered(1, number)
const tokenOf = (number: number) => numbered(2, number)

/** Shares that others can give, of a pool of its own, which pay a token that nothing is known to buy. */
const given = (number: number, token = tokenOf(number)): PlannedExit =>
  exitOf({
    id: `position:amm_2:${poolOf(number)}:shares`,
    position: { protocol: "amm_2", contract: poolOf(number), pays: [token], givenUnder: accountKey(address) },
    exit: { _tag: "Calls", calls: [{ ...leave, contract: poolOf(number), payouts: [{ token, expected: 5n }] }], unlocksAt: null },
    gift: { cameLater: false, wasSeen: false, leftSince: false }
  })

/** The decision point that each position shares with others; null: it has its own. */
const groupsOf = (
  planned: ReadonlyArray<PlannedExit>,
  { called = [], unquoted = [] }: { readonly called?: ReadonlyArray<ContractAddress>; readonly unquoted?: ReadonlyArray<ContractAddress> }
): ReadonlyArray<string | null> =>
  withGiftStates({
    ...situation,
    snapshot: { ...snapshot, called: new Set(called) },
    exits: { ...noExits, planned, unquotedGifts: new Set(unquoted) }
  }).planned.map(({ giftState }) => giftState?._tag === "Open" ? giftState.group : assert.fail("a position is not open"))

const all = (count: number, one: (number: number) => PlannedExit = given) => Array.from({ length: count }, (_, number) => one(number))

describe("positions that others can give and that nothing buys", () => {
  it("share one decision point where there are more than 200", () => {
    assert.deepStrictEqual(groupsOf(all(201), {}), Array.from({ length: 201 }, () => "positions:others"))
    assert.deepStrictEqual(groupsOf(all(200), {}), Array.from({ length: 200 }, () => "positions:amm_2"))
  })

  it("keep a point each where the account's own calls named their contracts", () => {
    const own = [poolOf(40), poolOf(230)]
    const groups = groupsOf(all(250), { called: own })
    assert.deepStrictEqual([groups[40], groups[230]], [null, null])
    assert.strictEqual(groups.filter((group) => group === "positions:others").length, 248)
    assert.deepStrictEqual(
      groupsOf(all(30), { called: all(30).map((_, number) => poolOf(number)) }),
      Array.from({ length: 30 }, () => null)
    )
  })

  it("do not count among those without a buyer where a payout was not quoted: they can then be exited together", () => {
    const unquoted = all(250).map((_, number) => tokenOf(number)).slice(20)
    assert.deepStrictEqual(groupsOf(all(250), { unquoted }), Array.from({ length: 250 }, () => "positions:amm_2"))
    const dust = (number: number) => given(number, number < 201 ? tokenOf(0) : tokenOf(number))
    const groups = groupsOf(all(250, dust), { unquoted })
    assert.deepStrictEqual(groups.slice(0, 201), Array.from({ length: 201 }, () => "positions:others"))
    assert.deepStrictEqual(groups.slice(201), Array.from({ length: 49 }, () => "positions:amm_2"))
  })
})
