import {
  mergeBundles,
  prepareBundle,
  readBundle,
  signBundle,
  signingPlan,
  signWithKey,
  submitBundle,
  writeBundle
} from "account-closeout/client"

const { DESTINATION = "", KEY = "", PASSPHRASE = "", SECOND = "", SECRET = "", SOURCE = "", URL = "" } = process.env

const options = {
  baseUrl: URL,
  apiKey: KEY,
  network: "testnet" as const,
  networkPassphrase: PASSPHRASE,
  source: SOURCE,
  destination: DESTINATION,
  decisions: [{ id: `destination:${DESTINATION}`, choice: "i_control_this_address" }]
}

const prepared = await prepareBundle(options)
if (prepared === null) throw new Error("the account is closed")
for (const { key, order, weight } of signingPlan(prepared)) console.log(order, key, weight)
const file = writeBundle(prepared)

const first = await signBundle(readBundle(file), { ...options, sign: signWithKey(SECRET) })
const second = await signBundle(readBundle(file), { ...options, sign: signWithKey(SECOND) })
const { ledger } = await submitBundle(mergeBundles(first, second), options)
console.log("in ledger", ledger)
