import { Effect } from "effect"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Network } from "../../src/domain/Network.ts"
import { noContracts } from "../../src/registry/ContractAddresses.ts"

/** A contracts file that declares no deployments on a network; deleted with the scope. */
export const contractsFile = (network: Network) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const folder = mkdtempSync(join(tmpdir(), "contracts-"))
      const file = join(folder, "contracts.json")
      writeFileSync(file, JSON.stringify({ network, protocols: noContracts, tokens: "none" }))
      return { file, folder }
    }),
    ({ folder }) => Effect.sync(() => rmSync(folder, { recursive: true }))
  )
