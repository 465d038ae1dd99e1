/** One of several hands, as a process of its own: reads the bundle file, does its part, and writes the file back. */
import { readFileSync, writeFileSync } from "node:fs"
import { prepareBundle, readBundle, signBundle, signWithKey, signWithPreimage, submitBundle, writeBundle } from "../../src/client/Client.ts"

const { DESTINATION = "", FILE = "", KEY = "", PART = "", PASSPHRASE = "", PREIMAGE = "", SECRET = "", SOURCE = "", URL: baseUrl = "" } =
  process.env

const options = {
  baseUrl,
  apiKey: KEY,
  network: "testnet" as const,
  networkPassphrase: PASSPHRASE,
  source: SOURCE,
  destination: DESTINATION,
  decisions: [{ id: `destination:${DESTINATION}`, choice: "i_control_this_address" }]
}

const read = () => readBundle(readFileSync(FILE, "utf8"))

if (PART === "prepare") {
  const bundle = await prepareBundle(options)
  if (bundle === null) throw new Error("the account is closed")
  writeFileSync(FILE, writeBundle(bundle))
}
if (PART === "key") writeFileSync(FILE, writeBundle(await signBundle(read(), { ...options, sign: signWithKey(SECRET) })))
if (PART === "preimage") {
  const signed = await signBundle(read(), { ...options, sign: signWithPreimage(Buffer.from(PREIMAGE, "hex")) })
  const { ledger } = await submitBundle(signed, options)
  process.stdout.write(String(ledger))
}
