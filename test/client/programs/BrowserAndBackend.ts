import { closeAccount, signWithWallet } from "account-closeout/client"
import { createServer } from "node:http"
import { text } from "node:stream/consumers"

const { DESTINATION = "", KEY = "", PASSPHRASE = "", SOURCE = "", URL = "" } = process.env
const routes =
  /^\/(v1\/testnet\/(close\/(plan|transactions)|submit|transactions\/[0-9a-f]{64})|testnet\/(account\/G[A-Z2-7]{55}|mediator\/sign))$/

const backend = createServer(async (request, response) => {
  if (!routes.test(request.url ?? "")) return response.writeHead(404).end()
  const body = request.method === "POST" ? { body: await text(request) } : {}
  const headers = { authorization: `Bearer ${KEY}`, "content-type": "application/json" }
  const answer = await fetch(`${URL}${request.url}`, { method: request.method ?? "GET", headers, ...body })
  const passed = answer.headers.get("retry-after")
  response.writeHead(answer.status, { "content-type": "application/json", ...(passed === null ? {} : { "retry-after": passed }) })
  response.end(await answer.text())
})
await new Promise<void>((resolve) => backend.listen(0, "127.0.0.1", resolve))
const address = backend.address()
const baseUrl = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`

// In the page. The wallet is an extension with the function of SEP-43.
declare const wallet: { signTransaction: Parameters<typeof signWithWallet>[0] }
const closing = closeAccount({
  baseUrl,
  network: "testnet",
  networkPassphrase: PASSPHRASE,
  source: SOURCE,
  destination: DESTINATION,
  decisions: [{ id: `destination:${DESTINATION}`, choice: "i_control_this_address" }],
  sign: signWithWallet(wallet.signTransaction, SOURCE)
})
for await (const event of closing) console.log(event._tag)
backend.close()
