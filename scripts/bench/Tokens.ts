import { Layer } from "effect"
import { Explorer } from "../../src/chain/Explorer.ts"
import { TokenLists } from "../../src/registry/TokenLists.ts"
import { OwnerEvents } from "../../src/tokens/OwnerEvents.ts"
import { TokenReader } from "../../src/tokens/TokenReader.ts"

/** Tokens as in production, by the list of the contracts file. */
export const tokens = TokenReader.layer.pipe(
  Layer.provide(Explorer.layerNone),
  Layer.provideMerge(Layer.merge(OwnerEvents.layer, TokenLists.layerContracts))
)
