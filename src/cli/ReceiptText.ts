import { brief } from "../client/BriefAmount.ts"
import type { Receipt } from "../client/Receipt.ts"
import { parseAmount, showAmount } from "../domain/Amount.ts"
import { shownMemo } from "../domain/ShownMemo.ts"
import { displayed } from "./Foreign.ts"
import { bold, green, table } from "./Screen.ts"

/** Fees of all transactions; null where the fee of one is not known. */
const fees = ({ transactions }: Receipt): string | null => {
  const each = transactions.map(({ outcome }) => (outcome === null ? null : parseAmount(outcome.feeLumens)))
  return each.some((one) => one === null) ? null : showAmount(each.reduce<bigint>((sum, one) => sum + (one ?? 0n), 0n))
}

/** How a close ended. */
export const receiptText = (foreign: Receipt): ReadonlyArray<string> => {
  const receipt = displayed(foreign)
  const { closed, destination, source, transactions } = receipt
  const { memo } = foreign.closed
  const paid = fees(receipt)
  return [
    "",
    green(bold("The account is closed.")),
    ...table([
      ["account", source],
      ["lumens arrived", `${brief(closed.receivedLumens)} XLM`],
      ["at", destination],
      ...(closed.mergedInto === destination ? [] : [["by way of", closed.mergedInto] as const]),
      ...(memo === null ? [] : [["memo", shownMemo(memo)] as const]),
      ["in ledger", `${closed.ledger}${closed.closedAt === null ? "" : `, ${closed.closedAt}`}`],
      ["merged by", closed.hash],
      ["transactions", transactions.length === 0 ? "none now: it was closed before" : String(transactions.length)],
      ...(paid === null || transactions.length === 0 ? [] : [["fees", `${brief(paid)} XLM`] as const])
    ])
  ]
}
