import type { ErrorTypeOf } from '../errors.registry.ts'
import { AppError, invalidInput } from '../errors.ts'

/** Limits of every JSON body, whatever its endpoint; docs/limits.md lists them. */
export const JSON_LIMITS = {
  /** Depth of objects and lists within each other. */
  depth: 64,
  /** Number of entries of one list. */
  listEntries: 100_000,
  /** Number of keys of one object. */
  objectKeys: 10_000,
  /** Number of objects and lists. */
  containers: 1_000_000,
  values: 10_000_000,
  /** Bytes of one entry of an outermost list. */
  itemBytes: 16 * 1024 ** 2,
}

export type JsonLimit = keyof typeof JSON_LIMITS

/** Limits for long files that only an operator loads. */
export const CATALOG_JSON_LIMITS: typeof JSON_LIMITS = {
  ...JSON_LIMITS,
  listEntries: 1_000_000,
  objectKeys: 1_000_000,
  containers: 10_000_000,
}

const tooLarge = (errorType: ErrorTypeOf<413>, message: string): AppError =>
  new AppError(413, errorType, message)

const REFUSALS: Record<JsonLimit, AppError> = {
  depth: invalidInput(['body'], 'JSON is nested more than 64 levels deep', 'json_too_deep'),
  listEntries: tooLarge(
    'too_many_items',
    'A list of the body has more than 100,000 entries. Send them in several requests.',
  ),
  objectKeys: tooLarge('too_many_keys', 'An object of the body has more than 10,000 keys.'),
  containers: tooLarge(
    'too_many_values',
    'The body has more than 1,000,000 objects and lists. Send it in several requests.',
  ),
  values: tooLarge(
    'too_many_values',
    'The body has more than 10,000,000 values. Send it in several requests.',
  ),
  itemBytes: tooLarge('item_too_large', 'An entry of a list of the body is over 16 MiB.'),
}

/** Returns the error for a body over a limit: 422 for one that is nested too deeply, else 413. */
export function overLimit(limit: JsonLimit): AppError {
  return REFUSALS[limit]
}

/**
 * Checks a parsed value against those limits that a short text can exceed.
 * @throws AppError 413 or 422
 */
export function checkParsedJson(value: unknown, limits = JSON_LIMITS): void {
  let level: object[] = isContainer(value) ? [value] : []
  for (let depth = 1; level.length > 0; depth++) {
    if (depth > limits.depth) throw overLimit('depth')
    const next: object[] = []
    for (const container of level) addContainers(container, next, limits)
    level = next
  }
}

const isContainer = (value: unknown): value is object => typeof value === 'object' && value !== null

function addContainers(container: object, found: object[], limits: typeof JSON_LIMITS): void {
  if (Array.isArray(container)) {
    if (container.length > limits.listEntries) throw overLimit('listEntries')
    for (const entry of container) if (isContainer(entry)) found.push(entry)
    return
  }
  const fields = container as Record<string, unknown>
  let keys = 0
  for (const key in fields) {
    keys += 1
    const value = fields[key]
    if (isContainer(value)) found.push(value)
  }
  if (keys > limits.objectKeys) throw overLimit('objectKeys')
}
