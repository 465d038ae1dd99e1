import { Asset } from "@stellar/stellar-sdk"
import type { SandboxExtension } from "account-closeout"
import {
  accountVal,
  callContract,
  contractFunction,
  type ContractModel,
  FundedPair,
  Network,
  putContract,
  Values
} from "account-closeout/sandbox"
import { Effect } from "effect"
import { code, jar } from "./Jar.ts"

const { addressOf, addressVal, asAddress, asI128, i128, symbol, variant, voidVal } = Values

/** The model in place of the contract's code. */
const model: ContractModel = {
  functions: {
    deposit: contractFunction(["address", "i128"], (host, [user, amount]) => {
      host.requireAuth(user)
      const token = asAddress(host.instance.get(symbol("Token")) ?? host.trap())
      host.call(token, "transfer", addressVal(user), addressVal(host.address), i128(amount))
      host.persistent.set(variant("Share", addressVal(user)), i128(amount))
      return voidVal
    }),
    withdraw: contractFunction(["address", "i128"], (host, [user, amount]) => {
      host.requireAuth(user)
      const share = variant("Share", addressVal(user))
      if (asI128(host.persistent.get(share) ?? host.trap()) !== amount) host.fail(1)
      host.persistent.remove(share)
      const token = asAddress(host.instance.get(symbol("Token")) ?? host.trap())
      host.call(token, "transfer", addressVal(host.address), addressVal(user), i128(amount))
      return voidVal
    })
  }
}

/** A jar of lumens on the sandbox, and an account that has 25 of them in it. */
export const sandbox: SandboxExtension = {
  contracts: [{ model, wasmHashes: [code] }],
  prepare: Effect.gen(function*() {
    const { passphrase } = yield* Network
    const lumens = addressOf(Asset.native().contractId(passphrase))
    yield* putContract({ address: jar, wasmHash: code, instance: [[symbol("Token"), addressVal(lumens)]] })
    const { destination, source } = yield* FundedPair
    const args = [accountVal(source), i128(25_0000000n)]
    yield* callContract("the account fills its jar", { as: source, contract: addressOf(jar), fn: "deposit", args })
    return [{ name: "an account with a jar", source, destination }]
  })
}
