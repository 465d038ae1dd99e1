import { Networks } from "@stellar/stellar-sdk/base"
import type { Connection } from "./Connection.ts"

/** The passphrase of a network, where nothing else was said. */
export const passphraseOf = (network: "testnet" | "mainnet", other: string | undefined): string =>
  other ?? (network === "mainnet" ? Networks.PUBLIC : Networks.TESTNET)

/** The passphrase of the network that a connection is for. */
export const passphraseAt = ({ where }: Connection): string => passphraseOf(where.network, where.networkPassphrase)
