import { Context } from "effect"
import type { Array as Arr } from "effect"
import type { Network } from "../domain/Network.ts"

/** Which network a stack talks to, and where. Everything in this room is built for this one network. */
export class NetworkSettings extends Context.Tag("closeout/chain/NetworkSettings")<NetworkSettings, {
  readonly network: Network
  /** The network passphrase: part of what every signature signs. */
  readonly passphrase: string
  /** Contract RPC endpoints, in order of preference. */
  readonly rpcUrls: Arr.NonEmptyReadonlyArray<URL>
  /** Ledger API endpoints, in order of preference. */
  readonly ledgerApiUrls: Arr.NonEmptyReadonlyArray<URL>
  /** True for the embedded sandbox. */
  readonly sandbox: boolean
}>() {}
