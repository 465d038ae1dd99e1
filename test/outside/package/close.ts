/** Starts the service of `main.ts` in a process of its own, and closes its prepared account. */
import { Keypair } from "@stellar/stellar-sdk"
import { spawn } from "node:child_process"
import { ask } from "./CloseAccount.ts"
import { closeByClient } from "./CloseByClient.ts"

const child = spawn(process.execPath, ["main.ts"], { stdio: ["ignore", "pipe", "inherit"], env: { PATH: process.env["PATH"], PORT: "0" } })

/** The service's output at its start, up to the settings for a client. */
const printed = await new Promise<string>((resolve, reject) => {
  let text = ""
  child.stdout.setEncoding("utf8").on("data", (more: string) => {
    text += more
    if (/export PASSPHRASE=.*\n/.test(text)) resolve(text)
  })
  child.once("exit", () => reject(new Error("the service ended")))
})

const setting = (name: string): string => new RegExp(`export ${name}='?([^'\\n]+)`).exec(printed)?.[1] ?? ""

const service = { url: setting("URL"), key: setting("KEY"), passphrase: setting("PASSPHRASE") }
const source = Keypair.fromSecret(setting("SECRET"))
const { defiPositions: { positions } } = await ask<{ defiPositions: { positions: ReadonlyArray<{ protocol: string }> } }>(
  service,
  `/testnet/account/${source.publicKey()}`
)
console.log(`it holds something in ${positions.map(({ protocol }) => protocol).join(" and ")}`)
const sent = await closeByClient(service, { source: source.publicKey(), secret: source.secret(), destination: setting("DESTINATION") })
const { status } = await fetch(`${setting("SANDBOX")}/accounts/${source.publicKey()}`)
if (status !== 404) throw new Error(`the account is still there: ${status}`)
console.log(`closed with ${sent} transactions`)
child.kill()
