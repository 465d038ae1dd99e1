import { Asset, Keypair, Operation, type xdr } from "@stellar/stellar-sdk"
import type { SandboxExtension } from "account-closeout"
import {
  accountVal,
  callContract,
  contractFunction,
  type ContractHost,
  type ContractModel,
  fund,
  FundedPair,
  Network,
  perform,
  putContract,
  Values
} from "account-closeout/sandbox"
import { Effect } from "effect"
import { code, vault } from "./Vault.ts"

const { addressOf, addressVal, asAddress, asI128, i128, symbol, variant, voidVal } = Values

type Entry = "Share" | "Debt" | "Reward"

const amountOf = (host: ContractHost, entry: Entry, user: xdr.ScAddress): bigint => {
  const value = host.persistent.get(variant(entry, addressVal(user)))
  return value === undefined ? 0n : asI128(value)
}

const add = (host: ContractHost, entry: Entry, user: xdr.ScAddress, amount: bigint) => {
  const key = variant(entry, addressVal(user))
  const sum = amountOf(host, entry, user) + amount
  if (sum === 0n) host.persistent.remove(key)
  else host.persistent.set(key, i128(sum))
}

const move = (host: ContractHost, token: "Token" | "DebtToken", [from, to]: readonly [xdr.ScAddress, xdr.ScAddress], amount: bigint) =>
  host.call(asAddress(host.instance.get(symbol(token)) ?? host.trap()), "transfer", addressVal(from), addressVal(to), i128(amount))

/** A vault: lumens go in, another token can be borrowed, and rewards accrue. Shares can be sent to any account. */
const model: ContractModel = {
  functions: {
    deposit: contractFunction(["address", "i128"], (host, [user, amount]) => {
      host.requireAuth(user)
      move(host, "Token", [user, host.address], amount)
      add(host, "Share", user, amount)
      return voidVal
    }),
    borrow: contractFunction(["address", "i128"], (host, [user, amount]) => {
      host.requireAuth(user)
      move(host, "DebtToken", [host.address, user], amount)
      add(host, "Debt", user, amount)
      add(host, "Reward", user, amount)
      return voidVal
    }),
    repay: contractFunction(["address", "i128"], (host, [user, amount]) => {
      host.requireAuth(user)
      move(host, "DebtToken", [user, host.address], amount)
      add(host, "Debt", user, -amount)
      return voidVal
    }),
    claim: contractFunction(["address"], (host, [user]) => {
      host.requireAuth(user)
      const amount = amountOf(host, "Reward", user)
      move(host, "Token", [host.address, user], amount)
      add(host, "Reward", user, -amount)
      return voidVal
    }),
    withdraw: contractFunction(["address", "i128"], (host, [user, amount]) => {
      host.requireAuth(user)
      if (amountOf(host, "Debt", user) > 0n) host.fail(1)
      if (amountOf(host, "Share", user) !== amount) host.fail(2)
      add(host, "Share", user, -amount)
      move(host, "Token", [host.address, user], amount)
      return voidVal
    }),
    transfer: contractFunction(["address", "address", "i128"], (host, [from, to, amount]) => {
      host.requireAuth(from)
      if (amountOf(host, "Share", from) < amount) host.fail(2)
      add(host, "Share", from, -amount)
      add(host, "Share", to, amount)
      return voidVal
    })
  }
}

/** A vault, a friend with a deposit in it, and an account with shares that the friend gave, a debt and a reward. */
export const sandbox: SandboxExtension = {
  contracts: [{ model, wasmHashes: [code] }],
  prepare: Effect.gen(function*() {
    const { passphrase } = yield* Network
    const [friend, issuer] = [Keypair.random(), Keypair.random()]
    const dollar = new Asset("ACME", issuer.publicKey())
    const { destination, source } = yield* FundedPair
    yield* fund("1000", friend, issuer)
    yield* perform("the account trusts the asset", { as: source, operations: [Operation.changeTrust({ asset: dollar })] })
    const [token, debtToken] = [Asset.native(), dollar].map((asset) => addressOf(asset.contractId(passphrase)))
    if (token === undefined || debtToken === undefined) return yield* Effect.dieMessage("no token")
    yield* putContract({
      address: vault,
      wasmHash: code,
      instance: [[symbol("Token"), addressVal(token)], [symbol("DebtToken"), addressVal(debtToken)]]
    })
    const at = addressOf(vault)
    const tell = (as: Keypair, fn: string, ...args: ReadonlyArray<xdr.ScVal>) =>
      callContract(fn, { as, contract: at, fn, args: [accountVal(as), ...args] })
    yield* callContract("the vault gets what it lends", {
      as: issuer,
      contract: debtToken,
      fn: "transfer",
      args: [accountVal(issuer), addressVal(at), i128(100_0000000n)]
    })
    yield* tell(friend, "deposit", i128(500_0000000n))
    yield* tell(source, "deposit", i128(30_0000000n))
    yield* tell(source, "borrow", i128(5_0000000n))
    yield* tell(friend, "transfer", accountVal(source), i128(10_0000000n))
    return [{ name: "an account with a vault", source, destination }]
  })
}
