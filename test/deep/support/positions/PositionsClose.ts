import { assert } from "@effect/vitest"
import { Asset, Operation } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { parseAmount, showAmount } from "../../../../src/domain/Amount.ts"
import { strkeyOf } from "../../../../src/ledger/soroban/Values.ts"
import { amm1ContractsAt } from "../../../../src/sandbox/scenarios/Amm1Contracts.ts"
import { lendingContracts } from "../../../../src/sandbox/scenarios/LendingContracts.ts"
import { perform } from "../../../../src/sandbox/scenarios/Scenario.ts"
import { tokensService } from "../../../close/leaving/tokens/support/DeclaredTokens.ts"
import { lumensOf } from "../../../close/support/LedgerView.ts"
import { Service } from "../../../close/support/Service.ts"
import { assertAsForeseen } from "./AsForeseen.ts"
import { poolsLeft } from "./PoolsLeft.ts"
import { switchClaims } from "./PoolsScene.ts"
import { positionsClient, type Pursued, type Taken } from "./PositionsClient.ts"
import { claimableBy, heldBy } from "./PositionsHeld.ts"
import { populatePositions, type PositionsScene } from "./PositionsScene.ts"
import { type PositionsShape, shapeOf } from "./PositionsShape.ts"
import { assertNotPoorer, worthIn } from "./PositionsWorth.ts"
import { assertTokensAccounted } from "./TokensAccounted.ts"
import { spendableOf } from "./WalletBalance.ts"

/** Most times that a blocked account receives its shortage. */
const MOST_REMEDIES = 12

const backer = strkeyOf(lendingContracts.backstop)
/** The outcome of a seed. */
export interface PositionsOutcome {
  readonly transactions: number
  /** Its blockers so far. */
  readonly blocked: ReadonlyArray<string>
  readonly choices: ReadonlyArray<string>
  /** The last answers about tokens and allowances. */
  readonly tokenChoices: ReadonlyArray<string>
  readonly covered: ReadonlyArray<string>
}

type Closed = Extract<Pursued, { readonly kind: "closed" }>
type Blocked = Extract<Pursued, { readonly kind: "blocked" }>

const stroopsIn = (text: string | undefined): bigint => parseAmount(text ?? "") ?? assert.fail(`no amount: ${text}`)

/** Checks that contracts keep only holdings that were forfeited by name, and only rewards that a warning states with their amount. */
const assertNothingLeft = (scene: PositionsScene, { answers, taken }: Closed) =>
  Effect.gen(function*() {
    const { passphrase, sandbox } = yield* Service
    const { state } = yield* sandbox.snapshot
    const { assets, lender, source } = scene
    const held = heldBy(state, source, assets, passphrase)
    const last = taken.at(-1) ?? assert.fail("closed by nothing")
    const forfeited = [...answers.values()].filter(({ choice, id }) => choice === "acknowledge_forfeit" && id.startsWith("position:")).map((
      { id }
    ) => id)
    const warned = last.plan.warnings
    for (const id of forfeited) {
      if (last.plan.decisionPoints.some((point) => point.id === id)) {
        assert.isTrue(
          warned.some(({ code, subject }) => code === "forfeit_acknowledged" && subject === id),
          `${id} is given up without a word`
        )
      }
    }
    const by = (part: string) => forfeited.some((id) => id.includes(part))
    const at = Object.fromEntries(Object.entries(lendingContracts).map(([name, contract]) => [name, strkeyOf(contract)]))
    const [pool, backstop, comet] = [at["pool"] ?? "", at["backstop"] ?? "", at["comet"] ?? ""]
    if (!by(`lend_1:${pool}`)) assert.deepStrictEqual([held.lent], [{ native: 0n, usdc: 0n, eurc: 0n }])
    if (!by(`lend_1:${pool}`) && !by("cdp_1")) assert.deepStrictEqual(held.owed, { native: 0n, usdc: 0n, eurc: 0n })
    if (!by(`lend_1:${backstop}`)) assert.strictEqual(held.deposited, 0n)
    if (!by(`lend_1:${comet}`)) assert.strictEqual(held.cometShares, 0n)
    if (!by("cdp_1")) assert.strictEqual(held.locked, 0n)
    const rewards = claimableBy(last.before, source, lender, passphrase)
    const named = warned.filter(({ code }) => code === "rewards_too_small" || code === "forfeit_acknowledged")
    for (const [amount, contract] of [[rewards.pool, pool], [rewards.backstop, backstop]] as const) {
      if (amount === 0n) continue
      // The backstop pays in shares; its warning counts the owed rewards.
      const figure = contract === pool && !by(`lend_1:${pool}`) ? ` ${showAmount(amount)} ` : ""
      const isNamed = named.some(({ message, subject }) => subject?.includes(contract) === true && message.includes(figure))
      assert.isTrue(isNamed, `${amount} in ${contract} is left without a word: ${JSON.stringify(warned)}`)
    }
    assert.deepStrictEqual(poolsLeft({ scene, after: state, before: last.before, passphrase }, warned, forfeited), [])
  })

/** Whether a projection's only doubt is that its calls were simulated and not run by the model. */
const isFirm = ({ status, unverified }: Closed["taken"][number]["plan"]["projection"]): boolean =>
  status !== "failed" &&
  unverified.every((doubt) => /^The effects of the transactions of index .* are as simulated on ledger \d+\.$/.test(doubt))

/** Checks that the destination received the last plan's amount, and that every earlier answer says to continue. */
const assertAsPromised = (scene: PositionsScene, before: bigint, { taken }: Closed) =>
  Effect.gen(function*() {
    const { passphrase } = yield* Service
    const received = (yield* lumensOf(scene.destination)) - before
    const last = taken.at(-1) ?? assert.fail("closed by nothing")
    const { estimate, projection } = last.plan
    assert.isTrue(
      received >= stroopsIn(estimate.minReceivedLumens ?? "0"),
      `${received} received, ${estimate.minReceivedLumens} promised at least`
    )
    if (isFirm(projection)) assert.strictEqual(showAmount(received), estimate.receivedLumens)
    taken.forEach(({ offer, plan, remaining }, at) => {
      if (isFirm(plan.projection)) assertAsForeseen(taken.slice(at), scene, passphrase)
      assert.strictEqual(remaining.requiresAnotherCall, at < taken.length - 1, `call ${at + 1} of ${taken.length}`)
      assert.deepStrictEqual(offer.covers, plan.transactions[0]?.covers)
      const types = new Set(plan.steps.map(({ type }) => type))
      for (const type of offer.covers) assert.isTrue(types.has(type), `${type} stands in no step`)
    })
  })

const inAll = /over the whole close it lacks (\d+\.\d+)/

const needed = /needs? (\d+\.\d+) (?:of ([^, ]+)|lumens).*?(?:may spend|, and) (\d+\.\d+)/

/** Gives a blocked account exactly the shortage in its blockers. */
const remedied = (scene: PositionsScene, blocked: Blocked) =>
  Effect.gen(function*() {
    const { on, sandbox } = yield* Service
    const { issuer, source } = scene
    const give = (asset: Asset, amount: bigint) =>
      on(
        perform("what was lacking is given", {
          as: asset.isNative() ? sandbox.root : issuer,
          operations: [Operation.payment({ destination: source.publicKey(), asset, amount: showAmount(amount) })]
        })
      )
    for (const { message, reason, subject } of blocked.blockers) {
      const [, need, name, have] = needed.exec(message) ?? []
      const told = JSON.stringify({ message, reason, subject })
      assert.isDefined(reason, told)
      if (message.includes("switched off claims")) {
        for (const pool of [amm1ContractsAt.constantProduct, amm1ContractsAt.concentrated]) yield* on(switchClaims(pool, false))
      } else if (reason === "insufficient_lumens") {
        const [, all] = inAll.exec(message) ?? []
        yield* give(Asset.native(), all === undefined ? stroopsIn(need) - stroopsIn(have) : stroopsIn(all))
      } else if (reason === "payout_trustline_missing" && message.includes("too few lumens")) {
        yield* give(Asset.native(), 5_001_000n)
      } else if (reason === "position_locked" && name !== undefined) {
        const [code, by] = name.split(":")
        const asset = by === undefined ? Asset.native() : new Asset(code ?? "", by)
        if (spendableOf((yield* sandbox.snapshot).state, source, asset) === null) {
          yield* give(Asset.native(), 6_000_000n)
          yield* on(
            perform("a line for what was lacking", {
              as: source,
              signedBy: scene.signers.slice(0, 2),
              operations: [Operation.changeTrust({ asset })]
            })
          )
        }
        yield* give(asset, stroopsIn(need) - stroopsIn(have))
      } else {
        return assert.fail(`nobody knows what to do about ${told}`)
      }
    }
    yield* sandbox.closeLedger({ advanceSeconds: 5 })
  })

const closing = (seed: number, shape: PositionsShape) =>
  Effect.gen(function*() {
    const { on, passphrase, sandbox } = yield* Service
    const scene = yield* on(populatePositions(seed, shape))
    const before = yield* lumensOf(scene.destination)
    const given = (yield* sandbox.snapshot).state
    const client = yield* positionsClient(scene, shape)
    const once: Array<string> = []
    const worthNow = Effect.map(sandbox.snapshot, ({ state }) => worthIn(state, scene, passphrase))
    let worth = yield* worthNow
    let seen = 0
    for (let remedies = 0; remedies < MOST_REMEDIES; remedies++) {
      const pursued: Pursued = yield* client.pursue
      if (pursued.kind === "closed") {
        yield* assertNothingLeft(scene, pursued)
        yield* assertAsPromised(scene, before, pursued)
        assertTokensAccounted(scene, given, pursued, passphrase)
        const taken: ReadonlyArray<Taken> = pursued.taken
        return {
          transactions: taken.length,
          blocked: once,
          choices: [...pursued.answers.values()].filter(({ id }) => id.startsWith("position:")).map(({ choice }) => choice),
          tokenChoices: [...pursued.answers.values()].filter(({ id }) => /^(token|tokens|allowance):/.test(id)).map(({ choice }) => choice),
          covered: taken.map(({ offer: { covers, intent: { operations } } }) =>
            covers.join("+") +
            operations.map((
              one
            ) => (one.type === "invoke_contract" ? `(${one.contract === backer ? "backstop " : ""}${one.function})` : "")).join("")
          )
        }
      }
      once.push(...pursued.blockers.map(({ message, reason }) => `${reason}${pursued.taken.length > 0 ? " midway" : ""}: ${message}`))
      assertNotPoorer(worth, yield* worthNow, pursued.taken.slice(seen), JSON.stringify(pursued.blockers))
      yield* remedied(scene, pursued)
      worth = yield* worthNow
      seen = pursued.taken.length
    }
    return assert.fail(`what it lacks is never enough: ${JSON.stringify(once)}`)
  })

/** Closes the account of a seed on a network of its own and checks every promise against the ledger. */
export const closedWithPositions = (seed: number): Effect.Effect<PositionsOutcome, unknown> => {
  const shape = shapeOf(seed)
  const { amm1, amm2, amm3 } = shape.pools
  const pools = [
    ...(amm1 === null ? [] : ["amm_1" as const]),
    ...(amm2 === null ? [] : ["amm_2" as const]),
    ...(amm3 === null ? [] : ["amm_3" as const])
  ]
  return closing(seed, shape).pipe(Effect.provide(tokensService(["lend_1", "cdp_1", ...pools])), Effect.scoped)
}
