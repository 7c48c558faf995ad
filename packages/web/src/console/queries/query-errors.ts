import type { Diagnostic } from '@codemirror/lint'
import type { EditorState } from '@codemirror/state'
import { ApiError } from '../api/api-error.ts'
import { findNodeAt } from './query-text.ts'

interface InvalidPart {
  loc: (string | number)[]
  msg: string
}

/** `At character 5: …`, counted in the text of a condition. */
const AT_CHARACTER = /^At character (\d+): /

/** Returns the offset of a character of a text, after the quote and the escapes before it. */
function offsetInString(literal: string, characters: number): number {
  let offset = 1
  for (let index = 0; index < characters && offset < literal.length - 1; index++) {
    const isEscape = literal[offset] === '\\'
    offset += isEscape ? (literal[offset + 1] === 'u' ? 6 : 2) : 1
  }
  return offset
}

/**
 * Converts validation errors to diagnostics; empty for errors without a place.
 * @param within Path of the text in the body of the request.
 */
export function toDiagnostics(
  state: EditorState,
  error: unknown,
  within: readonly string[] = [],
): Diagnostic[] {
  if (!(error instanceof ApiError) || !Array.isArray(error.detail)) return []
  return (error.detail as InvalidPart[]).flatMap(({ loc, msg }): Diagnostic[] => {
    const path = loc.slice(1)
    if (within.some((name, index) => path[index] !== name)) return []
    const node = findNodeAt(state, path.slice(within.length))
    if (node === undefined) return []
    const [whole, digits] = AT_CHARACTER.exec(msg) ?? []
    if (node.name !== 'String' || whole === undefined) {
      return [{ from: node.from, to: node.to, severity: 'error', message: msg }]
    }
    const literal = state.sliceDoc(node.from, node.to)
    const from = node.from + offsetInString(literal, Number(digits))
    const to = Math.min(node.to - 1, from + 1)
    const message = msg.slice(whole.length)
    return [{ from: Math.min(from, to), to, severity: 'error', message }]
  })
}
