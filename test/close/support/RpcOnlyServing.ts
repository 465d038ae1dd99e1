import { Context, Layer } from "effect"
import { Serving } from "../../../src/serving/Serving.ts"

/** The same networks without a ledger API, as `<NETWORK>_RPC_ONLY` makes them. */
export const withoutLedgerApi = (serving: Layer.Layer<Serving, unknown>): Layer.Layer<Serving, unknown> =>
  Layer.map(serving, (context) => {
    const served = Context.get(context, Serving)
    return Context.make(Serving, {
      ...served,
      networks: served.networks.map((network) => ({ ...network, address: { ...network.address, ledgerApiUrls: [] } }))
    })
  })
