import { Asset, hash, Keypair, Operation, type xdr } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { showAmount } from "../../../../src/domain/Amount.ts"
import { lumen } from "../../../../src/ledger/Asset.ts"
import { addressOf } from "../../../../src/ledger/soroban/Values.ts"
import { userBackstopEmissionKey, userBalanceKey } from "../../../../src/sandbox/contracts/lend1/BackstopKeys.ts"
import { cometBalanceKey } from "../../../../src/sandbox/contracts/lend1/CometShares.ts"
import { positionsKey, reserveDataKey, userEmissionKey } from "../../../../src/sandbox/contracts/lend1/PoolKeys.ts"
import { vaultIndexKey, vaultKey } from "../../../../src/sandbox/contracts/vaults/VaultValues.ts"
import { EntryArchived } from "../../../../src/sandbox/events/EntryArchived.ts"
import { Network } from "../../../../src/sandbox/Network.ts"
import { lendingContracts } from "../../../../src/sandbox/scenarios/LendingContracts.ts"
import { LendingMarket } from "../../../../src/sandbox/scenarios/LendingMarket.ts"
import { fund, perform } from "../../../../src/sandbox/scenarios/Scenario.ts"
import { vaultsContracts } from "../../../../src/sandbox/scenarios/VaultsContracts.ts"
import { openVault, VaultsMarketOf } from "../../../../src/sandbox/scenarios/VaultsMarket.ts"
import { keyOfContractData, keyOfInstance } from "../../../../src/xdr/LedgerKeys.ts"
import { emissionsFor } from "../../../support/scenarios/LendingEmissions.ts"
import { back, lend, queue } from "./LendingTaken.ts"
import { type PoolsScene, populatePools, putAway } from "./PoolsScene.ts"
import { heldBy } from "./PositionsHeld.ts"
import type { Archivable, PositionsShape, Reserve } from "./PositionsShape.ts"
import { populateTokens, type TokensScene, turnTokens } from "./TokensScene.ts"
import { spendableOf, stateNow, tried, withBalance } from "./WalletBalance.ts"

const DAY = 86_400

/** The accounts of a scene, and the traded assets. */
export interface PositionsScene {
  readonly source: Keypair
  readonly destination: Keypair
  /** Lends, makes the markets, has trustlines to every asset. */
  readonly lender: Keypair
  readonly issuer: Keypair
  /** Pays fee bumps. */
  readonly patron: Keypair
  readonly signers: ReadonlyArray<Keypair>
  readonly assets: Readonly<Record<Reserve | "blnd" | "other", Asset>>
  readonly pools: PoolsScene
  readonly tokens: TokensScene
}

const keyFor = (seed: number, who: string): Keypair => Keypair.fromRawEd25519Seed(hash(Buffer.from(`positions ${seed} ${who}`)))

/** Lumens that lock a unit of debt, by the place in a list where other vaults lock 20, 40, 60 and 80. */
const PLACES = { lowest: 15n, middle: 30n, highest: 120n } as const

const wanted = (owed: bigint, kind: PositionsShape["atHand"]["eurc"]): bigint | null => {
  switch (kind) {
    case "plenty":
      return owed + owed / 2n + 50n * lumen
    case "enough":
      return owed + owed / 100n + 1n
    case "exactly":
      return owed
    case "some":
      return owed / 2n
    case "none":
      return 0n
    case "no line":
      return null
  }
}

/** Keys of the entries to archive, as far as they exist. */
const keysOf = (
  { assets: { usdc }, source }: PositionsScene,
  passphrase: string
): Readonly<Record<Archivable, ReadonlyArray<xdr.LedgerKey>>> => {
  const { backstop, comet, pool } = lendingContracts
  const { vaults } = vaultsContracts
  const own = addressOf(source.publicKey())
  const kept = (contract: xdr.ScAddress, key: xdr.ScVal) => keyOfContractData(contract, key, "persistent")
  return {
    positions: [kept(pool, positionsKey(own))],
    rewards: [
      ...Array.from({ length: 6 }, (_, id) => kept(pool, userEmissionKey(own, id))),
      kept(backstop, userBackstopEmissionKey(pool, own))
    ],
    "backstop deposit": [kept(backstop, userBalanceKey(pool, own))],
    "comet shares": [kept(comet, cometBalanceKey(own))],
    vault: (["USD", "EUR"] as const).map((denomination) => kept(vaults, vaultKey(own, denomination))),
    "vault index": (["USD", "EUR"] as const).map((denomination) => kept(vaults, vaultIndexKey(own, denomination))),
    reserve: [kept(pool, reserveDataKey(addressOf(usdc.contractId(passphrase))))],
    pool: [keyOfInstance(pool)],
    vaults: [keyOfInstance(vaults)]
  }
}

/** Creates the account of a shape on an empty network. */
export const populatePositions = Effect.fn("PositionsScene.populate")(function*(seed: number, shape: PositionsShape) {
  const network = yield* Network
  const market = yield* LendingMarket
  const { blnd, eurc, issuer, lender, native, usdc } = market
  const [source, destination, patron, second, third] = ["source", "destination", "patron", "second", "third"].map((who) =>
    keyFor(seed, who)
  )
  if (source === undefined || destination === undefined || patron === undefined || second === undefined || third === undefined) {
    return yield* Effect.dieMessage("no keys")
  }
  yield* fund("200000", source)
  yield* fund("1000", destination, patron)
  const assets = { native, usdc, eurc, blnd, other: new Asset("OTHER", issuer.publicKey()) }
  const pools = yield* populatePools(shape.pools, source)
  const scene: PositionsScene = {
    source,
    destination,
    lender,
    issuer,
    patron,
    signers: shape.keys === "one" ? [source] : [source, second, third],
    assets,
    pools,
    tokens: yield* populateTokens(shape.tokens, { source, lender, assets, pools })
  }
  yield* perform("lines", { as: source, operations: [usdc, eurc].map((asset) => Operation.changeTrust({ asset })) })

  if (shape.lending) {
    yield* lend(shape, scene)
    yield* back(shape, scene)
    if (shape.emissions !== null) yield* emissionsFor(shape.emissions, market.assets)
    yield* queue(shape, scene)
  }
  if (shape.vaulting && shape.vaults.length > 0) {
    yield* VaultsMarketOf({ issuer, usd: usdc, eur: eurc })
    for (const { denomination, place } of shape.vaults) {
      yield* openVault("the account opens a vault", { owner: source, denomination, debt: 100n, collateral: 100n * PLACES[place] })
    }
  }
  if (shape.days > 0) yield* network.closeLedger({ advanceSeconds: shape.days * DAY })

  const owed = heldBy(yield* stateNow, source, assets, network.passphrase).owed
  for (const asset of ["usdc", "eurc"] as const) yield* withBalance(scene, assets[asset], wanted(owed[asset], shape.atHand[asset]))
  const blndHeld = { "no line": null, "a line": 0n, some: 7n * lumen }
  yield* withBalance(scene, blnd, blndHeld[shape.blnd])
  if (shape.other !== "none") {
    yield* withBalance(scene, assets.other, 40n * lumen)
    if (shape.other === "some") {
      yield* perform("somebody buys the other asset", {
        as: lender,
        operations: [
          Operation.changeTrust({ asset: assets.other }),
          Operation.manageSellOffer({ selling: native, buying: assets.other, amount: "1000", price: "2" })
        ]
      })
    }
  }
  for (const [at, { part, selling }] of shape.offers.entries()) {
    const amount = (((spendableOf(yield* stateNow, source, assets[selling]) ?? 0n) / (selling === "native" ? 1_000n : 1n)) * BigInt(part)) /
      100n
    const buying = selling === "native" ? usdc : native
    yield* tried(perform("the account offers", {
      as: source,
      operations: [Operation.manageSellOffer({ selling: assets[selling], buying, amount: showAmount(amount), price: (90 + at).toString() })]
    }))
  }
  for (let at = 0; at < shape.data; at++) {
    yield* perform("the account keeps data", { as: source, operations: [Operation.manageData({ name: `d${at}`, value: "1" })] })
  }
  if (shape.keys !== "one") {
    yield* perform("the account gets more signers", {
      as: source,
      operations: [
        Operation.setOptions({ signer: { ed25519PublicKey: second.publicKey(), weight: 1 } }),
        Operation.setOptions({
          signer: { ed25519PublicKey: third.publicKey(), weight: 1 },
          masterWeight: 1,
          lowThreshold: 1,
          medThreshold: 2,
          highThreshold: 2
        })
      ]
    })
  }
  const free = { plenty: 300n * lumen, some: 4n * lumen, few: lumen, least: lumen / 20n }[shape.lumens] + BigInt(shape.scarce)
  const left = (spendableOf(yield* stateNow, source, native) ?? 0n) - free - 100n
  if (left > 0n) {
    yield* perform("the account spends its lumens", {
      as: source,
      signedBy: scene.signers.slice(0, 2),
      operations: [Operation.payment({ destination: lender.publicKey(), asset: native, amount: showAmount(left) })]
    })
  }
  yield* putAway(shape.pools, pools, source)
  yield* turnTokens(scene.tokens, scene)
  const keys = keysOf(scene, network.passphrase)
  for (const key of (shape.archived ?? []).flatMap((name) => keys[name])) {
    yield* tried(new EntryArchived({ key: key.toXdr("base64") }).happen())
  }
  yield* network.closeLedger({ advanceSeconds: 5 })
  return scene
})
