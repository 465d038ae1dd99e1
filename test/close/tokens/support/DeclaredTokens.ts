import { StrKey } from "@stellar/stellar-sdk"
import { Effect, Layer } from "effect"
import { randomBytes } from "node:crypto"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { SandboxOptions } from "../../../../src/sandbox/Sandbox.ts"
import type { DeployedProtocol } from "../../../../src/sandbox/scenarios/Deployed.ts"
import { servingOf } from "../../../sandbox/contracts/ProtocolsServed.ts"
import { startTestService } from "../../../support/TestService.ts"
import { Service } from "../../support/Service.ts"

/** A token list file that names one contract which is not there: the network has contract tokens, and others tell which; gone with the scope. */
export const tokenList = Effect.acquireRelease(
  Effect.sync(() => {
    const folder = mkdtempSync(join(tmpdir(), "tokens-"))
    const file = join(folder, "tokens.json")
    writeFileSync(file, JSON.stringify({ network: "testnet", tokens: [StrKey.encodeContract(randomBytes(32))] }))
    return { file, folder }
  }),
  ({ folder }) => Effect.sync(() => rmSync(folder, { recursive: true }))
)

/** The production service over a sandbox with contract tokens, on which scenarios deploy these protocols. */
export const tokensService = (names: ReadonlyArray<DeployedProtocol> = [], options: SandboxOptions = {}) =>
  Layer.scoped(
    Service,
    Effect.flatMap(tokenList, ({ file }) => startTestService({ TESTNET_TOKENS_FILE: file }, servingOf(names, options)))
  )
