/** Closes an account that has something in the vault, on a network in this process, through the service of `main.ts` in its own. */
import { Asset, TransactionBuilder } from "@stellar/stellar-sdk"
import {
  allContracts,
  contractEntries,
  dataEntries,
  FundedPair,
  Network,
  registerContracts,
  startSandbox,
  Values
} from "account-closeout/sandbox"
import { Effect } from "effect"
import { strictEqual } from "node:assert"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, writeFileSync } from "node:fs"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { code, name, vault } from "./Vault.ts"
import { shareKey, vaultModel } from "./VaultModel.ts"

const deposited = 25_0000000n
const farAway = 2_000_000
const key = `lk_${"a".repeat(43)}`

interface Row {
  readonly protocol: string
  readonly positionType: string
}

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  server.close()
  await once(server, "close")
  return typeof address === "object" && address !== null ? address.port : 0
}

const call = async <Body>(url: string, body?: unknown): Promise<Body> => {
  const response = await fetch(url, {
    method: body === undefined ? "GET" : "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) })
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${text}`)
  return JSON.parse(text) as Body
}

/** The service in a process of its own, over this network. The contracts file says nothing of the vault. */
const startService = async (settings: Readonly<Record<string, string>>) => {
  const folder = mkdtempSync(join(tmpdir(), "vault-"))
  const file = join(folder, "contracts.json")
  const none = "none"
  const protocols = { lend_1: none, amm_1: none, amm_2: none, amm_3: none, cdp_1: none }
  writeFileSync(file, JSON.stringify({ network: "testnet", protocols, tokens: none }))
  const port = `${await freePort()}`
  const child = spawn(process.execPath, ["main.ts"], {
    stdio: ["ignore", "ignore", "inherit"],
    env: { PATH: process.env["PATH"], PORT: port, DATA_DIR: folder, TESTNET_CONTRACTS_FILE: file, API_KEYS: `acme=${key}`, ...settings }
  })
  const url = `http://127.0.0.1:${port}`
  while (!(await fetch(`${url}/health`).then(({ ok }) => ok, () => false))) {
    if (child.exitCode !== null) throw new Error("the service ended")
    await new Promise((again) => setTimeout(again, 100))
  }
  return { url, end: () => child.kill() }
}

const closed = Effect.gen(function*() {
  const sandbox = yield* startSandbox({
    contracts: registerContracts([...allContracts, { model: vaultModel, wasmHashes: [code] }]),
    closeEvery: "1 second"
  })
  const { network, passphrase } = sandbox
  const { destination, source } = yield* Effect.provideService(FundedPair, Network, network)
  const user = Values.addressOf(source.publicKey())
  const lumens = Values.addressOf(Asset.native().contractId(passphrase))
  const at = Values.addressOf(vault)
  yield* network.amend((state) =>
    state.set([
      ...contractEntries(at, code, [[Values.symbol("Token"), Values.addressVal(lumens)]], farAway),
      ...dataEntries(at, [shareKey(user), Values.i128(deposited)], "persistent", farAway),
      ...dataEntries(
        lumens,
        [
          Values.variant("Balance", Values.addressVal(at)),
          Values.struct({ amount: Values.i128(deposited), authorized: Values.bool(true), clawback: Values.bool(false) })
        ],
        "persistent",
        farAway
      )
    ])
  )
  const service = yield* Effect.acquireRelease(
    Effect.promise(() =>
      startService({ TESTNET_RPC_URLS: sandbox.rpcUrl, TESTNET_LEDGER_API_URLS: sandbox.ledgerApiUrl, TESTNET_PASSPHRASE: passphrase })
    ),
    ({ end }) => Effect.sync(end)
  )
  yield* Effect.promise(async () => {
    const { url } = service
    const index = await call<{ protocols?: ReadonlyArray<string> }>(`${url}/`)
    strictEqual(index.protocols?.join(), name)
    const document = await call<{ components: { schemas: { ProtocolName: { enum: ReadonlyArray<string> } } } }>(`${url}/openapi.json`)
    strictEqual(document.components.schemas.ProtocolName.enum.at(-1), name)
    const account = await call<{ defiPositions: { positions: ReadonlyArray<Row> } }>(`${url}/testnet/account/${source.publicKey()}`)
    const { positions } = account.defiPositions
    strictEqual(positions.map(({ positionType, protocol }) => `${protocol} ${positionType}`).join(), `${name} other`)
    const request = { source: source.publicKey(), destination: destination.publicKey() }
    interface Plan {
      readonly status: string
      readonly planHash: string
      readonly decisionPoints: ReadonlyArray<{
        readonly id: string
        readonly required: boolean
        readonly options: ReadonlyArray<{ readonly id: string; readonly recommended?: boolean; readonly params?: object }>
      }>
    }
    const asked = await call<Plan>(`${url}/v1/testnet/close/plan`, request)
    const decisions = asked.decisionPoints.filter(({ required }) => required).map(({ id, options }) => {
      const chosen = options.find(({ recommended = false }) => recommended) ?? options[0]
      return { id, choice: chosen?.id, ...(chosen?.params === undefined ? {} : { params: chosen.params }) }
    })
    const plan = await call<Plan>(`${url}/v1/testnet/close/plan`, { ...request, decisions })
    if (plan.status !== "ready") throw new Error(`the plan is not ready: ${JSON.stringify(plan)}`)
    for (let planHash: string | null = plan.planHash, more = true; more;) {
      interface Next {
        readonly transactions: ReadonlyArray<{ readonly xdr: string }>
        readonly remaining: { readonly requiresAnotherCall: boolean }
        readonly nextPlanHash: string | null
      }
      const next: Next = await call<Next>(`${url}/v1/testnet/close/transactions`, {
        ...request,
        decisions,
        ...(planHash === null ? {} : { planHash })
      })
      const transaction = TransactionBuilder.fromXDR(next.transactions[0]?.xdr ?? "", passphrase)
      transaction.sign(source)
      await call(`${url}/v1/testnet/submit`, { signedXdr: transaction.toXdr() })
      planHash = next.nextPlanHash
      more = next.remaining.requiresAnotherCall
    }
  })
  const has = async (address: string) => {
    const response = await fetch(`${sandbox.ledgerApiUrl}/accounts/${address}`)
    if (response.status === 404) return null
    const { balances } = await response.json() as { balances: ReadonlyArray<{ asset_type: string; balance: string }> }
    return balances.find(({ asset_type }) => asset_type === "native")?.balance ?? null
  }
  strictEqual(yield* Effect.promise(() => has(source.publicKey())), null)
  const received = yield* Effect.promise(() => has(destination.publicKey()))
  // A hundred lumens of its own, a hundred of the account's, and what was in the vault, less fees.
  strictEqual(Math.round(Number(received)), 225)
  console.log(`closed: the vault of ${name} was left, and ${received} lumens are at the destination`)
})

await Effect.runPromise(Effect.scoped(closed))
