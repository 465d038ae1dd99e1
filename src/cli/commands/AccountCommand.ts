import { Command } from "@effect/cli"
import { Effect, Schema } from "effect"
import { brief } from "../../client/BriefAmount.ts"
import { called } from "../../client/ServiceClient.ts"
import { AccountState } from "../../domain/Account.ts"
import { showUnits } from "../../domain/Amount.ts"
import { connectedClient } from "../Connection.ts"
import { displayed, jsonText, short } from "../Foreign.ts"
import { accountInput, accountNamed } from "../ReadInput.ts"
import { bold, faint, paragraph, print } from "../Screen.ts"

const encode = Schema.encodeSync(AccountState)

type State = typeof AccountState.Encoded

const section = (title: string, rows: ReadonlyArray<string>): ReadonlyArray<string> =>
  rows.length === 0 ? [] : ["", bold(title), ...rows.flatMap((row) => paragraph(row))]

const positionRow = ({ display, positionId, protocol }: State["defiPositions"]["positions"][number]): string => {
  const parts = [display?.pool, display?.amount, display?.asset, display?.detail].filter((one) => typeof one === "string" && one !== "")
  return `${protocol}: ${parts.length === 0 ? short(positionId) : parts.map((one) => short(String(one))).join(", ")}`
}

const tokenRow = ({ balance, contract, decimals, symbol }: NonNullable<State["contractTokens"]>["tokens"][number]): string => {
  const amount = decimals === null ? `${balance} base units of` : brief(showUnits(BigInt(balance), decimals))
  return `${amount} ${symbol ?? "a token"} ${short(contract)}`
}

const rows = (state: State): ReadonlyArray<string> => [
  `${bold("Account")} ${state.address}`,
  `  ${brief(state.nativeBalanceLumens)} XLM, ${state.numSubEntries} entries, sequence number ${state.sequence}`,
  ...section("Balances", state.trustlines.map(({ asset, balance }) => `${brief(balance)} ${short(asset)}`)),
  ...section("Offers", state.openOffers.map(({ amount, buying, selling }) => `${brief(amount)} ${short(selling)} for ${short(buying)}`)),
  ...section("Data entries", state.dataEntries.map(({ key }) => key)),
  ...section("Signers", state.signers.map(({ key, weight }) => `${short(key)} with weight ${weight}`)),
  ...section("Pool shares", state.poolShares.map(({ poolId }) => poolId)),
  ...section("Claimable balances", state.claimableBalances.map(({ amount, asset }) => `${brief(amount)} ${short(asset)}`)),
  ...section("Sponsored entries", state.sponsoredEntries.map(({ kind }) => kind)),
  ...section("Positions", state.defiPositions.positions.map(positionRow)),
  ...section("Not recognized", state.defiPositions.unrecognizedPositions.map(({ protocol, reason }) => `${protocol}: ${short(reason)}`)),
  ...section("Contract tokens", (state.contractTokens?.tokens ?? []).map(tokenRow)),
  ...section("Notes", [...state.warnings, ...state.defiPositionsWarnings].map(({ message }) => short(message))).map(faint)
]

const description = `Reads everything that an account holds.

Examples:
  closeout account --embedded
  closeout account --json GADDRESS...`

/** `closeout account`. */
export const accountCommand = Command.make("account", accountInput, (input) =>
  Effect.scoped(Effect.gen(function*() {
    const { client, ...connection } = yield* connectedClient(input)
    const address = yield* accountNamed(input.address, connection)
    const read = client.account.read({ path: { network: connection.where.network, address }, urlParams: {} })
    const state = encode(yield* called(read))
    yield* print(...(input.json ? [jsonText(state, 2)] : rows(displayed(state))))
  }))).pipe(Command.withDescription(description))
