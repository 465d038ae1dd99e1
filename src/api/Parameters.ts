import { ParseResult, Schema } from "effect"
import { AccountAddress, accountAddressProblem, ContractAddress } from "../domain/Address.ts"
import { parseAmount } from "../domain/Amount.ts"
import { AssetId } from "../domain/Asset.ts"
import { DestinationAddress } from "../domain/DestinationAddress.ts"
import {
  BadRequest,
  InvalidAddress,
  InvalidAmount,
  InvalidAsset,
  InvalidHash,
  InvalidNetwork,
  InvalidSlippage,
  InvalidSpender,
  InvalidTokens
} from "../domain/failure/Input.ts"
import { TransactionHash } from "../domain/Ledger.ts"
import { Network } from "../domain/Network.ts"
import { optional } from "../domain/OptionalField.ts"
import { parseUnits } from "../domain/SoldAmount.ts"
import { parameter, parameters, type Refusal } from "./Parameter.ts"

/** The failure of a parameter that has no code of its own. */
const unusable: Refusal = ({ name }) => new BadRequest({ reason: `The parameter ${name} is not valid. See /openapi.json for its values.` })

const network = parameter(Network, () => new InvalidNetwork())

const address = parameter(AccountAddress, ({ text }) => new InvalidAddress({ reason: accountAddressProblem(text ?? "") }))

const destination = parameter(DestinationAddress, ({ text }) => new InvalidAddress({ reason: accountAddressProblem(text ?? "") }))

const hashWords = "Transaction hash, 64 hex characters of either case."

/** Of either case: everything behind the route has hashes in lower case. */
const hash = parameter(
  Schema.compose(Schema.Lowercase, TransactionHash).annotations({
    jsonSchema: { type: "string", pattern: "^[0-9a-fA-F]{64}$", description: hashWords },
    description: hashWords
  }),
  () => new InvalidHash()
)

const id = parameter(Schema.String.annotations({ description: "Id of the key's record." }), unusable)

/** The path of a route below a network. */
export const NetworkPath = parameters({ network })

/** The path of a route about one account. */
export const AccountPath = parameters({ network, address })

/** The path of a route about one destination. */
export const DestinationPath = parameters({ network, address: destination })

/** The path of a route about one transaction. */
export const TransactionPath = parameters({ network, hash })

/** The path of a route about one API key. */
export const KeyPath = parameters({ id })

/** Most entries a comma-separated query may list. */
const maxListed = 20

/** A list as comma-separated text on the wire: at most 20 entries, each once. */
const listOf = <Entry extends string>(entry: Schema.Schema<Entry, string>, name: string, kind: string, pattern: string) =>
  Schema.transformOrFail(
    Schema.String.annotations({
      jsonSchema: {
        type: "string",
        pattern: `^${pattern}(,${pattern}){0,${maxListed - 1}}$`,
        description: `${kind}, comma-separated, at most ${maxListed}, each once.`
      }
    }),
    Schema.Array(Schema.typeSchema(entry)),
    {
      strict: true,
      decode: (text, _, ast) => {
        const refuse = (problem: string) => ParseResult.fail(new ParseResult.Type(ast, text, problem))
        const texts = text.split(",")
        if (texts.length > maxListed) return refuse(`${name} may list at most ${maxListed}; ${texts.length} were given.`)
        if (new Set(texts).size !== texts.length) return refuse(`${name} lists an entry twice. List each one once.`)
        const entries = texts.filter(Schema.is(Schema.typeSchema(entry)))
        return entries.length === texts.length
          ? ParseResult.succeed(entries)
          : refuse(`${name} must be ${kind}, separated by commas without spaces.`)
      },
      encode: (list) => ParseResult.succeed(list.join(","))
    }
  )

const tokens = parameter(
  listOf(ContractAddress, "tokens", "token contracts (C...)", "C[A-Z2-7]{55}"),
  ({ problem, text }) => new InvalidTokens({ reason: text === null ? "Send tokens once, as one comma-separated list." : problem })
)

const spenders = parameter(
  listOf(Schema.Union(ContractAddress, AccountAddress), "spenders", "contracts (C...) or accounts (G...)", "[CG][A-Z2-7]{55}"),
  () => new InvalidSpender()
)

/** Most characters of a wrong asset that are repeated. */
const longestEcho = 100

/** A text first of all: the platform would make a list of anything else that it does not know. */
const fromAsset = parameter(
  Schema.compose(Schema.String, Schema.Union(AssetId, ContractAddress)).annotations({
    jsonSchema: {
      anyOf: [{ $ref: "#/components/schemas/AssetId" }, { $ref: "#/components/schemas/ContractAddress" }],
      description: "`native`, `CODE:ISSUER`, or the contract of a token (C...)."
    },
    description: "`native`, `CODE:ISSUER`, or the contract of a token (C...)."
  }),
  ({ text }) => new InvalidAsset({ asset: (text ?? "").slice(0, longestEcho) })
)

/** Which of the two it is depends on what is converted. */
const amount = parameter(
  Schema.String.pipe(
    Schema.filter((text) => (parseAmount(text) ?? 0n) > 0n || parseUnits(text) !== null || "an amount above zero", {
      jsonSchema: { pattern: "^[0-9]+(\\.[0-9]{1,7})?$" }
    })
  ).annotations({
    description:
      "Decimal amount with at most seven fractional digits; of the contract of a token, a whole number of its base units. Above zero."
  }),
  () => new InvalidAmount()
)

const maxSlippageBps = parameter(
  Schema.NumberFromString.pipe(Schema.int(), Schema.between(1, 5000)).annotations({
    jsonSchema: { type: "integer", minimum: 1, maximum: 5000, description: "Slippage in basis points, 50 when left out." }
  }),
  () => new InvalidSlippage()
)

/** Token contracts to look at besides those that are found. */
export const TokensQuery = parameters({ tokens: optional(tokens) })

/** Allowances to look at besides those that are found. */
export const AllowancesQuery = parameters({ tokens: optional(tokens), spenders: optional(spenders) })

/** What to convert. */
export const ConversionQuery = parameters({ fromAsset, amount, maxSlippageBps: optional(maxSlippageBps) })

/** Who an API key is for. */
export const Owner = Schema.String.pipe(
  Schema.minLength(1),
  Schema.maxLength(128),
  Schema.pattern(/^\P{Cc}+$/u, { jsonSchema: { pattern: "^[^\\x00-\\x1f\\x7f-\\x9f]+$" } })
).annotations({
  description: "Who the key is for. Without control characters."
})

const unusedDays = parameter(
  Schema.NumberFromString.pipe(Schema.int(), Schema.between(1, 3_650)).annotations({
    jsonSchema: {
      type: "integer",
      minimum: 1,
      maximum: 3650,
      description: "Only live keys that were not used, nor made, for so many days."
    }
  }),
  unusable
)

/** Which keys to list. */
export const KeyListQuery = parameters({ owner: optional(parameter(Owner, unusable)), unusedDays: optional(unusedDays) })
