import { Schema } from "effect"
import { AccountAddress, ContractAddress } from "./Address.ts"
import { IntegerText } from "./Amount.ts"
import { Int } from "./Leaf.ts"
import { Network } from "./Network.ts"
import { optional } from "./OptionalField.ts"
import { ProtocolName, protocolOf } from "./ProtocolName.ts"

/** A position in words and in the asset's own units. */
const DefiPositionDisplay = Schema.Struct({
  pool: Schema.NullOr(Schema.String).annotations({ description: "Name of the pool, or what tells it apart." }),
  asset: Schema.NullOr(Schema.String).annotations({
    description: "Symbol as the token's contract gives it, null when it gives none; for a liquidity position the pair."
  }),
  amount: Schema.NullOr(Schema.String).annotations({ description: "Underlying amount in the asset's own units, decimal, not shares." }),
  collateralAmount: Schema.NullOr(Schema.String).annotations({ description: "The part of `amount` posted as collateral." }),
  yieldPct: Schema.NullOr(Schema.String).annotations({
    description: "Percentage a year with two decimals, at the present rate; null when there is none."
  }),
  yieldKind: Schema.NullOr(Schema.Literal("earned", "paid")).annotations({
    description: "Whether the account earns `yieldPct` or pays it."
  }),
  detail: optional(Schema.NullOr(Schema.String)).annotations({
    description: "One protocol-specific closing clause."
  })
}).annotations({ identifier: "DefiPositionDisplay", description: "A position in words, with amounts in units of its asset." })

/** The id of the decision point about a position. */
export const positionIdOf = (
  { contract, key, protocol }: { readonly protocol: ProtocolName; readonly contract: ContractAddress; readonly key: string }
): string => `position:${protocol}:${contract}:${key}`

const shown = {
  positionId: Schema.String.annotations({
    description: "The id of the decision point about it. Rows with the same id are left together."
  })
}

const common = {
  contractAddress: ContractAddress.annotations({ description: "The pool, market or vault that holds the position." }),
  display: optional(DefiPositionDisplay).annotations({
    description: "The position in words, with amounts in units of its asset."
  }),
  wasmHash: optional(Schema.String).annotations({
    description: "SHA-256 of the code that the contract runs, hex."
  }),
  usdValue: Schema.NullOr(Schema.String).annotations({ description: "Null: this service has no source of prices." })
}

/** The most shares, in base units, of a position that may count as worth nothing. */
export const mostDust = 1_000n

const Supply = Schema.Struct({
  protocol: protocolOf("lend_1"),
  positionType: Schema.Literal("supply"),
  ...common,
  assetAddress: ContractAddress.annotations({
    description: "Contract of the token that was lent; of a backstop deposit the deposited share token."
  }),
  bTokenAmount: IntegerText.annotations({
    description:
      "Shares of what was lent, collateral included, in base units: not units of the asset. Of a backstop deposit its shares, queued ones included."
  }),
  isBackstop: optional(Schema.Boolean).annotations({
    description:
      "True: a deposit in a pool's backstop, which is queued and waited for before it can be withdrawn; `display.detail` says until when."
  })
}).annotations({
  identifier: "SupplyPosition",
  description: "Something lent, or deposited in a backstop. A row with none of it stands for rewards that are left to claim."
})

const Borrow = Schema.Struct({
  protocol: protocolOf("lend_1"),
  positionType: Schema.Literal("borrow"),
  ...common,
  assetAddress: ContractAddress.annotations({ description: "Contract of the token that is owed." }),
  dTokenAmount: IntegerText.annotations({
    description: "Shares of the debt, in base units: not units of the asset. `display.amount` has its interest up to `timestamp`."
  }),
  healthFactor: optional(Schema.String).annotations({
    description:
      "Of everything the account has in the pool: collateral over debt as the pool weighs them, decimal, under 1 it may be liquidated. Absent while the pool's oracle gives no fresh price."
  })
}).annotations({
  identifier: "BorrowPosition",
  description: "Something owed. It is repaid before anything else in that pool is withdrawn."
})

const shareAmount = IntegerText.annotations({ description: "Shares of the pool, in base units." })
const poolTokens = optional(Schema.Array(ContractAddress)).annotations({ description: "Contracts of the tokens in the pool." })

const PoolLiquidity = Schema.Struct({
  protocol: protocolOf("amm_1"),
  positionType: Schema.Literal("lp"),
  ...common,
  shareAmount,
  claimableRewardAmount: optional(IntegerText).annotations({ description: "Rewards that can be claimed now, in base units." }),
  tokens: poolTokens,
  shareToken: optional(ContractAddress).annotations({ description: "Contract of the share token." }),
  poolType: optional(Schema.Literal("constant_product", "stable", "concentrated")).annotations({ description: "The kind of the pool." })
}).annotations({ identifier: "PoolLiquidityPosition", description: "Shares of a pool that may also pay rewards." })

const PairLiquidity = Schema.Struct({
  protocol: Schema.Literal("amm_2"),
  positionType: Schema.Literal("lp"),
  ...common,
  shareAmount,
  tokens: poolTokens
}).annotations({ identifier: "PairLiquidityPosition", description: "Shares of a pair of tokens." })

const Liquidity = Schema.Struct({
  protocol: Schema.Literal("amm_3"),
  positionType: Schema.Literal("lp"),
  ...common,
  shareAmount,
  tokens: poolTokens
}).annotations({ identifier: "LiquidityPosition", description: "Shares of a pool that can also be staked." })

const Stake = Schema.Struct({
  protocol: protocolOf("amm_3"),
  positionType: Schema.Literal("stake"),
  ...common,
  stakedAmount: IntegerText.annotations({ description: "Staked shares, in base units." }),
  stakedAtEpoch: IntegerText.annotations({ description: "Unix seconds; unbonding needs the original stake time." }),
  tokens: poolTokens
}).annotations({ identifier: "StakePosition", description: "Shares of a pool that are staked." })

const DebtPosition = Schema.Struct({
  protocol: protocolOf("cdp_1"),
  positionType: Schema.Literal("cdp"),
  ...common,
  denomination: Schema.String.annotations({ description: "What the contract calls the currency that is owed, for instance USD." }),
  collateralAmount: IntegerText.annotations({ description: "Locked, base units of the collateral token." }),
  debtAmount: IntegerText.annotations({ description: "Owed, base units of the stablecoin." })
}).annotations({ identifier: "DebtPosition", description: "A vault: collateral locked against a stablecoin that is owed." })

const Other = Schema.Struct({
  protocol: protocolOf("lend_1"),
  positionType: Schema.Literal("other"),
  ...common,
  holds: Schema.Array(
    Schema.Struct({
      token: ContractAddress.annotations({ description: "The token contract." }),
      symbol: Schema.NullOr(Schema.String).annotations({ description: "As the token's contract gives it." }),
      amount: IntegerText.annotations({ description: "Base units." })
    }).annotations({ identifier: "HeldToken", description: "An amount of one token." })
  ).annotations({ description: "What is held, a token each." })
}).annotations({
  identifier: "OtherPosition",
  description:
    "Something held that no other shape describes: backstop shares of lend_1 in the wallet, which are in no pool and in no backstop."
})

/** What a decoder says of a position, in one of seven shapes, or as a list of what it holds. */
export const PositionRow = Schema.Union(Supply, Borrow, PoolLiquidity, PairLiquidity, Liquidity, Stake, DebtPosition, Other)
export type PositionRow = typeof PositionRow.Type

/** A row as the wire shows it. */
const withId = <Fields extends Schema.Struct.Fields>({ ast: { annotations }, fields }: Schema.Struct<Fields>) =>
  Schema.Struct({ ...fields, ...shown }).annotations(annotations)

/** One position in a protocol: what its decoder says, with the id of its decision point. */
export const DefiPosition = Schema.Union(
  withId(Supply),
  withId(Borrow),
  Schema.Union(withId(PoolLiquidity), withId(PairLiquidity), withId(Liquidity)).annotations({
    identifier: "PoolPosition",
    description: "Shares of a liquidity pool, discriminated by `protocol`."
  }),
  withId(Stake),
  withId(DebtPosition),
  withId(Other)
).annotations({
  identifier: "DefiPosition",
  description: "One position in a protocol, discriminated by `positionType`."
})
export type DefiPosition = typeof DefiPosition.Type

/** Something held in a protocol that the service could not make sense of. It blocks the close. */
export const UnrecognizedDefiPosition = Schema.Struct({
  protocol: ProtocolName,
  rawType: Schema.String.annotations({ description: "What kind of thing was being read." }),
  reason: Schema.String.annotations({ description: "The contract, and why what it holds cannot be made out." })
}).annotations({
  identifier: "UnrecognizedDefiPosition",
  description: "Something held, or that may be held, in a contract that could not be made sense of. It blocks the close."
})

const Slice = Schema.Struct({
  ledgerKeys: Schema.Array(Schema.String).annotations({ description: "Base64 LedgerKey." }),
  contracts: Schema.Array(Schema.String).annotations({ description: "Contracts whose entries were read." }),
  contractsAsOf: optional(Schema.String).annotations({
    description:
      "Where contracts are found rather than configured: close time of the ledger in which they were looked for, ISO 8601. One opened since is not among them."
  })
}).annotations({ identifier: "DefiSlice", description: "What to read to see the same positions." })

/** How the service read, and what a caller must read to see the same. */
export const DefiQueryKeys = Schema.Struct({
  rpcEndpoints: Schema.Array(
    Schema.Struct({
      url: Schema.String.annotations({ description: "Origin only." }),
      health: Schema.Literal("healthy", "degraded", "down").annotations({ description: "How the endpoint answered lately." }),
      avgLatencyMs: Schema.Number.annotations({ description: "Average time of an answer, in milliseconds." })
    }).annotations({ identifier: "RpcEndpoint", description: "One contract RPC endpoint of the service." })
  ).annotations({ description: "The contract RPC endpoints of the service." }),
  rpcPolicy: Schema.Struct({
    maxKeysPerCall: Int.annotations({ description: "Most ledger keys in one call." }),
    recommendedConcurrency: Int.annotations({ description: "Calls to make at the same time." }),
    backoffOn429Ms: Schema.Array(Schema.Number).annotations({ description: "Milliseconds to wait after each 429 in a row." }),
    timeoutMs: Int.annotations({ description: "Milliseconds after which a call times out." })
  }).annotations({ identifier: "RpcPolicy", description: "How the service calls its endpoints." }),
  slices: Schema.Record({ key: Schema.String, value: Slice }).annotations({
    description: "Keyed by protocol; only protocols that were read."
  })
}).annotations({ identifier: "DefiQueryKeys", description: "What a caller reads to see the same positions." })
export type DefiQueryKeys = typeof DefiQueryKeys.Type

/** How fresh position data is: `not-tracked` means no decoder is configured, never that nothing is held. */
const PositionSource = Schema.Literal("snapshot", "empty", "cache", "not-tracked").annotations({
  identifier: "PositionSource",
  description:
    "`snapshot`: read from the ledger for this request. `empty`: everything was read and nothing is held. `cache`: read earlier. `not-tracked`: no decoder is configured for something, which never means that nothing is held."
})

/** Every DeFi position of an account. */
export const DefiPositionsResult = Schema.Struct({
  address: AccountAddress.annotations({ description: "The account that was read." }),
  network: Network,
  positions: Schema.Array(DefiPosition).annotations({ description: "Positions that can be left." }),
  unrecognizedPositions: Schema.Array(UnrecognizedDefiPosition).annotations({
    description: "What could not be made sense of. It blocks the close."
  }),
  enrichment: Schema.Record({
    key: Schema.String,
    value: Schema.Struct({
      symbol: Schema.NullOr(Schema.String).annotations({
        description: "As the token's contract reports it: a token may call itself anything."
      }),
      decimals: Schema.NullOr(Int).annotations({ description: "Decimal places of its amounts. Null: not known." }),
      priceLumens: Schema.NullOr(Schema.String).annotations({
        description:
          "Lumens that one unit sells for in a pool the account has a share of, of several the least. For display only. Null: no such pool buys it."
      }),
      priceSource: Schema.NullOr(Schema.Literal("pool")).annotations({
        description: "Where `priceLumens` comes from. Null: there is no price."
      })
    }).annotations({ identifier: "AssetEnrichment", description: "What is known of an asset or a token, for display." })
  }).annotations({ description: "Keyed by asset or contract address." }),
  source: PositionSource,
  timestamp: Schema.NullOr(Schema.String).annotations({
    description:
      "Close time of the ledger that was read, ISO 8601. Null: a protocol could not be read, so the account may hold more than is listed."
  }),
  queryKeys: DefiQueryKeys
}).annotations({ identifier: "DefiPositionsResult", description: "Positions in the five protocols." })
export type DefiPositionsResult = typeof DefiPositionsResult.Type
