import { HttpServer } from "@effect/platform"
import { ConfigProvider, Context, Effect, Exit, Layer, Logger, LogLevel, Redacted, Scope } from "effect"
import type { ContractsFile } from "../../src/client/Client.ts"
import { GeneratedKey } from "../../src/keys/StaticKeys.ts"
import { sandboxDeployment } from "../../src/sandbox/scenarios/SandboxDeployment.ts"
import * as Server from "../../src/Server.ts"
import type { PreparedAccount } from "../../src/serving/EmbeddedSandbox.ts"
import { Serving } from "../../src/serving/Serving.ts"

/** Where the ledger itself is asked, past the service. */
export interface LedgerAccess {
  readonly rpcUrl: string
  readonly ledgerApiUrl: string
}

/** A running service with its sandbox: what a client is told. */
export interface DemoService {
  readonly url: string
  readonly key: string
  readonly passphrase: string
  readonly ledger: LedgerAccess
  /** The contracts of the sandbox, as a contracts file has them. */
  readonly contracts: ContractsFile
  /** Accounts to close: one of classic entries only, and one with positions in protocols. */
  readonly classic: PreparedAccount
  readonly positions: PreparedAccount
  readonly stop: () => Promise<void>
}

/** No settings at all, but for any free port and quiet logs. */
const quiet = Layer.merge(
  Layer.setConfigProvider(ConfigProvider.fromMap(new Map([["PORT", "0"]]))),
  Logger.minimumLogLevel(LogLevel.Warning)
)

/** The embedded sandbox network with a ledger a second, since a contract call waits for the next one. */
const serving = Serving.layerWith({ closeEvery: "1 second", protocols: true, accounts: true })

/** Starts the service on a free loopback port, with the embedded sandbox network. */
export const startService = async (): Promise<DemoService> => {
  const scope = await Effect.runPromise(Scope.make())
  const services = await Effect.runPromise(Layer.buildWithScope(Layer.provide(Server.layerOver(serving), quiet), scope))
  const { sandbox } = Context.get(services, Serving)
  const [classic, , positions] = sandbox?.prepared ?? []
  const key = Context.getOption(services, GeneratedKey)
  if (sandbox === null || classic === undefined || positions === undefined || key._tag === "None") {
    throw new Error("the service serves no sandbox")
  }
  const [rpcUrl] = sandbox.address.rpcUrls
  const [ledgerApiUrl] = sandbox.address.ledgerApiUrls
  return {
    url: HttpServer.formatAddress(Context.get(services, HttpServer.HttpServer).address),
    key: Redacted.value(key.value),
    passphrase: sandbox.address.passphrase,
    ledger: { rpcUrl: rpcUrl.href, ledgerApiUrl: ledgerApiUrl.href },
    contracts: { protocols: sandboxDeployment.contracts, code: sandboxDeployment.code, tokens: "none" },
    classic,
    positions,
    stop: () => Effect.runPromise(Scope.close(scope, Exit.void))
  }
}
