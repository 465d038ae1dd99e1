import { allowancesView } from "./AllowancesView.ts"
import { closePage } from "./ClosePage.ts"
import { planView } from "./PlanView.ts"

const pages: Readonly<Record<string, () => void>> = { close: closePage, plan: planView, allowances: allowancesView }

pages[document.body.dataset["page"] ?? ""]?.()
