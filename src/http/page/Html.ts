const escapes: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": "&quot;" }

/** A text that is safe inside of HTML elements and of attributes in double quotes. */
export const escaped = (text: string): string => text.replaceAll(/[&<>"]/g, (character) => escapes[character] ?? "")

/** Code spans and links to paths of this service, in a text that is escaped. */
const inline = (text: string): string =>
  text
    .replaceAll(/`([^`]+)`/g, "<code>$1</code>")
    .replaceAll(/\[([^\]]+)\]\((\/[^)\s]*)\)/g, "<a href=\"$2\">$1</a>")

/** A text with code spans and links in Markdown, as HTML without a paragraph around it. */
export const line = (text: string): string => inline(escaped(text))

/** The same by paragraphs, which an empty line separates. */
export const prose = (text: string): string => text.split("\n\n").map((one) => `<p>${line(one)}</p>`).join("")
