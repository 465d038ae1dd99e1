import { assert, describe, it } from "@effect/vitest"
import { scValToBigInt, xdr } from "@stellar/stellar-sdk"
import { effectProblem } from "../../src/close/leaving/simulation/CallEffects.ts"
import type { ContractAddress } from "../../src/domain/Address.ts"
import { authorizationProblem } from "../../src/operations/ContractCall.ts"
import type { ContractCall } from "../../src/operations/ContractCall.ts"
import type { Exit } from "../../src/protocols/Exit.ts"
import type { HeldPosition } from "../../src/protocols/HeldPosition.ts"
import type { EntryState, LedgerView } from "../../src/protocols/kit/LedgerView.ts"
import { lend1 } from "../../src/protocols/Lend1.ts"
import * as Entries from "../../src/protocols/lend1/Entries.ts"
import * as Keys from "../../src/protocols/lend1/Keys.ts"
import { decodePlaces } from "../../src/protocols/Place.ts"
import { WasmHash } from "../../src/registry/ContractAddresses.ts"
import { contractDataKey } from "../../src/stellar/ContractKeys.ts"
import { i128 } from "../../src/stellar/ScValCodec.ts"
import { keyText } from "../../src/xdr/LedgerKeys.ts"
import { exitIn, terms } from "./support/Leaving.ts"
import { amount, authOf, changesOf, recorded } from "./support/Recorded.ts"
import type { RecordedCall } from "./support/Recorded.ts"
import { written } from "./support/Written.ts"

const v2 = recorded("lend_1")
const v1 = recorded("lend_1_v1")
const backstop = recorded("lend_1_backstop")

const hash = (recording: typeof v2, name: string) => [WasmHash.make(recording.contracts[name]?.wasmHash ?? "")] as const

const protocols = {
  v2: lend1({ pools: [v2.contract("pool")], backstops: [], comets: [], factories: [], code: { poolV2: hash(v2, "pool") } }),
  v1: lend1({ pools: [v1.contract("poolV1")], backstops: [], comets: [], factories: [], code: { poolV1: hash(v1, "poolV1") } }),
  backstop: lend1({
    pools: [backstop.contract("pool")],
    backstops: [backstop.contract("backstop")],
    comets: [backstop.contract("comet")],
    factories: [],
    code: { poolV2: hash(backstop, "pool"), backstopV2: hash(backstop, "backstop"), backstopToken: hash(backstop, "comet") }
  })
}

const wallet = (recording: typeof v2, state: string) => (token: ContractAddress): bigint => {
  const name = Object.entries(recording.contracts).find(([, { address }]) => address === token)?.[0]
  return amount(recording.fact(state, `user.${name}`) ?? 0)
}

const held = (which: keyof typeof protocols, recording: typeof v2, view: LedgerView): ReadonlyArray<HeldPosition> => {
  const decoded = decodePlaces(protocols[which].places, recording.user, view)
  assert.deepStrictEqual(decoded.unrecognized, [])
  assert.deepStrictEqual(decoded.further, [])
  return decoded.positions
}

const leave = (
  which: keyof typeof protocols,
  recording: typeof v2,
  state: string,
  contract: string,
  options: {
    readonly deadline?: bigint
    readonly spendable?: (token: ContractAddress) => bigint
    readonly withoutRewards?: boolean
    readonly buysWith?: ContractAddress
    readonly view?: LedgerView
  } = {}
): Exit => {
  const view = options.view ?? recording.view(state)
  const position = held(which, recording, view).find((one) => one.contract === recording.contract(contract))
  if (position === undefined) return { _tag: "Gone" }
  return exitIn(protocols[which], position, {
    user: recording.user,
    view,
    ...terms(view),
    deadline: options.deadline ?? view.closeTime,
    spendable: options.spendable ?? wallet(recording, state),
    withoutRewards: options.withoutRewards ?? false,
    ...(options.buysWith === undefined ? {} : { buysWith: options.buysWith })
  })
}

/** The debt of a token that the position shows this many seconds after a view; base units. */
const owedLater = (view: LedgerView, token: ContractAddress, seconds: bigint): bigint => {
  const [position] = held("v2", v2, { ...view, closeTime: view.closeTime + seconds }).filter(({ contract }) =>
    contract === v2.contract("pool")
  )
  return position?.owes.find((owed) => owed.token === token)?.amount ?? 0n
}

/** Seconds after its read for which a repayment is still enough. */
const wait = 600n

const calls = (exit: Exit): ReadonlyArray<ContractCall> => {
  if (exit._tag !== "Calls") {
    throw new Error(`${exit._tag}: ${JSON.stringify(exit, (_, value) => (typeof value === "bigint" ? `${value}` : value))}`)
  }
  return exit.calls
}

const texts = (args: ReadonlyArray<xdr.ScVal>) => args.map((arg) => arg.toXdr("base64"))

/**
 * Checks that the call and its authorization equal the recorded ones byte for byte, and that the real contract had the declared effects.
 */
const same = (recording: typeof v2, call: ContractCall | undefined, record: RecordedCall) => {
  assert.strictEqual(call?.contract, record.contract)
  assert.strictEqual(call?.function, record.function)
  assert.deepStrictEqual(texts(call?.args ?? []), [...record.args])
  if (call === undefined) return
  assert.isNotEmpty(record.auth)
  assert.isNull(authorizationProblem(call, recording.user, authOf(record)))
  assert.isNull(effectProblem({ call, user: recording.user, changes: changesOf(record), assets: recording.assets }))
}

describe("leaving a lend_1 pool", () => {
  it("repays and withdraws everything in one submit, then claims what outlives it, as recorded", () => {
    const [submit, foreseen, ...others] = calls(leave("v2", v2, "interest3d", "pool"))
    assert.isEmpty(others)
    const whole = v2.call("one submit, dry")
    same(v2, submit, whole)
    const earned = [{ token: v2.contract("blnd"), expected: amount(v2.fact("interest3d", "claimableBLND")) }]
    assert.deepStrictEqual([foreseen?.function, foreseen?.payouts], ["claim", earned])
    // Only rewards are left after the real contract's call: the position keeps its name until they are claimed.
    const view = v2.viewAt(whole, [whole.name])
    assert.deepStrictEqual(
      held("v2", v2, view).map(({ key, rows }) => [key, rows.map((row) => (row.positionType === "supply" ? row.bTokenAmount : row))]),
      [["reserves", ["0"]]]
    )
    const [claim, ...more] = calls(leave("v2", v2, "interest3d", "pool", { view }))
    assert.isEmpty(more)
    same(v2, claim, v2.call("exit 1"))
    assert.deepStrictEqual(claim?.payouts, earned)
    assert.strictEqual(leave("v2", v2, "interest3d", "pool", { view, withoutRewards: true })._tag, "Gone")
  })

  it("claims first where a debt lacks what the claim pays, and needs only the rest", () => {
    const view = v2.view("interest3d")
    // The debt is in the pool's own reward token, a hundred times as much of it.
    const key = contractDataKey(v2.contract("pool"), Keys.reserveList)
    const listed = Entries.ReserveList.encode([v2.contract("xlm"), v2.contract("usdc"), v2.contract("blnd")])
    const moved = (name: "config" | "data") => {
      const of = name === "config" ? Keys.reserveConfig : Keys.reserveData
      const found = view.state(contractDataKey(v2.contract("pool"), of(v2.contract("eurc"))))
      const at = contractDataKey(v2.contract("pool"), of(v2.contract("blnd")))
      return [keyText(at), { ...found }] as const
    }
    const own = contractDataKey(v2.contract("pool"), Keys.positions(v2.user))
    const positions = Entries.Positions.encode({ collateral: [[0, 199_995_561_742n]], liabilities: [[2, 500_000_000_000n]], supply: [] })
    const present = (one: xdr.LedgerKey, value: xdr.ScVal) =>
      [keyText(one), { _tag: "Present", data: written(one, value), archived: false } as const] as const
    const changed = new Map<string, EntryState>([present(key, listed), present(own, positions), moved("config"), moved("data")])
    // No rewards accrue on the debt; otherwise they would exceed it.
    changed.set(keyText(contractDataKey(v2.contract("pool"), Keys.emissionData(4))), { _tag: "Absent" })
    const owing: LedgerView = { ...view, state: (asked) => changed.get(keyText(asked)) ?? view.state(asked) }
    const withBlnd = (units: bigint) => (token: ContractAddress) => (token === v2.contract("blnd") ? units : 0n)
    const leaving = (units: bigint) => leave("v2", v2, "interest3d", "pool", { view: owing, spendable: withBlnd(units) })
    const names = (units: bigint) => calls(leaving(units)).map((call) => call.function)
    const needed = 500_543_708_049n
    const [, claim] = calls(leaving(needed))
    const earned = claim?.payouts[0]?.expected ?? 0n
    assert.isTrue(earned > 1_000_000_000n && earned < needed / 2n, `${earned}`)
    assert.deepStrictEqual(names(needed), ["submit", "claim"])
    assert.deepStrictEqual(names(needed - earned), ["claim", "submit"])
    const short = leaving(needed - 2n * earned)
    const owed = owedLater(owing, v2.contract("blnd"), wait)
    assert.deepStrictEqual(short._tag === "Refused" ? short.refusal : short, {
      _tag: "RepayAssetShort",
      token: v2.contract("blnd"),
      needed: owed,
      held: needed - earned
    })
  })

  it("claims first where what it pays is to buy what a debt lacks, and foresees no more", () => {
    const blnd = v2.contract("blnd")
    const exit = leave("v2", v2, "interest3d", "pool", { spendable: () => 0n, buysWith: blnd })
    assert.deepStrictEqual(exit._tag === "Calls" ? [exit.calls.map((call) => call.function), exit.leadsOn] : exit, [["claim"], true])
    assert.strictEqual(leave("v2", v2, "interest3d", "pool", { spendable: () => 0n, buysWith: v2.contract("xlm") })._tag, "Refused")
    assert.strictEqual(leave("v2", v2, "claimed", "pool", { spendable: () => 0n, buysWith: blnd })._tag, "Refused")
  })

  it("what is left once it was claimed is too little to be claimed again", () => {
    const [submit, ...others] = calls(leave("v2", v2, "claimed", "pool"))
    assert.isEmpty(others)
    same(v2, submit, v2.call("exit 2"))
  })

  it("leaves rewards alone when that was decided", () => {
    const [submit, ...others] = calls(leave("v2", v2, "interest3d", "pool", { withoutRewards: true }))
    assert.isEmpty(others)
    same(v2, submit, v2.call("one submit, dry"))
  })

  it("a supply alone is withdrawn without repaying anything", () => {
    const [submit, ...others] = calls(leave("v2", v2, "supplyOnly", "pool"))
    assert.isEmpty(others)
    assert.deepStrictEqual(submit?.holds, [])
    assert.deepStrictEqual(submit?.payouts, [{ token: v2.contract("usdc"), expected: 2_999_999_999n }])
  })

  it("v1 as recorded, but for the margin of the repayment", () => {
    const record = v1.call("v1 exit")
    const [submit, ...others] = calls(leave("v1", v1, "v1Interest3d", "poolV1"))
    assert.isEmpty(others)
    assert.strictEqual(submit?.contract, record.contract)
    assert.strictEqual(submit?.function, record.function)
    const requests = (args: ReadonlyArray<string>) => {
      const value = xdr.ScVal.fromXdr(args[3] ?? "", "base64")
      if (value.type !== "scvVec" || value.vec === null) throw new Error("no requests")
      return value.vec.map((request) => {
        if (request.type !== "scvMap" || request.map === null) throw new Error("no request")
        const [address, asked, kind] = request.map.map(({ val }) => val)
        if (address === undefined || asked === undefined || kind === undefined) throw new Error("no request")
        return { address: address.toXdr("base64"), asked: scValToBigInt(asked), kind: kind.toXdr("base64") }
      })
    }
    const ours = requests(texts(submit?.args ?? []))
    const theirs = requests(record.args)
    assert.deepStrictEqual(texts(submit?.args ?? []).slice(0, 3), record.args.slice(0, 3))
    assert.deepStrictEqual(ours.slice(1), theirs.slice(1))
    assert.strictEqual(ours[0]?.address, theirs[0]?.address)
    // The recorded call used 2.5 %; the debt was 2000168494.
    assert.strictEqual(ours[0]?.asked, 2_002_168_663n)
    assert.isTrue((theirs[0]?.asked ?? 0n) > (ours[0]?.asked ?? 0n))
  })

  it("is gone once it was left", () => {
    assert.strictEqual(leave("v2", v2, "emptied", "pool")._tag, "Gone")
    assert.strictEqual(leave("v1", v1, "v1Emptied", "poolV1")._tag, "Gone")
    assert.isEmpty(held("v2", v2, v2.view("none")))
  })

  it("never asks for more than is held, and says how much is missing", () => {
    const eurc = v2.contract("eurc")
    const holding = (units: bigint) => (token: ContractAddress) => (token === eurc ? units : 0n)
    const debt = 5_000_436_644n
    const short = leave("v2", v2, "interest3d", "pool", { spendable: holding(debt) })
    assert.deepStrictEqual(short, {
      _tag: "Refused",
      refusal: { _tag: "RepayAssetShort", token: eurc, needed: owedLater(v2.view("interest3d"), eurc, wait), held: debt }
    })
    const enough = calls(leave("v2", v2, "interest3d", "pool", { spendable: holding(debt + 10_000n), withoutRewards: true }))
    assert.deepStrictEqual(enough[0]?.holds, [{ token: eurc, amount: debt + 10_000n }])
    assert.deepStrictEqual(enough[0]?.subCalls.map(({ contract, function: name }) => [contract, name]), [[eurc, "transfer"]])
  })

  it("withdraws plain supply of the owed asset first when the wallet cannot repay", () => {
    const eurc = v2.contract("eurc")
    const supplied = (bTokens: bigint): LedgerView => {
      const view = v2.view("interest3d")
      const key = contractDataKey(v2.contract("pool"), Keys.positions(v2.user))
      const state = view.state(key)
      if (state._tag !== "Present" || state.data.type !== "contractData") throw new Error("no positions")
      const { contract, durability, ext, key: name } = state.data.contractData
      const val = Entries.Positions.encode({
        collateral: [[0, 199_995_561_742n]],
        liabilities: [[2, 5_000_000_000n]],
        supply: [[2, bTokens]]
      })
      const data = xdr.LedgerEntryData.contractData(new xdr.ContractDataEntry({ ext, contract, key: name, durability, val }))
      return { ...view, state: (asked) => (keyText(asked) === keyText(key) ? { ...state, data } : view.state(asked)) }
    }
    const enough = calls(
      leave("v2", v2, "interest3d", "pool", { view: supplied(6_000_000_000n), spendable: () => 0n, withoutRewards: true })
    )
    assert.deepStrictEqual(
      enough.map((call) => [call.function, call.payouts.map(({ token }) => token), call.holds.map(({ token }) => token)]),
      [
        ["submit", [eurc], []],
        ["submit", [eurc, v2.contract("xlm")], [eurc]]
      ]
    )
    assert.deepStrictEqual(enough[0]?.subCalls, [])
    // The first withdrawal takes the most that the pool can pay back.
    assert.strictEqual(enough[1]?.holds[0]?.amount, 5_005_437_081n)
    const short = leave("v2", v2, "interest3d", "pool", { view: supplied(1_000_000_000n), spendable: () => 7n, withoutRewards: true })
    assert.deepStrictEqual(short._tag === "Refused" ? short.refusal : short, {
      _tag: "RepayAssetShort",
      token: eurc,
      needed: owedLater(supplied(1_000_000_000n), eurc, wait),
      held: 1_000_000_785n + 7n
    })
  })

  it("lacks to the unit what the debt will be when what lacks has arrived and is paid in", () => {
    const [eurc, view] = [v2.contract("eurc"), v2.view("interest3d")]
    const needed = (seconds: bigint) => {
      const exit = leave("v2", v2, "interest3d", "pool", { spendable: () => 0n, deadline: view.closeTime + seconds })
      return exit._tag === "Refused" && exit.refusal._tag === "RepayAssetShort" ? exit.refusal.needed : assert.fail(exit._tag)
    }
    for (const seconds of [-50n, 0n, 60n, 300n, 1800n, 86_400n]) {
      assert.strictEqual(needed(seconds), owedLater(view, eurc, (seconds > 0n ? seconds : 0n) + wait), `${seconds}`)
    }
    // Less than a thousandth: the margin is not a day of interest.
    assert.isBelow(Number(needed(300n) - 5_000_436_644n), 5_000_436_644 / 10_000)
    assert.isAbove(Number(needed(86_400n)), Number(needed(300n)))
    // A holder of exactly that amount is not short any more.
    assert.strictEqual(
      calls(leave("v2", v2, "interest3d", "pool", { spendable: (token) => (token === eurc ? needed(0n) : 0n), withoutRewards: true }))[0]
        ?.holds[0]?.amount,
      needed(0n)
    )
  })

  it("does nothing to a pool that is liquidating the account", () => {
    const auction = keyText(contractDataKey(v2.contract("pool"), Keys.liquidation(v2.user), "temporary"))
    const view = v2.view("interest3d")
    const liquidated: LedgerView = {
      ...view,
      state: (key) => (keyText(key) === auction ? view.state(contractDataKey(v2.contract("pool"), Keys.reserveList)) : view.state(key))
    }
    const exit = leave("v2", v2, "interest3d", "pool", { view: liquidated })
    assert.strictEqual(exit._tag === "Refused" ? exit.refusal._tag : exit._tag, "Unavailable")
  })

  it("refuses authorisation that reaches further than the call declared", () => {
    const [submit] = calls(leave("v2", v2, "interest3d", "pool"))
    if (submit === undefined) throw new Error("no submit")
    const auth = authOf(v2.call("one submit, dry"))
    assert.isNull(authorizationProblem(submit, v2.user, auth))
    assert.isNotNull(authorizationProblem({ ...submit, subCalls: [] }, v2.user, auth))
    assert.isNotNull(authorizationProblem(submit, v2.user, [...auth, ...auth]))
    assert.isNotNull(authorizationProblem(submit, v2.user, authOf(v2.call("exit 1"))))
  })
})

describe("leaving the lend_1 backstop", () => {
  it("claims with a floor below what the claim gave, then queues", () => {
    const exit = leave("backstop", backstop, "backstopAccrued", "backstop")
    const record = backstop.call("backstop exit 1")
    const [claim, queue, ...others] = calls(exit)
    assert.isEmpty(others)
    assert.strictEqual(claim?.function, record.function)
    assert.deepStrictEqual(texts(claim?.args ?? []).slice(0, 2), record.args.slice(0, 2))
    const floor = scValToBigInt(claim?.args[2] ?? xdr.ScVal.scvVoid())
    // Recorded without a minimum: it gave 1663501434 shares.
    assert.isTrue(floor < 1_663_501_434n && floor > (1_663_501_434n * 97n) / 100n, `${floor}`)
    assert.strictEqual(queue?.function, "queue_withdrawal")
    assert.strictEqual(exit._tag === "Calls" ? exit.unlocksAt : null, backstop.view("backstopAccrued").closeTime + 17n * 86_400n)
  })

  it("queues all shares at once", () => {
    const [queue, ...others] = calls(leave("backstop", backstop, "backstopClaimed", "backstop"))
    assert.isEmpty(others)
    const record = backstop.call("backstop exit 2a")
    assert.strictEqual(queue?.function, record.function)
    assert.deepStrictEqual(texts(queue?.args ?? []).slice(0, 2), record.args.slice(0, 2))
    assert.strictEqual(scValToBigInt(queue?.args[2] ?? xdr.ScVal.scvVoid()), 11_663_501_434n)
    assert.isNull(
      queue === undefined
        ? ""
        : authorizationProblem(
          { ...queue, args: record.args.map((arg) => xdr.ScVal.fromXdr(arg, "base64")) },
          backstop.user,
          authOf(record)
        )
    )
  })

  it("waits until the first entry of the queue unlocks", () => {
    assert.deepStrictEqual(leave("backstop", backstop, "backstopQueued", "backstop", { withoutRewards: true }), {
      _tag: "Refused",
      refusal: { _tag: "CoolingDown", unlocksAt: 1_797_646_400n }
    })
  })

  it("withdraws what is unlocked and nothing beyond, as recorded", () => {
    const exit = leave("backstop", backstop, "backstopFirstExpired", "backstop", { withoutRewards: true })
    const [withdraw, ...others] = calls(exit)
    assert.isEmpty(others)
    same(backstop, withdraw, backstop.call("backstop exit 3a"))
    assert.strictEqual(exit._tag === "Calls" ? exit.unlocksAt : null, 1_797_819_200n)
    assert.deepStrictEqual(withdraw?.payouts, [{ token: backstop.contract("comet"), expected: 5_831_750_717n }])
  })

  it("queues nothing more when twenty withdrawals are queued, before one of them is out", () => {
    const now = backstop.view("backstopClaimed")
    const key = contractDataKey(backstop.contract("backstop"), Keys.userBalance(backstop.contract("pool"), backstop.user))
    const queued = (count: number, unlocksAt: bigint) => {
      const q4w = Array.from({ length: count }, () => ({ amount: 1n, exp: unlocksAt }))
      const state = { _tag: "Present", data: written(key, Entries.UserBalance.encode({ q4w, shares: 5n })), archived: false } as const
      const view: LedgerView = { ...now, state: (asked) => (keyText(asked) === keyText(key) ? state : now.state(asked)) }
      const exit = leave("backstop", backstop, "backstopClaimed", "backstop", { view, withoutRewards: true })
      return exit._tag === "Calls" ? exit.calls.map((call) => call.function) : exit
    }
    const later = now.closeTime + 9n
    assert.deepStrictEqual(queued(19, later), ["queue_withdrawal"])
    assert.deepStrictEqual(queued(20, later), { _tag: "Refused", refusal: { _tag: "CoolingDown", unlocksAt: later } })
    assert.deepStrictEqual(queued(20, now.closeTime), ["withdraw", "queue_withdrawal"])
  })

  it("withdraws nothing one second too early", () => {
    const early = { ...backstop.view("backstopFirstExpired"), closeTime: 1_797_646_399n }
    assert.strictEqual(
      leave("backstop", backstop, "backstopFirstExpired", "backstop", { withoutRewards: true, view: early })._tag,
      "Refused"
    )
  })

  it("leaves the comet pool with floors below what was paid", () => {
    const record = backstop.call("backstop exit 4")
    const [exit, ...others] = calls(leave("backstop", backstop, "backstopEmptied", "comet"))
    assert.isEmpty(others)
    assert.strictEqual(exit?.contract, record.contract)
    assert.strictEqual(exit?.function, record.function)
    assert.strictEqual(exit?.args[0]?.toXdr("base64"), record.args[0])
    assert.strictEqual(exit?.args[2]?.toXdr("base64"), record.args[2])
    // The payout of the recorded call, to the unit.
    assert.deepStrictEqual(exit?.payouts, [
      { token: backstop.contract("blnd"), expected: 198_575_959_975n - 81_860_079_387n },
      { token: backstop.contract("usdc"), expected: 52_907_857_573n - 50_000_030_758n }
    ])
    assert.deepStrictEqual(exit?.recipients, [])
    assert.isNull(
      exit === undefined
        ? ""
        : authorizationProblem({ ...exit, args: record.args.map((arg) => xdr.ScVal.fromXdr(arg, "base64")) }, backstop.user, authOf(record))
    )
  })

  const [comet, deposits] = [backstop.contract("comet"), backstop.contract("backstop")]
  const inWallet = contractDataKey(comet, Keys.shareBalance(backstop.user))
  const deposited = contractDataKey(deposits, Keys.userBalance(backstop.contract("pool"), backstop.user))

  /** The exit and the position after a contract wrote another value. */
  const changed = (key: xdr.LedgerKey, value: xdr.ScVal, state = "cometEmptied") => {
    const now = backstop.view(state)
    const other: EntryState = { _tag: "Present", data: written(key, value), archived: false }
    const view: LedgerView = { ...now, state: (asked) => (keyText(asked) === keyText(key) ? other : now.state(asked)) }
    return (contract: string) => ({
      exit: leave("backstop", backstop, state, contract, { view, withoutRewards: true }),
      position: held("backstop", backstop, view).find((one) => one.contract === backstop.contract(contract))
    })
  }

  it("passes over so few comet shares that one token comes to none, which that pool refuses to pay, and tells it", () => {
    const few = changed(inWallet, i128.encode(3n))("comet")
    assert.deepStrictEqual([few.exit._tag, few.position?.dust], ["Gone", "0.0000030 BLND and 0.0000000 USDC"])
    const enough = changed(inWallet, i128.encode(5n))("comet")
    assert.deepStrictEqual([enough.exit._tag, enough.position?.dust], ["Calls", undefined])
  })

  it("queues no deposit that would come to such shares, for weeks of waiting, and passes over one", () => {
    const balance = (shares: bigint, ...queued: ReadonlyArray<bigint>) =>
      changed(deposited, Entries.UserBalance.encode({ q4w: queued.map((amount) => ({ amount, exp: 1n })), shares }), "backstopEmptied")
    assert.strictEqual(balance(3n)("backstop").exit._tag, "Gone")
    assert.deepStrictEqual(calls(balance(5n)("backstop").exit).map((call) => call.function), ["queue_withdrawal"])
    // A source that shows the backstop as empty does not hide a deposit.
    const emptied = changed(
      contractDataKey(deposits, Keys.poolBalance(backstop.contract("pool"))),
      Entries.PoolBalance.encode({ q4w: 0n, shares: 10n ** 15n, tokens: 0n }),
      "backstopClaimed"
    )("backstop")
    assert.deepStrictEqual(calls(emptied.exit).map((call) => call.function), ["queue_withdrawal"])
    assert.isUndefined(emptied.position?.dust)
    assert.deepStrictEqual(calls(balance(3n, 1_000_000n)("backstop").exit).map((call) => call.function), ["withdraw"])
  })

  it("an emptied deposit is gone, but for rewards that came in before", () => {
    const [position] = held("backstop", backstop, backstop.view("cometEmptied")).filter(({ contract }) =>
      contract === backstop.contract("backstop")
    )
    assert.strictEqual(position?.rows[0]?.positionType, "supply")
    assert.strictEqual(leave("backstop", backstop, "cometEmptied", "backstop", { withoutRewards: true })._tag, "Gone")
    assert.isEmpty(
      held("backstop", backstop, backstop.view("backstopNone")).filter(({ contract }) => contract === backstop.contract("backstop"))
    )
  })
})
