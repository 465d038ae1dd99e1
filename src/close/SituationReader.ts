import { Clock, Context, Effect, Layer, Option } from "effect"
import { AccountReader, type AccountSnapshot } from "../account/AccountReader.ts"
import type { ChainFailure } from "../chain/ChainFailure.ts"
import { ContractRpc } from "../chain/ContractRpc.ts"
import { LedgerApi } from "../chain/LedgerApi.ts"
import { LedgerEntries } from "../chain/LedgerEntries.ts"
import { NetworkSettings } from "../chain/NetworkSettings.ts"
import type { AccountAddress } from "../domain/Address.ts"
import { stroops } from "../domain/Amount.ts"
import type { AssetId } from "../domain/Asset.ts"
import type { AccountNotFound } from "../domain/failure/Request.ts"
import { State } from "../ledger/State.ts"
import { ProtocolRegistry } from "../protocols/ProtocolRegistry.ts"
import { ContractAddresses } from "../registry/ContractAddresses.ts"
import { ExchangeRegistry } from "../registry/ExchangeRegistry.ts"
import type { CloseInput } from "./CloseInput.ts"
import { subjectOf } from "./DecisionId.ts"
import { type Destination, readDestination } from "./Destination.ts"
import { FeeSettings } from "./FeeSettings.ts"
import { holdingsIn } from "./Holdings.ts"
import { readMarket, type Sale } from "./Market.ts"
import type { Situation } from "./Situation.ts"

/** The ledger closes about this often, in seconds. */
const ledgerSeconds = 5n

/** Where answers want assets transferred to, and which. */
const transfersIn = ({ answers }: CloseInput): ReadonlyMap<AccountAddress, ReadonlyArray<AssetId>> => {
  const transfers = new Map<AccountAddress, ReadonlyArray<AssetId>>()
  for (const { choice, id, params } of answers.values()) {
    if (choice !== "transfer_to_account" || params?.destination === undefined) continue
    const subject = Option.getOrNull(subjectOf(id))
    const asset = subject?.kind === "asset" ? [subject.asset] : []
    transfers.set(params.destination, [...(transfers.get(params.destination) ?? []), ...asset])
  }
  return transfers
}

/** Everything that will have to be sold: what the lines hold now, and what the pools would pay onto them. */
const salesOf = (world: State, source: AccountAddress): ReadonlyArray<Sale> => {
  const holdings = holdingsIn(world, source)
  if (holdings === null) return []
  const fromPools = holdings.poolShares.flatMap(({ assetA, assetB, reserveA, reserveB, shares, totalShares }) =>
    totalShares === 0n ? [] : [
      { asset: assetA, amount: (reserveA * shares) / totalShares },
      { asset: assetB, amount: (reserveB * shares) / totalShares }
    ]
  )
  return holdings.lines.flatMap(({ asset, authorized, balance }) => {
    const amount = fromPools.reduce((sum, part) => (part.asset === asset ? sum + part.amount : sum), balance)
    return authorized && amount > 0n ? [{ asset, amount: stroops(amount) }] : []
  })
}

const later = (a: bigint, b: bigint): bigint => (a > b ? a : b)

/** Collects what one close call rests on: the account, the destinations, the market, the fees. */
export class SituationReader extends Context.Tag("closeout/close/SituationReader")<SituationReader, {
  /** Reads afresh; every source that does not answer is a failure. */
  readonly read: (input: CloseInput) => Effect.Effect<Situation, AccountNotFound | ChainFailure>
}>() {
  static readonly layer = Layer.effect(
    SituationReader,
    Effect.gen(function*() {
      const accounts = yield* AccountReader
      const rpc = yield* ContractRpc
      const api = yield* LedgerApi
      const entries = yield* LedgerEntries
      const registry = yield* ExchangeRegistry
      const contracts = yield* ContractAddresses
      const protocols = yield* ProtocolRegistry
      const { passphrase } = yield* NetworkSettings
      const fees = yield* FeeSettings

      const destinationAt = (address: AccountAddress, assets: ReadonlyArray<AssetId>): Effect.Effect<Destination, ChainFailure> =>
        readDestination(entries, address, assets, Option.getOrNull(registry.lookup(address)))

      const worldOf = ({ entries: held, header }: AccountSnapshot, now: bigint, others: ReadonlyArray<Destination>): State =>
        State.make({ ...header, ledgerSeq: header.ledgerSeq + 1, closeTime: later(header.closeTime + ledgerSeconds, now) })
          .set(others.flatMap((destination) => destination.entries))
          .set(held)

      const read = Effect.fn("SituationReader.read")(function*(input: CloseInput) {
        const assetsTo = transfersIn(input)
        const others = [...assetsTo].filter(([address]) => address !== input.destination)
        const [snapshot, destination, transfers, statistics] = yield* Effect.all([
          accounts.read(input.source, []),
          input.destination === null ? Effect.succeed(null) : destinationAt(input.destination, assetsTo.get(input.destination) ?? []),
          Effect.forEach(others, ([address, assets]) => destinationAt(address, assets), { concurrency: 4 }),
          rpc.feeStats
        ], { concurrency: "unbounded" })
        const millis = yield* Clock.currentTimeMillis
        const now = later(BigInt(Math.floor(millis / 1000)), snapshot.header.closeTime)
        const known = destination === null ? transfers : [destination, ...transfers]
        const plain = worldOf(snapshot, now, known)
        const market = yield* readMarket(api, entries, input.source, salesOf(plain, input.source))
        const situation: Situation = {
          input,
          passphrase,
          snapshot,
          destination,
          transferDestinations: new Map(known.map((one) => [one.address, one])),
          registry: { fresh: registry.freshAt(millis), validUntil: registry.document.validUntil },
          market,
          unreadProtocols: protocols.untracked,
          tokensUnread: contracts.tokens !== "none" && snapshot.state.contractTokens === undefined,
          world: plain.set(market.entries).set(known.flatMap((one) => one.entries)).set(snapshot.entries),
          feePerOperation: fees.perOperation(statistics.classic.p90, snapshot.header.baseFee),
          now
        }
        return situation
      })
      return { read }
    })
  )
}
