import { serve } from "account-closeout"
import { layer } from "./Jar.ts"
import { sandbox } from "./JarModel.ts"

serve({ protocols: layer, sandbox })
