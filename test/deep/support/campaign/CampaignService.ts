import { Context, Effect, Layer } from "effect"
import type { DeployedProtocol } from "../../../../src/sandbox/scenarios/SandboxDeployment.ts"
import { deployed, embeddedSandbox } from "../../../../src/serving/EmbeddedSandbox.ts"
import { tokenList } from "../../../close/leaving/tokens/support/DeclaredTokens.ts"
import { type Proxy, proxyOf, withSlash } from "../../../close/support/LyingSources.ts"
import { Service } from "../../../close/support/Service.ts"
import { type RpcEndpoint, rpcEndpoint, servingOver } from "../../../close/support/Sources.ts"
import { jumping } from "../../../support/JumpingClock.ts"
import { startTestService } from "../../../support/TestService.ts"
import { stamping } from "./Stamping.ts"

/** One of two places: a contract RPC endpoint and a ledger API endpoint of one operator. */
export interface Place {
  readonly rpc: RpcEndpoint
  readonly api: Proxy
}

/** Both places, in the order of the service's configuration. */
export class Places extends Context.Tag("closeout/test/deep/Places")<Places, readonly [Place, Place]>() {}

/** The production service over a network with these protocols and contract tokens, behind two endpoints of each kind. */
export const campaignService = (...protocols: ReadonlyArray<DeployedProtocol>) =>
  Layer.provideMerge(
    Layer.scopedContext(Effect.gen(function*() {
      const embedded = yield* embeddedSandbox({ closeEvery: null, protocols: false, accounts: false })
      const sandbox = { ...embedded, network: stamping(embedded.network), contracts: deployed(...protocols) }
      const place = Effect.all({ rpc: rpcEndpoint(sandbox.network), api: proxyOf(withSlash(sandbox.address.ledgerApiUrls[0])) })
      const places = [yield* place, yield* place] as const
      const { file } = yield* tokenList
      const urls = [places[0].api.url, places[1].api.url] as const
      const serving = servingOver(sandbox, places.map(({ rpc }) => rpc), urls)
      return Context.make(Service, yield* startTestService({ TESTNET_TOKENS_FILE: file }, serving)).pipe(Context.add(Places, places))
    })),
    jumping
  )
