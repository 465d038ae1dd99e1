import { assert, describe, it } from "@effect/vitest"
import { Keypair, xdr } from "@stellar/stellar-sdk"
import { Effect, Layer, Redacted, type Schema } from "effect"
import { sandboxAddress } from "../../src/chain/NetworkSettings.ts"
import { MediatorSigner } from "../../src/close/situation/MediatorSigner.ts"
import type { AccountState } from "../../src/domain/Account.ts"
import { sha256 } from "../../src/ledger/Signatures.ts"
import { addressVal, bool, contractAddress, strkeyOf, vec } from "../../src/ledger/soroban/Values.ts"
import { contractEntries, dataEntries } from "../../src/sandbox/contracts/Deployment.ts"
import { rewardZoneKey } from "../../src/sandbox/contracts/lend1/BackstopKeys.ts"
import { poolV2Hash } from "../../src/sandbox/contracts/lend1/LendingPool.ts"
import { deployedKey } from "../../src/sandbox/contracts/lend1/PoolFactory.ts"
import { RpcError } from "../../src/sandbox/faults/ServerErrors.ts"
import { Network } from "../../src/sandbox/Network.ts"
import { startSandbox } from "../../src/sandbox/Sandbox.ts"
import { lendingContracts } from "../../src/sandbox/scenarios/LendingContracts.ts"
import { withFactory } from "../../src/sandbox/scenarios/LendingEntries.ts"
import { LendingNewcomer } from "../../src/sandbox/scenarios/LendingNewcomer.ts"
import { deployed } from "../../src/serving/EmbeddedSandbox.ts"
import { Serving } from "../../src/serving/Serving.ts"
import { plan } from "../close/support/Client.ts"
import { Service } from "../close/support/Service.ts"
import { asked, lendingService, pursued } from "../sandbox/contracts/ProtocolsServed.ts"
import { jumping } from "../support/JumpingClock.ts"
import { deployPool, LendingDeployed } from "../support/scenarios/LendingDeployed.ts"
import { LendingSupply, lendTo } from "../support/scenarios/LendingSupply.ts"
import { startTestService } from "../support/TestService.ts"

type Body = Schema.Schema.Encoded<typeof AccountState>

const read = (account: Keypair, network = "testnet") =>
  Effect.flatMap(Service, ({ call }) =>
    Effect.map(call<Body>("GET", `/${network}/account/${account.publicKey()}`), ({ body, status }) => {
      assert.strictEqual(status, 200, JSON.stringify(body))
      return body
    }))

const contractsIn = ({ defiPositions }: Body) => defiPositions.positions.map((row) => row.contractAddress)

const listed = ({ defiPositions }: Body) => defiPositions.queryKeys.slices["lend_1"]?.contracts ?? []

const warned = ({ defiPositionsWarnings }: Body) => defiPositionsWarnings.map(({ code, subject }) => [code, subject])

const text = (pool: xdr.ScAddress): string => strkeyOf(pool)

/** A factory outside the configuration, with a pool that an account lends to. */
const LendingElsewhere = Effect.gen(function*() {
  const scene = yield* LendingNewcomer
  const { amend, passphrase } = yield* Network
  const stranger = contractAddress(new xdr.ContractId(sha256(Buffer.from("a stranger's factory"))))
  yield* amend((state) => withFactory(state, stranger, scene.blnd, passphrase))
  const elsewhere = yield* deployPool(stranger, scene.lender, scene.assets)
  yield* lendTo(elsewhere, scene)
  return { ...scene, elsewhere }
})

describe("pools that no file lists", () => {
  it.scopedLive("are found by what their factory announced, shown, and left", () =>
    Effect.gen(function*() {
      const held = yield* asked(LendingDeployed)
      const before = yield* read(held.source)
      assert.deepStrictEqual(contractsIn(before), [text(held.deployed)])
      assert.include(listed(before), text(held.deployed))
      assert.deepStrictEqual(warned(before), [])
      assert.deepStrictEqual(yield* pursued(held), {
        covered: ["EXIT_POSITIONS", "HANDLE_ASSETS+REMOVE_TRUSTLINES+MERGE"],
        unlocksAt: null
      })
    }).pipe(Effect.provide(lendingService)))

  it.scopedLive("are not read when somebody else's contract announced them", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const { elsewhere, source } = yield* on(LendingElsewhere)
      const state = yield* read(source)
      assert.deepStrictEqual(contractsIn(state), [])
      assert.notInclude(listed(state), text(elsewhere))
      assert.deepStrictEqual(warned(state), [])
    }).pipe(Effect.provide(lendingService)))

  it.scopedLive("are not read when no factory knows them, though the reward zone names them, and the read says so", () =>
    Effect.gen(function*() {
      const { on, sandbox } = yield* Service
      const { elsewhere, source } = yield* on(LendingElsewhere)
      const zone = vec(addressVal(lendingContracts.pool), addressVal(elsewhere))
      yield* sandbox.amend((state) =>
        state.set(dataEntries(lendingContracts.backstop, [rewardZoneKey, zone], "persistent", state.header.ledgerSeq + 100_000))
      )
      const state = yield* read(source)
      assert.deepStrictEqual(contractsIn(state), [])
      assert.notInclude(listed(state), text(elsewhere))
      assert.deepStrictEqual(warned(state), [["source_failed", "lend_1"]])
      assert.include(state.defiPositionsWarnings[0]?.message, "pools that no factory of the protocol knows are not read: 1")
    }).pipe(Effect.provide(Layer.provideMerge(lendingService, jumping))))

  it.scopedLive("are read, however many more than three hundred there are", () =>
    Effect.gen(function*() {
      const { on, sandbox } = yield* Service
      const { source } = yield* on(LendingSupply)
      const pools = Array.from({ length: 302 }, (_, index) => contractAddress(new xdr.ContractId(sha256(Buffer.from(`pool ${index}`)))))
      const { backstop, poolFactory } = lendingContracts
      yield* sandbox.amend((state) => {
        const until = state.header.ledgerSeq + 100_000
        return state.set([
          ...dataEntries(backstop, [rewardZoneKey, vec(...pools.map(addressVal))], "persistent", until),
          ...pools.flatMap((pool) => [
            ...dataEntries(poolFactory, [deployedKey(pool), bool(true)], "persistent", until),
            ...contractEntries(pool, poolV2Hash, [], until)
          ])
        ])
      })
      const state = yield* read(source)
      assert.deepStrictEqual(contractsIn(state), [text(lendingContracts.pool)])
      assert.deepStrictEqual(warned(state), [])
      assert.includeMembers([...listed(state)], pools.map(text))
    }).pipe(Effect.provide(lendingService)))

  it.scopedLive("may be missing where events cannot be read: the others are read, the read says so, and the plan asks before it passes over them", () =>
    Effect.gen(function*() {
      const { on, sandbox } = yield* Service
      yield* sandbox.faults.set({ fault: new RpcError({ code: -32601, message: "no such method" }), rpc: "getEvents" })
      const { destination, source } = yield* on(LendingSupply)
      const state = yield* read(source)
      assert.deepStrictEqual(contractsIn(state), [text(lendingContracts.pool)])
      assert.deepStrictEqual(warned(state), [["lists_have_gap", "lend_1"]])
      const { blockers, decisionPoints, warnings } = yield* plan({ source: source.publicKey(), destination: destination.publicKey() })
      assert.deepStrictEqual(blockers.map(({ reason, subject }) => [reason, subject]), [["positions_unread", "lend_1"]])
      assert.include(warnings.map(({ code, subject }) => `${code} ${subject}`), "lists_have_gap lend_1")
      const offered = decisionPoints.find(({ id }) => id === "positions_unread:lend_1")?.options[0]?.params
      assert.deepStrictEqual([offered?.contracts, offered?.gap?.fromLedger], [[], 2])
    }).pipe(Effect.provide(lendingService)))

  it.scopedLive("are those of one network: of two whose contracts have the same addresses, each has its own list", () =>
    Effect.gen(function*() {
      const [here, there] = [yield* startSandbox(), yield* startSandbox({ passphrase: "A network that plays mainnet in a test" })]
      const served = ({ ledgerApiUrl, passphrase, rpcUrl }: typeof here, network: "testnet" | "mainnet") => ({
        address: sandboxAddress({ passphrase, rpcUrl, ledgerApiUrl }, network),
        mediator: MediatorSigner.layerSecret(Redacted.make(Keypair.random().secret())),
        contracts: deployed("lend_1")
      })
      const { address, contracts } = served(here, "testnet")
      const sandbox = {
        network: here.network,
        contracts,
        mediator: Keypair.random(),
        prepared: [],
        registry: { version: "none", lastVerified: "2026-01-01", validUntil: "2999-01-01", source: "a test", entries: [] },
        address
      }
      const serving = Layer.succeed(Serving, { sandbox, sandboxOnly: true, networks: [served(here, "testnet"), served(there, "mainnet")] })
      const service = yield* startTestService({}, serving)
      const ours = yield* Effect.provideService(LendingDeployed, Network, here.network)
      const theirs = yield* Effect.provideService(LendingDeployed, Network, there.network)
      const [testnet, mainnet] = yield* Effect.provideService(
        Effect.all([read(ours.source), read(theirs.source, "mainnet")]),
        Service,
        service
      )
      for (const [state, own, strange] of [[testnet, ours, theirs], [mainnet, theirs, ours]] as const) {
        assert.include(listed(state), text(own.deployed))
        assert.notInclude(listed(state), text(strange.deployed))
      }
    }))
})
