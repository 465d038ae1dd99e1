import { HttpServer } from "@effect/platform"
import type { Keypair } from "@stellar/stellar-sdk"
import { ConfigProvider, Context, Effect, Exit, Layer, Logger, LogLevel, Redacted, Scope } from "effect"
import { GeneratedKey } from "../../src/keys/KeyStore.ts"
import * as Server from "../../src/Server.ts"
import { Serving } from "../../src/Serving.ts"
import type { LedgerAccess } from "./Outcome.ts"

/** A running service with its sandbox: what a client is told. */
export interface DemoService {
  readonly url: string
  readonly key: string
  readonly passphrase: string
  readonly ledger: LedgerAccess
  readonly source: Keypair
  readonly destination: string
  readonly stop: () => Promise<void>
}

/** No settings at all, but for any free port and quiet logs. */
const quiet = Layer.merge(
  Layer.setConfigProvider(ConfigProvider.fromMap(new Map([["PORT", "0"]]))),
  Logger.minimumLogLevel(LogLevel.Warning)
)

/** Starts the service on a free loopback port, with the embedded sandbox network. */
export const startService = async (): Promise<DemoService> => {
  const scope = await Effect.runPromise(Scope.make())
  const services = await Effect.runPromise(Layer.buildWithScope(Layer.provide(Server.layer, quiet), scope))
  const { sandbox } = Context.get(services, Serving)
  const [prepared] = sandbox?.prepared ?? []
  const key = Context.getOption(services, GeneratedKey)
  if (sandbox === null || prepared === undefined || key._tag === "None") throw new Error("the service serves no sandbox")
  const [rpcUrl] = sandbox.address.rpcUrls
  const [ledgerApiUrl] = sandbox.address.ledgerApiUrls
  return {
    url: HttpServer.formatAddress(Context.get(services, HttpServer.HttpServer).address),
    key: Redacted.value(key.value),
    passphrase: sandbox.address.passphrase,
    ledger: { rpcUrl: rpcUrl.href, ledgerApiUrl: ledgerApiUrl.href },
    source: prepared.source,
    destination: prepared.destination.publicKey(),
    stop: () => Effect.runPromise(Scope.close(scope, Exit.void))
  }
}
