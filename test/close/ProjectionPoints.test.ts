import { assert, describe, it } from "@effect/vitest"
import { atOnce } from "../../src/chain/pace/Turns.ts"
import { pointsOf, project } from "../../src/close/project/Projection.ts"
import { noExits } from "../../src/close/situation/Exits.ts"
import type { Situation } from "../../src/close/situation/Situation.ts"
import { noTokenWork } from "../../src/close/situation/TokenWork.ts"
import { AssetId } from "../../src/domain/Asset.ts"
import type { Decision } from "../../src/domain/Decision.ts"
import { assetOf, begin, claimant, end, pay, setApart, setData, trust } from "../ledger/support/Bodies.ts"
import { leave, pool, stranger, token } from "./leaving/support/Simulating.ts"
import { exitOf, smallClose, throughMediator } from "./support/SmallClose.ts"

describe("the question where the lumens go", () => {
  const { own, situation: at, to } = smallClose()
  const situation = at()
  const asked = (more: Partial<Situation>) =>
    pointsOf({ ...situation, ...more }, [], situation.ledgerState).filter(({ type }) => type === "destination")
  const { destination } = situation

  it("names none where none is named", () => {
    assert.deepStrictEqual(asked({ destination: null }), [{
      id: "destination",
      type: "destination",
      subject: "Where the lumens go",
      about: { kind: "destination", address: null },
      options: [],
      default: null,
      required: true,
      answered: false
    }])
  })

  it("is whether an unlisted address is the owner's", () => {
    const told = (answers: ReadonlyArray<Decision>) =>
      pointsOf(at(answers), [], situation.ledgerState).filter(({ type }) => type === "destination").map((
        { answered, id }
      ) => [id, answered])
    assert.deepStrictEqual([told([]), told([own])], [[[own.id, false]], [[own.id, true]]])
    const { destination: listed } = throughMediator(smallClose())
    const unverified = {
      address: to,
      name: "Exchange",
      evidence: [{ source: "a list", url: "https://list.example", checkedAt: "2024-01-01" }] as const
    }
    assert.deepStrictEqual(asked({ destination: listed }), [])
    assert.deepStrictEqual(asked({ destination: destination === null ? null : { ...destination, unverified } }), [])
  })
})

describe("the question about what the account issued", () => {
  const { address, situation: at } = smallClose()
  const asset = (code: string) => AssetId.make(`${code}:${address}`)
  const issued = (...codes: ReadonlyArray<string>) => codes.map((code, index) => ({ asset: asset(code), outstanding: BigInt(index) }))
  const asked = (issuedAssets: Situation["issuedAssets"], unlisted: boolean, answers: ReadonlyArray<Decision> = []) => {
    const { snapshot, ...situation } = at(answers)
    const found = { ...situation, issuedAssets, snapshot: unlisted ? { ...snapshot, unlisted: true as const } : snapshot }
    return pointsOf(found, [], situation.ledgerState).filter(({ type }) => type === "issuer")
  }
  const option = { id: "i_accept_abandoning_issued_assets" as const }
  const lost = (code: string, amount: string) => ({ asset: asset(code), symbol: code, amount, lumens: null })
  const point = {
    id: `issuer:${address}`,
    type: "issuer" as const,
    about: { kind: "issuer" as const, address, count: 2 },
    default: null,
    required: true,
    answered: false
  }

  it("names what others hold of it", () => {
    assert.deepStrictEqual(asked(issued("NONE", "ONE", "TWO"), false), [{
      ...point,
      subject: `Others hold what this account issued: 0.0000001 ${asset("ONE")}, 0.0000002 ${asset("TWO")}`,
      options: [{
        ...option,
        loses: [lost("ONE", "0.0000001"), lost("TWO", "0.0000002")],
        note: "The assets stay with their holders, and no issuer backs them any more."
      }]
    }])
    assert.deepStrictEqual([asked(issued("NONE"), false), asked([], false)], [[], []])
  })

  it("names five at most, and counts the others", () => {
    const subjects = [5, 7].flatMap((count) =>
      asked(issued("NONE", ...["A", "B", "C", "D", "E", "F", "G"].slice(0, count)), false).map(({ subject }) => subject)
    )
    const five = ["A", "B", "C", "D", "E"].map((code, index) => `0.000000${index + 1} ${asset(code)}`).join(", ")
    assert.deepStrictEqual(subjects, [
      `Others hold what this account issued: ${five}`,
      `Others hold what this account issued: ${five} and 2 more`
    ])
  })

  it("is whether there is any where nothing lists it", () => {
    assert.deepStrictEqual(asked([], true), [{
      ...point,
      about: { ...point.about, count: 0 },
      subject: "Whether others hold assets that this account issued: nothing lists them here",
      options: [{
        ...option,
        loses: [],
        note: "The account issued nothing, or what it issued stays with its holders, and no issuer backs it any more."
      }]
    }])
  })

  it("is answered by the owner's word", () => {
    const answer = { id: point.id, choice: option.id }
    assert.deepStrictEqual(asked(issued("NONE", "ONE"), false, [answer]).map(({ answered }) => answered), [true])
  })
})

describe("the questions of a close", () => {
  it("are asked once each, whichever part of it asks them", () => {
    const { issuer, own, situation: at, source, usd, usdId, world } = smallClose()
    const [ward, eur] = [world.account(), assetOf(issuer, "EUR")]
    world.succeed(source, [trust(usd), trust(eur), begin(ward), [ward, setData("paid for", "1")], [ward, end()]])
    world.succeed(issuer, [pay(source, usd, 5n), setApart(usd, 10n, claimant(source))])
    const { snapshot, ...situation } = at()
    const exit = { _tag: "Calls" as const, calls: [{ ...leave, payouts: [{ token, expected: 5n }] }] as const, unlocksAt: null }
    const allowance = { token, spender: stranger, amount: 5n }
    const projection = atOnce(project({
      ...situation,
      snapshot: { ...snapshot, claimableListed: { ...snapshot.claimableListed, complete: false } },
      issuedAssets: [{ asset: AssetId.make(`OWN:${situation.input.source}`), outstanding: 1n }],
      exits: { ...noExits, planned: [exitOf({ exit, position: { pays: [token] } })], assets: new Map([[token, usdId]]) },
      tokenWork: {
        ...noTokenWork,
        unreadable: [{ id: `token:${pool}`, contract: pool, answer: undefined, fate: "asked" }],
        allowances: [{ id: `allowance:${token}:${stranger}`, allowance, answer: undefined, call: null, simulation: null }]
      }
    }))
    const [group] = projection.claims
    assert.deepStrictEqual([projection.claims.length, group?.asset], [1, usdId])
    assert.deepStrictEqual(projection.points.map(({ id }) => id), [
      own.id,
      "later",
      `issuer:${situation.input.source}`,
      `asset:${usdId.replace(":", "-")}`,
      exitOf().id,
      `token:${pool}`,
      "tokens:others",
      `allowance:${token}:${stranger}`,
      "claims_unread",
      group?.id,
      `sponsorship:data_entry:${ward.publicKey()}:paid for`
    ])
  })

  it("are answered together for assets without a buyer", () => {
    const { issuer, situation: at, source, usd, usdId, world } = smallClose()
    const eur = assetOf(issuer, "EUR")
    world.succeed(source, [trust(usd), trust(eur)])
    world.succeed(issuer, [pay(source, usd, 5n), pay(source, eur, 5n)])
    const ids = atOnce(project(at())).points.map(({ id }) => id)
    const asset = `asset:${usdId.replace(":", "-")}`
    assert.deepStrictEqual(ids.slice(2), [asset.replace("USD", "EUR"), asset, "assets:unsellable"])
  })
})
