import { serve } from "account-closeout"
import { layer } from "./Vault.ts"

// The service as it is, and one protocol more.
serve({ protocols: layer })
