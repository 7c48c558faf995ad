import { SOURCE_TYPES_BY_RANK } from '@salus/contracts/series'

/**
 * Choice between several sources (docs/contract/09-aggregate.md#data-prioritisation). A source is a
 * number: the position of its source type in the lowest bits, and the position of its provider
 * among the known ones above. Grouping by a number takes a third of the time of two texts, and it
 * is computed once for each distinct text of a block.
 */
const TYPE_STEPS = 32

const quoted = (texts: readonly string[]): string => texts.map((text) => `'${text}'`).join(', ')

/** Over a column source_type: from 0, the best; unknown types come last. */
export const TYPE_POSITION = `transform(source_type, [${quoted(SOURCE_TYPES_BY_RANK)}],
  range(${SOURCE_TYPES_BY_RANK.length}), ${TYPE_STEPS - 1})`

/**
 * Over a column provider: from 1, in the order of slugs; unknown ones share the position after the
 * last.
 */
const PROVIDER_POSITION = `transform(provider, {knownProviders:Array(String)},
  range(1, length({knownProviders:Array(String)}) + 1), length({knownProviders:Array(String)}) + 1)`

/** Over columns provider and source_type: UInt32. */
export const SOURCE_CODE = `toUInt32(${PROVIDER_POSITION} * ${TYPE_STEPS} + ${TYPE_POSITION})`

/**
 * Returns the order of sources in which the one that counts is first. Parameters knownProviders,
 * providerOverrides and providerPriorities (compile/statement-parameters.ts).
 * @param code Column with a SOURCE_CODE.
 * @param rows Column with the number of rows of the source.
 */
export function sourceOrderSql(code: string, rows: string): string[] {
  const provider = `intDiv(${code}, ${TYPE_STEPS})`
  return [
    `{providerOverrides:Array(UInt32)}[${provider}]`,
    `${code} % ${TYPE_STEPS}`,
    `{providerPriorities:Array(Int64)}[${provider}] desc`,
    `${rows} desc`,
    code,
  ]
}
