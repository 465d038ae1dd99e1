import { CloseAborted, closeAccount, signWithKey } from "account-closeout/client"

const { DESTINATION = "", KEY = "", PASSPHRASE = "", SECRET = "", SOURCE = "", URL = "" } = process.env

const options = {
  baseUrl: URL,
  apiKey: KEY,
  network: "testnet" as const,
  networkPassphrase: PASSPHRASE,
  source: SOURCE,
  destination: DESTINATION,
  decisions: [{ id: `destination:${DESTINATION}`, choice: "i_control_this_address" }],
  sign: signWithKey(SECRET)
}

const controller = new AbortController()
const stopped = closeAccount({ ...options, signal: controller.signal }).promise((event) => {
  if (event._tag === "built") controller.abort()
})
await stopped.catch((failure: unknown) => {
  if (!(failure instanceof CloseAborted)) throw failure
})
const { transactions } = await closeAccount(options).promise()
console.log("closed with", transactions.length, "transaction")
