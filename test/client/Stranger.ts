import { closeAccount, contractBookOf, type ContractsFile, signWithKey } from "account-closeout/client"

/** Closes an account: prints the effect of each transaction, and returns the received amount. */
export const close = async (env: Record<string, string>, contracts: ContractsFile, show = console.log): Promise<string> => {
  const closing = closeAccount({
    baseUrl: env["URL"] ?? "",
    apiKey: env["KEY"] ?? "",
    network: "testnet",
    networkPassphrase: env["PASSPHRASE"] ?? "",
    source: env["SOURCE"] ?? "",
    destination: env["DESTINATION"] ?? "",
    ...(env["MEDIATOR"] === undefined ? {} : { mediator: env["MEDIATOR"], memo: { type: "text", value: "customer 42" } }),
    contracts: contractBookOf(contracts),
    decide: ({ options }) => options.find(({ effect }) => effect === "consents" || effect === "sells")?.id,
    sign: signWithKey(env["SECRET"] ?? "")
  })
  for await (const event of closing) {
    if (event._tag === "verified") show(`${event.number} of ${event.of}: ${event.explanation.join(" ")}`)
    if (event._tag === "receipt") return event.receipt.closed.receivedLumens
  }
  throw new Error("the close did not end")
}
