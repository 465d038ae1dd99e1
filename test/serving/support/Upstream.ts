import { Effect } from "effect"
import { contractsFile } from "../../support/ContractsFile.ts"
import { temporaryFolder } from "../../support/TemporaryFolder.ts"

/** The key that callers of a process send. */
export const staticKey = `lk_${"k".repeat(43)}`

interface Upstream {
  readonly rpcUrl: string
  readonly ledgerApiUrl: string
  readonly passphrase: string
}

/** Settings of a process that serves a sandbox on a socket like a real network, with a folder of its own. */
export const settingsFor = ({ ledgerApiUrl, passphrase, rpcUrl }: Upstream) =>
  Effect.gen(function*() {
    const { file } = yield* contractsFile("testnet")
    const folder = yield* temporaryFolder
    return {
      PORT: "0",
      DATA_DIR: folder,
      API_KEYS: `test=${staticKey}`,
      RATE_LIMIT: "100000",
      TESTNET_RPC_URLS: rpcUrl,
      TESTNET_LEDGER_API_URLS: ledgerApiUrl,
      TESTNET_PASSPHRASE: passphrase,
      TESTNET_CONTRACTS_FILE: file,
      TESTNET_MAX_LEDGER_AGE_SECONDS: "0"
    }
  })
