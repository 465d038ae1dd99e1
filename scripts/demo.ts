/**
 * Closes an account from end to end: the embedded sandbox network and the service in this process, everything between them and
 * the client over HTTP. Exits with a status other than 0 unless it is gone and its destination got what the plan promised.
 *
 *   npm run demo              an account with positions in every protocol, a contract token, and a bit of everything classic
 *   npm run demo -- classic   an account of classic entries only
 */
import { Address, Horizon, xdr } from "@stellar/stellar-sdk"
import type { Schema } from "effect"
import type { AccountState } from "../src/domain/Account.ts"
import type { PreparedAccount } from "../src/serving/EmbeddedSandbox.ts"
import { apiAt } from "./demo/Api.ts"
import { close, type Closed } from "./demo/Close.ts"
import { stroopsOf } from "./demo/Compare.ts"
import { type LedgerAccess, lumensOf } from "./demo/Outcome.ts"
import { chapter, line, lumens, short, table } from "./demo/Screen.ts"
import { type DemoService, startService } from "./demo/Service.ts"

type AccountAnswer = Schema.Schema.Encoded<typeof AccountState>

const nameOf = (balance: Horizon.HorizonApi.BalanceLine): string => {
  if (balance.asset_type === "native") return "lumens"
  return "asset_code" in balance ? balance.asset_code : "pool shares"
}

const showHoldings = async ({ ledgerApiUrl }: LedgerAccess, address: string): Promise<void> => {
  const server = new Horizon.Server(ledgerApiUrl, { allowHttp: true })
  const account = await server.loadAccount(address)
  const offers = await server.offers().forAccount(address).call()
  for (const balance of account.balances) line(`${balance.balance} ${nameOf(balance)}`)
  for (const { amount, buying, selling, price } of offers.records) {
    line(`an offer of ${amount} ${selling.asset_code ?? "lumens"} for ${buying.asset_code ?? "lumens"} at ${price}`)
  }
  line(`data entries: ${Object.keys(account.data_attr).join(", ")}`)
  line(`signers: ${account.signers.map(({ type, weight }) => `${type} (${weight})`).join(", ")}`)
}

const count = ({ plan }: Closed, type: string): string => String(plan.steps.filter((step) => step.type === type).length)

const report = (closed: Closed, received: bigint): void => {
  const conversions = closed.outcomes.flatMap((outcome) => outcome.conversions)
  table([
    ["offers cancelled", count(closed, "CANCEL_OFFERS")],
    ["data entries removed", count(closed, "REMOVE_DATA_ENTRIES")],
    ["trustlines removed", count(closed, "REMOVE_TRUSTLINES")],
    ["accounts merged", count(closed, "MERGE")],
    ...conversions.map(({ asset, floor, received: paid, sent }) =>
      [`${sent} ${asset} sold for`, `${lumens(paid)} lumens (floor ${floor})`] as const
    ),
    ["fees", `${lumens(closed.outcomes.reduce((sum, { feeStroops }) => sum + feeStroops, 0n))} lumens`],
    ["lumens promised by the plan", closed.plan.estimate.receivedLumens ?? "not known"],
    ["lumens received by the destination", lumens(received)]
  ])
}

interface Closing {
  readonly closed: Closed
  /** Stroops by which the destination grew. */
  readonly received: bigint
  readonly gone: boolean
}

const closing = async (
  { key, ledger, passphrase, url }: DemoService,
  { destination, source }: PreparedAccount,
  contracts: ReadonlyArray<string>
): Promise<Closing> => {
  const to = destination.publicKey()
  const before = await lumensOf(ledger, to) ?? 0n
  const closed = await close({ api: apiAt(url, key), ledger, passphrase, source, destination: to, contracts })
  return { closed, received: (await lumensOf(ledger, to) ?? 0n) - before, gone: await lumensOf(ledger, source.publicKey()) === null }
}

/** An account of classic entries: what the plan promises is what arrives, to the stroop. */
const closeClassic = async (service: DemoService): Promise<boolean> => {
  const { classic, ledger } = service
  chapter("An account to close")
  line(classic.source.publicKey())
  await showHoldings(ledger, classic.source.publicKey())
  const { closed, gone, received } = await closing(service, classic, [])
  chapter("The outcome")
  report(closed, received)
  const exact = received === stroopsOf(closed.plan.estimate.receivedLumens ?? "0")
  line(gone ? short(`${classic.source.publicKey()} is gone.`) : "The account is still there.")
  line(
    exact ? "The destination received exactly what the plan promised." : "The destination received something else than the plan promised."
  )
  return gone && exact
}

/** The contracts in which anything of the account was looked for, and those that were read for it. */
const contractsRead = ({ queryKeys }: AccountAnswer["defiPositions"]): ReadonlyArray<string> =>
  Object.values(queryKeys.slices).flatMap(({ contracts, ledgerKeys }) => [
    ...contracts,
    ...ledgerKeys.map((text) => xdr.LedgerKey.fromXdr(text, "base64")).flatMap((key) =>
      key.type === "contractData" ? [Address.fromScAddress(key.contractData.contract).toString()] : []
    )
  ])

const showPosition = ({ display, positionType, protocol }: AccountAnswer["defiPositions"]["positions"][number]): void => {
  const detail = display?.detail ?? null
  // Shares of a pool are no amount of anything: their detail tells what they are worth.
  const held = [display?.amount ?? [], display?.asset ?? []].flat().join(" ")
  line(`${protocol} ${positionType}: ${held}${detail === null ? "" : `. ${detail}`}`)
}

/** Shows what an account has in contracts, and gives those in which its close may call. */
const showContracts = ({ contractTokens, defiPositions }: AccountAnswer): ReadonlyArray<string> => {
  defiPositions.positions.forEach(showPosition)
  const tokens = contractTokens?.tokens ?? []
  for (const { balance, contract, symbol } of tokens) {
    line(short(`a contract token: ${balance} base units of ${symbol ?? "?"} (${contract})`))
  }
  return [...contractsRead(defiPositions), ...tokens.map(({ contract }) => contract)]
}

/** An account with positions: interest goes on until they are left, so what the plan promises is the least that arrives. */
const closePositions = async (service: DemoService): Promise<boolean> => {
  const { key, positions: { source }, url } = service
  chapter("An account with positions")
  line(source.publicKey())
  const contracts = showContracts(await apiAt(url, key).get<AccountAnswer>(`/testnet/account/${source.publicKey()}`))
  const { closed, gone, received } = await closing(service, service.positions, contracts)
  chapter("The outcome")
  table([
    ["contract calls that left positions", count(closed, "EXIT_POSITIONS")],
    ["contract tokens sold", count(closed, "HANDLE_TOKENS")],
    ["allowances ended", count(closed, "REVOKE_ALLOWANCES")],
    ["lumens promised by the plan", closed.plan.estimate.receivedLumens ?? "not known"],
    ["lumens received by the destination", lumens(received)]
  ])
  const kept = received >= stroopsOf(closed.plan.estimate.minReceivedLumens ?? "0")
  line(gone ? short(`${source.publicKey()} is gone.`) : "The account is still there.")
  line(kept ? "The destination received at least what the plan promised." : "The destination received less than the plan promised.")
  return gone && kept
}

const main = async (): Promise<boolean> => {
  const service = await startService()
  try {
    chapter("The network and the service")
    line(`a sandbox network at ${service.ledger.ledgerApiUrl}, the service at ${service.url}`)
    return await (process.argv[2] === "classic" ? closeClassic(service) : closePositions(service))
  } finally {
    await service.stop()
  }
}

process.exitCode = await main() ? 0 : 1
