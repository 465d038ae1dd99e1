import { Schema } from "effect"

/** The two networks a path may name. Which of them is configured is a setting; the names are fixed. */
export const Network = Schema.Literal("mainnet", "testnet").annotations({
  identifier: "Network",
  description: "The ledger network: `mainnet` or `testnet`."
})
export type Network = typeof Network.Type

/** Every network, in the order in which they are listed. */
export const networks: ReadonlyArray<Network> = Network.literals
