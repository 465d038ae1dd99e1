import { Effect, Exit, Scope } from "effect"
import type { ContractsFile } from "../../src/client/Client.ts"
import type { PreparedAccount } from "../../src/serving/EmbeddedSandbox.ts"
import { startEmbedded } from "../../src/serving/EmbeddedService.ts"

/** The address of the ledger itself, bypassing the service. */
export interface LedgerAccess {
  readonly rpcUrl: string
  readonly ledgerApiUrl: string
}

/** A client's knowledge of a running service with its sandbox. */
export interface DemoService {
  readonly url: string
  readonly key: string
  readonly passphrase: string
  readonly ledger: LedgerAccess
  /** The contracts that a client lists of the sandbox, in the form of a contracts file. */
  readonly contracts: ContractsFile
  /** Accounts to close: one of classic entries only, and one with positions in protocols. */
  readonly classic: PreparedAccount
  readonly positions: PreparedAccount
  readonly stop: () => Promise<void>
}

/** Starts the service on a free loopback port, with the embedded sandbox network. */
export const startService = async (): Promise<DemoService> => {
  const scope = await Effect.runPromise(Scope.make())
  const { accounts, ledgerApiUrl, rpcUrl, ...service } = await Effect.runPromise(Scope.extend(startEmbedded({ protocols: true }), scope))
  const [classic, , positions] = accounts
  if (classic === undefined || positions === undefined) throw new Error("the service serves no sandbox")
  return {
    ...service,
    ledger: { rpcUrl, ledgerApiUrl },
    classic,
    positions,
    stop: () => Effect.runPromise(Scope.close(scope, Exit.void))
  }
}
