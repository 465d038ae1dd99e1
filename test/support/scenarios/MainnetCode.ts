import { xdr } from "@stellar/stellar-sdk"
import { declaredFunction, declaringCode } from "./DeclaredCode.ts"

const type = xdr.ScSpecTypeDef

/** The rest of the vaults contract on mainnet: it can only be emptied and replaced. */
export const emptiedVaults = declaringCode([
  declaredFunction("evict", [type.scSpecTypeAddress()]),
  declaredFunction("upgrade", [type.scSpecTypeBytesN(new xdr.ScSpecTypeBytesN({ n: 32 }))])
])

const poolTypes = { MissingPool: 0, ConstantProduct: 1, StableSwap: 2, Concentrated: 3 }

/** The code of amm_1's router on mainnet in September 2026, by its hash (hex); it has the declaration of the published code. */
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
