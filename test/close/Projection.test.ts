import { assert, describe, it } from "@effect/vitest"
import { xdr } from "@stellar/stellar-sdk"
import { atOnce } from "../../src/chain/pace/Turns.ts"
import { project, type Projection } from "../../src/close/project/Projection.ts"
import { type Exits, noExits } from "../../src/close/situation/Exits.ts"
import type { PlannedExit } from "../../src/close/situation/PlannedExit.ts"
import type { Situation } from "../../src/close/situation/Situation.ts"
import { noTokenWork } from "../../src/close/situation/TokenWork.ts"
import type { AccountAddress } from "../../src/domain/Address.ts"
import { stroops } from "../../src/domain/Amount.ts"
import type { Decision } from "../../src/domain/Decision.ts"
import { withFields } from "../../src/ledger/entries/Account.ts"
import { keyOfPool } from "../../src/xdr/LedgerKeys.ts"
import {
  assetOf,
  begin,
  claimant,
  deposit,
  end,
  pay,
  poolOf,
  setApart,
  setData,
  setOptions,
  trust,
  trustPool,
  xlm
} from "../ledger/support/Bodies.ts"
import { baseReserve } from "../ledger/support/World.ts"
import { leave, pool, resources, token } from "./leaving/support/Simulating.ts"
import { exitOf, smallClose } from "./support/SmallClose.ts"

type Scene = ReturnType<typeof smallClose>

/** The whole close, played. */
const played = (situation: Situation): Projection => atOnce(project(situation))

/** What blocks a projection: its reason, and what it is about. */
const reasons = ({ blockers }: Projection) =>
  blockers.map(({ shown: { reason, subject } }) => [reason, subject].flatMap((one) => one ?? []))
const messages = ({ blockers }: Projection) => blockers.map(({ shown }) => shown.message)

/** The kinds of steps of each transaction. */
const stepsOf = ({ transactions }: Projection) =>
  transactions.map(({ groups }) => groups.flatMap(({ steps }) => steps.map(({ type }) => type)))

/** An account that may spend so many stroops and has nothing else. */
const poor = (above: bigint): Scene => {
  const scene = smallClose()
  scene.world.setBalance(scene.source, 2n * baseReserve + above)
  return scene
}

const leaving = (...planned: ReadonlyArray<PlannedExit>): Exits => ({
  ...noExits,
  inclusionFee: 200n,
  mostResourceFee: 50_000_000n,
  planned
})

/** An exit by a call that was simulated at so many stroops. */
const readyAt = (resourceFee: bigint, more: Partial<PlannedExit> = {}): PlannedExit => {
  const { data } = resources([], [], resourceFee)
  return exitOf({
    simulation: { _tag: "Ready", resources: data, auth: [], credits: new Map(), changes: [], ledger: 7 },
    ...more
  })
}

/** One whose call the network refuses, because it declares too little. */
const refused = readyAt(1n)

/** Its destination does not exist. */
const withoutAccount = (situation: Situation): Situation => ({
  ...situation,
  destination: situation.destination === null ? null : { ...situation.destination, account: null }
})

describe("a close that is played to its end", () => {
  it("goes on from each transaction to the next ledger, and tells what arrives", () => {
    const { own, situation: at, source, to, world } = smallClose()
    world.succeed(source, ["a", "b", "c"].map((name) => setData(name, "x")))
    world.setBalance(source, 5n * baseReserve + 250n)
    const situation = at([own])
    const projection = played(situation)
    assert.deepStrictEqual(stepsOf(projection), [["REMOVE_DATA_ENTRIES", "REMOVE_DATA_ENTRIES"], ["REMOVE_DATA_ENTRIES", "MERGE"]])
    const { closeTime, ledgerSeq } = situation.ledgerState.header
    assert.deepStrictEqual(
      projection.transactions.map(({ ledgerState: { header } }) => [header.ledgerSeq - ledgerSeq, header.closeTime - closeTime]),
      [[0, 0n], [1, 5n]]
    )
    const [first, last] = projection.transactions
    assert.strictEqual(projection.afterFirst, first?.applied.state)
    const { assumed, blockers, claims, failures, merges, open, received, waiting } = projection
    // The ledger charges its least for each of four operations.
    assert.strictEqual(received, 5n * baseReserve + 250n - 400n)
    assert.deepStrictEqual({ assumed, blockers, claims, failures, merges, open, waiting }, {
      blockers: [],
      claims: [],
      failures: [],
      merges: true,
      open: false,
      assumed: [],
      waiting: null
    })
    assert.strictEqual(last?.groups.at(-1)?.steps[0]?.title, `Merge the account: 2.499985 XLM go to ${to}`)
  })

  it("leaves for the next transaction what there was no time to quote", () => {
    const { issuer, own, situation: at, source, usd, usdId, world } = smallClose()
    world.succeed(source, [trust(usd), setData("a", "x")])
    world.succeed(issuer, [pay(source, usd, 5n)])
    const situation = at([own])
    const waiting = { ...situation, market: { ...situation.market, waiting: new Set([usdId]) } }
    assert.deepStrictEqual(stepsOf(played(waiting)), [["REMOVE_DATA_ENTRIES"], ["HANDLE_ASSETS", "REMOVE_TRUSTLINES", "MERGE"]])
  })

  it("does nothing where nothing is to be done before the merge, and that may not be", () => {
    const { own, situation } = smallClose()
    const { afterFirst, blockers, merges, received, transactions } = played(withoutAccount(situation([own])))
    assert.deepStrictEqual({ afterFirst, merges, received, transactions }, {
      afterFirst: null,
      merges: false,
      received: 0n,
      transactions: []
    })
    assert.deepStrictEqual(blockers.map(({ shown }) => shown.reason), ["destination_unusable"])
  })
})

describe("what stays in a protocol", () => {
  it("keeps the close open, until when it cools down", () => {
    const { own, situation } = smallClose()
    const cooling = (unlocksAt: bigint, id: string) =>
      exitOf({ id, exit: { _tag: "Refused", refusal: { _tag: "CoolingDown", unlocksAt } } })
    const { merges, open, waiting } = played({
      ...situation([own]),
      exits: leaving(cooling(1_800_000_000n, "late"), cooling(1_750_000_000n, "early"))
    })
    assert.deepStrictEqual([merges, open, waiting], [false, true, { until: 1_750_000_000n, merge: 1_800_000_000n }])
  })
})

describe("a projection of what is blocked", () => {
  it("goes on to the merge where only a memo lacks, and says so", () => {
    const { own, situation: at } = smallClose()
    const { destination, ...situation } = at([own])
    const asking = destination === null ? null : { ...destination, asksForMemo: true }
    const projection = played({ ...situation, destination: asking })
    assert.deepStrictEqual([reasons(projection).map(([reason]) => reason), projection.merges, projection.assumed], [
      ["memo_required"],
      true,
      [
        "The close is projected as if the request had the required memo."
      ]
    ])
    const locked = played({ ...situation, destination: asking === null ? null : { ...asking, lockedForEver: true } })
    assert.deepStrictEqual([reasons(locked).map(([reason]) => reason), locked.merges], [["destination_unusable", "memo_required"], false])
  })

  it("goes no further than what comes before the merge, also where a transaction itself is blocked", () => {
    const { issuer, own, situation: at, usdId, world } = smallClose()
    world.succeed(issuer, [setOptions({ setFlags: 1 | 2 })])
    const exit = { _tag: "Calls" as const, calls: [{ ...leave, payouts: [{ token, expected: 0n }] }] as const, unlocksAt: null }
    const projection = played({ ...at([own]), exits: { ...leaving(exitOf({ exit })), assets: new Map([[token, usdId]]) } })
    // Nothing else would keep the account from being merged in the end.
    assert.deepStrictEqual(stepsOf(projection), [["ADD_TRUSTLINE"], ["EXIT_POSITIONS"], ["REMOVE_TRUSTLINES"]])
    assert.isFalse(projection.merges)
    assert.deepStrictEqual(messages(projection), [`The issuer of ${usdId} must authorise a trustline before an exit can pay it.`])
  })

  it("tells of sponsorships that cannot be handed over", () => {
    const { own, situation: at, source, world } = smallClose()
    const [ward, newSponsor] = [world.account(), world.account(2n * baseReserve)]
    world.succeed(source, [begin(ward), [ward, setData("paid for", "1")], [ward, end()]])
    const handed: Decision = {
      id: `sponsorship:data_entry:${ward.publicKey()}:paid for`,
      choice: "transfer_sponsorship",
      params: { newSponsor: newSponsor.publicKey() as AccountAddress }
    }
    const projection = played(at([own, handed]))
    assert.deepStrictEqual(reasons(projection), [["sponsorship_unaffordable", newSponsor.publicKey()]])
    assert.deepStrictEqual([stepsOf(projection), projection.afterFirst], [[["REVOKE_SPONSORSHIP"]], null])
  })

  it("tells that the sequence number is too far, and not also that the merge fails for it", () => {
    const { own, situation: at, source, world } = smallClose()
    world.edit(source, (account) => withFields(account, { seqNum: (BigInt(world.header.ledgerSeq) + 1n) << 32n }))
    const projection = played(at([own]))
    assert.deepStrictEqual([reasons(projection), projection.merges, projection.received], [[["sequence_too_far"]], true, 0n])
  })

  it("tells that the account is not emptied where nothing else says why", () => {
    const { own, situation: at, source, world } = smallClose()
    world.edit(source, (account) => withFields(account, { numSubEntries: 1 }))
    const { snapshot, ...situation } = at([own])
    const unseen = { ...situation, snapshot: { ...snapshot, state: { ...snapshot.state, subEntryMismatch: false } } }
    assert.deepStrictEqual(messages(played(unseen)), ["The account counts sub-entries that no step of the close removes."])
    assert.deepStrictEqual(reasons(played({ ...unseen, destination: null })), [])
    assert.deepStrictEqual(reasons(played(withoutAccount(unseen))).map(([reason]) => reason), ["destination_unusable"])
  })
})

describe("a transaction that fails", () => {
  it("is told where nothing blocks it, and no question is open", () => {
    const { destination, own, situation, world } = smallClose()
    world.setBalance(destination, 2n ** 63n - 1n)
    const projection = played(situation([own]))
    assert.deepStrictEqual(messages(projection), [
      "Transaction 1 of the close would fail on the ledger (tx_failed, op_dest_full). " +
      "Choose another option for its step, or fix the cause, and plan again."
    ])
    assert.deepStrictEqual([projection.afterFirst, projection.received, projection.merges], [null, 0n, true])
    assert.deepStrictEqual(reasons(played(situation())), [])
  })

  it("is told beside what blocks the account as a whole", () => {
    const { own, situation } = smallClose()
    const projection = played({ ...withoutAccount(situation([own])), exits: leaving(refused) })
    assert.deepStrictEqual(reasons(projection).map(([reason]) => reason), ["destination_unusable", "projection_failed"])
    assert.lengthOf(projection.transactions, 1)
  })

  it("is not told where lumens lack for it, something stays open, or what stands in it is blocked", () => {
    const { own, situation } = poor(7n)
    assert.deepStrictEqual(reasons(played({ ...situation([own]), exits: leaving(refused) })), [["insufficient_lumens"]])
    const scene = smallClose()
    const staying = exitOf({ id: "staying", exit: { _tag: "Refused", refusal: { _tag: "CoolingDown", unlocksAt: 5n } } })
    const open = played({ ...withoutAccount(scene.situation([scene.own])), exits: leaving(refused, staying) })
    assert.deepStrictEqual([open.open, reasons(open).map(([reason]) => reason)], [true, ["destination_unusable"]])
    const { issuer, own: word, situation: at, source, usd, usdId, world } = smallClose()
    world.succeed(issuer, [setApart(usd, 10n, claimant(source))])
    world.succeed(issuer, [setApart(xlm, 10n, claimant(source))])
    world.setBalance(source, 2n * baseReserve + 1_000n)
    const asset = usdId.replace(":", "-")
    const claim = { id: `claims:${asset}`, choice: "add_trustline_then_claim" }
    const back = { id: `asset:${asset}`, choice: "return_to_issuer", params: { maxAmount: "1" } }
    const blocked = played(at([word, claim, back]))
    assert.isTrue(blocked.points.every(({ answered, required }) => answered || !required))
    assert.deepStrictEqual([reasons(blocked), blocked.afterFirst], [[["insufficient_lumens", usdId]], null])
    assert.lengthOf(blocked.transactions[0]?.groups ?? [], 2)
  })
})

describe("lumens that lack", () => {
  it("are lent for each transaction that lacks some, told as one, and never arrive", () => {
    const { own, situation: at } = poor(7n)
    const twice = exitOf({ exit: { _tag: "Calls", calls: [leave, leave], unlocksAt: null } })
    const projection = played({ ...at([own]), exits: leaving(twice) })
    assert.deepStrictEqual(stepsOf(projection), [["EXIT_POSITIONS"], ["EXIT_POSITIONS"], ["MERGE"]])
    // Two calls of two million stroops and their bids, and the fee of the merge; a hundredth of the calls more by the time it has arrived.
    assert.deepStrictEqual(messages(projection), [
      "The next transaction needs 0.2020200 lumens, and the account can spend 0.0000007; over the whole close it lacks 0.4040493. " +
      "Send it lumens, or use feePayer fee_bump."
    ])
    assert.deepStrictEqual(projection.assumed, [
      "The close is projected as if the account had been sent 0.4000493 lumens. The amounts that arrive do not include them."
    ])
    assert.strictEqual(projection.received, 2n * baseReserve + 7n - 2n * 2_000_200n - 100n)
  })

  it("are told of the first transaction that lacks any", () => {
    const { own, situation: at } = poor(5_000_200n + 7n)
    const [paid, unpaid] = [readyAt(5_000_000n, { id: "paid" }), exitOf({ id: "unpaid" })]
    const projection = played({ ...at([own]), exits: leaving(paid, unpaid) })
    assert.match(messages(projection)[0] ?? "", /^Transaction 2 of the close needs 0\.2020200 lumens/)
    assert.lengthOf(projection.blockers, 1)
  })
})

describe("a position for which lumens do not suffice", () => {
  const optionsOf = ({ points }: Projection, id: string) => points.find((point) => point.id === id)?.options.map((option) => option.id)

  it("may be given up, and no other", () => {
    const exits = leaving(readyAt(5_000_000n, { id: "paid" }), exitOf({ id: "unpaid" }))
    const offered = ({ own, situation }: Scene) => {
      const projection = played({ ...situation([own]), exits })
      return [optionsOf(projection, "paid"), optionsOf(projection, "unpaid")]
    }
    assert.deepStrictEqual(offered(poor(5_000_200n + 7n)), [["exit"], ["exit", "acknowledge_forfeit"]])
    assert.deepStrictEqual(offered(smallClose()), [["exit"], ["exit"]])
  })

  it("may be given up where they suffice for some of its calls only", () => {
    const twice = readyAt(5_000_000n, { id: "half", exit: { _tag: "Calls", calls: [leave, leave], unlocksAt: null } })
    const { own, situation } = poor(5_000_200n + 7n)
    assert.deepStrictEqual(optionsOf(played({ ...situation([own]), exits: leaving(twice) }), "half"), ["exit", "acknowledge_forfeit"])
  })

  it("may be given up also once it is, as if it were not", () => {
    const answer = { id: "given up", choice: "acknowledge_forfeit", params: { maxAmount: "0" } }
    const exits = leaving(readyAt(5_000_000n, { id: "paid" }), exitOf({ id: "given up", answer }))
    const offered = ({ own, situation }: Scene) => {
      const projection = played({ ...situation([own]), exits })
      assert.deepStrictEqual([projection.merges, reasons(projection)], [true, []])
      return optionsOf(projection, "given up")
    }
    assert.deepStrictEqual([offered(poor(5_000_200n + 100n)), offered(smallClose())], [["exit", "acknowledge_forfeit"], ["exit"]])
  })
})

describe("answers that no longer fit", () => {
  it("are named, of positions, tokens, claims and sponsorships", () => {
    const { issuer, own, situation: at, source, usd, usdId, world } = smallClose()
    const [ward, rich] = [world.account(2n * baseReserve), world.account()]
    for (const one of [ward, rich]) world.succeed(source, [begin(one), [one, setData("a", "1")], [one, end()]])
    world.succeed(issuer, [setApart(usd, 10n, claimant(source))])
    world.succeed(issuer, [setApart(assetOf(issuer, "EUR"), 10n, claimant(source))])
    const sponsorship = (pair: typeof ward) => `sponsorship:data_entry:${pair.publicKey()}:a`
    const claims = (asset: string, maxAmount: string) => ({ id: `claims:${asset}`, choice: "forfeit", params: { maxAmount } })
    const asset = usdId.replace(":", "-")
    const situation = at([
      own,
      claims(asset, "0.0000009"),
      claims(asset.replace("USD", "EUR"), "0.0000010"),
      { id: sponsorship(ward), choice: "top_up_then_revoke", params: { maxLumens: stroops(1n) } },
      { id: sponsorship(rich), choice: "revoke" }
    ])
    const held = exitOf({ answer: { id: "", choice: "acknowledge_forfeit" }, position: { units: 1n } })
    const unread = { id: `token:${pool}`, contract: pool, answer: { id: "", choice: "acknowledge_residue" }, fate: "asked" as const }
    const { failures } = played({ ...situation, exits: leaving(held), tokenWork: { ...noTokenWork, unreadable: [unread] } })
    assert.deepStrictEqual(failures.map(({ failure, id }) => [id, failure._tag]), [
      [held.id, "PlanChanged"],
      [unread.id, "PlanChanged"],
      [`claims:${asset}`, "PlanChanged"],
      [sponsorship(ward), "PlanChanged"]
    ])
  })
})

describe("a ledger that cannot be", () => {
  it("is told as a fault where a transaction on it does what none does", () => {
    const { issuer, maker, own, situation: at, source, usd, world } = smallClose()
    for (const holder of [source, maker]) {
      world.succeed(holder, [trust(usd), [issuer, pay(holder, usd, 500n)], trustPool(xlm, usd), deposit(xlm, usd, 500n, 500n)])
    }
    const pool = poolOf(xlm, usd)
    const entry = world.state.get(keyOfPool(pool)) ?? assert.fail("no pool")
    const { body, liquidityPoolId } = entry.data.type === "liquidityPool" ? entry.data.liquidityPool : assert.fail("no pool")
    // It counts one line, and two hold its shares: it goes with the first of them.
    const constantProduct = new xdr.LiquidityPoolEntryConstantProduct({ ...body.constantProduct, poolSharesTrustLineCount: 1n })
    const miscounted = new xdr.LiquidityPoolEntry({
      liquidityPoolId,
      body: xdr.LiquidityPoolEntryBody.liquidityPoolConstantProduct(constantProduct)
    })
    world.put(new xdr.LedgerEntry({ ...entry, data: xdr.LedgerEntryData.liquidityPool(miscounted) }))
    const shares = `shares of pool ${Buffer.from(pool.value).toString("hex")}: -500 more recorded than counted`
    const lost = "lumens changed by -700 stroops, and the fee is 200"
    assert.throws(() => played(at([own])), `a projected transaction breaks the ledger: ${shares}; ${lost}`)
  })
})

describe("a close without end", () => {
  it("is broken off", () => {
    const { own, situation } = smallClose()
    const calls = [leave, ...Array.from({ length: 400 }, () => leave)] as const
    const { merges, transactions } = played({
      ...situation([own]),
      exits: leaving(exitOf({ exit: { _tag: "Calls", calls, unlocksAt: null } }))
    })
    assert.deepStrictEqual([transactions.length, merges], [400, false])
  })
})
