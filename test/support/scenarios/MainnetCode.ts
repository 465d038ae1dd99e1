import { xdr } from "@stellar/stellar-sdk"
import { declaredFunction, declaringCode } from "./DeclaredCode.ts"

const type = xdr.ScSpecTypeDef

/** What is left of the vaults contract on mainnet: it can be emptied and replaced, and nothing else. */
export const emptiedVaults = declaringCode([
  declaredFunction("evict", [type.scSpecTypeAddress()]),
  declaredFunction("upgrade", [type.scSpecTypeBytesN(new xdr.ScSpecTypeBytesN({ n: 32 }))])
])

const poolTypes = { MissingPool: 0, ConstantProduct: 1, StableSwap: 2, Concentrated: 3 }

/** What the router of amm_1 ran on mainnet in September 2026, by its hash (hex); it declares what the published one does. */
export const liveRouter = {
  hash: "06f4207b0c9ef78cc595e075ded8fa40e73fdb8346e5f9281068a2d4ba1e5037",
  code: declaringCode([
    declaredFunction("get_tokens_sets_count", []),
    declaredFunction("get_pools", [type.scSpecTypeVec(new xdr.ScSpecTypeVec({ elementType: type.scSpecTypeAddress() }))]),
    xdr.ScSpecEntry.scSpecEntryUdtStructV0(
      new xdr.ScSpecUdtStructV0({
        doc: "",
        lib: "",
        name: "LiquidityPoolData",
        fields: [
          new xdr.ScSpecUdtStructFieldV0({ doc: "", name: "address", type: type.scSpecTypeAddress() }),
          new xdr.ScSpecUdtStructFieldV0({
            doc: "",
            name: "pool_type",
            type: type.scSpecTypeUdt(new xdr.ScSpecTypeUdt({ name: "LiquidityPoolType" }))
          })
        ]
      })
    ),
    xdr.ScSpecEntry.scSpecEntryUdtEnumV0(
      new xdr.ScSpecUdtEnumV0({
        doc: "",
        lib: "",
        name: "LiquidityPoolType",
        cases: Object.entries(poolTypes).map(([name, value]) => new xdr.ScSpecUdtEnumCaseV0({ doc: "", name, value }))
      })
    )
  ]).code
}
