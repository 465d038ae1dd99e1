import { type ContractModel, type Contracts, registerContracts } from "../../../../src/ledger/soroban/Contract.ts"
import { allContracts } from "../../../../src/sandbox/contracts/All.ts"

/** Contracts of a sandbox, and a switch that makes a function of theirs fail. */
export interface Failing {
  readonly contracts: Contracts
  /** From now on calls of the function end with the contract's error `code`: this many of them, or all. */
  readonly fail: (name: string, code: number, times?: number) => void
  /** The count of calls that failed this way. */
  readonly failed: () => number
}

/** All contracts, where those of these hashes can be made to fail. This imitates actions of others between a read and a call. */
export const failing = (...hashes: ReadonlyArray<string>): Failing => {
  let armed = { name: "", code: 0, left: 0 }
  let failed = 0
  const switched = (model: ContractModel): ContractModel => ({
    ...model,
    functions: Object.fromEntries(
      Object.entries(model.functions).map(([name, one]) => [name, {
        ...one,
        run: (host, args) => {
          if (name !== armed.name || armed.left === 0) return one.run(host, args)
          armed = { ...armed, left: armed.left - 1 }
          failed += 1
          return host.fail(armed.code)
        }
      }])
    )
  })
  const overridden = allContracts.filter(({ wasmHashes = [] }) => wasmHashes.some((hash) => hashes.includes(hash)))
  return {
    contracts: registerContracts([...allContracts, ...overridden.map((one) => ({ ...one, model: switched(one.model) }))]),
    fail: (name, code, times = Infinity) => {
      armed = { name, code, left: times }
    },
    failed: () => failed
  }
}
