/** Returns the first line of every generated document; `source` is the place for changes. */
export function generatedNotice(source: string): string {
  return `<!-- generated from ${source} by scripts/generate.ts; do not edit -->`
}

/** Joins the parts of a document with an empty line between them. */
export function joinParts(...parts: string[]): string {
  return `${parts.join('\n\n')}\n`
}

/** Formats a table of GitHub's Markdown; cells are Markdown themselves. */
export function markdownTable(
  titles: readonly string[],
  rows: readonly (readonly string[])[],
): string {
  const line = (cells: readonly string[]): string => `| ${cells.map(escapeCell).join(' | ')} |`
  return [line(titles), `|${titles.map(() => ' --- |').join('')}`, ...rows.map(line)].join('\n')
}

function escapeCell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ')
}

export function code(text: string): string {
  return `\`${text}\``
}

/** `a`, `b`, `c` */
export function codeList(texts: readonly string[]): string {
  return texts.map(code).join(', ')
}
