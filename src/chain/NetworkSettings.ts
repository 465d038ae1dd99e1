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
  /** Ledger API endpoints, in order of preference. */
  readonly ledgerApiUrls: Arr.NonEmptyReadonlyArray<URL>
  /** True for the embedded sandbox. */
  readonly sandbox: boolean
}

/** Where an embedded sandbox serves, one endpoint of each kind. It plays the testnet unless told otherwise. */
export const sandboxAddress = (
  { ledgerApiUrl, passphrase, rpcUrl }: { readonly passphrase: string; readonly rpcUrl: string; readonly ledgerApiUrl: string },
  network: Network = "testnet"
): NetworkAddress => ({ network, passphrase, rpcUrls: [new URL(rpcUrl)], ledgerApiUrls: [new URL(ledgerApiUrl)], sandbox: true })

const publicPassphrases: Readonly<Record<Network, string>> = {
  mainnet: "Public Global Stellar Network ; September 2015",
  testnet: "Test SDF Network ; September 2015"
}

/** Which network a stack talks to, and where. Everything in this room is built for this one network. */
export class NetworkSettings extends Context.Tag("closeout/chain/NetworkSettings")<NetworkSettings, NetworkAddress>() {
  /**
   * `MAINNET_RPC_URLS`, `MAINNET_RPC_HEADERS`, `MAINNET_LEDGER_API_URLS` and `MAINNET_PASSPHRASE`, or the same with `TESTNET_`. None when the network has
   * no URL at all, which switches it off; an error when it has only one kind of URL.
   */
  static readonly config = (network: Network): Config.Config<Option.Option<NetworkAddress>> => {
    const prefix = network.toUpperCase()
    return Config.all({
      passphrase: Config.nonEmptyString(`${prefix}_PASSPHRASE`).pipe(Config.withDefault(publicPassphrases[network])),
      rpcUrls: httpUrlsSetting(`${prefix}_RPC_URLS`),
      headers: headerList(`${prefix}_RPC_HEADERS`),
      ledgerApiUrls: httpUrlsSetting(`${prefix}_LEDGER_API_URLS`)
    }).pipe(
      Config.mapOrFail(({ headers, ledgerApiUrls, passphrase, rpcUrls }) => {
        const rpcHeaders = headersOf(rpcUrls, headers)
        if (rpcHeaders === null) {
          return Either.left(ConfigError.InvalidData([`${prefix}_RPC_HEADERS`], `must have one entry for each of ${prefix}_RPC_URLS`))
        }
        if (Arr.isNonEmptyReadonlyArray(rpcUrls) && Arr.isNonEmptyReadonlyArray(ledgerApiUrls)) {
          return Either.right(Option.some({ network, passphrase, rpcUrls, rpcHeaders, ledgerApiUrls, sandbox: false }))
        }
        return rpcUrls.length === 0 && ledgerApiUrls.length === 0
          ? Either.right(Option.none())
          : Either.left(ConfigError.InvalidData([`${prefix}_RPC_URLS`], `is required together with ${prefix}_LEDGER_API_URLS`))
      })
    )
  }
}
