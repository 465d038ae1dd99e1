/** What an argument of a call means. Anything else in its place is refused. */
export type Argument =
  /** The closing account: whose it is, who spends, who receives. */
  | "account"
  /** How much is given back, sold or transferred: a number above nothing. */
  | "amount"
  /** The least of something that is paid: a number, at least nothing. */
  | "least"
  /** The least of each token that is paid: at least one of them is above nothing. */
  | "least_each"
  /** The account, or the least that is paid: two versions of one contract differ in it. */
  | "account_or_least"
  /** Which of the account's own things it is about: a tick, an id, a time. It chooses, and moves nothing by itself. */
  | "place"
  | "places"
  /** Until when the call may be made. The time bound of the transaction ends it as well. */
  | "deadline"
  | "nothing"
  /** A token on one side of a pool: it chooses the pool, which pays the account. */
  | "token"
  | "tokens_on_the_way"
  /** Pools whose rewards or deposits are meant: the account's own share in them. */
  | "pool"
  | "pools"
  /** Requests to a lending pool: to withdraw, to withdraw collateral, to repay, and nothing else. */
  | "leaving_requests"
  /** Pools that a router goes through, each with what it pays. */
  | "pools_on_the_way"
  /** The account's own vault. */
  | "vault"
  /** The vault before or after it in a list, of any owner. */
  | "vault_below"
  | "no_vault"

/** What the account hands over by a call, as its signature has to allow it: exactly that, and nothing else. */
export type HandedOver =
  /** So much as the argument at `amount` says of the shares that are given back, whose contract the called one knows. */
  | { readonly what: "shares"; readonly by: "burn" | "transfer_to_called" | "transfer_to_itself"; readonly amount: number }
  /** So much of a token as arguments say, to the called contract or to a pool that it chooses. */
  | { readonly what: "token"; readonly token: number; readonly amount: number; readonly to: "called" | "pool" }
  /** What is repaid by requests, to the called contract. */
  | { readonly what: "repayments"; readonly requests: number }
  /** What a debt is paid with. */
  | { readonly what: "debt"; readonly amount: number }

/** A sale by its arguments: what is sold, how much, for how much at least, and where it says that lumens are paid. */
export interface SoldBy {
  readonly token: number
  readonly amount: number
  readonly least: number
  readonly pays: { readonly by: "tokens_on_the_way" | "pools_on_the_way"; readonly argument: number } | { readonly by: "pair" }
}

/** A function that a close may call. */
export interface ContractFunction {
  readonly name: string
  /** The roles of contracts that have it. */
  readonly roles: ReadonlyArray<string>
  readonly takes: ReadonlyArray<Argument>
  /** Left out: nothing. */
  readonly handsOver?: HandedOver
  /** Left out: it sells nothing. */
  readonly sells?: SoldBy
}

/** Every function that a close calls, by protocol. What is not here is never signed. */
export const contractFunctions: Readonly<Record<string, ReadonlyArray<ContractFunction>>> = {
  lend_1: [
    {
      name: "submit",
      roles: ["poolV1", "poolV2"],
      takes: ["account", "account", "account", "leaving_requests"],
      handsOver: { what: "repayments", requests: 3 }
    },
    // What is repaid and what is withdrawn are set off inside the pool: nothing is handed over.
    { name: "submit_with_allowance", roles: ["poolV2"], takes: ["account", "account", "account", "leaving_requests"] },
    { name: "claim", roles: ["poolV1", "poolV2"], takes: ["account", "places", "account"] },
    { name: "claim", roles: ["backstop"], takes: ["account", "pools", "account_or_least"] },
    { name: "queue_withdrawal", roles: ["backstop"], takes: ["account", "pool", "amount"] },
    { name: "withdraw", roles: ["backstop"], takes: ["account", "pool", "amount"] },
    // The shares are the called contract's own: it asks for no more than this call.
    { name: "exit_pool", roles: ["backstopToken"], takes: ["amount", "least_each", "account"] }
  ],
  amm_1: [
    {
      name: "withdraw",
      roles: ["pool"],
      takes: ["account", "amount", "least_each"],
      handsOver: { what: "shares", by: "burn", amount: 1 }
    },
    { name: "withdraw_position", roles: ["pool"], takes: ["account", "place", "place", "amount", "least_each"] },
    { name: "claim_position_fees", roles: ["pool"], takes: ["account", "place", "place"] },
    { name: "claim", roles: ["pool"], takes: ["account"] },
    { name: "gauges_claim", roles: ["pool"], takes: ["account"] },
    {
      name: "swap_chained",
      roles: ["router"],
      takes: ["account", "pools_on_the_way", "token", "amount", "least"],
      handsOver: { what: "token", token: 2, amount: 3, to: "called" },
      sells: { token: 2, amount: 3, least: 4, pays: { by: "pools_on_the_way", argument: 1 } }
    }
  ],
  amm_2: [
    {
      name: "remove_liquidity",
      roles: ["router"],
      takes: ["token", "token", "amount", "least", "least", "account", "deadline"],
      handsOver: { what: "shares", by: "transfer_to_itself", amount: 2 }
    },
    {
      name: "swap_exact_tokens_for_tokens",
      roles: ["router"],
      takes: ["amount", "least", "tokens_on_the_way", "account", "deadline"],
      handsOver: { what: "token", token: 2, amount: 0, to: "pool" },
      sells: { token: 2, amount: 0, least: 1, pays: { by: "tokens_on_the_way", argument: 2 } }
    }
  ],
  amm_3: [
    { name: "withdraw_rewards", roles: ["stake"], takes: ["account"] },
    { name: "unbond", roles: ["stake"], takes: ["account", "amount", "place"] },
    {
      name: "withdraw_liquidity",
      roles: ["fiveArgumentPool"],
      takes: ["account", "amount", "least", "least", "deadline"],
      handsOver: { what: "shares", by: "transfer_to_called", amount: 1 }
    },
    {
      name: "withdraw_liquidity",
      roles: ["sixArgumentPool"],
      takes: ["account", "amount", "least", "least", "deadline", "nothing"],
      handsOver: { what: "shares", by: "transfer_to_called", amount: 1 }
    },
    {
      name: "swap",
      roles: ["fiveArgumentPool", "sixArgumentPool"],
      takes: ["account", "token", "amount", "least", "nothing", "deadline", "nothing"],
      handsOver: { what: "token", token: 1, amount: 2, to: "called" },
      sells: { token: 1, amount: 2, least: 3, pays: { by: "pair" } }
    }
  ],
  cdp_1: [
    {
      name: "pay_debt",
      roles: ["vaults"],
      takes: ["vault_below", "vault", "no_vault", "amount"],
      handsOver: { what: "debt", amount: 3 }
    }
  ]
}
