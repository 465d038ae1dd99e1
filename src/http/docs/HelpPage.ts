import type { HttpServerResponse } from "@effect/platform"
import { entryAnchor, errorRows, type HelpEntry, helpIntroduction, type HelpMeaning, helpSections } from "../../api/HelpEntries.ts"
import { helpUrlOf, who } from "../../domain/Help.ts"
import { protocolAnchor, protocolHelp, protocolsAnchor } from "../../domain/ProtocolHelp.ts"
import { type OwnProtocol, ownProtocols } from "../../domain/ProtocolName.ts"
import { escaped, line } from "../page/Html.ts"
import { htmlPage } from "../page/HtmlPage.ts"
import { docsStyle } from "./DocsStyle.ts"

const row = ({ code, meaning, retry, status }: (typeof errorRows)[number]): string =>
  `<tr><td>${status}</td><td><a href="#${helpUrlOf("error", code).split("#")[1] ?? ""}"><code>${code}</code></a></td>` +
  `<td>${retry}</td><td>${line(meaning)}</td></tr>`

const table = [
  "<table><thead><tr><th scope=\"col\">Status</th><th scope=\"col\">Code</th><th scope=\"col\">Retry</th><th scope=\"col\">Meaning</th></tr></thead>",
  `<tbody>${errorRows.map(row).join("\n")}</tbody></table>`
].join("\n")

const meaningView = ({ answer, by, cause, remedy }: HelpMeaning): string =>
  (answer === null ? "" : `<p class="quiet">Status ${answer.status}, retry <code>${answer.retry}</code></p>`) +
  `<p>${line(cause)}</p><p><b>What to do:</b> ${line(remedy)}</p><p><b>By whom:</b> ${escaped(by.map((one) => who[one]).join("; "))}.</p>`

/** One heading with its help. The anchors are those of the page in the project's repository. */
const entryView = (entry: HelpEntry): string =>
  `<h3 id="${entryAnchor(entry)}">${entry.kind} <code>${entry.code}</code></h3>${entry.meanings.map(meaningView).join("")}`

const protocolView = (name: OwnProtocol): string => {
  const { label, leaves, reads } = protocolHelp[name]
  return `<h3 id="${protocolAnchor(name)}">Protocol <code>${name}</code></h3>` +
    `<p>${escaped(label)}. ${line(reads)}</p><p><b>How the close exits it:</b> ${line(leaves)}</p>`
}

const anchorOf = (title: string): string => title.toLowerCase().replaceAll(" ", "-")

const section = (title: string, anchor: string, body: string): string =>
  `<section aria-labelledby="${anchor}"><h2 id="${anchor}">${title}</h2>${body}</section>`

const contents = [
  "<nav aria-label=\"Contents\"><ul>",
  ...helpSections.map(({ title }) => `<li><a href="#${anchorOf(title)}">${title}</a></li>`),
  `<li><a href="#${protocolsAnchor}">Protocols</a></li>`,
  "<li><a href=\"/docs\">API documentation</a></li>",
  "</ul></nav>"
].join("\n")

/** The page that `helpUrl` names: every error, blocker and warning, with its cause, what to do and by whom. */
export const helpPage = (): HttpServerResponse.HttpServerResponse =>
  htmlPage({
    title: "Errors, blockers, warnings",
    style: docsStyle,
    body: [
      `<div class="page"><header><h1>Errors, blockers, warnings</h1>${
        helpIntroduction.map((one) => `<p>${line(one)}</p>`).join("")
      }</header>`,
      contents,
      "<main>",
      ...helpSections.map(({ entries, title }) =>
        section(title, anchorOf(title), `${title === "Errors" ? table : ""}${entries.map(entryView).join("\n")}`)
      ),
      section(
        "Protocols",
        protocolsAnchor,
        `<p>Protocols of other packages are described by those packages.</p>${ownProtocols.map(protocolView).join("\n")}`
      ),
      "</main></div>"
    ].join("\n")
  })
