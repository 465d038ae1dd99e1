import type * as xdr from "@stellar/stellar-sdk/xdr"
import { assetNamed, dashed, isAssetId, native } from "../domain/Asset.ts"
import { assetContract } from "../stellar/AssetTokens.ts"
import { type Around, type Breach, breach } from "./Around.ts"
import { authorizationBreaches, calledIn } from "./CallAuthorization.ts"
import { hopsIn, strangeArgument, takesNothing, wayIn } from "./ContractArguments.ts"
import { type Argument, type ContractFunction, contractFunctions, type SoldBy } from "./ContractFunctions.ts"
import { integerIn } from "./ContractValues.ts"
import { deployedRoles, type TokenPool } from "./DeployedPools.ts"
import { type CallParts, handOvers, tokenAt } from "./HandOver.ts"
import { saleBreaches } from "./SaleAdmission.ts"
import { tokenCallBreaches } from "./TokenCallAdmission.ts"

const assetStart = "asset:"

/** Ids of decisions and floors about assets. */
const assetIds = ({ decided, expected }: Around): ReadonlyArray<string> =>
  [...decided.all.map(({ id }) => id), ...Object.keys(expected.floors)].filter((id) => id.startsWith(assetStart))

/** Ids of the decisions that may sell a token: its own, or that of the asset whose contract it is. */
const idsOf = (token: string, around: Around): ReadonlyArray<string> => {
  const isIts = (id: string): boolean => {
    const asset = id.slice(assetStart.length).replace("-", ":")
    return isAssetId(asset) && dashed(assetNamed(asset)) === id.slice(assetStart.length) &&
      assetContract(assetNamed(asset), around.expected.networkPassphrase) === token
  }
  return [`token:${token}`, ...assetIds(around).filter(isIts)]
}

/** Tokens that are worth something by themselves, so never the shares of a pool: what is known, decided about or held. */
const isValued = (around: Around) => (token: string): boolean => {
  const { decided, expected } = around
  const [, ...assets] = idsOf(token, around)
  return expected.contracts.tokens.includes(token) || token === assetContract(native, expected.networkPassphrase) || assets.length > 0 ||
    decided.to(`token:${token}`) !== undefined || decided.held(`token:${token}`) !== undefined
}

/** What a contract of a close may be called for. */
interface Role {
  readonly protocol: string
  readonly functions: ReadonlyArray<ContractFunction>
  /** Whether the caller's book lists it. What is only named as a position is handed nothing. */
  readonly isListed: boolean
}

const functionsOf = (protocol: string, { expected: { contracts } }: Around): ReadonlyArray<ContractFunction> => [
  ...(Object.hasOwn(contractFunctions, protocol) ? contractFunctions[protocol] ?? [] : []),
  ...(Object.hasOwn(contracts.functions ?? {}, protocol) ? contracts.functions?.[protocol] ?? [] : [])
]

/** What a contract may be called for in some roles; nothing without one. */
const roleOf = (protocol: string, own: ReadonlyArray<string>, around: Around): ReadonlyArray<Role> =>
  own.length === 0 ? [] : [{
    protocol,
    isListed: true,
    functions: functionsOf(protocol, around).filter(({ roles: of }) => of.some((role) => own.includes(role)))
  }]

const listedRoles = (contract: string, around: Around): ReadonlyArray<Role> =>
  Object.entries(around.expected.contracts.protocols).flatMap(([protocol, roles]) =>
    roleOf(protocol, Object.entries(roles).filter(([, contracts]) => contracts.includes(contract)).map(([role]) => role), around)
  )

/** The pools of a token and lumens that a sale whose arguments do not name what is paid could be made in. */
const poolsForSale = ({ args, name }: CallParts, { expected: { networkPassphrase } }: Around): ReadonlyArray<TokenPool> =>
  Object.entries(contractFunctions).flatMap(([protocol, functions]) =>
    functions.flatMap(({ name: sale, sells }) => {
      const token = sells?.pays.by === "pair" && sale === name ? tokenAt(args[sells.token]) : null
      return token === null ? [] : [{ protocol, tokens: [token, assetContract(native, networkPassphrase)] }]
    })
  )

/** What a pool outside the book may be called for, whose address proves that a router or factory of the book deployed it. */
const provenRoles = (call: CallParts, around: Around): ReadonlyArray<Role> => {
  const held = around.decided.positions.filter(({ contracts }) => contracts.includes(call.contract))
  return [...held, ...poolsForSale(call, around)].flatMap((pool) =>
    roleOf(pool.protocol, deployedRoles(call.contract, pool, around.expected), around)
  )
}

/** Arguments that name no one but the account. */
const ownArguments: ReadonlySet<Argument> = new Set([
  "account",
  "account_or_least",
  "amount",
  "deadline",
  "least",
  "least_each",
  "nothing",
  "place",
  "places"
])

/** Functions that a contract outside the book may be called for: they hand over nothing and name no one else. */
const isForAnyone = ({ handsOver, sells, takes }: ContractFunction): boolean =>
  handsOver === undefined && sells === undefined && takes.every((meaning) => ownArguments.has(meaning))

const namedRoles = (contract: string, around: Around): ReadonlyArray<Role> => {
  const positions = around.decided.positions.filter(({ contracts }) => contracts.includes(contract))
  return [...new Set(positions.map(({ protocol }) => protocol))].map((protocol) => ({
    protocol,
    isListed: false,
    functions: functionsOf(protocol, around).filter(isForAnyone)
  }))
}

/** The last token that the arguments of a sale say is paid; of a pool that trades two tokens, the other one by the caller's book. */
const paidBy = (sells: SoldBy, call: CallParts, around: Around): string | null => {
  const { pays, token } = sells
  const { args } = call
  switch (pays.by) {
    case "tokens_on_the_way":
      return wayIn(args[pays.argument])?.at(-1) ?? null
    case "pools_on_the_way":
      return hopsIn(args[pays.argument])?.at(-1) ?? null
    case "pair":
      return otherOf(pairOf(call, around), tokenAt(args[token]))
  }
}

/** The two tokens of a pool: by the caller's book, else by its address. */
const pairOf = (call: CallParts, around: Around): ReadonlyArray<string> => {
  const { contracts: { pairs } } = around.expected
  if (Object.hasOwn(pairs, call.contract)) return pairs[call.contract] ?? []
  return poolsForSale(call, around).find((pool) => deployedRoles(call.contract, pool, around.expected).length > 0)?.tokens ?? []
}

const otherOf = (pair: ReadonlyArray<string>, sold: string | null): string | null =>
  sold !== null && pair.includes(sold) ? pair.find((token) => token !== sold) ?? null : null

const soldBreaches = (sells: SoldBy, call: CallParts, around: Around): ReadonlyArray<Breach> => {
  const token = tokenAt(call.args[sells.token])
  const lumens = assetContract(native, around.expected.networkPassphrase)
  if (token === null || token === lumens || paidBy(sells, call, around) !== lumens) {
    return breach("sale", `Sells ${token} for something that is not known to be lumens.`)
  }
  const amount = integerIn(call.args[sells.amount]) ?? 0n
  return saleBreaches({ ids: idsOf(token, around), amount, total: amount, least: integerIn(call.args[sells.least]) ?? 0n }, around)
}

/** A call that a close may make, in the role of the contract that is called. */
interface Made {
  readonly role: Role
  readonly made: ContractFunction
  readonly call: CallParts
}

/** Leaving a position is for positions that the caller knows of and does not give up. */
const exitBreaches = ({ call, made, role: { protocol } }: Made, { decided }: Around): ReadonlyArray<Breach> => {
  if (!decided.positions.some((one) => one.protocol === protocol) || decided.isGivenUp(call.contract)) {
    return breach("not_decided", `Leaves something in ${protocol}, where you have no position that is to be left.`)
  }
  return takesNothing(made.takes, call.args) ? breach("sale_floor", `${call.name} of ${call.contract} would be content with nothing.`) : []
}

const madeBreaches = (one: Made, around: Around): ReadonlyArray<Breach> => {
  const { body, expected: { source } } = around
  if (body.type !== "invokeHostFunction") return breach("unknown_operation", "This is no call.")
  const { call, made } = one
  return [
    ...(made.sells === undefined ? exitBreaches(one, around) : soldBreaches(made.sells, call, around)),
    ...authorizationBreaches(body.invokeHostFunctionOp, { source, handOvers: handOvers(made, call), isValued: isValued(around) })
  ]
}

const rolesOf = (call: CallParts, around: Around): ReadonlyArray<Role> => {
  const listed = listedRoles(call.contract, around)
  if (listed.length > 0) return listed
  const proven = provenRoles(call, around)
  return proven.length > 0 ? proven : namedRoles(call.contract, around)
}

/** Why a call of a contract is not one that a close makes for its caller. */
export const callBreaches = (args: xdr.InvokeContractArgs, around: Around): ReadonlyArray<Breach> => {
  const call = calledIn(args)
  const { contract, name } = call
  if (name === "transfer" || name === "approve") return tokenCallBreaches(call, around)
  const roles = rolesOf(call, around)
  if (roles.length === 0) return breach("contract", `Calls ${contract}, which neither your book nor a position names.`)
  const named = roles.flatMap((role) => role.functions.filter((made) => made.name === name).map((made) => ({ role, made, call })))
  if (named.length === 0) {
    const by = roles.some(({ isListed }) => isListed) ? "its role in your book" : "a contract outside your book"
    return breach("contract_function", `Calls ${name} of ${contract}, which ${by} does not allow.`)
  }
  const fitting = named.find(({ made }) => strangeArgument(made.takes, call.args, around.expected.source) === null)
  return fitting === undefined
    ? breach("contract_arguments", `Calls ${name} of ${contract} with arguments that leaving does not have.`)
    : madeBreaches(fitting, around)
}
