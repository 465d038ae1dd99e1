import { type Keypair, xdr } from "@stellar/stellar-sdk"
import { FastCheck as fc } from "effect"
import { toTrustlineAsset } from "../../../src/ledger/Asset.ts"
import { int64Max } from "../../../src/ledger/Int64.ts"
import { accountKey, dataKey, keyOf, keyOfClaimableBalance, trustlineKey } from "../../../src/xdr/LedgerKeys.ts"
import {
  allow,
  assetOf,
  begin,
  bump,
  buy,
  claim,
  claimant,
  clawBack,
  clawBackBalance,
  createAccount,
  deposit,
  end,
  merge,
  pay,
  price,
  revoke,
  revokeSigner,
  sell,
  sellPassive,
  setApart,
  setData,
  setLineFlags,
  setOptions,
  setSigner,
  shareOf,
  signerKeyOf,
  strictReceive,
  strictSend,
  trust,
  trustPool,
  withdraw,
  xlm
} from "./Bodies.ts"
import { idOf, type Step, type World } from "./World.ts"

/** Numbers that make up an operation: its type, its accounts and its subject. */
export interface Choice {
  readonly kind: number
  readonly source: number
  readonly other: number
  readonly asset: number
  readonly second: number
  readonly amount: bigint
  readonly n: number
  readonly d: number
  readonly flag: boolean
}

const amount = fc.oneof(
  { weight: 8, arbitrary: fc.bigInt({ min: 1n, max: 5_000n }) },
  { weight: 3, arbitrary: fc.bigInt({ min: 1n, max: 100_000_000n }) },
  { weight: 1, arbitrary: fc.constantFrom(0n, -1n, int64Max, int64Max - 1n) }
)

export const choice: fc.Arbitrary<Choice> = fc.record({
  kind: fc.nat(1_000),
  source: fc.nat(5),
  other: fc.nat(5),
  asset: fc.nat(2),
  second: fc.nat(2),
  amount,
  n: fc.integer({ min: 1, max: 12 }),
  d: fc.integer({ min: 1, max: 12 }),
  flag: fc.boolean()
})

/** Six accounts. The first two issue an asset each, which the others hold; there are pool shares and offers too. */
export const populate = (world: World): ReadonlyArray<Keypair> => {
  const actors = Array.from({ length: 6 }, (_, at) => world.account(at === 5 ? 30_000_000n : 150_000_000n))
  const [usdIssuer, eurIssuer, ...holders] = actors
  if (usdIssuer === undefined || eurIssuer === undefined) return actors
  const [usd, eur] = [assetOf(usdIssuer), assetOf(eurIssuer, "EUR")]
  world.succeed(usdIssuer, [setOptions({ setFlags: 2 | 8 })])
  world.succeed(eurIssuer, [setOptions({ setFlags: 2 })])
  for (const holder of holders) {
    world.succeed(holder, [trust(usd), trust(eur, 50_000n), [usdIssuer, pay(holder, usd, 20_000n)], [eurIssuer, pay(holder, eur, 20_000n)]])
  }
  world.succeed(usdIssuer, [trustPool(xlm, usd), deposit(xlm, usd, 40_000n, 40_000n)])
  return actors
}

const at = <Item>(items: ReadonlyArray<Item>, index: number): Item => {
  const item = items[index % items.length]
  if (item === undefined) throw new RangeError("nothing to choose from")
  return item
}

/** The operation of a choice in the current world. */
export const stepOf = (world: World, actors: ReadonlyArray<Keypair>, pick: Choice): Step => {
  const source = at(actors, pick.source)
  return [source, at(makers, pick.kind)({ world, actors, source, pick })]
}

interface Making {
  readonly world: World
  readonly actors: ReadonlyArray<Keypair>
  readonly source: Keypair
  readonly pick: Choice
}

const other = ({ actors, pick }: Making): Keypair => at(actors, pick.other)
const assets = ({ actors }: Making): ReadonlyArray<xdr.Asset> => [xlm, assetOf(at(actors, 0)), assetOf(at(actors, 1), "EUR")]
const asset = (making: Making): xdr.Asset => at(assets(making), making.pick.asset)
const second = (making: Making): xdr.Asset => at(assets(making), making.pick.second)
const offerIdOf = ({ pick, world }: Making): bigint => (pick.flag ? 0n : BigInt(pick.kind % Number(world.header.idPool + 1n)))

/** Claimable balances, with the source's own first. */
const balances = ({ source, world }: Making): ReadonlyArray<xdr.ClaimableBalanceId> => {
  const all = Array.from(world.state.entries()).flatMap(({ data }) => (data.type === "claimableBalance" ? [data.claimableBalance] : []))
  const own = all.filter(({ claimants }) => claimants.some(({ v0 }) => idOf(source).equals(v0.destination)))
  return (own.length === 0 ? all : own).map(({ balanceId }) => balanceId)
}

const someBalance = (making: Making): xdr.ClaimableBalanceId => {
  const known = balances(making)
  return known.length === 0 ? xdr.ClaimableBalanceId.claimableBalanceIdTypeV0(making.source.rawPublicKey()) : at(known, making.pick.kind)
}

const someKey = (making: Making): xdr.LedgerKey => {
  const { pick, source, world } = making
  const entries = Array.from(world.state.entries())
  const owner = other(making)
  return at(
    [
      keyOf(at(entries, pick.kind)),
      accountKey(owner.publicKey()),
      dataKey(owner.publicKey(), `name ${pick.n % 2}`),
      trustlineKey(owner.publicKey(), toTrustlineAsset(asset(making))),
      trustlineKey(source.publicKey(), shareOf(xlm, assetOf(at(making.actors, 0)))),
      keyOfClaimableBalance(someBalance(making))
    ],
    pick.d
  )
}

const makers: ReadonlyArray<(making: Making) => xdr.OperationBody> = [
  (making) => pay(other(making), asset(making), making.pick.amount),
  (making) => createAccount(other(making), making.pick.amount),
  (making) => trust(second(making), making.pick.flag ? 0n : making.pick.amount),
  (making) => trustPool(asset(making), second(making), making.pick.flag ? 0n : making.pick.amount),
  (making) => deposit(asset(making), second(making), making.pick.amount, making.pick.amount),
  (making) => withdraw(asset(making), second(making), making.pick.amount),
  (making) => sell(asset(making), second(making), making.pick.amount, price(making.pick.n, making.pick.d), offerIdOf(making)),
  (making) => sell(asset(making), second(making), making.pick.amount, price(making.pick.n, making.pick.d)),
  (making) => buy(asset(making), second(making), making.pick.amount, price(making.pick.n, making.pick.d), offerIdOf(making)),
  (making) => sellPassive(asset(making), second(making), making.pick.amount, price(making.pick.n, making.pick.d)),
  (making) => sell(asset(making), second(making), 0n, price(1, 1), BigInt(making.pick.n)),
  (making) => strictSend(other(making), asset(making), making.pick.amount, second(making), 1n, making.pick.flag ? [...assets(making)] : []),
  (making) =>
    strictReceive(other(making), asset(making), int64Max, second(making), making.pick.amount, making.pick.flag ? [...assets(making)] : []),
  (making) => setData(`name ${making.pick.n % 2}`, making.pick.flag ? null : "value"),
  (making) => setSigner(signerKeyOf(other(making)), making.pick.flag ? 0 : 1),
  () => setOptions({ homeDomain: "example.org" }),
  (making) =>
    setApart(
      asset(making),
      making.pick.amount,
      claimant(other(making)),
      ...(making.pick.flag ? [] : [claimant(at(making.actors, making.pick.other + 1))])
    ),
  (making) => claim(someBalance(making)),
  (making) => clawBackBalance(someBalance(making)),
  (making) => clawBack(other(making), asset(making), making.pick.amount),
  (making) => allow(other(making), making.pick.flag ? "USD" : "EUR", making.pick.n % 3),
  (making) => setLineFlags(other(making), asset(making), making.pick.n % 3, making.pick.d % 4),
  (making) => begin(other(making)),
  () => end(),
  (making) => revoke(someKey(making)),
  (making) => revokeSigner(other(making), signerKeyOf(at(making.actors, making.pick.n))),
  (making) => bump((BigInt(making.world.header.ledgerSeq) << 32n) - making.pick.amount),
  (making) => merge(other(making))
]
