import { closeAccount, contractsOf, signWithKey } from "account-closeout/client"
import type { Service } from "./CloseAccount.ts"
import { code, jar } from "./Jar.ts"

/** The contracts that may be called for the jar: the client signs no call of an unlisted contract. */
const contracts = {
  ...contractsOf("testnet"),
  protocols: { acme_jar: { jar: [jar] } },
  code: { acme_jar: { jar: [code] } },
  functions: { acme_jar: [{ name: "withdraw", roles: ["jar"], takes: ["account", "amount"] as const }] }
}

/** Closes an account by the package's client. Returns the number of transactions. */
export const closeByClient = async (
  { key, passphrase, url }: Service,
  { destination, secret, source }: { readonly source: string; readonly secret: string; readonly destination: string }
): Promise<number> => {
  const { transactions } = await closeAccount({
    baseUrl: url,
    apiKey: key,
    network: "testnet",
    networkPassphrase: passphrase,
    source,
    destination,
    contracts,
    decide: ({ options }) => options.find(({ effect }) => effect === "consents" || effect === "exits")?.id,
    sign: signWithKey(secret)
  }).promise()
  return transactions.length
}
