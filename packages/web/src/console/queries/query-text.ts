import { syntaxTree } from '@codemirror/language'
import type { EditorState } from '@codemirror/state'
import type { SyntaxNode } from '@lezer/common'

/** Text without its quotes; as it stands while it is not whole. */
export function readString(state: EditorState, node: SyntaxNode): string {
  const text = state.sliceDoc(node.from, node.to)
  try {
    return JSON.parse(text)
  } catch {
    return text.replace(/^"|"$/g, '')
  }
}

export const propertiesOf = (object: SyntaxNode): SyntaxNode[] => object.getChildren('Property')

/** The name of a property. */
export function nameOfProperty(state: EditorState, property: SyntaxNode): string {
  const name = property.getChild('PropertyName')
  return name === null ? '' : readString(state, name)
}

const VALUES = ['Object', 'Array', 'String', 'Number', 'True', 'False', 'Null']

/** The values of an array, or the one of a property, in order. */
export function valuesOf(node: SyntaxNode): SyntaxNode[] {
  const values: SyntaxNode[] = []
  for (let child = node.firstChild; child !== null; child = child.nextSibling) {
    if (VALUES.includes(child.name)) values.push(child)
  }
  return values
}

/** The value of the property of that name. */
export function findValue(
  state: EditorState,
  object: SyntaxNode,
  name: string,
): SyntaxNode | undefined {
  const property = propertiesOf(object).find((one) => nameOfProperty(state, one) === name)
  return property && valuesOf(property)[0]
}

/**
 * Where in the text something of a path is, such as `['queries', 0, 'where']`. A path that leads
 * further than the text does ends at the last part that is there.
 */
export function locate(
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
    // Names of shapes, which validation puts into paths, are nowhere in the text.
    if (next !== undefined) node = next
  }
  return node
}
