import { Schema } from "effect"
import { AccountAddress, ContractAddress } from "./Address.ts"
import { Amount, IntegerText } from "./Amount.ts"
import { AssetId } from "./Asset.ts"
import { DestinationAddress } from "./DestinationAddress.ts"
import { Int } from "./Leaf.ts"
import { BalanceId, PoolId } from "./Ledger.ts"
import { optional } from "./OptionalField.ts"
import { ProtocolName } from "./ProtocolName.ts"
import { ValueItem } from "./Value.ts"

const amount = Schema.String.annotations({ description: "Decimal amount with seven fractional digits; a sum may exceed one balance." })
const symbol = Schema.NullOr(Schema.String).annotations({
  description: "What the token's contract calls it: any contract may give any symbol. Null: not known."
})
const label = Schema.String.annotations({ description: "What people call the protocol, for instance `Blend`." })
const count = Int.annotations({ description: "How many there are." })

const aboutDestination = Schema.Struct({
  kind: Schema.Literal("destination"),
  address: Schema.NullOr(DestinationAddress).annotations({ description: "The address that receives; null: the request names none." })
}).annotations({ identifier: "AboutDestination", description: "An account that receives lumens or assets." })

const aboutAsset = Schema.Struct({
  kind: Schema.Literal("asset"),
  asset: AssetId,
  amount: amount.annotations({ description: "Everything of it, what positions are expected to pay included." })
}).annotations({ identifier: "AboutAsset", description: "A classic asset that is held or will arrive." })

const aboutAssets = Schema.Struct({
  kind: Schema.Literal("assets"),
  count
}).annotations({ identifier: "AboutAssets", description: "Classic assets that nothing is known to buy, together." })

const aboutToken = Schema.Struct({
  kind: Schema.Literal("token"),
  contract: ContractAddress,
  symbol,
  decimals: Schema.NullOr(Int).annotations({ description: "Decimal places of its amounts, as its contract says. Null: not known." }),
  amount: Schema.NullOr(IntegerText).annotations({ description: "Base units; null: the balance cannot be read." })
}).annotations({ identifier: "AboutToken", description: "A contract token that is held or will arrive." })

const aboutTokens = Schema.Struct({
  kind: Schema.Literal("tokens"),
  count
}).annotations({ identifier: "AboutTokens", description: "Tokens that strangers sent, together." })

const from = Schema.NullOr(Schema.String).annotations({
  description: "When it can be claimed from, ISO 8601; null: now."
})

const aboutClaim = Schema.Struct({
  kind: Schema.Literal("claim"),
  balanceId: BalanceId,
  asset: AssetId,
  amount,
  from,
  until: Schema.NullOr(Schema.String).annotations({ description: "When it can no longer be claimed, ISO 8601; null: no end." })
}).annotations({ identifier: "AboutClaim", description: "A claimable balance." })

const aboutClaims = Schema.Struct({
  kind: Schema.Literal("claims"),
  count,
  asset: Schema.NullOr(AssetId).annotations({ description: "Their asset; null: they are of several." }),
  amount: Schema.NullOr(amount).annotations({ description: "All of them together; null: they are of several assets." }),
  from: Schema.NullOr(Schema.String).annotations({
    description: "When the first of those that cannot be claimed now can, ISO 8601; null: all can be now."
  })
}).annotations({ identifier: "AboutClaims", description: "Claimable balances, together." })

const aboutUnreadClaims = Schema.Struct({
  kind: Schema.Literal("claims_unread"),
  listed: Int.annotations({ description: "How many were listed before the list was left." })
}).annotations({ identifier: "AboutUnreadClaims", description: "Claimable balances beyond those that were listed." })

const aboutLater = Schema.Struct({
  kind: Schema.Literal("later"),
  ledger: Int.annotations({ description: "What comes after this ledger." })
}).annotations({ identifier: "AboutLater", description: "What strangers add while the close is under way." })

const holds = Schema.Array(ValueItem).annotations({
  description:
    "What leaving pays now, rewards included; the shares themselves where no way out is known. Empty: not known. Of many at most 20, the dearest first."
})

const aboutPosition = Schema.Struct({
  kind: Schema.Literal("position"),
  protocol: ProtocolName,
  label,
  contract: ContractAddress.annotations({ description: "The pool, market or vault." }),
  key: Schema.String.annotations({ description: "What tells positions in one contract apart." }),
  wasmHash: optional(Schema.String).annotations({
    description: "SHA-256 of the code that runs there, where it was read."
  }),
  tokens: optional(Schema.Array(ContractAddress)).annotations({ description: "The tokens of a pool." }),
  holds,
  owes: optional(Schema.Array(ValueItem)).annotations({
    description: "What must be handed over to leave it. Absent: nothing."
  })
}).annotations({ identifier: "AboutPosition", description: "Something held in a protocol." })

const aboutPositions = Schema.Struct({
  kind: Schema.Literal("positions"),
  protocol: Schema.NullOr(ProtocolName).annotations({ description: "Their protocol; null: they are in several." }),
  label: Schema.NullOr(label).annotations({ description: "What people call that protocol; null: they are in several." }),
  count
}).annotations({ identifier: "AboutPositions", description: "Positions that others gave, together." })

const aboutUnreadPositions = Schema.Struct({
  kind: Schema.Literal("positions_unread"),
  protocol: ProtocolName,
  label
}).annotations({ identifier: "AboutUnreadPositions", description: "Something in a protocol that cannot be read." })

const aboutPool = Schema.Struct({
  kind: Schema.Literal("pool"),
  poolId: PoolId,
  shares: Amount.annotations({ description: "Shares that the account has of the pool." }),
  holds: Schema.Array(ValueItem).annotations({ description: "What the pool would pay for them now, of both its assets." })
}).annotations({ identifier: "AboutPool", description: "Shares in a liquidity pool of the ledger." })

const aboutAllowance = Schema.Struct({
  kind: Schema.Literal("allowance"),
  token: Schema.String.annotations({ description: "The token's contract." }),
  symbol,
  spender: Schema.String.annotations({
    description: "Who may take of it: a contract or an account, or words where it cannot be made out."
  }),
  amount: Schema.NullOr(IntegerText).annotations({ description: "Base units; null: it cannot be made out." })
}).annotations({ identifier: "AboutAllowance", description: "How much of a token another address may take." })

const aboutIssuer = Schema.Struct({
  kind: Schema.Literal("issuer"),
  address: AccountAddress.annotations({ description: "The closing account, which issued them." }),
  count: Int.annotations({ description: "How many assets of this issuer others hold." })
}).annotations({ identifier: "AboutIssuer", description: "Assets that the closing account issued and others hold." })

const aboutSponsorship = Schema.Struct({
  kind: Schema.Literal("sponsorship"),
  entry: Schema.String.annotations({ description: "The entry as decisions name it, for instance `trustline:G...:USD-G...`." }),
  owner: Schema.NullOr(AccountAddress).annotations({ description: "Who owns the entry; null: a claimable balance." }),
  reserveLumens: Amount.annotations({ description: "The reserve that the closing account pays for it." })
}).annotations({ identifier: "AboutSponsorship", description: "An entry whose reserve the closing account pays." })

/** What a decision point is about, as fields: one arm for each type of point. */
export const DecisionAbout = Schema.Union(
  aboutDestination,
  aboutAsset,
  aboutAssets,
  aboutToken,
  aboutTokens,
  aboutClaim,
  aboutClaims,
  aboutUnreadClaims,
  aboutLater,
  aboutPosition,
  aboutPositions,
  aboutUnreadPositions,
  aboutPool,
  aboutAllowance,
  aboutIssuer,
  aboutSponsorship
).annotations({ identifier: "DecisionAbout", description: "What the point is about, as fields. `kind` is the `type` of the point." })
export type DecisionAbout = typeof DecisionAbout.Type
