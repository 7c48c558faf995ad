/** Shorter lists are shown where they are used. */
const LONGEST_INLINE = 4

/** Lists of values with lines and names of their own. */
export interface ValueLists {
  /** Returns the values, or the name of the list in brackets. */
  typeOf: (values: readonly unknown[]) => string
  /**
   * Returns each list with its name and a line for each value, so that a diff shows a new value.
   */
  lines: () => string[]
}

/**
 * A list with its first use: the name of the property or parameter, and of the schema or operation.
 */
interface UsedList {
  values: readonly unknown[]
  name: string
  owner: string
}

/** Owner of a list of several operations, because the first of them may change. */
const OPERATIONS = 'parameter'

/**
 * Finds the long lists of values of an OpenAPI document. A list is named by the property or
 * parameter that has it first, with the name of its owner before it where others have that name,
 * too.
 */
export function findValueLists(document: Record<string, unknown>): ValueLists {
  const found = new Map<string, UsedList>()
  visitSchemas(document.components, '', '', (list) => addList(found, list))
  visitSchemas(document.paths, '', '', (list) => addList(found, list))
  const names = nameLists([...found.values()])
  return {
    typeOf: (values) => {
      const name = names.get(keyOf(values))
      const suffix = values.includes(null) ? '|null' : ''
      if (name !== undefined) return `[${name}]${suffix}`
      return values.map((value) => JSON.stringify(value)).join('|')
    },
    lines: () =>
      [...found]
        .map(([key, { values }]) => ({ name: names.get(key) ?? '', values }))
        .sort((one, other) => (one.name < other.name ? -1 : 1))
        .flatMap(({ name, values }) => [
          name,
          ...solid(values).map((value) => `  ${inShort(value)}`),
        ]),
  }
}

const solid = (values: readonly unknown[]): unknown[] => values.filter((value) => value !== null)
const inShort = (value: unknown): string => String(value) || '""'
const keyOf = (values: readonly unknown[]): string => JSON.stringify(solid(values))

function addList(found: Map<string, UsedList>, list: UsedList): void {
  if (solid(list.values).length <= LONGEST_INLINE) return
  const key = keyOf(list.values)
  const known = found.get(key)
  if (known === undefined) found.set(key, list)
  else if (isOfOperation(known)) known.owner = OPERATIONS
}

/** Names of schemas begin with a capital letter. */
const isOfOperation = ({ owner }: UsedList): boolean => /^[a-z]/.test(owner)

function visitSchemas(
  value: unknown,
  owner: string,
  name: string,
  report: (list: UsedList) => void,
): void {
  if (typeof value !== 'object' || value === null) return
  if (Array.isArray(value)) {
    for (const member of value) visitSchemas(member, owner, name, report)
    return
  }
  const part = value as Record<string, unknown>
  if (Array.isArray(part.enum)) report({ values: part.enum, name, owner })
  const own = typeof part.operationId === 'string' ? part.operationId : owner
  for (const [key, member] of Object.entries(part)) {
    if (key === 'examples' || key === 'example') continue
    if (key === 'schemas' || key === 'properties') visitNamed(key, member, own, report)
    else visitSchemas(member, own, typeof part.in === 'string' ? String(part.name) : name, report)
  }
}

function visitNamed(
  kind: 'schemas' | 'properties',
  parts: unknown,
  owner: string,
  report: (list: UsedList) => void,
): void {
  for (const [name, part] of Object.entries(parts as object)) {
    visitSchemas(part, kind === 'schemas' ? name : owner, name, report)
  }
}

function nameLists(lists: readonly UsedList[]): Map<string, string> {
  const counts = new Map<string, number>()
  const isTaken = (name: string): boolean => (counts.get(name) ?? 0) > 1
  for (const { name } of lists) counts.set(name, (counts.get(name) ?? 0) + 1)
  const names = new Map<string, string>()
  const used = new Set<string>()
  for (const { values, name, owner } of lists) {
    const wanted = isTaken(name) && owner !== name ? `${owner}.${name}` : name
    let unique = wanted
    for (let number = 2; used.has(unique); number += 1) unique = `${wanted}-${number}`
    used.add(unique)
    names.set(keyOf(values), unique)
  }
  return names
}
