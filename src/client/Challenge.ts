import { WebAuth } from "@stellar/stellar-sdk"
import { Transaction } from "@stellar/stellar-sdk/base"

const keyEnd = " auth"

/**
 * The domain at which a challenge (SEP-10) signs an account in. Null: the envelope is no challenge for that account on that network, or names
 * another domain for its server.
 */
export const challengeDomain = (envelope: string, networkPassphrase: string, address: string): string | null => {
  try {
    const { operations: [first, ...others], source } = new Transaction(envelope, networkPassphrase)
    if (first?.type !== "manageData" || !first.name.endsWith(keyEnd)) return null
    const domain = first.name.slice(0, -keyEnd.length)
    const { clientAccountID } = WebAuth.readChallengeTx(envelope, source, networkPassphrase, domain, domain)
    // The SDK compares the server's domain, and also takes a challenge without it.
    const namesServer = others.some((one) => one.type === "manageData" && one.name === "web_auth_domain")
    return clientAccountID === address && namesServer ? domain : null
  } catch {
    return null
  }
}

const thisMachine: ReadonlySet<string> = new Set(["localhost", "127.0.0.1", "[::1]"])

/** Whether a domain is that of a service's address. A service on this machine without `PUBLIC_URL` calls itself `localhost`. */
export const isDomainOf = (domain: string, address: string | URL): boolean => {
  const { host, hostname } = new URL(address)
  return domain === host || (domain === "localhost" && thisMachine.has(hostname))
}
