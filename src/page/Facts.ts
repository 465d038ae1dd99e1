import type { ContractsFile } from "../verify/ContractBook.ts"

/** A network that this service serves. */
export interface ServedNetwork {
  readonly name: "mainnet" | "testnet"
  readonly passphrase: string
  readonly sandbox: boolean
}

/** What the service tells its pages. */
export interface Facts {
  readonly networks: ReadonlyArray<ServedNetwork>
  readonly sandboxContracts: ContractsFile | null
  /** Of the page `/close` only. */
  readonly state?: "on" | "unset"
}

/** What the service told this page. The page is the service's own, and so are they. */
export const facts = JSON.parse(document.body.dataset["facts"] ?? "{}") as Facts
