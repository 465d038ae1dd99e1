import type { xdr } from "@stellar/stellar-sdk"
import { contractFunction, type ContractModel, Values } from "account-closeout/sandbox"

const { addressVal, asAddress, asI128, i128, symbol, variant, voidVal } = Values

export const shareKey = (user: xdr.ScAddress): xdr.ScVal => variant("Share", addressVal(user))

/** A vault that pays back what somebody has in it. */
export const vaultModel: ContractModel = {
  functions: {
    withdraw: contractFunction(["address", "i128"], (host, [user, amount]) => {
      host.requireAuth(user)
      const has = asI128(host.persistent.get(shareKey(user)) ?? host.trap())
      if (amount !== has) host.fail(1)
      host.persistent.remove(shareKey(user))
      const token = asAddress(host.instance.get(symbol("Token")) ?? host.trap())
      host.call(token, "transfer", addressVal(host.address), addressVal(user), i128(amount))
      return voidVal
    })
  }
}
