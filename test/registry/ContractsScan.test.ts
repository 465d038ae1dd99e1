import { NodeHttpClient } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { scanOver, ScanRefused } from "../../scripts/contracts-scan.ts"
import { sandboxAddress } from "../../src/chain/NetworkSettings.ts"
import { strkeyOf } from "../../src/ledger/soroban/Values.ts"
import { ContractsDocument } from "../../src/registry/ContractAddresses.ts"
import { Network } from "../../src/sandbox/Network.ts"
import { startSandbox } from "../../src/sandbox/Sandbox.ts"
import { DEPLOYED } from "../../src/sandbox/scenarios/Deployed.ts"
import { LENDING_CONTRACTS } from "../../src/sandbox/scenarios/LendingContracts.ts"
import { LendingDeployed } from "../../src/sandbox/scenarios/LendingDeployed.ts"

const document = (listedTo: object) =>
  Schema.decodeUnknownSync(ContractsDocument)({
    network: "testnet",
    protocols: { lend_1: DEPLOYED.contracts.lend_1, amm_1: "none", amm_2: "none", amm_3: "none", cdp_1: "none" },
    code: { lend_1: DEPLOYED.code.lend_1 },
    tokens: "none",
    ...listedTo
  })

const factory = strkeyOf(LENDING_CONTRACTS.poolFactory)

const scene = (retention?: number) =>
  Effect.gen(function*() {
    const { ledgerApiUrl, network, passphrase, rpcUrl } = yield* startSandbox(retention === undefined ? {} : { retention })
    const { deployed } = yield* Effect.provideService(LendingDeployed, Network, network)
    const { sequence } = yield* Effect.map(network.snapshot, ({ state }) => ({ sequence: state.header.ledgerSeq }))
    const address = sandboxAddress({ passphrase, rpcUrl, ledgerApiUrl })
    return { address, pool: strkeyOf(deployed), sequence }
  })

describe("a contracts file that is scanned", () => {
  it.scopedLive("lists what its factories deployed since, and says up to which ledger it is whole", () =>
    Effect.gen(function*() {
      const { address, pool, sequence } = yield* scene()
      for (const [listed, first] of [[{}, 2], [{ listedTo: { [factory]: 1 } }, null]] as const) {
        const { document: written, lines } = yield* scanOver(address, document(listed), first)
        const { lend_1 } = written.protocols
        assert.deepStrictEqual(lend_1 === "none" ? [] : lend_1["poolV2"]?.map(String), [strkeyOf(LENDING_CONTRACTS.pool), pool])
        assert.deepStrictEqual(written.listedTo, { [factory]: sequence })
        assert.lengthOf(lines, 1)
      }
    }).pipe(Effect.provide(NodeHttpClient.layerUndici)))

  it.scopedLive("is not written where nobody keeps the events that it lacks, or nobody says where they begin", () =>
    Effect.gen(function*() {
      const { address } = yield* scene(4)
      for (const [listed, first] of [[{}, null], [{}, 2], [{ listedTo: { [factory]: 1 } }, null]] as const) {
        assert.instanceOf(yield* Effect.flip(scanOver(address, document(listed), first)), ScanRefused)
      }
    }).pipe(Effect.provide(NodeHttpClient.layerUndici)))
})
