import * as Port from "account-closeout/protocol"
import { Effect, Either } from "effect"

const { kit, ScValCodec: { account, contract, i128, symbol, variant } } = Port
const name = Port.OutsideProtocol.make("acme_vault")
export const vault = Port.ContractAddress.make("CAAQCAIBAEAQCAIBAEAQCAIBAEAQCAIBAEAQCAIBAEAQCAIBAEAQC526")
export const code = Port.WasmHash.make("ad".repeat(32))

const under = (entry: "Share" | "Debt" | "Reward", user: Port.AccountAddress) => variant(entry, account.encode(user))

/** The vault's debt to a user and the user's debt to the vault, in base units. */
interface Held {
  readonly at: Port.ContractAddress
  readonly wasmHash: string
  readonly token: Port.ContractAddress
  readonly debtToken: Port.ContractAddress
  readonly symbol: string | null
  readonly shares: bigint
  readonly debt: bigint
  readonly reward: bigint
}

const claimFunction = "claim"

const claim = ({ at, reward, token }: Held, user: Port.AccountAddress): Port.ContractCall => ({
  contract: at,
  function: claimFunction,
  args: [account.encode(user)],
  payouts: [{ token, expected: reward }],
  holds: [],
  subCalls: [],
  recipients: [],
  claimsOnly: true
})

const repay = ({ at, debt, debtToken }: Held, user: Port.AccountAddress): Port.ContractCall => ({
  contract: at,
  function: "repay",
  args: [account.encode(user), i128.encode(debt)],
  payouts: [],
  holds: [{ token: debtToken, amount: debt }],
  subCalls: [{
    contract: debtToken,
    function: "transfer",
    args: [account.encode(user), contract.encode(at), i128.encode(debt)],
    subCalls: []
  }],
  recipients: [at]
})

const withdraw = ({ at, shares, token }: Held, user: Port.AccountAddress): Port.ContractCall => ({
  contract: at,
  function: "withdraw",
  args: [account.encode(user), i128.encode(shares)],
  payouts: [{ token, expected: shares }],
  holds: [],
  subCalls: [],
  recipients: []
})

const exitOf = (held: Held, context: Port.ExitContext): Port.Exit => {
  const { debt, debtToken: token, reward, shares } = held
  const { spendable, user } = context
  if (spendable(token) < debt) return kit.refused({ _tag: "RepayAssetShort", token, needed: debt, held: spendable(token) })
  const [first, ...others] = [
    ...(reward > 0n && kit.isClaimedFirst(context, claimFunction) ? [claim(held, user)] : []),
    ...(debt > 0n ? [repay(held, user)] : []),
    ...(shares > 0n ? [withdraw(held, user)] : [])
  ]
  return first === undefined ? { _tag: "Gone" } : { _tag: "Calls", calls: [first, ...others], unlocksAt: null }
}

const place = (known: Port.kit.KnownCode<"vault">) =>
  Port.onePosition(name, "vault", {
    keys: ({ contract: at }, user) => [
      Port.instanceKey(at),
      ...(["Share", "Debt", "Reward"] as const).map((entry) => Port.contractDataKey(at, under(entry, user)))
    ],
    read: ({ contract: at }, user, view) =>
      Either.gen(function*() {
        const { instance, wasmHash } = yield* Port.gate(view, at, known)
        const [token, debtToken] = [
          yield* kit.requiredInInstance(at, instance, symbol.encode("Token"), contract),
          yield* kit.requiredInInstance(at, instance, symbol.encode("DebtToken"), contract)
        ]
        yield* kit.allAnswered(view, [token, debtToken].map(kit.tokenFactsKey))
        const { symbol: called } = kit.tokenFacts(view, token)
        const shares = (yield* kit.valueIn(view, at, under("Share", user), kit.amount)) ?? 0n
        const debt = (yield* kit.valueIn(view, at, under("Debt", user), kit.amount)) ?? 0n
        const reward = (yield* kit.valueIn(view, at, under("Reward", user), kit.amount)) ?? 0n
        return shares + debt + reward === 0n ? null : { at, wasmHash, token, debtToken, symbol: called, shares, debt, reward }
      }),
    position: ({ at, debt, debtToken, reward, shares, symbol: called, token, wasmHash }, user) => {
      const common = { protocol: name, contractAddress: at, wasmHash, usdValue: null } as const
      return {
        key: "vault",
        rows: [
          { ...common, positionType: "other", holds: [{ token, symbol: called, amount: `${shares}` }] },
          ...(debt > 0n ? [{ ...common, positionType: "borrow", assetAddress: debtToken, dTokenAmount: `${debt}` } as const] : [])
        ],
        pays: [token],
        owes: debt > 0n ? [{ token: debtToken, amount: debt }] : [],
        rewards: reward > 0n ? [{ token, amount: reward, claim: claimFunction }] : [],
        givenUnder: Port.contractDataKey(at, under("Share", user))
      }
    },
    exit: exitOf
  })

/** The meanings of its error numbers. */
const problems: Port.kit.CallProblems = { 1: kit.refuses("The vault still has a debt."), 2: kit.changed }

const vaults = (contracts: ReadonlyArray<Port.ContractAddress>, known: Port.kit.KnownCode<"vault">): Port.Protocol.Protocol => ({
  name,
  code: [...known.keys()],
  contracts,
  places: contracts.map((at) => place(known)({ contract: at })),
  problem: (_call, error) => problems[error] ?? kit.tokenProblem(error)
})

const own = { contracts: { sandbox: { vault: [vault] } }, code: { vault: [code] } } as const
export const layer = Port.Protocol.layer(
  Effect.map(kit.ownContracts(name, ["vault"], own), (listed) => vaults(listed.inRole("vault"), kit.knownCode(listed.code, "vault")))
)
