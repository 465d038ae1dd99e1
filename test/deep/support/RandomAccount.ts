import { Keypair, xdr } from "@stellar/stellar-sdk"
import { FastCheck as fc } from "effect"
import { spendable } from "../../../src/close/situation/Holdings.ts"
import { minimumBalance } from "../../../src/stellar/Entries.ts"
import {
  assetOf,
  begin,
  bump,
  claimant,
  createAccount,
  deposit,
  end,
  merge,
  pay,
  price,
  sell,
  setApart,
  setData,
  setLineFlags,
  setOptions,
  setSigner,
  signerKeyOf,
  trust,
  trustPool,
  xlm
} from "../../ledger/support/Bodies.ts"
import { codesOf, type Step, World } from "../../ledger/support/World.ts"

const rarely = <const A>(often: A, ...others: ReadonlyArray<A>): fc.Arbitrary<A> =>
  fc.oneof({ weight: 30, arbitrary: fc.constant(often) }, { weight: 2, arbitrary: fc.constantFrom(...others) })

const anAmount = fc.oneof(
  { weight: 1, arbitrary: fc.bigInt({ min: 1n, max: 9n }) },
  { weight: 3, arbitrary: fc.bigInt({ min: 1n, max: 100_000n }) },
  { weight: 3, arbitrary: fc.bigInt({ min: 1n, max: 900_0000000n }) }
)
const aSide = fc.nat(3)
const aMarketOffer = fc.record({
  selling: aSide,
  buying: aSide,
  amount: anAmount,
  n: fc.integer({ min: 1, max: 400 }),
  d: fc.integer({ min: 1, max: 400 })
})

const oneOf = <const A>(...all: ReadonlyArray<A>): fc.Arbitrary<A> => fc.constantFrom(...all)

/** Every draw for an account and the ledger around it. */
export const aShape = fc.record({
  lines: fc.array(
    fc.record({
      amount: fc.option(anAmount, { nil: 0n, freq: 4 }),
      state: rarely("authorized", "maintain", "none"),
      patronPays: rarely(false, true),
      room: fc.option(anAmount, { nil: null, freq: 3 })
    }),
    { maxLength: 3 }
  ),
  wallets: fc.array(aMarketOffer, { maxLength: 6 }),
  offers: fc.array(aMarketOffer, { maxLength: 3 }),
  pools: fc.uniqueArray(fc.record({ a: aSide, b: aSide, x: anAmount, y: anAmount, share: anAmount, holds: fc.boolean() }), {
    maxLength: 2,
    selector: ({ a, b }) => `${Math.min(a, b)} ${Math.max(a, b)}`
  }),
  data: fc.array(fc.boolean(), { maxLength: 3 }),
  claims: fc.array(
    fc.record({
      asset: aSide,
      amount: anAmount,
      from: oneOf("maker", "issuer", "source"),
      for: oneOf("source", "source", "both", "other"),
      when: oneOf("always", "always", "soon", "later", "past", "until", "briefly")
    }),
    { maxLength: 3 }
  ),
  pays: fc.array(oneOf("account", "data", "line", "signer", "offer"), { maxLength: 2 }),
  ward: oneOf("rich", "poor", "destination"),
  keys: rarely("one", "two of three", "another", "too few", "none usable"),
  flags: rarely("none", "immutable"),
  lumens: oneOf("plenty", "plenty", "plenty", "some", "few", "least"),
  sequence: rarely("usual", "far"),
  destination: rarely("there", "missing"),
  issuer: fc.oneof({ weight: 8, arbitrary: fc.constant("there" as const) }, {
    weight: 2,
    arbitrary: fc.constantFrom("gone" as const, "closed door" as const)
  }),
  patronPays: rarely(false, true),
  bump: rarely(false, true),
  envelopeLimit: oneOf<number | null>(null, null, 1_600, 5_000),
  fees: fc.record({ asked: oneOf(100n, 100n, 100n, 250n, 1500n), charged: oneOf(100, 100, 180, 700, 10_000) }),
  wishes: fc.array(fc.nat(5), { minLength: 6, maxLength: 6 })
})

export type Shape = typeof aShape extends fc.Arbitrary<infer A> ? A : never

/** The accounts of a case. */
export interface Cast {
  readonly source: Keypair
  readonly destination: Keypair
  /** Holds trustlines to every asset, receives transfers. */
  readonly heir: Keypair
  /** Rich: sponsors entries, and pays fee bumps. */
  readonly patron: Keypair
  readonly ward: Keypair
  readonly issuer: Keypair
  readonly assets: ReadonlyArray<xdr.Asset>
  /** Every key that can sign for the source. */
  readonly signers: ReadonlyArray<Keypair>
}

const predicates = (at: bigint): Record<Shape["claims"][number]["when"], xdr.ClaimPredicate> => {
  const before = (seconds: bigint) => xdr.ClaimPredicate.claimPredicateBeforeAbsoluteTime(at + seconds)
  const not = (predicate: xdr.ClaimPredicate) => xdr.ClaimPredicate.claimPredicateNot(predicate)
  return {
    always: xdr.ClaimPredicate.claimPredicateUnconditional(),
    soon: not(before(400n)),
    later: not(before(1_000_000n)),
    past: before(1n),
    until: before(1_000_000n),
    briefly: xdr.ClaimPredicate.claimPredicateAnd([not(before(0n)), before(310n)])
  }
}

/** Builds the ledger of a shape. Leaves out each part without enough lumens or a counterparty. */
export const populate = (shape: Shape): { readonly world: World; readonly cast: Cast } => {
  const world = new World()
  world.signatures = "assume"
  const rich = 100_000_0000000n
  const [source, issuer, maker, patron, heir, other] = [rich, 100_0000000n, rich, rich, 1000_0000000n, 100_0000000n].map((lumens) =>
    world.account(lumens)
  )
  if (
    source === undefined || issuer === undefined || maker === undefined || patron === undefined || heir === undefined || other === undefined
  ) {
    throw new Error("no accounts")
  }
  const destination = shape.destination === "there" ? world.account(50_0000000n) : Keypair.random()
  const ward = shape.ward === "destination" && shape.destination === "there"
    ? destination
    : world.account(shape.ward === "poor" ? 1_0000000n : 500_0000000n)
  const tried = (as: Keypair, steps: ReadonlyArray<Step>): boolean => codesOf(world.apply(as, steps))[0] === "txSuccess"
  const issuedAssets = ["AAA", "BBBB", "CC"].map((code) => assetOf(issuer, code))
  const assets = [xlm, ...issuedAssets]
  const asset = (index: number): xdr.Asset => assets[index % assets.length] ?? xlm
  tried(issuer, [setOptions({ setFlags: 2 | 8 })])
  for (const holder of [maker, heir]) {
    tried(holder, [...issuedAssets.map((one) => trust(one)), ...issuedAssets.map((one): Step => [issuer, pay(holder, one, 5000_0000000n)])])
  }
  for (const { a, b, x, y } of shape.pools) tried(maker, [trustPool(asset(a), asset(b)), deposit(asset(a), asset(b), x, y)])
  const sponsored = (pays: boolean, steps: ReadonlyArray<Step>): ReadonlyArray<Step> =>
    pays ? [[patron, begin(source)], ...steps, [source, end()]] : steps
  shape.lines.forEach(({ amount, patronPays }, at) => {
    const one = asset(at + 1)
    tried(source, [...sponsored(patronPays, [trust(one)]), ...(amount === 0n ? [] : [[issuer, pay(source, one, amount)] as const])])
  })
  for (const { a, b, holds, share } of shape.pools) {
    if (holds) tried(source, [trustPool(asset(a), asset(b)), deposit(asset(a), asset(b), share, share)])
  }
  for (const { amount, buying, d, n, selling } of shape.wallets) tried(maker, [sell(asset(selling), asset(buying), amount, price(n, d))])
  for (const { amount, buying, d, n, selling } of shape.offers) tried(source, [sell(asset(selling), asset(buying), amount, price(n, d))])
  shape.data.forEach((patronPays, at) => tried(source, sponsored(patronPays, [setData(`d${at}`, "1")])))
  const when = predicates(world.header.closeTime + 100n)
  for (const one of shape.claims) {
    const by = { maker, issuer, source }[one.from]
    const mine = claimant(source, when[one.when])
    const claimants = { source: [mine], both: [mine, claimant(other)], other: [claimant(other)] }[one.for]
    tried(by, [setApart(asset(one.asset), one.amount, ...claimants)])
  }
  const late = Keypair.random()
  for (const kind of shape.pays) {
    const steps: Record<Shape["pays"][number], ReadonlyArray<Step>> = {
      account: [[source, begin(late)], [patron, createAccount(late, shape.ward === "rich" ? 10_0000000n : 0n)], [late, end()]],
      data: [[source, begin(ward)], [ward, setData("paid for", "1")], [ward, end()]],
      line: [[source, begin(ward)], [ward, trust(asset(1))], [ward, end()]],
      signer: [[source, begin(ward)], [ward, setSigner(signerKeyOf(other), 1)], [ward, end()]],
      offer: [[source, begin(ward)], [ward, trust(asset(2))], [ward, sell(xlm, asset(2), 1000n, price(90, 1))], [ward, end()]]
    }
    tried(source, steps[kind])
  }
  shape.lines.forEach(({ state }, at) => {
    if (state !== "authorized") tried(issuer, [setLineFlags(source, asset(at + 1), state === "maintain" ? 2 : 0, 1)])
  })
  shape.lines.forEach(({ room }, at) => {
    const line = room === null ? undefined : world.line(source, asset(at + 1))
    const bound = line?.ext.type === "v1" ? line.ext.v1.liabilities.buying : 0n
    // The limit leaves exactly the drawn room; a small draw leaves none.
    if (room !== null && line !== undefined) tried(source, [trust(asset(at + 1), line.balance + bound + (room < 10n ? 0n : room))])
  })
  if (shape.issuer === "gone") tried(issuer, [merge(other)])
  if (shape.issuer === "closed door") tried(issuer, [setOptions({ setFlags: 1 })])
  const [second, third] = [Keypair.random(), Keypair.random()]
  // From here on signatures matter.
  world.signatures = "verify"
  if (shape.keys !== "one") {
    const weights: Record<Exclude<Shape["keys"], "one">, readonly [master: number, threshold: number]> = {
      "two of three": [1, 2],
      another: [0, 1],
      "too few": [1, 9],
      "none usable": [0, 3]
    }
    const [master, threshold] = weights[shape.keys]
    tried(
      source,
      sponsored(shape.patronPays, [
        setSigner(signerKeyOf(second), 1),
        setSigner(signerKeyOf(third), 1),
        setOptions({ masterWeight: master, lowThreshold: 0, medThreshold: Math.min(threshold, 2), highThreshold: threshold })
      ])
    )
  }
  if (shape.flags === "immutable") tried(source, [setOptions({ setFlags: 4 })])
  if (shape.sequence === "far") tried(source, [bump((BigInt(world.header.ledgerSeq) + 1000n) << 32n)])
  const account = world.get(source)
  const reserve = world.header.baseReserve
  const bound = minimumBalance(account, reserve) + (account.balance - minimumBalance(account, reserve) - spendable(account, reserve))
  const free = {
    plenty: 40_0000000n,
    some: 900n,
    few: 100n + BigInt(shape.wishes[0] ?? 0) * 40n,
    least: BigInt(shape.wishes[0] ?? 0) * 19n
  }[shape.lumens]
  world.setBalance(source, bound + free)
  return { world, cast: { source, destination, heir, patron, ward, issuer, assets: issuedAssets, signers: [source, second, third] } }
}
