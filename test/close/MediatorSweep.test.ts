import { FileSystem } from "@effect/platform"
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import { assert, describe, it } from "@effect/vitest"
import { Asset, Keypair, Operation } from "@stellar/stellar-sdk"
import { ConfigProvider, Effect } from "effect"
import { sweepWith } from "../../scripts/mediator-sweep.ts"
import { Network } from "../../src/sandbox/Network.ts"
import { startSandbox } from "../../src/sandbox/Sandbox.ts"
import { MediatorFunded } from "../../src/sandbox/scenarios/MediatorFunded.ts"
import { fund, perform } from "../../src/sandbox/scenarios/Scenario.ts"
import { accountKey } from "../../src/xdr/LedgerKeys.ts"

/** A sandbox that is configured as if it were a real network, with a mediator and its operator. */
const scene = Effect.gen(function*() {
  const { ledgerApiUrl, network, passphrase, rpcUrl } = yield* startSandbox()
  const on = Effect.provideService(Network, network)
  const { mediator } = yield* on(MediatorFunded)
  const [operator, donor, exchange] = [Keypair.random(), Keypair.random(), Keypair.random()]
  yield* on(fund("100", operator, donor, exchange))
  const files = yield* FileSystem.FileSystem
  const registry = `${yield* files.makeTempDirectoryScoped()}/registry.json`
  yield* files.writeFileString(
    registry,
    JSON.stringify({
      version: "1",
      lastVerified: "2026-01-01",
      validUntil: "2099-01-01",
      source: "made for a test",
      entries: [{
        address: exchange.publicKey(),
        name: "An exchange",
        domain: "exchange.example",
        requiresMediator: true,
        requiresMemo: true,
        memoType: "id"
      }]
    })
  )
  const settings = {
    TESTNET_RPC_URLS: rpcUrl,
    TESTNET_LEDGER_API_URLS: ledgerApiUrl,
    TESTNET_PASSPHRASE: passphrase,
    TESTNET_MEDIATOR_SECRET: mediator.secret(),
    EXCHANGE_REGISTRY_FILE: registry
  }
  const sweepTo = (account: string | null) =>
    sweepWith(
      ConfigProvider.fromMap(
        new Map(Object.entries({ ...settings, ...(account === null ? {} : { TESTNET_MEDIATOR_SWEEP_ACCOUNT: account }) }))
      )
    )
  const lumensOf = (key: Keypair) =>
    Effect.map(network.snapshot, ({ state }) => {
      const found = state.get(accountKey(key.publicKey()))
      return found?.data.type === "account" ? found.data.account.balance : 0n
    })
  const donate = (amount: string) =>
    on(
      perform("a donation", {
        as: donor,
        operations: [Operation.payment({ destination: mediator.publicKey(), asset: Asset.native(), amount })]
      })
    )
  return { mediator, operator, donor, exchange, on, sweepTo, lumensOf, donate }
}).pipe(Effect.provide(NodeFileSystem.layer))

describe("the sweep of the mediator", () => {
  it.scopedLive("moves all that lies above the base reserve to the operator, and then finds nothing more", () =>
    Effect.gen(function*() {
      const { donate, lumensOf, mediator, operator, sweepTo } = yield* scene
      yield* donate("7.25")
      const first = yield* sweepTo(operator.publicKey())
      assert.isTrue(first.fine, first.lines.join())
      assert.match(first.lines.join("\n"), /^testnet: moved 7\.2499900 lumens from G/)
      assert.strictEqual(yield* lumensOf(mediator), 1_0000000n)
      assert.strictEqual(yield* lumensOf(operator), 100_0000000n + 7_2499900n)
      const second = yield* sweepTo(operator.publicKey())
      assert.deepStrictEqual(second, {
        fine: true,
        lines: [`testnet: nothing to move: ${mediator.publicKey()} holds 0.0000000 lumens beyond its reserve`]
      })
      assert.notInclude([...first.lines, ...second.lines].join(), mediator.secret())
    }))

  it.scopedLive("refuses where nobody said whereto, and where it would be lost", () =>
    Effect.gen(function*() {
      const { donate, donor, exchange, lumensOf, mediator, on, operator, sweepTo } = yield* scene
      yield* donate("7")
      yield* on(perform("the donor locks its account", { as: donor, operations: [Operation.setOptions({ masterWeight: 0 })] }))
      yield* on(
        perform("the operator asks for memos", {
          as: operator,
          operations: [Operation.manageData({ name: "config.memo_required", value: "1" })]
        })
      )
      const refusals: ReadonlyArray<readonly [account: string | null, reason: RegExp]> = [
        [null, /TESTNET_MEDIATOR_SWEEP_ACCOUNT is not set/],
        ["GABC", /must be an account address/],
        [mediator.publicKey(), /is the mediator itself/],
        [Keypair.random().publicKey(), /does not exist/],
        [exchange.publicKey(), /is an exchange address/],
        [operator.publicKey(), /requires a memo/],
        [donor.publicKey(), /is locked/]
      ]
      for (const [account, reason] of refusals) {
        const { fine, lines } = yield* sweepTo(account)
        assert.isFalse(fine, String(reason))
        assert.lengthOf(lines, 1)
        assert.match(lines[0] ?? "", reason)
      }
      assert.strictEqual(yield* lumensOf(mediator), 8_0000000n)
    }))

  it.effect("has nothing to do where no network is configured", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* sweepWith(ConfigProvider.fromMap(new Map())), {
        fine: true,
        lines: ["no configured network has a mediator"]
      })
    }))
})
