import { xdr } from "@stellar/stellar-sdk"
import { integerIn } from "../../../../src/operations/ContractValues.ts"
import { addressValue, nameOfAddress } from "../../../../src/stellar/ScAddresses.ts"
import { type Attempt, type Case, type Choose, hostile, isContent, type Mutation, placesOf, replaced } from "../Case.ts"
import { strangeAddress, strangeContract, stranger, strangerAddress } from "../Strangers.ts"

type Call = ConstructorParameters<typeof xdr.InvokeContractArgs>[0]

/** One call with its authorization, unchanged. */
interface Made {
  readonly call: xdr.InvokeContractArgs
  readonly auth: ReadonlyArray<xdr.SorobanAuthorizationEntry>
}

const invoked = (one: Case, hostFunction: xdr.HostFunction, auth: ReadonlyArray<xdr.SorobanAuthorizationEntry>): Attempt | null => {
  const [place] = placesOf(one, "invokeHostFunction")
  return place === undefined ? null : replaced(
    one,
    place.at,
    new xdr.Operation({
      sourceAccount: place.operation.sourceAccount,
      body: xdr.OperationBody.invokeHostFunction(new xdr.InvokeHostFunctionOp({ hostFunction, auth: [...auth] }))
    })
  )
}

const madeIn = (one: Case): Made | null => {
  const [place] = placesOf(one, "invokeHostFunction")
  const made = place?.body.invokeHostFunctionOp
  return made?.hostFunction.type === "hostFunctionTypeInvokeContract" ? { call: made.hostFunction.invokeContract, auth: made.auth } : null
}

const rooted = (entry: xdr.SorobanAuthorizationEntry, root: Partial<ConstructorParameters<typeof xdr.SorobanAuthorizedInvocation>[0]>) =>
  new xdr.SorobanAuthorizationEntry({
    credentials: entry.credentials,
    rootInvocation: new xdr.SorobanAuthorizedInvocation({ ...entry.rootInvocation, ...root })
  })

const contractFn = (call: xdr.InvokeContractArgs) => xdr.SorobanAuthorizedFunction.sorobanAuthorizedFunctionTypeContractFn(call)

/** The call and its authorization changed alike. */
const called =
  (change: (call: xdr.InvokeContractArgs, one: Case, choose: Choose) => Partial<Call> | null): Mutation["of"] => (one, choose) => {
    const made = madeIn(one)
    const fields = made === null ? null : change(made.call, one, choose)
    if (made === null || fields === null) return null
    const call = new xdr.InvokeContractArgs({ ...made.call, ...fields })
    return invoked(
      one,
      xdr.HostFunction.hostFunctionTypeInvokeContract(call),
      made.auth.map((entry) => rooted(entry, { function: contractFn(call) }))
    )
  }

/** The authorization changed, but not the call. */
const authorized = (
  change: (
    auth: ReadonlyArray<xdr.SorobanAuthorizationEntry>,
    made: Made,
    choose: Choose
  ) => ReadonlyArray<xdr.SorobanAuthorizationEntry> | null
): Mutation["of"] =>
(one, choose) => {
  const made = madeIn(one)
  const auth = made === null ? null : change(made.auth, made, choose)
  return made === null || auth === null ? null : invoked(one, xdr.HostFunction.hostFunctionTypeInvokeContract(made.call), auth)
}

/** The sub-calls of the first authorization changed. */
const below = (
  change: (
    calls: ReadonlyArray<xdr.SorobanAuthorizedInvocation>,
    made: Made,
    choose: Choose
  ) => ReadonlyArray<xdr.SorobanAuthorizedInvocation> | null
): Mutation["of"] =>
  authorized(([entry, ...more], made, choose) => {
    if (entry === undefined) return null
    const calls = change(entry.rootInvocation.subInvocations, made, choose)
    return calls === null ? null : [rooted(entry, { subInvocations: [...calls] }), ...more]
  })

/** One sub-call changed. */
const oneBelow = (change: (call: xdr.InvokeContractArgs) => Partial<Call> | null): Mutation["of"] =>
  below((calls, _, choose) => {
    if (calls.length === 0) return null
    const chosen = choose(calls)
    if (chosen.function.type !== "sorobanAuthorizedFunctionTypeContractFn") return null
    const fields = change(chosen.function.contractFn)
    if (fields === null) return null
    const other = new xdr.SorobanAuthorizedInvocation({
      ...chosen,
      function: contractFn(new xdr.InvokeContractArgs({ ...chosen.function.contractFn, ...fields }))
    })
    return calls.map((one) => (one === chosen ? other : one))
  })

const transfer = (token: xdr.ScAddress, from: string, to: xdr.ScAddress, amount: bigint): xdr.SorobanAuthorizedInvocation =>
  new xdr.SorobanAuthorizedInvocation({
    function: contractFn(
      new xdr.InvokeContractArgs({
        contractAddress: token,
        functionName: "transfer",
        args: [addressValue(from), xdr.ScVal.scvAddress(to), xdr.ScVal.scvI128(new xdr.Int128Parts({ hi: 0n, lo: amount }))]
      })
    ),
    subInvocations: []
  })

const isAddress = (value: xdr.ScVal, address: string): boolean => value.type === "scvAddress" && nameOfAddress(value.address) === address

/** Every address of the account in a value, at any depth, replaced by the stranger's. */
const handed = (value: xdr.ScVal, from: string): xdr.ScVal => {
  if (isAddress(value, from)) return xdr.ScVal.scvAddress(strangerAddress)
  if (value.type === "scvVec") return xdr.ScVal.scvVec((value.vec ?? []).map((one) => handed(one, from)))
  if (value.type === "scvMap") {
    return xdr.ScVal.scvMap((value.map ?? []).map(({ key, val }) => new xdr.ScMapEntry({ key, val: handed(val, from) })))
  }
  return value
}

const wholeNumber = (value: xdr.ScVal, change: (units: bigint) => bigint): xdr.ScVal | null => {
  const units = integerIn(value)
  if (units === null) return null
  const [hi, lo] = [change(units) >> 64n, change(units) & ((1n << 64n) - 1n)]
  if (value.type === "scvI128") return xdr.ScVal.scvI128(new xdr.Int128Parts({ hi, lo }))
  return value.type === "scvU128" ? xdr.ScVal.scvU128(new xdr.Uint128Parts({ hi, lo })) : null
}

const argument = (call: xdr.InvokeContractArgs, at: number, change: (value: xdr.ScVal) => xdr.ScVal | null): Partial<Call> | null => {
  const value = call.args[at]
  const made = value === undefined ? null : change(value)
  return made === null ? null : { args: call.args.map((one, index) => (index === at ? made : one)) }
}

const named = (call: xdr.InvokeContractArgs, ...names: ReadonlyArray<string>): boolean => names.includes(call.functionName.toString())

const zeros = (call: xdr.InvokeContractArgs, ...places: ReadonlyArray<number>): Partial<Call> => ({
  args: call.args.map((value, at) => {
    if (!places.includes(at)) return value
    return value.type === "scvVec"
      ? xdr.ScVal.scvVec((value.vec ?? []).map((one) => wholeNumber(one, () => 0n) ?? one))
      : wholeNumber(value, () => 0n) ?? value
  })
})

/** The index of the minimum payout in each function's arguments. */
const leasts: Readonly<Record<string, ReadonlyArray<number>>> = {
  exit_pool: [1],
  remove_liquidity: [3, 4],
  withdraw_liquidity: [2, 3],
  withdraw_position: [4],
  swap_chained: [4],
  swap: [3],
  swap_exact_tokens_for_tokens: [1]
}

const requestsOf = (
  call: xdr.InvokeContractArgs,
  change: (fields: ReadonlyMap<string, xdr.ScVal>) => Readonly<Record<string, xdr.ScVal>>
): Partial<Call> | null =>
  named(call, "submit", "submit_with_allowance") ?
    argument(call, 3, (value) => {
      if (value.type !== "scvVec") return null
      const [first, ...others] = value.vec ?? []
      if (first?.type !== "scvMap") return null
      const fields = new Map((first.map ?? []).map(({ key, val }) => [key.type === "scvSymbol" ? key.sym.toString() : "", val] as const))
      const made = Object.entries({ ...Object.fromEntries(fields), ...change(fields) }).toSorted(([a], [b]) => (a < b ? -1 : 1))
      return xdr.ScVal.scvVec([
        xdr.ScVal.scvMap(made.map(([name, val]) => new xdr.ScMapEntry({ key: xdr.ScVal.scvSymbol(name), val }))),
        ...others
      ])
    }) :
    null

const kind = (type: number) => called((call) => requestsOf(call, () => ({ request_type: xdr.ScVal.scvU32(type) })))

const isHeldOnly = ({ expected }: Case, contract: string): boolean =>
  !Object.values(expected.contracts.protocols).some((roles) => Object.values(roles).some((contracts) => contracts.includes(contract)))

/** Contract calls, and the scope of a signature for one. */
export const ofCalls: ReadonlyArray<Mutation> = [
  hostile("a call of a strange contract", called(() => ({ contractAddress: strangeAddress }))),
  hostile(
    "a call of a token",
    called((call, { expected: { contracts } }) => {
      const [first] = Object.values(contracts.protocols["lend_1"] ?? {}).flat()
      return named(call, "approve", "transfer") || first === undefined || nameOfAddress(call.contractAddress) === first
        ? null
        : { contractAddress: strangeAddress }
    })
  ),
  ...["transfer", "approve", "mint", "set_admin", "upgrade", "deposit", "borrow", "flash_loan", "redeem", "swap_tokens", "__constructor"]
    .map((name) => hostile(`a call of ${name}`, called((call) => (named(call, name) ? null : { functionName: name })))),
  hostile(
    "everything of the account's in a stranger's name",
    called((call, { expected }) => {
      const args = call.args.map((value) => handed(value, expected.source))
      return { args }
    })
  ),
  hostile(
    "one argument in a stranger's name",
    called((call, { expected }, choose) => {
      const own = call.args.flatMap((value, at) => (isAddress(value, expected.source) ? [at] : []))
      return own.length === 0 ? null : argument(call, choose(own), () => xdr.ScVal.scvAddress(strangerAddress))
    })
  ),
  hostile(
    "the receiver a strange contract",
    called((call, { expected }) => {
      const at = call.args.findLastIndex((value) => isAddress(value, expected.source))
      return at < 0 ? null : argument(call, at, () => xdr.ScVal.scvAddress(strangeAddress))
    })
  ),
  hostile("an argument more", called((call) => ({ args: [...call.args, xdr.ScVal.scvVoid()] }))),
  hostile("an argument less", called((call) => (call.args.length === 0 ? null : { args: call.args.slice(0, -1) }))),
  hostile(
    "an argument of another type",
    called((call, _, choose) => argument(call, choose(call.args.map((_, at) => at)), () => xdr.ScVal.scvString("evil")))
  ),
  hostile(
    "arguments in another order",
    called((call) => call.args.length < 2 || call.args[0]?.type === call.args.at(-1)?.type ? null : { args: call.args.toReversed() })
  ),
  hostile(
    "an amount below zero",
    called((call, _, choose) => {
      const amounts = call.args.flatMap((value, at) => (value.type === "scvI128" ? [at] : []))
      return amounts.length === 0 ? null : argument(call, choose(amounts), (value) => wholeNumber(value, () => -1n))
    })
  ),
  hostile(
    "nothing for everything",
    called((call) => {
      const places = leasts[call.functionName.toString()]
      return places === undefined ? null : zeros(call, ...places)
    })
  ),
  hostile(
    "a sale through contracts for one unit",
    called((call, { expected }) => {
      // A caller with exactly that minimum accepts it.
      if (isContent(expected)) return null
      const [at] = named(call, "swap_chained", "swap", "swap_exact_tokens_for_tokens") ? leasts[call.functionName.toString()] ?? [] : []
      return at === undefined ? null : argument(call, at, (value) => wholeNumber(value, () => 1n))
    })
  ),
  hostile(
    "a sale through contracts for another token",
    called((call) => {
      if (named(call, "swap_exact_tokens_for_tokens")) {
        return argument(
          call,
          2,
          (value) =>
            value.type === "scvVec" ? xdr.ScVal.scvVec([...(value.vec ?? []).slice(0, -1), xdr.ScVal.scvAddress(strangeAddress)]) : null
        )
      }
      return named(call, "swap_chained") ?
        argument(call, 1, (value) => {
          const hops = value.type === "scvVec" ? value.vec ?? [] : []
          const last = hops.at(-1)
          if (last?.type !== "scvVec") {
            return null
          }
          return xdr.ScVal.scvVec([
            ...hops.slice(0, -1),
            xdr.ScVal.scvVec([...(last.vec ?? []).slice(0, 2), xdr.ScVal.scvAddress(strangeAddress)])
          ])
        }) :
        null
    })
  ),
  hostile(
    "a sale of another token",
    called((call) => {
      if (named(call, "swap_chained")) return argument(call, 2, () => xdr.ScVal.scvAddress(strangeAddress))
      return named(call, "swap") ? argument(call, 1, () => xdr.ScVal.scvAddress(strangeAddress)) : null
    })
  ),
  hostile("a pool whose other token nobody knows", (one) => {
    const made = madeIn(one)
    return made !== null && named(made.call, "swap")
      ? { expected: { ...one.expected, contracts: { ...one.expected.contracts, pairs: {} } } }
      : null
  }),
  hostile("a pool that pays no lumens", (one) => {
    const made = madeIn(one)
    const sold = made?.call.args[1]
    return made !== null && named(made.call, "swap") && sold?.type === "scvAddress"
      ? {
        expected: {
          ...one.expected,
          contracts: {
            ...one.expected.contracts,
            pairs: { [nameOfAddress(made.call.contractAddress)]: [nameOfAddress(sold.address), strangeContract] }
          }
        }
      }
      : null
  }),
  hostile("collateral deposited", kind(2)),
  hostile("something borrowed", kind(4)),
  hostile("a liquidation filled", kind(6)),
  hostile("a request of an unknown kind", kind(99)),
  hostile(
    "a request for nothing",
    called((call) => requestsOf(call, () => ({ amount: xdr.ScVal.scvI128(new xdr.Int128Parts({ hi: 0n, lo: 0n })) })))
  ),
  hostile(
    "more repaid than is authorised",
    called((call) =>
      requestsOf(call, (fields): Readonly<Record<string, xdr.ScVal>> => {
        const [amount, type] = [fields.get("amount"), fields.get("request_type")]
        return type?.type === "scvU32" && type.u32 === 5 && amount !== undefined && named(call, "submit")
          ? { amount: wholeNumber(amount, (units) => units + 1n) ?? amount }
          : {}
      })
    )
  ),
  hostile(
    "a token more to a stranger",
    below((calls, { call }) => [...calls, transfer(call.contractAddress, stranger, strangerAddress, 5n)])
  ),
  hostile(
    "a token of the account's more to a stranger",
    (one, choose) => below((calls) => [...calls, transfer(strangeAddress, one.expected.source, strangerAddress, 5n)])(one, choose)
  ),
  hostile(
    "a lumen more to the called contract",
    (one, choose) =>
      below((calls, { call }) => [...calls, transfer(strangeAddress, one.expected.source, call.contractAddress, 10_000_000n)])(one, choose)
  ),
  hostile("the same token twice", below((calls) => (calls.length === 0 ? null : [...calls, ...calls]))),
  hostile("what is handed over left out", below((calls) => (calls.length === 0 ? null : []))),
  hostile(
    "a call deeper than what is handed over",
    below(([first, ...more], { call }) =>
      first === undefined
        ? null
        : [
          new xdr.SorobanAuthorizedInvocation({
            ...first,
            subInvocations: [transfer(call.contractAddress, stranger, strangerAddress, 5n)]
          }),
          ...more
        ]
    )
  ),
  hostile(
    "more handed over",
    oneBelow((call) => argument(call, call.args.length - 1, (value) => wholeNumber(value, (units) => units + 1n)))
  ),
  hostile(
    "less handed over",
    oneBelow((call) => argument(call, call.args.length - 1, (value) => wholeNumber(value, (units) => units - 1n)))
  ),
  hostile(
    "handed over to a stranger",
    oneBelow((call) => (named(call, "transfer") ? argument(call, 1, () => xdr.ScVal.scvAddress(strangerAddress)) : null))
  ),
  hostile("handed over from somebody else", oneBelow((call) => argument(call, 0, () => xdr.ScVal.scvAddress(strangerAddress)))),
  hostile("handed over by another function", oneBelow((call) => ({ functionName: named(call, "transfer") ? "approve" : "transfer" }))),
  hostile("burned in place of handed over", oneBelow((call) => (named(call, "transfer") ? { functionName: "burn" } : null))),
  hostile("handed over with an argument more", oneBelow((call) => ({ args: [...call.args, xdr.ScVal.scvVoid()] }))),
  hostile(
    "a contract made on the way",
    below((calls) => [
      ...calls,
      new xdr.SorobanAuthorizedInvocation({
        function: xdr.SorobanAuthorizedFunction.sorobanAuthorizedFunctionTypeCreateContractHostFn(
          new xdr.CreateContractArgs({
            contractIdPreimage: xdr.ContractIdPreimage.contractIdPreimageFromAsset(xdr.Asset.assetTypeNative()),
            executable: xdr.ContractExecutable.contractExecutableStellarAsset()
          })
        ),
        subInvocations: []
      })
    ])
  ),
  hostile(
    "another call authorised",
    authorized(([entry, ...more], { call }) =>
      entry === undefined ? null : [
        rooted(entry, { function: contractFn(new xdr.InvokeContractArgs({ ...call, functionName: "transfer" })) }),
        ...more
      ]
    )
  ),
  hostile(
    "the same call with other arguments authorised",
    authorized(([entry, ...more], { call }) =>
      entry === undefined || call.args.length === 0 ? null : [
        rooted(entry, { function: contractFn(new xdr.InvokeContractArgs({ ...call, args: call.args.slice(1) })) }),
        ...more
      ]
    )
  ),
  hostile(
    "an authorisation more",
    authorized((auth, { call }) => [...auth, ...(auth.length === 0 ? [ownEntry(call), ownEntry(call)] : auth)])
  ),
  hostile(
    "a second authorisation for a stranger's token",
    authorized((auth) =>
      auth.length === 0 ? null : [
        ...auth,
        new xdr.SorobanAuthorizationEntry({
          credentials: xdr.SorobanCredentials.sorobanCredentialsSourceAccount(),
          rootInvocation: transfer(strangeAddress, stranger, strangerAddress, 5n)
        })
      ]
    )
  ),
  hostile(
    "credentials of their own",
    authorized(([entry, ...more]) =>
      entry === undefined ? null : [
        new xdr.SorobanAuthorizationEntry({
          credentials: xdr.SorobanCredentials.sorobanCredentialsAddress(
            new xdr.SorobanAddressCredentials({
              address: strangerAddress,
              nonce: 1n,
              signatureExpirationLedger: 9_999_999,
              signature: xdr.ScVal.scvVoid()
            })
          ),
          rootInvocation: entry.rootInvocation
        }),
        ...more
      ]
    )
  ),
  hostile(
    "code put on the ledger in place of a call",
    (one) => madeIn(one) === null ? null : invoked(one, xdr.HostFunction.hostFunctionTypeUploadContractWasm(Buffer.alloc(8)), [])
  ),
  hostile(
    "a contract made in place of a call",
    (one) =>
      madeIn(one) === null ? null : invoked(
        one,
        xdr.HostFunction.hostFunctionTypeCreateContract(
          new xdr.CreateContractArgs({
            contractIdPreimage: xdr.ContractIdPreimage.contractIdPreimageFromAsset(xdr.Asset.assetTypeNative()),
            executable: xdr.ContractExecutable.contractExecutableStellarAsset()
          })
        ),
        []
      )
  ),
  hostile("a call beside another operation", (one) => {
    const [place] = placesOf(one, "invokeHostFunction")
    return place === undefined ? null : replaced(one, place.at, place.operation, place.operation)
  }),
  hostile("a contract that the book does not list", (one) => {
    const made = madeIn(one)
    return made === null || named(made.call, "transfer", "approve") || isHeldOnly(one, nameOfAddress(made.call.contractAddress)) ? null : {
      expected: {
        ...one.expected,
        contracts: { ...one.expected.contracts, protocols: {} },
        phase: { held: [] },
        decisions: one.expected.decisions.filter(({ id }) => !id.startsWith("position"))
      }
    }
  }),
  hostile("a position that was to be left behind", (one) => {
    const made = madeIn(one)
    if (made === null || named(made.call, "transfer", "approve", "swap", "swap_chained", "swap_exact_tokens_for_tokens")) return null
    const id = `position:lend_1:${nameOfAddress(made.call.contractAddress)}:all`
    const others = one.expected.decisions.filter((decision) => !decision.id.startsWith("position"))
    return { expected: { ...one.expected, phase: { held: [] }, decisions: [...others, { id, choice: "acknowledge_forfeit" }] } }
  }),
  hostile("a position that nobody decided to leave", (one) => {
    const made = madeIn(one)
    return made === null || named(made.call, "transfer", "approve", "swap", "swap_chained", "swap_exact_tokens_for_tokens") ? null : {
      expected: { ...one.expected, phase: { held: [] }, decisions: one.expected.decisions.filter(({ id }) => !id.startsWith("position")) }
    }
  }),
  hostile(
    "a token sent to whom no decision names",
    called((call) => (named(call, "transfer") ? argument(call, 1, () => xdr.ScVal.scvAddress(strangerAddress)) : null))
  ),
  hostile("more of a token sent than was decided", (one) => {
    const isBounded = ({ choice, params }: Case["expected"]["decisions"][number]): boolean =>
      choice === "transfer_to_account" && params?.maxAmount !== undefined
    const made = madeIn(one)
    return made !== null && named(made.call, "transfer") && one.expected.decisions.some(isBounded)
      ? {
        expected: {
          ...one.expected,
          decisions: one.expected.decisions.map((decision) =>
            isBounded(decision) ? { ...decision, params: { ...decision.params, maxAmount: "0" } } : decision
          )
        }
      }
      : null
  }),
  hostile(
    "an allowance given",
    called((call) => (named(call, "approve") ? argument(call, 2, (value) => wholeNumber(value, () => 1n)) : null))
  ),
  hostile(
    "an allowance of somebody else ended",
    called((call) => (named(call, "approve") ? argument(call, 0, () => xdr.ScVal.scvAddress(strangerAddress)) : null))
  )
]

function ownEntry(call: xdr.InvokeContractArgs): xdr.SorobanAuthorizationEntry {
  return new xdr.SorobanAuthorizationEntry({
    credentials: xdr.SorobanCredentials.sorobanCredentialsSourceAccount(),
    rootInvocation: new xdr.SorobanAuthorizedInvocation({ function: contractFn(call), subInvocations: [] })
  })
}
