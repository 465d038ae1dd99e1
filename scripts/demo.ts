/**
 * Closes an account from end to end. The embedded sandbox network and the service run in this process; the client reaches them
 * over HTTP. Exits with a status other than 0 unless the account is gone and its destination received the amount in the plan.
 *
 *   npm run demo              an account with positions in every protocol, a contract token, and some classic entries of each kind
 *   npm run demo -- classic   an account of classic entries only
 */
import { short } from "../src/cli/Foreign.ts"
import { closeAccount, contractBookOf, type Plan, type Question, type Receipt, signWithKey } from "../src/client/Client.ts"
import type { PreparedAccount } from "../src/serving/EmbeddedSandbox.ts"
import { chapter, line, table } from "./demo/Screen.ts"
import { type DemoService, startService } from "./demo/Service.ts"
import { teller } from "./demo/Teller.ts"

/** The demo's owner: confirms the destination, sells every asset that has a buyer, and returns the rest to its issuer. */
const decide = ({ options }: Question): string | undefined =>
  (options.find(({ effect }) => effect === "consents" || effect === "sells") ?? options.find(({ needs }) => needs.length === 0))?.id

interface Closed {
  readonly plan: Plan
  readonly receipt: Receipt
}

const close = async (service: DemoService, { destination, source }: PreparedAccount): Promise<Closed> => {
  const tell = teller()
  let plan: Plan | null = null
  const receipt = await closeAccount({
    baseUrl: service.url,
    apiKey: service.key,
    network: "testnet",
    networkPassphrase: service.passphrase,
    source: source.publicKey(),
    destination: destination.publicKey(),
    contracts: contractBookOf(service.contracts),
    witness: service.ledger,
    decide,
    sign: signWithKey(source)
  }).promise((event) => {
    if (event._tag === "planned" && event.final) plan = event.plan
    tell(event)
  })
  if (plan === null) throw new Error("nothing was planned")
  return { plan, receipt }
}

const stroopsOf = (lumens: string | null): bigint => BigInt((lumens ?? "0").replace(".", ""))

const lumens = (stroops: bigint): string => `${stroops / 10_000_000n}.${(stroops % 10_000_000n).toString().padStart(7, "0")}`

const main = async (): Promise<boolean> => {
  const isClassic = process.argv[2] === "classic"
  const service = await startService()
  try {
    const account = isClassic ? service.classic : service.positions
    const source = account.source.publicKey()
    chapter("The network and the service")
    line(`a sandbox network at ${service.ledger.ledgerApiUrl}, the service at ${service.url}`)
    chapter(`${account.name}: ${short(source)}`)
    const { plan: { estimate }, receipt: { closed, transactions } } = await close(service, account)
    const isGone = (await fetch(`${service.ledger.ledgerApiUrl}accounts/${source}`)).status === 404
    chapter("The outcome")
    table([
      ["lumens that the plan expected", estimate.receivedLumens ?? "not known"],
      ["the least that it promised", estimate.minReceivedLumens ?? "not known"],
      ["lumens that arrived", closed.receivedLumens],
      ["fees", lumens(transactions.reduce((sum, { outcome }) => sum + stroopsOf(outcome?.feeLumens ?? null), 0n))],
      ["transactions", String(transactions.length)]
    ])
    const received = stroopsOf(closed.receivedLumens)
    // Interest and rewards of positions accrue until the exit; of a classic account every stroop is known in advance.
    const isKept = isClassic ? received === stroopsOf(estimate.receivedLumens) : received >= stroopsOf(estimate.minReceivedLumens)
    line(isGone ? `${short(source)} is gone.` : "The account is still there.")
    line(isKept ? "The destination received what the plan promised." : "The destination received something else than the plan promised.")
    return isGone && isKept
  } finally {
    await service.stop()
  }
}

process.exitCode = await main() ? 0 : 1
