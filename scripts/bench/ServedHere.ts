import { HttpServer } from "@effect/platform"
import { ConfigProvider, Context, Effect, Layer, Logger, LogLevel, Redacted } from "effect"
import { sandboxAddress } from "../../src/chain/NetworkSettings.ts"
import { MediatorSigner } from "../../src/close/situation/MediatorSigner.ts"
import { GeneratedKey } from "../../src/keys/StaticKeys.ts"
import { ContractAddresses } from "../../src/registry/ContractAddresses.ts"
import * as Server from "../../src/Server.ts"
import { Serving } from "../../src/serving/Serving.ts"

/** A network that another process serves. */
export interface NetworkElsewhere {
  readonly passphrase: string
  readonly rpcUrl: string
  readonly ledgerApiUrl: string
}

const settings = Layer.merge(
  Layer.setConfigProvider(ConfigProvider.fromMap(new Map([["PORT", "0"], ["RATE_LIMIT", "1000000"]]))),
  Logger.minimumLogLevel(LogLevel.None)
)

/** A service in this thread until the scope closes: its sandbox, its address, and a key. */
export const serving = <E>(served: Layer.Layer<Serving, E>) =>
  Effect.gen(function*() {
    const services = yield* Layer.build(Layer.provide(Layer.fresh(Server.layerOver(served)), settings))
    return {
      sandbox: Context.get(services, Serving).sandbox,
      url: HttpServer.formatAddress(Context.get(services, HttpServer.HttpServer).address),
      key: Redacted.value(Context.unsafeGet(services, GeneratedKey))
    }
  })

/** The same of a network that another process serves. */
export const servingOf = ({ ledgerApiUrl, passphrase, rpcUrl }: NetworkElsewhere) => {
  const address = sandboxAddress({ passphrase, rpcUrl, ledgerApiUrl })
  return serving(Layer.succeed(
    Serving,
    Serving.of({
      sandbox: null,
      sandboxOnly: true,
      networks: [{ address, mediator: MediatorSigner.layerNone, contracts: ContractAddresses.layerNone }]
    })
  ))
}
