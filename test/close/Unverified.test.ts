import { assert, describe, it } from "@effect/vitest"
import { atOnce } from "../../src/chain/pace/Turns.ts"
import { project, type Projection } from "../../src/close/project/Projection.ts"
import { newerThanModel, unverified } from "../../src/close/project/Unverified.ts"
import type { CallSimulation } from "../../src/close/situation/CallSimulation.ts"
import { type Exits, noExits } from "../../src/close/situation/Exits.ts"
import type { PlannedExit } from "../../src/close/situation/PlannedExit.ts"
import type { Situation } from "../../src/close/situation/Situation.ts"
import { noPrice, noTokenWork, type PlannedSale } from "../../src/close/situation/TokenWork.ts"
import { stroops } from "../../src/domain/Amount.ts"
import { AssetId } from "../../src/domain/Asset.ts"
import { blocker } from "../../src/domain/Blocker.ts"
import type { Decision, DecisionPoint } from "../../src/domain/Decision.ts"
import { modelProtocol } from "../../src/ledger/ModelProtocol.ts"
import { accountKey, dataKey } from "../../src/xdr/LedgerKeys.ts"
import { pay, price, sell, trust, xlm } from "../ledger/support/Bodies.ts"
import { leave, pool, token } from "./leaving/support/Simulating.ts"
import { exitOf, smallClose } from "./support/SmallClose.ts"

const { own, situation: situationWith, usdId: usd, address } = smallClose()
const eur = AssetId.make(usd.replace("USD", "EUR"))

/** A close that is played to its merge. */
const situation = situationWith([own])
const projection = atOnce(project(situation))
const [merging] = projection.transactions

interface Given {
  readonly situation?: Partial<Situation>
  readonly projection?: Partial<Projection>
  readonly answers?: ReadonlyArray<Decision>
  readonly exits?: Partial<Exits>
}

/** What is taken for granted where that close differs so far. */
const told = ({ answers = [], exits = {}, ...given }: Given): ReadonlyArray<string> =>
  unverified({ ...situationWith([own, ...answers]), exits: { ...noExits, ...exits }, ...given.situation }, {
    ...projection,
    ...given.projection
  })

describe("a close that was played on what is on the ledger", () => {
  it("takes nothing for granted", () => {
    assert.isTrue(projection.merges)
    assert.deepStrictEqual(told({}), [])
  })
})

describe("the protocol of the ledger", () => {
  const at = (ledgerVersion: number) => ({ ledgerState: situation.ledgerState.at({ ledgerVersion }) })
  const newer = `ledger protocol ${modelProtocol + 1} is newer than the model (${modelProtocol})`

  it("is told where it is newer than the model's", () => {
    assert.deepStrictEqual([modelProtocol - 1, modelProtocol, modelProtocol + 1].map((version) => newerThanModel(at(version))), [[], [], [
      newer
    ]])
    assert.deepStrictEqual(told({ situation: at(modelProtocol + 1) }), [newer])
  })
})

describe("entries of a newer format", () => {
  it("are counted, with the kind of the first", () => {
    const unreadable = [accountKey(address), dataKey(address, "a")]
    const text = (entries: string) =>
      `Not read, because of a newer ledger protocol's format: ${entries} of other accounts (the first is of the kind account). ` +
      "To the projection they are missing."
    assert.deepStrictEqual(told({ situation: { unreadable: unreadable.slice(0, 1) } }), [text("1 entry")])
    assert.deepStrictEqual(told({ situation: { unreadable } }), [text("2 entries")])
  })
})

describe("blockers that are assumed to be lifted", () => {
  it("are told as they are", () => {
    assert.deepStrictEqual(told({ projection: { assumed: ["One.", "Two."] } }), ["One.", "Two."])
  })
})

describe("assets that are not decided", () => {
  const point = (asset: AssetId, more: Partial<DecisionPoint> = {}): DecisionPoint => ({
    id: `asset:${asset.replace(":", "-")}`,
    type: "asset",
    subject: "",
    about: { kind: "asset", asset, amount: "1.0000000" },
    options: [],
    default: null,
    required: true,
    answered: false,
    ...more
  })
  const assumed = (assets: string) =>
    `Not decided: ${assets}. The projection assumes the conversion if there is a quote, else the return to the issuer.`
  const toldOf = (points: ReadonlyArray<DecisionPoint>, ...answers: ReadonlyArray<Decision>) => told({ projection: { points }, answers })

  it("are counted where they are to be decided and are not, or are to be sold as is not possible any more", () => {
    assert.deepStrictEqual(toldOf([point(usd)]), [assumed("1 asset")])
    const sale = { id: point(usd).id, choice: "convert_to_native" }
    assert.deepStrictEqual(toldOf([point(usd), point(eur)], sale), [assumed("2 assets")])
  })

  it("are no others, and nothing else", () => {
    const others = [{ required: false }, { answered: true }, { id: `claims:${usd.replace(":", "-")}` }, { id: "assets:unsellable" }]
    assert.deepStrictEqual(toldOf(others.map((more) => point(usd, more))), [])
    assert.deepStrictEqual(toldOf([point(usd)], { id: point(usd).id, choice: "return_to_issuer" }), [])
  })
})

describe("positions that are not decided", () => {
  it("are told where others gave them", () => {
    const gift = exitOf({ giftState: { _tag: "Open", reason: "", group: null } })
    assert.deepStrictEqual(told({ exits: { planned: [gift] } }), [`Not decided, and left behind in the projection: ${gift.id}.`])
  })
})

/** A position whose debt lacks a hundred units of the token, of which the account has twenty. */
const indebted = exitOf({
  id: "position:lend_1:owing",
  exit: { _tag: "Refused", refusal: { _tag: "RepayAssetShort", token, needed: 120n, held: 20n } }
})

describe("a debt", () => {
  it("is taken for paid where what it lacks can be bought", () => {
    const { issuer, maker, own: word, situation: at, usd: asset, usdId, world } = smallClose()
    world.succeed(maker, [trust(asset)])
    world.succeed(issuer, [pay(maker, asset, 1_000n)])
    world.succeed(maker, [sell(asset, xlm, 1_000n, price(1, 1))])
    const assumed = (bought: Partial<Exits>) =>
      unverified({
        ...at([word]),
        exits: { ...noExits, planned: [indebted], assets: new Map([[token, usdId]]), ...bought }
      }, projection)
    const purchases = new Map([[indebted.id, [{ spend: AssetId.make("native"), routes: [[]] }]]])
    assert.deepStrictEqual(assumed({ purchases }), [
      "position:lend_1:owing is not decided. The projection assumes that the missing part of the debt is bought."
    ])
    assert.deepStrictEqual(assumed({}), [])
  })

  it("is told with what it will lack once the positions that pay it are left", () => {
    const paying = (expected: bigint) =>
      exitOf({ exit: { _tag: "Calls", calls: [{ ...leave, payouts: [{ token, expected }] }], unlocksAt: null } })
    const lacking = (expected: bigint, assets: Exits["assets"] = new Map()) =>
      told({ exits: { planned: [paying(expected), indebted], assets } })
    const still = (units: string) =>
      `position:lend_1:owing will still lack ${units} after the positions that pay it first are exited. It can be bought then.`
    assert.deepStrictEqual(lacking(70n), [still(`30 of ${token}`)])
    assert.deepStrictEqual(lacking(99n, new Map([[token, usd]])), [still(`0.0000001 ${usd}`)])
    assert.deepStrictEqual([lacking(100n), lacking(101n), told({ exits: { planned: [indebted] } })], [[], [], []])
  })
})

describe("exits that were not simulated in time", () => {
  it("are counted, with the first of them", () => {
    const exit = (key: string, simulation: CallSimulation | null, more: Partial<PlannedExit> = {}) =>
      exitOf({ id: `position:amm_1:${key}`, simulation, ...more })
    const late: CallSimulation = { _tag: "Unreached" }
    const planned = [
      exit("none", null),
      exit("early", { _tag: "TooEarly" }),
      exit("left behind", late, { answer: { id: "left behind", choice: "acknowledge_forfeit" } }),
      exit("first", late),
      exit("second", late)
    ]
    const text = (exits: string) =>
      `The exit of ${exits} was not simulated in time. Whether it succeeds, and for what fee, is known after other exits.`
    const first = "position:amm_1:first"
    assert.deepStrictEqual(told({ exits: { planned: planned.slice(0, 3) } }), [])
    assert.deepStrictEqual(told({ exits: { planned: planned.slice(0, 4) } }), [text(first)])
    assert.deepStrictEqual(told({ exits: { planned } }), [text(`${first} and of 1 more position`)])
    assert.deepStrictEqual(told({ exits: { planned: [...planned, exit("third", late)] } }), [text(`${first} and of 2 more positions`)])
  })
})

describe("calls whose effects are not known exactly", () => {
  const called = (simulatedAt: number | null, doubt: string | null = null) => ({
    ...(merging ?? assert.fail("nothing is projected")),
    simulatedAt,
    doubt
  })

  it("are told by the ledger that they were simulated on, or by what is in doubt, each once", () => {
    const transactions = [
      called(null),
      called(7),
      called(null, "is late"),
      called(8),
      called(7),
      called(9, "is dear"),
      called(null, "is late")
    ]
    assert.deepStrictEqual(told({ projection: { transactions } }), [
      "The effects of the transactions of index 1, 4 are as simulated on ledger 7.",
      "The effects of the transactions of index 3 are as simulated on ledger 8.",
      "Transactions of index 2, 6: the call is late. Its payouts are those of the ledger that was read.",
      "Transactions of index 5: the call is dear. Its payouts are those of the ledger that was read."
    ])
  })
})

describe("a sale", () => {
  it("is counted at its agreed floor where it was not quoted in time", () => {
    const sale = (params: Decision["params"] = {}): Decision => ({
      id: `asset:${usd.replace(":", "-")}`,
      choice: "convert_to_native",
      params
    })
    const agreed = sale({ minReceive: stroops(5n), amount: "1" })
    const toldOf = (answer: Decision, ...unquoted: ReadonlyArray<AssetId>) =>
      told({ answers: [answer], situation: { market: { ...situation.market, unquoted: new Set(unquoted) } } })
    assert.deepStrictEqual(toldOf(agreed, eur, usd), [`${agreed.id} was not quoted in time. The projection counts it at its agreed floor.`])
    assert.deepStrictEqual([toldOf(agreed), toldOf(agreed, eur), toldOf(sale(), usd)], [[], [], []])
  })

  it("is told where it goes through a pool after another one, which its quote leaves out", () => {
    const trade = { pool, from: token, to: token, amount: 1n }
    const sold = (asset: AssetId): PlannedSale => ({
      id: `asset:${asset.replace(":", "-")}`,
      asset,
      contract: token,
      answer: { id: "", choice: "convert_through_contracts" },
      amount: 1n,
      waits: false,
      route: {
        source: "amm_1",
        from: token,
        to: token,
        through: [],
        unlisted: [],
        pools: [pool],
        trades: [trade],
        behind: [],
        amountIn: 1n,
        amountOut: 1n,
        pays: () => 1n,
        ledger: 7,
        call: () => leave
      },
      disposal: { call: leave, price: { ...noPrice, receive: 1n }, failure: null },
      simulation: null
    })
    assert.deepStrictEqual(told({ situation: { tokenWork: { ...noTokenWork, sales: [sold(usd), sold(eur)] } } }), [
      `${sold(eur).id} is sold through pool ${pool} after another sale of this close. ` +
      "The quote does not include that other trade, so the sale may pay less."
    ])
  })

  it("is told where only the best of a book was read", () => {
    const truncated = ["native/USD", "native/EUR"]
    assert.deepStrictEqual(told({ situation: { market: { ...situation.market, truncated } } }), [
      "Only the best offers of the book native/USD were read, so more may arrive than projected.",
      "Only the best offers of the book native/EUR were read, so more may arrive than projected."
    ])
  })
})

describe("the end of a projection", () => {
  const blockers = [{ failure: null, shown: blocker("destination_unusable", "It is closed.") }]
  const waiting = { until: 1_600_000_000n, merge: 1_700_000_000n }
  const cooling = "A position cools down until 2023-11-14T22:13:20.000Z. Later steps are not projected."

  it("is told where something keeps the account from being merged", () => {
    const ended = (more: Partial<Projection>) => told({ projection: { merges: false, ...more } })
    assert.deepStrictEqual(
      [ended({ blockers }), ended({ blockers, open: true }), ended({ open: true }), ended({ open: true, waiting })],
      [
        ["A blocker stops the close, so its end could not be projected."],
        ["A blocker stops the close, so its end could not be projected."],
        ["How a position is exited is known only after the next transaction. Later steps are not projected."],
        [cooling]
      ]
    )
  })

  it("is told where nothing stops the merge, and it is still missing", () => {
    const ended = (destination: Situation["destination"]) => told({ situation: { destination }, projection: { merges: false } })
    assert.deepStrictEqual([ended(null), ended(situation.destination)], [
      ["Without a destination there is no merge in the projection."],
      ["The projection ends before the merge. If its last transaction fails, the result codes of that transaction say why."]
    ])
  })

  it("is not told where it merges, whatever blocks", () => {
    assert.deepStrictEqual([told({ projection: { blockers } }), told({ situation: { destination: null } })], [[], []])
  })
})
