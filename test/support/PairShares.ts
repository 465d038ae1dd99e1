import { Context, Effect, Layer } from "effect"
import { PairsNewcomer } from "../../src/sandbox/scenarios/PairsNewcomer.ts"
import { provideAssets } from "../../src/sandbox/scenarios/PairsShares.ts"
import { deployed } from "../../src/serving/EmbeddedSandbox.ts"
import { Serving } from "../../src/serving/Serving.ts"
import type { TestService } from "./TestService.ts"

/**
 * The service of `npm start` with one protocol. The richest account takes long, with programs that start a process for each step;
 * `test/close/PlainClient.test.ts` closes it with the answers of the guides.
 */
export const pairsOnly = Layer.map(Serving.layerWith({ closeEvery: "1 second", protocols: false, accounts: true }), (context) => {
  const { networks, ...rest } = Context.get(context, Serving)
  return Context.make(Serving, { ...rest, networks: networks.map((network) => ({ ...network, contracts: deployed("amm_2") })) })
})

/** An account with shares of a pair, and its destination. */
export const pairShares = ({ on }: TestService) => on(Effect.tap(PairsNewcomer, provideAssets))
