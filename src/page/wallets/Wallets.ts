import { freighter } from "./Freighter.ts"
import { hana } from "./Hana.ts"
import { rabet } from "./Rabet.ts"
import type { WalletModule } from "./WalletModule.ts"
import { xBull } from "./XBull.ts"

const known: ReadonlyArray<WalletModule> = [freighter, xBull, rabet, hana]

/** The wallets that this browser has. */
export const presentWallets = (): ReadonlyArray<WalletModule> => known.filter((wallet) => wallet.isAvailable())

/** Names of all wallets that the page knows. */
export const walletNames: string = known.map(({ productName }) => productName).join(", ")
