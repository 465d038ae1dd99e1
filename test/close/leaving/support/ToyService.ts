import { Asset, Keypair, Operation } from "@stellar/stellar-sdk"
import { Effect, Layer, Redacted, type Scope } from "effect"
import { sandboxAddress } from "../../../../src/chain/NetworkSettings.ts"
import { MediatorSigner } from "../../../../src/close/situation/MediatorSigner.ts"
import type { LedgerState } from "../../../../src/ledger/LedgerState.ts"
import { registerContracts } from "../../../../src/ledger/soroban/Contract.ts"
import { addressOf, addressVal, bool, i128, struct, u32, u64, variant } from "../../../../src/ledger/soroban/Values.ts"
import type { Protocol } from "../../../../src/protocols/Protocol.ts"
import { ProtocolRegistry } from "../../../../src/protocols/ProtocolRegistry.ts"
import { ContractAddresses, noContracts } from "../../../../src/registry/ContractAddresses.ts"
import { allContracts } from "../../../../src/sandbox/contracts/All.ts"
import { assetContractEntries, dataEntries } from "../../../../src/sandbox/contracts/Deployment.ts"
import { Network } from "../../../../src/sandbox/Network.ts"
import { startSandbox } from "../../../../src/sandbox/Sandbox.ts"
import { perform } from "../../../../src/sandbox/scenarios/Scenario.ts"
import type { EmbeddedSandbox } from "../../../../src/serving/EmbeddedSandbox.ts"
import { Serving } from "../../../../src/serving/Serving.ts"
import { jumping } from "../../../support/JumpingClock.ts"
import { startTestService } from "../../../support/TestService.ts"
import { Buyer, Issued, Pair } from "../../support/Accounts.ts"
import { Service } from "../../support/Service.ts"
import { isDeed } from "./Malice.ts"
import { maliceEntries, poolEntries } from "./MaliceScene.ts"
import { debtKey, epochKey, type Mode, positionKey, rewardsKey, TOY_POOL_HASH, toyPool, UPGRADED_HASH } from "./ToyPool.ts"
import { poolAddresses, toyProtocol } from "./ToyProtocol.ts"

const farAway = 2_000_000

/** Wraps the contract RPC at a URL; returns the URL for the service. */
export type Between = (rpcUrl: string) => Effect.Effect<string, never, Scope.Scope>

const servingOf = (between: Between, protocol: Protocol) =>
  Layer.scoped(
    Serving,
    Effect.gen(function*() {
      const contracts = registerContracts([...allContracts, { model: toyPool, wasmHashes: [TOY_POOL_HASH, UPGRADED_HASH] }])
      const { ledgerApiUrl, network, passphrase, rpcUrl } = yield* startSandbox({ contracts })
      const mediator = Keypair.random()
      const [first = poolAddresses[0]!, ...others] = poolAddresses
      const sandbox: EmbeddedSandbox = {
        network,
        contracts: ContractAddresses.layerValue({
          protocols: { ...noContracts, amm_2: { pool: [first, ...others] } },
          tokens: "none"
        }),
        mediator,
        prepared: [],
        registry: { version: "none", lastVerified: "2026-01-01", validUntil: "2999-01-01", source: "a test", entries: [] },
        address: sandboxAddress({ passphrase, rpcUrl: yield* between(rpcUrl), ledgerApiUrl })
      }
      return Serving.of({
        sandbox,
        sandboxOnly: true,
        networks: [{
          address: sandbox.address,
          mediator: MediatorSigner.layerSecret(Redacted.make(mediator.secret())),
          contracts: sandbox.contracts,
          protocols: ProtocolRegistry.layerOf([protocol])
        }]
      })
    })
  )

/**
 * The production service over a sandbox with toy pools, whose contract RPC it reaches through a wrapper. All run on one clock that jumps
 * over waits.
 */
export const toyServiceThrough = (between: Between, protocol = toyProtocol) =>
  Layer.provideMerge(Layer.scoped(Service, startTestService({}, servingOf(between, protocol))), jumping)

/** The production service over a sandbox with toy pools. */
export const toyService = toyServiceThrough(Effect.succeed)

/** A second position of a holder; it pays the asset that the first one owes. `archived`: from an archived balance. */
export const AnotherPosition = ({ owed, source }: { readonly owed: Asset; readonly source: Keypair }, pool: number, archived = false) =>
  Effect.gen(function*() {
    const network = yield* Network
    const contract = poolAddresses[pool]!
    const [at, token] = [addressOf(contract), addressOf(owed.contractId(network.passphrase))]
    yield* network.amend((state) =>
      state.set([
        ...poolEntries(contract, { mode: "honest", thief: source.publicKey(), passphrase: network.passphrase }),
        ...dataEntries(
          token,
          [variant("Balance", addressVal(at)), struct({ amount: i128(POSITION * 10n), authorized: bool(true), clawback: bool(false) })],
          "persistent",
          archived ? state.header.ledgerSeq - 1 : farAway
        ),
        ...dataEntries(
          at,
          [positionKey(addressOf(source.publicKey())), struct({ amount: i128(POSITION), token: addressVal(token), unlocks: u64(0n) })],
          "persistent",
          farAway
        )
      ])
    )
    return { contract, id: `position:amm_2:${contract}:share` }
  })

export interface ToyOptions {
  /** Index of the pool: no test shares one. */
  readonly pool: number
  readonly mode?: Mode
  readonly lumens?: string
  /** Whether the source has a trustline to the asset that the pool pays. */
  readonly line?: boolean
  readonly rewards?: bigint
  /** Seconds from the newest ledger to the unlock time. */
  readonly unlocksIn?: number
  /** Whether the position's own entry is archived. */
  readonly archived?: boolean
  readonly garbled?: boolean
  /** Stroops owed of another asset, which a stranger sells at two lumens each. */
  readonly debt?: bigint
  /** The source's balance of that asset; null: no trustline. */
  readonly owned?: string | null
  readonly code?: string
}

/** Stroops of a position. */
export const POSITION = 100_0000000n

/** An account with a position in a toy pool that pays an asset with a buyer at half a lumen each. */
export const ToyHolder = (
  {
    archived = false,
    code = TOY_POOL_HASH,
    debt,
    owned = null,
    garbled = false,
    line = true,
    lumens = "100",
    mode = "honest",
    pool,
    rewards,
    unlocksIn = 0
  }: ToyOptions
) =>
  Effect.gen(function*() {
    const network = yield* Network
    const { destination, source } = yield* Pair(lumens)
    const { asset, issuer } = yield* Issued("USD", ...(line ? [[source, "10"] as const] : []))
    const { maker } = yield* Buyer(asset, "5000", "2")
    const thief = maker
    const owed = yield* Issued("EUR", [maker, "1000"], ...(owned === null ? [] : [[source, owned] as const]))
    yield* perform("somebody sells what is owed", {
      as: maker,
      operations: [Operation.manageSellOffer({ selling: owed.asset, buying: Asset.native(), amount: "500", price: "2" })]
    })
    const owedToken = owed.asset.contractId(network.passphrase)
    const contract = poolAddresses[pool]!
    const token = asset.contractId(network.passphrase)
    const at = addressOf(contract)
    const manner = { code, mode, thief: thief.publicKey(), passphrase: network.passphrase }
    const balance = struct({ amount: i128(POSITION * 10n), authorized: bool(true), clawback: bool(false) })
    const change = (state: LedgerState): LedgerState => {
      const { closeTime, ledgerSeq } = state.header
      const position = garbled
        ? u32(1)
        : struct({
          amount: i128(POSITION),
          token: addressVal(addressOf(token)),
          unlocks: u64(unlocksIn === 0 ? 0n : closeTime + BigInt(unlocksIn))
        })
      const user = addressOf(source.publicKey())
      return state.set([
        ...assetContractEntries(asset.toXdrObject(), network.passphrase, farAway),
        ...poolEntries(contract, manner),
        ...(isDeed(mode) ? maliceEntries(contract, source.publicKey(), token, manner) : []),
        ...dataEntries(addressOf(token), [variant("Balance", addressVal(at)), balance], "persistent", farAway),
        ...dataEntries(at, [positionKey(user), position], "persistent", archived ? ledgerSeq - 1 : farAway),
        ...assetContractEntries(owed.asset.toXdrObject(), network.passphrase, farAway),
        ...(debt === undefined
          ? []
          : dataEntries(
            at,
            [debtKey(user), struct({ amount: i128(debt), token: addressVal(addressOf(owedToken)) })],
            "persistent",
            farAway
          )),
        ...(rewards === undefined ? [] : dataEntries(at, [rewardsKey(user), i128(rewards)], "persistent", farAway)),
        ...(mode === "drift" ? dataEntries(at, [epochKey, u32(ledgerSeq)], "persistent", farAway) : [])
      ])
    }
    yield* network.amend(change)
    return {
      source,
      destination,
      asset,
      owed: owed.asset,
      issuer,
      maker,
      contract,
      token,
      id: `position:amm_2:${contract}:share`,
      decision: `asset:USD-${issuer.publicKey()}`
    }
  })

/** One more ledger, so that the newest one is later than the account's last change. */
export const laterLedger = Effect.flatMap(Service, ({ sandbox }) => sandbox.closeLedger())
