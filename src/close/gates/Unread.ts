import { blocker } from "../../domain/Blocker.ts"
import { PositionsUnread } from "../../domain/failure/Planning.ts"
import type { Gate } from "../situation/Gate.ts"

/** The service must not close over what it cannot read: positions without a decoder, tokens that were not looked for. */
export const unread: Gate = ({ unreadProtocols, tokensUnread }) => [
  ...(unreadProtocols.length === 0 ? [] : [{
    failure: new PositionsUnread({ protocols: unreadProtocols }),
    shown: blocker(
      "positions_unread",
      `Positions in ${unreadProtocols.join(", ")} cannot be read or exited by this service, so the close could strand them.`
    )
  }]),
  ...(tokensUnread
    ? [{ failure: null, shown: blocker("tokens_unread", "Balances in contract tokens were not read, so the close could strand them.") }]
    : [])
]
