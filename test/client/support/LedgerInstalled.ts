import { createRequire } from "node:module"

/** Whether the library for Ledger devices is installed: it is an optional dependency. */
export const isLedgerInstalled = ((): boolean => {
  try {
    return createRequire(import.meta.url).resolve("@ledgerhq/hw-app-str") !== ""
  } catch {
    return false
  }
})()
