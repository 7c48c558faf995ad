/** The outermost fields that the opening of a JSON text shows. */
export interface JsonOpening {
  /** Whether the text is a list; then the fields are those of its first object. */
  isList: boolean
  fields: ReadonlySet<string>
}

/** A text or one of the signs of the structure; numbers and words between them say nothing. */
const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\]:]/gs

/**
 * Reads the names of the outermost fields, to recognize a file by them: deeper ones have the names
 * that many programs use. The text may end anywhere. Undefined for a text that is no JSON.
 */
export function readJsonOpening(text: string): JsonOpening | undefined {
  const [first] = /[^\s\ufeff]/.exec(text) ?? []
  if (first !== '{' && first !== '[') return undefined
  const isList = first === '['
  const fields = new Set<string>()
  const most = isList ? 2 : 1
  let [depth, last] = [0, '']
  for (const [token] of text.matchAll(TOKEN)) {
    if (token === '{' || token === '[') depth++
    else if (token === ':' && depth === most && last !== '') fields.add(last)
    else if ((token === '}' || token === ']') && --depth < most) break
    last = token.startsWith('"') ? token.slice(1, -1) : ''
  }
  return { isList, fields }
}
