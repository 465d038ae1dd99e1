import { type Keypair, TransactionBuilder } from "@stellar/stellar-sdk"

/** A running service that serves the sandbox. */
export interface Service {
  readonly url: string
  readonly key: string
  readonly passphrase: string
}

interface Plan {
  readonly status: string
  readonly planHash: string
  readonly decisionPoints: ReadonlyArray<{
    readonly id: string
    readonly required: boolean
    readonly options: ReadonlyArray<{ readonly id: string; readonly recommended?: boolean; readonly params?: object }>
  }>
}

interface Next {
  readonly transactions: ReadonlyArray<{ readonly xdr: string }>
  readonly remaining: { readonly requiresAnotherCall: boolean }
  readonly nextPlanHash: string | null
}

/** Sends a request to the service. Any error throws. */
export const ask = async <Body>({ key, url }: Service, path: string, body?: object): Promise<Body> => {
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" }
  const response = await fetch(`${url}${path}`, body === undefined ? { headers } : { method: "POST", headers, body: JSON.stringify(body) })
  const text = await response.text()
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${text}`)
  return JSON.parse(text) as Body
}

/** A decision that is not the recommended one. */
interface Decision {
  readonly id: string
  readonly choice: string
}

/** Closes an account with these answers and otherwise the recommended ones. Returns the number of transactions. */
export const closeAccount = async (
  service: Service,
  source: Keypair,
  destination: string,
  answers: ReadonlyArray<Decision> = []
): Promise<number> => {
  const request = { source: source.publicKey(), destination }
  const asked = await ask<Plan>(service, "/v1/testnet/close/plan", { ...request, decisions: answers })
  const recommended = asked.decisionPoints.filter(({ required }) => required).map(({ id, options }) => {
    const { id: choice, params } = options.find((option) => option.recommended) ?? options[0] ?? { id: "" }
    return params === undefined ? { id, choice } : { id, choice, params }
  })
  const decisions = [...answers, ...recommended]
  const plan = await ask<Plan>(service, "/v1/testnet/close/plan", { ...request, decisions })
  if (plan.status !== "ready") throw new Error(`the plan is not ready: ${JSON.stringify(plan)}`)
  let planHash: string | null = plan.planHash
  for (let sent = 1;; sent++) {
    const next: Next = await ask<Next>(service, "/v1/testnet/close/transactions", {
      ...request,
      decisions,
      ...(planHash === null ? {} : { planHash })
    })
    const transaction = TransactionBuilder.fromXDR(next.transactions[0]?.xdr ?? "", service.passphrase)
    transaction.sign(source)
    await ask(service, "/v1/testnet/submit", { signedXdr: transaction.toXdr() })
    if (!next.remaining.requiresAnotherCall) return sent
    planHash = next.nextPlanHash
  }
}
