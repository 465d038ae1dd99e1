import { assert, describe, it } from "@effect/vitest"
import { Account, Address, Asset, hash, Networks, Operation, StrKey, TransactionBuilder, xdr } from "@stellar/stellar-sdk"
import { readFileSync } from "node:fs"
import { deployedRoles } from "../../src/operations/DeployedPools.ts"
import type { ContractBook, Expected } from "../../src/operations/Expected.ts"
import { contractsOf, verify } from "../../src/verify/Verifier.ts"
import { readCorpus } from "./support/Corpus.ts"

interface Call {
  readonly name: string
  readonly source: string
  readonly contract: string
  readonly contractName: string
  readonly function: string
  readonly args: ReadonlyArray<string>
  readonly ok: boolean
  readonly auth: ReadonlyArray<string>
  readonly transactionData: string
}

interface Recording {
  readonly contracts: Readonly<Record<string, { readonly address: string }>>
  readonly calls: ReadonlyArray<Call>
}

const recorded = (name: string): Recording =>
  JSON.parse(readFileSync(new URL(`../recorded/${name}.json`, import.meta.url), "utf8")) as Recording

const [lumens, usdc, pho] = [
  Asset.native().contractId(Networks.PUBLIC),
  "CCW67TSZV3SSS2HXMBQ5JFGCKJNXKZM7UQUWUZPUTHXSTZLEO7SJMI75",
  "CBZ7M5B3Y4WWBZ5XK5UZCAFOEZ23KSSZXYECYX3IXM6E2JOLQC52DK32"
]
const aqua = "CAUIKL3IYGMERDRUN6YSCLWVAKIFG5Q4YJHUKM4S4NJZQIA3BAS6OJPK"

const mainnet = { contracts: contractsOf("mainnet"), networkPassphrase: Networks.PUBLIC }

describe("the address of a pool on mainnet", () => {
  it("proves which router or factory deployed it, and for which tokens", () => {
    const pools = [
      ["amm_1", "CCY2PXGMKNQHO7WNYXEWX76L2C5BH3JUW3RCATGUYKY7QQTRILBZIFWV", [lumens, aqua]],
      ["amm_1", "CBBMQBNHB2FYVZYV7VNHOJHUMTFJLR4PUMRVQYNW6RHIKZO2NQMIBUCV", [lumens, usdc]],
      ["amm_3", "CBHCRSVX3ZZ7EGTSYMKPEFGZNWRVCSESQR3UABET4MIW52N4EVU6BIZX", [lumens, usdc]],
      ["amm_3", "CBCZGGNOEUZG4CAAE7TGTQQHETZMKUT4OIPFHHPKEUX46U4KXBBZ3GLH", [pho, lumens]],
      ["amm_3", "CC6MJZN3HFOJKXN42ANTSCLRFOMHLFXHWPNAX64DQNUEBDMUYMPHASAV", [
        "CBN3NCJSMOQTC6SPEYK3A44NU4VS3IPKTARJLI3Y77OH27EWBY36TP7U",
        usdc
      ]]
    ] as const
    for (const [protocol, contract, tokens] of pools) {
      assert.isNotEmpty(deployedRoles(contract, { protocol, tokens }, mainnet), contract)
      assert.isNotEmpty(deployedRoles(contract, { protocol, tokens: tokens.toReversed() }, mainnet), contract)
    }
    const [, , [, contract]] = pools
    assert.deepStrictEqual(deployedRoles(contract, { protocol: "amm_3", tokens: [lumens, pho] }, mainnet), [])
    assert.deepStrictEqual(deployedRoles(contract, { protocol: "amm_3", tokens: [lumens] }, mainnet), [])
    assert.deepStrictEqual(deployedRoles(contract, { protocol: "amm_3", tokens: [lumens, "usdc"] }, mainnet), [])
    assert.deepStrictEqual(deployedRoles(contract, { protocol: "lend_1", tokens: [lumens, usdc] }, mainnet), [])
    assert.deepStrictEqual(
      deployedRoles(contract, { protocol: "amm_3", tokens: [lumens, usdc] }, { ...mainnet, networkPassphrase: Networks.TESTNET }),
      []
    )
  })

  it("proves nothing of one that was deployed in another way", () => {
    const contract = "CD5XNKK3B6BEF2N7ULNHHGAMOKZ7P6456BFNIHRF4WNTEDKBRWAE7IAA"
    assert.deepStrictEqual(deployedRoles(contract, { protocol: "amm_3", tokens: [pho, usdc] }, mainnet), [])
  })
})

/** The address at which a factory of amm_3 deploys the pool of two tokens. */
const poolAddress = (factory: string, tokens: ReadonlyArray<string>, passphrase: string): string => {
  const values = tokens.toSorted((a, b) => Buffer.compare(StrKey.decodeContract(a), StrKey.decodeContract(b)))
    .map((token) => Buffer.from(Address.fromString(token).toScVal().toXdr("base64"), "base64"))
  const preimage = xdr.HashIdPreimage.envelopeTypeContractId(
    new xdr.HashIdPreimageContractId({
      networkId: hash(Buffer.from(passphrase)),
      contractIdPreimage: xdr.ContractIdPreimage.contractIdPreimageFromAddress(
        new xdr.ContractIdPreimageFromAddress({ address: Address.fromString(factory).toScAddress(), salt: hash(Buffer.concat(values)) })
      )
    })
  )
  return StrKey.encodeContract(hash(Buffer.from(preimage.toXdr("base64"), "base64")))
}

/** The tokens of the recorded pools, by their names in the recordings. */
const tokensIn: Readonly<Record<string, ReadonlyArray<string>>> = {
  cpPool: ["xlm", "usdc"],
  cpPool2: ["usdc", "xlm"],
  stablePool: ["usdc", "eurc"],
  stable3: ["aqua", "eurc", "usdc"],
  pool: ["usdc", "xlm"]
}

const envelopeOf = ({ args, auth, contract, function: fn, source, transactionData }: Call): string => {
  const data = xdr.SorobanTransactionData.fromXdr(transactionData, "base64")
  const call = Operation.invokeContractFunction({
    contract,
    function: fn,
    args: args.map((one) => xdr.ScVal.fromXdr(one, "base64")),
    source,
    auth: auth.map((one) => xdr.SorobanAuthorizationEntry.fromXdr(one, "base64"))
  })
  const options = { fee: "100", networkPassphrase: Networks.PUBLIC, timebounds: { minTime: 0, maxTime: 1_000_300 }, sorobanData: data }
  return new TransactionBuilder(new Account(source, "0"), { ...options, ledgerbounds: { minLedger: 0, maxLedger: 100_000_000 } })
    .addOperation(call)
    .build()
    .toXdr()
}

const book = (protocol: string, role: string, contract: string): ContractBook => ({
  protocols: { [protocol]: { [role]: [contract] } },
  code: {},
  tokens: [],
  pairs: {}
})

const expectedOf = (call: Call, contracts: ContractBook, held: Expected["phase"]["held"]): Expected => ({
  networkPassphrase: Networks.PUBLIC,
  source: call.source,
  sequence: 0n,
  balanceStroops: 10_000_000n,
  destination: "GDGTHOEHAYHKZUIZYPFVU7WCKNSHLMD2FJT4FYWFP6AFIBNVOIUYOZ4O",
  memo: null,
  decisions: [],
  floors: {},
  contracts,
  feeCap: 10_000_000_000n,
  now: 1_000_000,
  phase: { held }
})

const protocols = [
  { protocol: "amm_1", role: "router", names: ["amm_1", "amm_1_stable", "amm_1_more"] },
  { protocol: "amm_3", role: "factory", names: ["amm_3"] }
] as const

describe("a book that lists a router or a factory and no pool", () => {
  for (const { names, protocol, role } of protocols) {
    it(`admits every withdrawal of shares that was recorded of ${protocol}, by the tokens of the pool and by no others`, () => {
      const seen = new Set<string>()
      for (const name of names) {
        const { calls, contracts } = recorded(name)
        const deployer = contracts[role]?.address ?? assert.fail(`${name} has no ${role}`)
        const withdrawals = calls.filter(({ contractName, function: fn, name, ok }) =>
          ok && Object.hasOwn(tokensIn, contractName) && ["withdraw", "withdraw_liquidity"].includes(fn) && name.includes("exit")
        )
        for (const call of withdrawals) {
          const id = `position:${protocol}:${call.contract}:shares`
          const tokens = (tokensIn[call.contractName] ?? []).map((one) => contracts[one]?.address ?? assert.fail(one))
          const envelope = envelopeOf(call)
          const judged = (listed: ContractBook, own: ReadonlyArray<string>) =>
            verify(expectedOf(call, listed, [{ id, tokens: own }]), envelope)
          const found = judged(book(protocol, role, deployer), tokens)
          assert.isTrue(found.ok, `${name} ${call.name} ${call.contractName} ${JSON.stringify(found)}`)
          if (seen.has(call.contractName)) continue
          seen.add(call.contractName)
          const rules = [
            judged(book(protocol, role, deployer), [tokens[0] ?? "", aqua]),
            judged(book(protocol, role, call.contract), tokens)
          ]
            .map((one) => (one.ok ? [] : one.violations.map(({ rule }) => rule)))
          assert.deepStrictEqual(rules, [["contract_function"], ["contract_function"]], call.contractName)
        }
      }
      assert.isAtLeast(seen.size, protocol === "amm_1" ? 4 : 1)
    })
  }

  it("admits a sale in the pool of the token and lumens, and in no other pool", () => {
    const [one = assert.fail("no sale")] = readCorpus().filter(({ name }) => name === "swap")
    const { contracts, networkPassphrase } = one.expected
    const [factory = ""] = contracts.protocols["amm_3"]?.["factory"] ?? []
    const [[pool, pair] = assert.fail("no pair")] = Object.entries(contracts.pairs).filter(([contract]) =>
      Buffer.from(one.envelope, "base64").includes(Buffer.from(StrKey.decodeContract(contract)))
    )
    const others = pair.toReversed().map((token) => (token === Asset.native().contractId(networkPassphrase) ? aqua : token))
    const alone = { ...one.expected, contracts: { ...contracts, protocols: { amm_3: { factory: [factory] } }, pairs: {} } }
    const soldIn = (tokens: ReadonlyArray<string>) => {
      const deployed = StrKey.decodeContract(poolAddress(factory, tokens, networkPassphrase))
      const hex = Buffer.from(one.envelope, "base64").toString("hex")
      const moved = hex.replaceAll(Buffer.from(StrKey.decodeContract(pool)).toString("hex"), Buffer.from(deployed).toString("hex"))
      return verify(alone, Buffer.from(moved, "hex").toString("base64"))
    }
    assert.isTrue(soldIn(pair).ok, JSON.stringify(soldIn(pair)))
    assert.isFalse(soldIn(others).ok)
    assert.isFalse(verify(alone, one.envelope).ok)
  })
})
