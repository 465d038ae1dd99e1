import { assert, describe, it } from "@effect/vitest"
import { Keypair, type xdr } from "@stellar/stellar-sdk"
import { atOnce } from "../../src/chain/pace/Turns.ts"
import { amountWarnings, planWarnings, priceWarnings } from "../../src/close/project/PlanWarnings.ts"
import { project } from "../../src/close/project/Projection.ts"
import type { Allowance } from "../../src/close/situation/AllowanceLeft.ts"
import { Answers } from "../../src/close/situation/Answers.ts"
import { type AtomicGroup, atomicGroup } from "../../src/close/situation/AtomicGroup.ts"
import { type Exits, noExits } from "../../src/close/situation/Exits.ts"
import type { PlannedExit } from "../../src/close/situation/PlannedExit.ts"
import type { Situation } from "../../src/close/situation/Situation.ts"
import { noPrice, noTokenWork } from "../../src/close/situation/TokenWork.ts"
import { AccountAddress } from "../../src/domain/Address.ts"
import { stroops } from "../../src/domain/Amount.ts"
import { AssetId } from "../../src/domain/Asset.ts"
import { type PlanBlocker, warning } from "../../src/domain/Blocker.ts"
import type { Decision, DecisionOption, DecisionPoint } from "../../src/domain/Decision.ts"
import { NetworkFeeAboveLimit, UpstreamUnusable } from "../../src/domain/failure/Upstream.ts"
import { modelProtocol } from "../../src/ledger/ModelProtocol.ts"
import { allowanceKey } from "../../src/ledger/soroban/AssetAllowance.ts"
import { addressOf, i128, struct, u32 } from "../../src/ledger/soroban/Values.ts"
import { accountKey } from "../../src/xdr/LedgerKeys.ts"
import { assetOf, claimant, pay, setApart, setOptions, trust, xlm } from "../ledger/support/Bodies.ts"
import { bare } from "../protocols/support/Bare.ts"
import { changed, leave, pool, resources, stranger, token } from "./leaving/support/Simulating.ts"
import { exitOf, smallClose } from "./support/SmallClose.ts"

const { address, own, situation: situationWith, usdId: usd } = smallClose()
const eur = AssetId.make(usd.replace("USD", "EUR"))
const ofUsd = `asset:${usd.replace(":", "-")}`

const situation = situationWith([own])
const projection = atOnce(project(situation))
const merging = projection.transactions[0] ?? assert.fail("nothing is projected")

/** What a warning says, without where to read on. */
const told = (warnings: ReadonlyArray<PlanBlocker>) =>
  warnings.map(({ code, message, subject }) => [code, message, ...(subject === undefined ? [] : [subject])])

describe("the price of a sale", () => {
  type Sold = Partial<NonNullable<DecisionOption["quote"]>> & { readonly recommended?: boolean; readonly amount?: string | null }

  /** A sale of two units for 1.5 lumens, which come to four at the best price, with an impact just above what is recommended. */
  const sale = (
    { amount = "2", recommended, ...quote }: Sold = {},
    id: "convert_to_native" | "convert_through_contracts" = "convert_to_native"
  ): DecisionOption => ({
    id,
    ...(recommended === undefined ? {} : { recommended }),
    ...(amount === null ? {} : { params: { amount } }),
    quote: { receive: stroops(15_000_000n), path: [], bestPrice: { n: 2n, d: 1n }, priceImpactBps: 301, ...quote }
  })
  const point = (...options: ReadonlyArray<DecisionOption>): DecisionPoint => ({
    id: ofUsd,
    type: "asset",
    subject: "",
    about: { kind: "asset", asset: usd, amount: "2.0000000" },
    options,
    default: null,
    required: true,
    answered: false
  })
  const warned = (options: ReadonlyArray<DecisionOption>, choice?: string) => {
    const answers = new Answers(choice === undefined ? [] : [{ id: ofUsd, choice }])
    return priceWarnings({ input: { ...situation.input, answers }, recommendedImpactBps: 300 }, [point(...options)])
  }
  const brings = (receive: string, atBest: string) =>
    warning(
      "price_impact",
      `The sale brings ${receive} lumens. At the best price on its route the same amount comes to ${atBest} lumens.`,
      ofUsd
    )

  it("is warned of where it is further below the best one than is recommended", () => {
    assert.deepStrictEqual(warned([sale()]), [brings("1.5000000", "4.0000000")])
    assert.deepStrictEqual(warned([sale({ priceImpactBps: 300 })]), [])
    assert.deepStrictEqual(warned([sale({ recommended: true })]), [])
    assert.deepStrictEqual(warned([sale({ recommended: false })]), [brings("1.5000000", "4.0000000")])
  })

  it("is that of the sale that was chosen, else of the first that has a quote", () => {
    const unquoted: DecisionOption = { id: "convert_to_native" }
    const [first, second] = [sale(), sale({ receive: stroops(20_000_000n) }, "convert_through_contracts")]
    assert.deepStrictEqual(warned([unquoted, second, first]), [brings("2.0000000", "4.0000000")])
    assert.deepStrictEqual(warned([first, second], "convert_through_contracts"), [brings("2.0000000", "4.0000000")])
    assert.deepStrictEqual(warned([first, second], "convert_to_native"), [brings("1.5000000", "4.0000000")])
    assert.deepStrictEqual([warned([first], "return_to_issuer"), warned([unquoted]), warned([])], [[], [], []])
  })

  it("is not warned of where it is of less than a lumen, by what it brings and at the best price", () => {
    const [little, enough] = [stroops(9_999_999n), stroops(10_000_000n)]
    const small = (receive: typeof little, amount: string | null) => warned([sale({ receive, amount, bestPrice: { n: 1n, d: 1n } })])
    assert.deepStrictEqual(small(little, "0.9999999"), [])
    assert.deepStrictEqual(small(little, "1"), [brings("0.9999999", "1.0000000")])
    assert.deepStrictEqual(small(enough, "0.9999999"), [brings("1.0000000", "0.9999999")])
    assert.deepStrictEqual([small(enough, null), small(enough, "much")], [[brings("1.0000000", "0.0000000")], [
      brings("1.0000000", "0.0000000")
    ]])
  })
})

describe("the floor of a sale", () => {
  const disposing = (...sold: ReadonlyArray<AtomicGroup["disposed"]>) => ({
    ...merging,
    groups: sold.map((disposed) => atomicGroup([], { disposed }))
  })
  const of = (amount: bigint, asset = usd) => ({ asset, amount })
  const agreed = (
    params: Decision["params"] = { minReceive: stroops(10n), amount: "0.0000003" },
    choice = "convert_to_native"
  ): Decision => ({
    id: ofUsd,
    choice,
    ...(params === undefined ? {} : { params })
  })
  const warned = (answer: Decision | null, ...transactions: typeof projection.transactions) =>
    amountWarnings(situationWith(answer === null ? [] : [answer]), { ...projection, transactions })

  it("is told at the agreed price where less is sold in all than it was agreed for", () => {
    const less = warning(
      "amount_changed",
      `0.0000002 ${usd} is sold. The floor was agreed for 0.0000003, so at the same price it is 0.0000007 lumens.`,
      usd
    )
    assert.deepStrictEqual(warned(agreed(), disposing(of(1n), null, of(5n, eur)), disposing(of(1n))), [less])
    assert.deepStrictEqual(warned(agreed(), disposing(of(2n), of(1n))), [])
    assert.deepStrictEqual(warned(agreed(), disposing(of(4n))), [])
  })

  it("is not told where there is none, or no amount that it was agreed for", () => {
    const others = [
      null,
      agreed({ amount: "0.0000003" }),
      agreed({ minReceive: stroops(10n) }),
      agreed({ minReceive: stroops(10n), amount: "some" }),
      { id: ofUsd, choice: "convert_to_native" },
      agreed({ minReceive: stroops(10n), amount: "0.0000003" }, "transfer_to_account")
    ]
    for (const answer of others) assert.deepStrictEqual(warned(answer, disposing(of(2n))), [])
  })

  it("is not told while something stays in a protocol", () => {
    const open = { ...projection, open: true, transactions: [disposing(of(2n))] }
    assert.deepStrictEqual(amountWarnings(situationWith([agreed()]), open), [])
  })
})

const unknown = [
  "unknown_contracts",
  "Deposits in contracts outside the known protocols cannot all be detected. Check those contracts before you close."
]

/** The warnings of a close that differs so far from one that has none of its own. */
const warned = (more: Partial<Situation> = {}) => {
  const [last, ...before] = told(planWarnings({ ...situation, ...more })).toReversed()
  assert.deepStrictEqual(last, unknown)
  return before.toReversed()
}

const leaving = (exits: Partial<Exits>) => warned({ exits: { ...noExits, ...exits } })

describe("the warnings of a plan", () => {
  it("are that unknown contracts are not detected, and nothing else where all is well", () => {
    assert.deepStrictEqual(warned(), [])
    assert.strictEqual(planWarnings(situation)[0]?.helpUrl, "/docs/errors.md#warning-unknown_contracts")
  })

  it("are those of the reading and of its positions", () => {
    const { snapshot } = situation
    const [one, two] = [warning("source_failed", "One failed."), warning("protocol_not_read", "Two is not read.", "two")]
    const state = { ...snapshot.state, defiPositionsWarnings: [two] }
    assert.deepStrictEqual(warned({ snapshot: { ...snapshot, warnings: [one], state } }), told([one, two]))
  })

  it("say why the header is not believed, but not that its fee is above the limit, which blocks", () => {
    const doubt = new UpstreamUnusable({ source: "contract_rpc", ageSeconds: -7 })
    const dear = new NetworkFeeAboveLimit({ feeStroops: "200", limitStroops: "100" })
    assert.deepStrictEqual(warned({ headerDoubts: [dear, doubt] }), [["source_lagging", doubt.message]])
  })

  it("say that the ledger's protocol is newer than the model's", () => {
    const newer = `ledger protocol ${modelProtocol + 1} is newer than the model (${modelProtocol})`
    assert.deepStrictEqual(warned({ ledgerState: situation.ledgerState.at({ ledgerVersion: modelProtocol + 1 }) }), [[
      "protocol_newer_than_model",
      `The ${newer}. Transactions are built, but their effects were not checked against the rules of the new protocol.`
    ]])
  })

  it("say that the exchange registry expired", () => {
    assert.deepStrictEqual(warned({ registry: { fresh: false, validUntil: "2024-05-06" } }), [[
      "registry_expired",
      "The exchange registry expired on 2024-05-06, so exchange addresses cannot be recognised reliably."
    ]])
  })

  it("name transactions that are authorised already", () => {
    const { snapshot } = situation
    const signers = [
      { key: address, weight: 1, type: "ed25519_public_key" as const },
      { key: "T1", weight: 1, type: "preauth_tx" as const },
      { key: "T2", weight: 1, type: "preauth_tx" as const }
    ]
    assert.deepStrictEqual(
      warned({ snapshot: { ...snapshot, state: { ...snapshot.state, signers } } }),
      ["T1", "T2"].map((key) => ["preauthorized_transaction", "A pre-authorised transaction stays valid until the account is merged.", key])
    )
  })

  it("name what is given up of positions, and what of positions and tokens came later", () => {
    const [given, gift] = [{ answer: { id: "", choice: "acknowledge_forfeit" } }, { id: "gift", giftState: { _tag: "Later" as const } }]
    const later = { ledger: 900, had: new Set<string>(), isFull: false, maxLumensEach: null }
    const exits = { ...noExits, planned: [exitOf(given), exitOf(gift)], unreadable: [] }
    const unreadable = [{ id: "", contract: token, answer: undefined, fate: "later" as const }]
    assert.deepStrictEqual(warned({ exits, input: { ...situation.input, later }, tokenWork: { ...noTokenWork, unreadable } }), [
      ["forfeit_acknowledged", "A position in amm_1 is left behind permanently, as decided.", exitOf().id],
      ["came_later", "A position in amm_1 came after ledger 900 and will be left behind.", "gift"],
      ["came_later", "A token came after ledger 900 and will be left behind.", "tokens"]
    ])
  })

  it("name what cannot be read of positions, where that is answered for", () => {
    const { input } = situationWith([{ id: "positions_unread:amm_1", choice: "i_accept_unread_positions" }])
    const unreadable = [{ protocol: "amm_1" as const, items: [], reason: "", contracts: [], gap: null }]
    const ofProtocol = "Anything held in amm_1 that cannot be read is left behind permanently, as decided."
    assert.deepStrictEqual(warned({ exits: { ...noExits, unreadable }, input }), [["forfeit_acknowledged", ofProtocol, "amm_1"]])
  })
})

describe("balances that their issuer can claw back", () => {
  it("are named as long as there are any", () => {
    const { issuer, situation: at, source, usd: held, usdId, world } = smallClose()
    const [dull, plain] = [world.account(), world.account()]
    world.succeed(issuer, [setOptions({ setFlags: 2 | 8 })])
    world.succeed(dull, [setOptions({ setFlags: 2 | 8 })])
    const [empty, safe] = [dull, plain].map((by) => assetOf(by)) as [xdr.Asset, xdr.Asset]
    world.succeed(source, [trust(held), trust(empty), trust(safe)])
    world.succeed(issuer, [pay(source, held, 1n)])
    world.succeed(plain, [pay(source, safe, 1n)])
    assert.deepStrictEqual(told(planWarnings(at())), [
      ["clawback_enabled", `The issuer of ${usdId} can claw back the balance at any time until it leaves the account.`, usdId],
      unknown
    ])
  })

  it("are none of an account that is gone", () => {
    assert.deepStrictEqual(warned({ ledgerState: situation.ledgerState.delete([accountKey(address)]) }), [])
  })
})

describe("claimable balances that came later", () => {
  /** The close of an account to which others gave so many balances in ledger 950, answered for up to a ledger. */
  const given = (count: number, ledger: number | null) => {
    const { maker, own: word, situation: at, source, world } = smallClose()
    for (let made = 0; made < count; made++) world.succeed(maker, [setApart(xlm, 10n, claimant(source))])
    const later: Decision = { id: "later", choice: "leave_what_came_later", params: { ledger: ledger ?? 1, had: [] } }
    const found = at(ledger === null ? [word] : [word, later])
    return told(planWarnings({ ...found, openClaims: found.openClaims.map((claim) => ({ ...claim, modified: 950 })) })).slice(0, -1)
  }

  it("are counted where that is answered for", () => {
    const late = (what: string) => [["came_later", `${what} came after ledger 949 and will be left behind.`, "claimable_balances"]]
    assert.deepStrictEqual([given(1, 949), given(2, 949)], [late("A claimable balance"), late("2 claimable balances")])
    assert.deepStrictEqual([given(2, 950), given(0, 949), given(2, null)], [[], [], []])
  })
})

describe("a single source", () => {
  const { snapshot } = situation
  const reading = (name: "amm_1" | "lend_1" | "cdp_1", but: { readonly contracts?: [] } = {}) => ({
    _tag: "Broken" as const,
    protocol: { ...bare(name), ...but },
    reason: ""
  })
  const protocols = [reading("amm_1"), reading("cdp_1", { contracts: [] }), reading("lend_1")]

  it("is named with the protocols that rest on it, and exits with them", () => {
    const alone = { singleSource: true, snapshot: { ...snapshot, protocols } }
    const rests = "One contract RPC is configured, so what is held in amm_1, lend_1"
    assert.deepStrictEqual(warned(alone), [["single_source", `${rests} rests on that one source.`]])
    assert.deepStrictEqual(warned({ ...alone, exits: { ...noExits, planned: [exitOf()] } }), [[
      "single_source",
      `${rests}, and what its exit needs, rests on that one source.`
    ]])
  })

  it("is not named where there is another one, or no protocol is read", () => {
    assert.deepStrictEqual(warned({ snapshot: { ...snapshot, protocols } }), [])
    assert.deepStrictEqual(warned({ singleSource: true, snapshot: { ...snapshot, protocols: protocols.slice(1, 2) } }), [])
  })
})

describe("an allowance that outlives the merge", () => {
  const allowance = (amount: bigint | null, spender: string = stranger): Allowance => ({ token, spender, amount })
  const outlives = (amount: string, spender: string = stranger) => [
    "allowance_live",
    `${spender} may take ${amount} of ${token} from the account. ` +
    "The allowance outlives the merge and works again if the account is ever created again.",
    `allowance:${token}:${spender}`
  ]
  /** A call that leaves an allowance of this owner's, of so much; null: of an amount that cannot be made out. */
  const leavingOne = (amount: bigint | null, owner: string = address): Partial<PlannedExit> => {
    const value = { ...(amount === null ? {} : { amount: i128(amount) }), live_until_ledger: u32(2_000) }
    const change = changed(token, allowanceKey(addressOf(owner), addressOf(pool)), null, struct(value))
    const gone = { ...change, after: null }
    return {
      simulation: { _tag: "Ready", resources: resources().data, auth: [], credits: new Map(), changes: [gone, change], ledger: 7 }
    }
  }
  const met = (...more: ReadonlyArray<Partial<PlannedExit>>) => leaving({ planned: more.map((one) => exitOf(one)) })

  it("is named with what may be taken", () => {
    const other = AccountAddress.make(Keypair.random().publicKey())
    assert.deepStrictEqual(leaving({ allowances: [allowance(1n), allowance(null, other)] }), [
      outlives("1 base unit"),
      outlives("an unreadable amount", other)
    ])
  })

  it("is also one that a call of a position leaves", () => {
    assert.deepStrictEqual(met(leavingOne(5n)), [outlives("5 base units", pool)])
    assert.deepStrictEqual(met(leavingOne(null)), [outlives("an unreadable amount", pool)])
    assert.deepStrictEqual(met(leavingOne(0n), leavingOne(5n, stranger), { simulation: { _tag: "TooEarly" } }, {}), [])
  })

  it("is also one that a last claim leaves, or a call for a token or an asset that is sold through contracts", () => {
    const { simulation = null } = leavingOne(5n)
    const claimed = exitOf({ lastClaims: new Map(simulation === null ? [] : [["claim", simulation]]) })
    assert.deepStrictEqual(leaving({ planned: [claimed] }), [outlives("5 base units", pool)])
    const answer: Decision = { id: ofUsd, choice: "convert_to_native" }
    const disposal = { call: null, price: noPrice, failure: null }
    const sold = { id: ofUsd, answer, amount: 1n, waits: false, route: null, disposal, simulation }
    const held = { contract: token, balance: 1n, symbol: null, decimals: null, sources: [], modified: null, inEntry: true }
    const worked = (work: Partial<typeof noTokenWork>) => warned({ tokenWork: { ...noTokenWork, ...work } })
    assert.deepStrictEqual(worked({ tokens: [{ ...sold, token: held, fate: "asked" }] }), [outlives("5 base units", pool)])
    assert.deepStrictEqual(worked({ sales: [{ ...sold, asset: usd, contract: token }] }), [outlives("5 base units", pool)])
  })

  it("is named once, as a call leaves it", () => {
    assert.deepStrictEqual(leaving({ allowances: [allowance(9n, pool)], planned: [exitOf(leavingOne(5n))] }), [
      outlives("5 base units", pool)
    ])
  })

  it("is not named where the close ends it", () => {
    const ending = (call: "made" | "not made", spender: string) => ({
      id: `allowance:${token}:${spender}`,
      allowance: allowance(1n, spender),
      answer: undefined,
      call: call === "made" ? leave : null,
      simulation: null
    })
    const allowances = [allowance(1n), allowance(2n, pool)]
    assert.deepStrictEqual(
      warned({
        exits: { ...noExits, allowances },
        tokenWork: { ...noTokenWork, allowances: [ending("made", stranger), ending("not made", pool)] }
      }),
      [outlives("2 base units", pool)]
    )
  })
})
