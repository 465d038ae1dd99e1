import { type Keypair, Transaction } from "@stellar/stellar-sdk"

/** Closes an account over plain HTTP: accepts what plans recommend, lets `ask` answer other required points, and signs. */
export const close = async ({ ask, key, source, to, url }: Client): Promise<void> => {
  const post = async (path: string, body: object): Promise<Json> => {
    const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" }
    const response = await fetch(url + path, { method: "POST", headers, body: JSON.stringify(body) })
    const answer: Json = await response.json()
    if (!response.ok) throw new Error(JSON.stringify(answer))
    return answer
  }
  const signed = (transaction: Transaction) => (transaction.sign(source), transaction.toXdr())
  const request: Json = { source: source.publicKey(), ...to, decisions: [] }
  for (let isOpen = true; isOpen;) {
    const plan = await post("/v1/testnet/close/plan", request)
    const suggested: Json = Object.fromEntries(plan.suggestedDecisions.map((one: Json) => [one.id, one]))
    const open = plan.decisionPoints.filter(({ answered, id, required }: Json) => required && !answered && !(id in suggested))
    request.decisions.push(...open.map(ask))
    request.accept = { ...suggested.later.params, minReceivedLumens: plan.estimate.minReceivedLumens }
    isOpen = open.length > 0
  }
  for (let built = await post("/v1/testnet/close/transactions", request); built.status !== "complete";) {
    let { xdr } = built.transactions[0]
    for (const action of built.transactions[0].next) {
      if (action === "mediator_sign") xdr = (await post("/testnet/mediator/sign", { transaction: xdr })).transaction
      if (action === "submit") await post("/v1/testnet/submit", { signedXdr: xdr })
      if (action === "sign") xdr = signed(new Transaction(xdr, built.transactions[0].networkPassphrase))
    }
    built = await post("/v1/testnet/close/transactions", request)
  }
}

/** The client's input: the service, the account, the destination of its lumens, and the answers. */
interface Client {
  readonly url: string
  readonly key: string
  readonly source: Keypair
  readonly to: object
  readonly ask: (point: Json) => object
}

/** A value of an answer, as it came. */
// oxlint-disable-next-line typescript/no-explicit-any -- a plain client has no types but those of the document
type Json = any
