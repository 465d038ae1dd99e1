import { Asset, Keypair } from "@stellar/stellar-sdk"
import { Effect, Layer } from "effect"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { sandboxPassphrase } from "../../../../../src/sandbox/Network.ts"
import type { SandboxOptions } from "../../../../../src/sandbox/Sandbox.ts"
import type { DeployedProtocol } from "../../../../../src/sandbox/scenarios/SandboxDeployment.ts"
import { servingOf } from "../../../../sandbox/contracts/ProtocolsServed.ts"
import { anyContract } from "../../../../support/Addresses.ts"
import { startTestService } from "../../../../support/TestService.ts"
import { Service } from "../../../support/Service.ts"

/** A token list file that names these contracts; gone with the scope. */
const tokenListOf = (tokens: ReadonlyArray<string>) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const folder = mkdtempSync(join(tmpdir(), "tokens-"))
      const file = join(folder, "tokens.json")
      writeFileSync(file, JSON.stringify({ network: "testnet", tokens }))
      return { file, folder }
    }),
    ({ folder }) => Effect.sync(() => rmSync(folder, { recursive: true }))
  )

const nowhere = anyContract()

/**
 * A token list file that names one missing contract: the network has contract tokens, and other sources list them. Deleted with the scope.
 */
export const tokenList = tokenListOf([nowhere])

/**
 * The production service over a sandbox with contract tokens, on which scenarios deploy these protocols.
 *
 * @param listed token contracts that its token list names
 * @param settings of the service, besides that list
 */
export const tokensService = (
  names: ReadonlyArray<DeployedProtocol> = [],
  options: SandboxOptions = {},
  listed: ReadonlyArray<string> = [],
  settings: Readonly<Record<string, string>> = {}
) =>
  Layer.scoped(
    Service,
    Effect.flatMap(
      tokenListOf([nowhere, ...listed]),
      ({ file }) => startTestService({ ...settings, TESTNET_TOKENS_FILE: file }, servingOf(names, options))
    )
  )

/** An issuer, and the contract of its asset of a code on a sandbox network. */
export const listedIssuer = (code: string) => {
  const issuer = Keypair.random()
  return { issuer, listed: [new Asset(code, issuer.publicKey()).contractId(sandboxPassphrase)] }
}
