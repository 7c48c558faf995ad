import { syntaxTree } from '@codemirror/language'
import type { EditorState } from '@codemirror/state'
import type { SyntaxNode } from '@lezer/common'

/** Returns a text without its quotes; unchanged while it is incomplete. */
export function readString(state: EditorState, node: SyntaxNode): string {
  const text = state.sliceDoc(node.from, node.to)
  try {
    return JSON.parse(text)
  } catch {
    return text.replace(/^"|"$/g, '')
  }
}

export const propertiesOf = (object: SyntaxNode): SyntaxNode[] => object.getChildren('Property')

/** Returns the name of a property. */
export function nameOfProperty(state: EditorState, property: SyntaxNode): string {
  const name = property.getChild('PropertyName')
  return name === null ? '' : readString(state, name)
}

const VALUES = ['Object', 'Array', 'String', 'Number', 'True', 'False', 'Null']

/** Returns the values of an array, or the one of a property, in order. */
export function valuesOf(node: SyntaxNode): SyntaxNode[] {
  const values: SyntaxNode[] = []
  for (let child = node.firstChild; child !== null; child = child.nextSibling) {
    if (VALUES.includes(child.name)) values.push(child)
  }
  return values
}

/** Returns the value of a property by its name. */
export function findValue(
  state: EditorState,
  object: SyntaxNode,
  name: string,
): SyntaxNode | undefined {
  const property = propertiesOf(object).find((one) => nameOfProperty(state, one) === name)
  return property && valuesOf(property)[0]
}

/**
 * Returns the node at a path, such as `['queries', 0, 'where']`. A path that leads further than the
 * text ends at the last node that exists.
 */
export function findNodeAt(
  state: EditorState,
  path: readonly (string | number)[],
): SyntaxNode | undefined {
  let node = syntaxTree(state).topNode.firstChild ?? undefined
  for (const part of path) {
    if (node === undefined) return undefined
    const next: SyntaxNode | undefined =
      typeof part === 'number'
        ? node.name === 'Array'
          ? valuesOf(node)[part]
          : undefined
        : node.name === 'Object'
          ? findValue(state, node, part)
          : undefined
    // Names of schemas, which validation puts into paths, do not occur in the text.
    if (next !== undefined) node = next
  }
  return node
}
