import { closeAccount, signWithKey } from "account-closeout/client"

const { DESTINATION = "", KEY = "", LEDGER_API = "", PASSPHRASE = "", RPC = "", SECRET = "", SOURCE = "", URL = "" } = process.env

const receipt = await closeAccount({
  baseUrl: URL,
  apiKey: KEY,
  network: "testnet",
  networkPassphrase: PASSPHRASE,
  source: SOURCE,
  destination: DESTINATION,
  decisions: [{ id: `destination:${DESTINATION}`, choice: "i_control_this_address" }],
  witness: { rpcUrl: RPC, ledgerApiUrl: LEDGER_API },
  maxPriceGapBps: 200,
  accept: "90",
  sign: signWithKey(SECRET)
}).promise()
for (const { hash, outcome } of receipt.transactions) console.log(hash, outcome?.feeLumens, outcome?.arrived)
