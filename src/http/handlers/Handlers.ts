import type { Api } from "../../api/Api.ts"
import type { HandlersOfApi } from "../route/HandlersOf.ts"

/** A handler for every endpoint of the contract, by group and name. */
export type Handlers = HandlersOfApi<typeof Api>
