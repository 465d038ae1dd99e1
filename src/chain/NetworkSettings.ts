import { Array as Arr, Config, ConfigError, Context, Either, Option } from "effect"
import type { Network } from "../domain/Network.ts"
import { httpUrlsSetting } from "../domain/UrlSetting.ts"
import { headerList, headersOf, type RpcHeaders } from "./RpcHeaders.ts"

/** Where one network is, and what it is called. */
export interface NetworkAddress {
  readonly network: Network
  /** The network passphrase: part of what every signature signs. */
  readonly passphrase: string
  /** Contract RPC endpoints, in order of preference. */
  readonly rpcUrls: Arr.NonEmptyReadonlyArray<URL>
  /** What endpoints of the contract RPC ask for. Left out: none asks for a header. */
  readonly rpcHeaders?: RpcHeaders
  /** Ledger API endpoints, in order of preference. Empty: there is none, and the contract RPC alone is read (RPC-only mode). */
  readonly ledgerApiUrls: ReadonlyArray<URL>
  /** True for the embedded sandbox. */
  readonly sandbox: boolean
}

/** A network that has a ledger API. */
export interface ListedNetworkAddress extends NetworkAddress {
  readonly ledgerApiUrls: Arr.NonEmptyReadonlyArray<URL>
}

/** Where an embedded sandbox serves, one endpoint of each kind. It plays the testnet unless told otherwise. */
export const sandboxAddress = (
  { ledgerApiUrl, passphrase, rpcUrl }: { readonly passphrase: string; readonly rpcUrl: string; readonly ledgerApiUrl: string },
  network: Network = "testnet"
): ListedNetworkAddress => ({ network, passphrase, rpcUrls: [new URL(rpcUrl)], ledgerApiUrls: [new URL(ledgerApiUrl)], sandbox: true })

const publicPassphrases: Readonly<Record<Network, string>> = {
  mainnet: "Public Global Stellar Network ; September 2015",
  testnet: "Test SDF Network ; September 2015"
}

/** `MAINNET_RPC_ONLY` or `TESTNET_RPC_ONLY`: `on` reads a network without a ledger API. Default: `off`. */
export const rpcOnlySetting = (network: Network) =>
  Config.withDefault(Config.literal("on", "off")(`${network.toUpperCase()}_RPC_ONLY`), "off" as const)

/** Which network a stack talks to, and where. Everything in this room is built for this one network. */
export class NetworkSettings extends Context.Tag("closeout/chain/NetworkSettings")<NetworkSettings, NetworkAddress>() {
  /**
   * `MAINNET_RPC_URLS`, `MAINNET_RPC_HEADERS`, `MAINNET_LEDGER_API_URLS`, `MAINNET_RPC_ONLY` and `MAINNET_PASSPHRASE`, or the same with
   * `TESTNET_`. None when the network has no URL at all, which switches it off; an error when it has only one kind of URL. With
   * `MAINNET_RPC_ONLY=on` it has contract RPCs alone.
   */
  static readonly config = (network: Network): Config.Config<Option.Option<NetworkAddress>> => {
    const prefix = network.toUpperCase()
    return Config.all({
      passphrase: Config.nonEmptyString(`${prefix}_PASSPHRASE`).pipe(Config.withDefault(publicPassphrases[network])),
      rpcUrls: httpUrlsSetting(`${prefix}_RPC_URLS`),
      headers: headerList(`${prefix}_RPC_HEADERS`),
      ledgerApiUrls: httpUrlsSetting(`${prefix}_LEDGER_API_URLS`),
      rpcOnly: rpcOnlySetting(network)
    }).pipe(
      Config.mapOrFail(({ headers, ledgerApiUrls, passphrase, rpcOnly, rpcUrls }) => {
        const rpcHeaders = headersOf(rpcUrls, headers)
        if (rpcHeaders === null) {
          return Either.left(ConfigError.InvalidData([`${prefix}_RPC_HEADERS`], `must have one entry for each of ${prefix}_RPC_URLS`))
        }
        if (rpcOnly === "on" && ledgerApiUrls.length > 0) {
          return Either.left(ConfigError.InvalidData([`${prefix}_RPC_ONLY`], `cannot be on while ${prefix}_LEDGER_API_URLS is set`))
        }
        if (Arr.isNonEmptyReadonlyArray(rpcUrls) && (rpcOnly === "on" || ledgerApiUrls.length > 0)) {
          return Either.right(Option.some({ network, passphrase, rpcUrls, rpcHeaders, ledgerApiUrls, sandbox: false }))
        }
        return rpcUrls.length === 0 && ledgerApiUrls.length === 0
          ? Either.right(Option.none())
          : Either.left(ConfigError.InvalidData([`${prefix}_RPC_URLS`], `is required together with ${prefix}_LEDGER_API_URLS`))
      })
    )
  }
}
