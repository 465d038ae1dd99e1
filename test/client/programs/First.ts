import { closeAccount, signWithKey } from "account-closeout/client"

const { DESTINATION = "", KEY = "", PASSPHRASE = "", SECRET = "", SOURCE = "", URL = "" } = process.env

const closing = closeAccount({
  baseUrl: URL,
  apiKey: KEY,
  network: "testnet",
  networkPassphrase: PASSPHRASE, // for a sandbox only
  source: SOURCE,
  destination: DESTINATION,
  decide: ({ id }) => (id === `destination:${DESTINATION}` ? "i_control_this_address" : null),
  sign: signWithKey(SECRET)
})

const receipt = await closing.promise((event) => {
  if (event._tag === "verified") console.log(`${event.number} of ${event.of}:`, event.explanation.join("\n"))
})
console.log(receipt.closed.receivedLumens, "lumens arrived at", receipt.closed.paidTo)
