/**
 * Closes an account from end to end: the embedded sandbox network and the service in this process, everything between them and
 * the client over HTTP. Exits with a status other than 0 unless the account is gone and the destination got what the plan promised.
 */
import { Horizon } from "@stellar/stellar-sdk"
import { apiAt } from "./demo/Api.ts"
import { close, type Closed } from "./demo/Close.ts"
import { type LedgerAccess, lumensOf } from "./demo/Outcome.ts"
import { chapter, line, lumens, short, table } from "./demo/Screen.ts"
import { startService } from "./demo/Service.ts"
import { stroopsOf } from "./demo/Compare.ts"

const showHoldings = async ({ ledgerApiUrl }: LedgerAccess, address: string): Promise<void> => {
  const server = new Horizon.Server(ledgerApiUrl, { allowHttp: true })
  const account = await server.loadAccount(address)
  const offers = await server.offers().forAccount(address).call()
  for (const balance of account.balances) line(`${balance.balance} ${balance.asset_type === "native" ? "lumens" : "asset_code" in balance ? balance.asset_code : "pool shares"}`)
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
    ["lumens promised by the plan", closed.plan.estimate.receivedLumens],
    ["lumens received by the destination", lumens(received)]
  ])
}

const main = async (): Promise<boolean> => {
  const service = await startService()
  try {
    const { destination, key, ledger, passphrase, source, url } = service
    chapter("The network and the service")
    line(`a sandbox network at ${ledger.ledgerApiUrl}, the service at ${url}`)
    chapter("The account to close")
    line(source.publicKey())
    await showHoldings(ledger, source.publicKey())
    const before = await lumensOf(ledger, destination) ?? 0n
    const closed = await close({ api: apiAt(url, key), ledger, passphrase, source, destination })
    const received = (await lumensOf(ledger, destination) ?? 0n) - before
    const gone = await lumensOf(ledger, source.publicKey()) === null
    chapter("The outcome")
    report(closed, received)
    const exact = received === stroopsOf(closed.plan.estimate.receivedLumens)
    line(gone ? short(`${source.publicKey()} is gone.`) : "The account is still there.")
    line(exact ? "The destination received exactly what the plan promised." : "The destination received something else than the plan promised.")
    return gone && exact
  } finally {
    await service.stop()
  }
}

process.exitCode = await main() ? 0 : 1
