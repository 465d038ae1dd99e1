import { Command } from "@effect/cli"
import { Effect, Schema } from "effect"
import { brief } from "../../client/BriefAmount.ts"
import { called } from "../../client/ServiceClient.ts"
import { AllowancesResult } from "../../domain/Allowance.ts"
import { showUnits } from "../../domain/Amount.ts"
import { connectedClient } from "../Connection.ts"
import { displayed, jsonText, short } from "../Foreign.ts"
import { accountInput, accountNamed } from "../ReadInput.ts"
import { bold, faint, paragraph, print } from "../Screen.ts"

const encode = Schema.encodeSync(AllowancesResult)

const rows = ({ allowances, warnings }: typeof AllowancesResult.Encoded): ReadonlyArray<string> => [
  bold(allowances.length === 0 ? "No allowance was found." : "Allowances"),
  ...allowances.flatMap(({ amount, expirationLedger, spender, spenderProtocol, token, tokenDecimals, tokenSymbol }) => [
    ...paragraph(`${brief(showUnits(BigInt(amount), tokenDecimals))} ${tokenSymbol}, until ledger ${expirationLedger}`),
    `    token    ${token}`,
    `    spender  ${spender}${spenderProtocol === "unknown" ? "" : ` (${spenderProtocol})`}`
  ]),
  ...warnings.flatMap(({ message }) => paragraph(`Note: ${short(message)}`).map(faint))
]

const description = `Lists who may spend contract tokens of an account.

Examples:
  closeout allowances GADDRESS...
  closeout allowances --json GADDRESS...`

/** `closeout allowances`. */
export const allowancesCommand = Command.make("allowances", accountInput, (input) =>
  Effect.scoped(Effect.gen(function*() {
    const { client, ...connection } = yield* connectedClient(input)
    const address = yield* accountNamed(input.address, connection)
    const list = client.allowances.list({ path: { network: connection.where.network, address }, urlParams: {} })
    const found = encode(yield* called(list))
    yield* print(...(input.json ? [jsonText(found, 2)] : rows(displayed(found))))
  }))).pipe(Command.withDescription(description))
