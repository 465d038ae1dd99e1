import { Option } from "effect"
import type { Chain } from "../network/Chain.ts"
import { showTime } from "../ShowTime.ts"

/** Which ledger changed an entry last, and when; the time only while that ledger is kept. */
export const modified = ({ history }: Chain, ledger: number) => ({
  last_modified_ledger: ledger,
  ...Option.match(history.ledger(ledger), {
    onNone: () => ({}),
    onSome: ({ closeTime }) => ({ last_modified_time: showTime(closeTime) })
  })
})
