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
  range(1, {unknownProvider:UInt32}), {unknownProvider:UInt32})`

/** Over columns provider and source_type: UInt32. */
export const SOURCE_CODE = `toUInt32(${PROVIDER_POSITION} * ${TYPE_STEPS} + ${TYPE_POSITION})`

/** What a statement ranks sources by, beside their types: what is empty is left out. */
interface SourceRanks {
  overrides: { length: number }
  providerPriorities: { size: number }
}

const ALL_RANKS: SourceRanks = { overrides: { length: 1 }, providerPriorities: { size: 1 } }

/**
 * Returns the order of sources in which the one that counts is first. Parameters knownProviders,
 * providerOverrides and providerPriorities (compile/statement-parameters.ts).
 * @param code Column with a SOURCE_CODE.
 * @param rows Number of rows of the source.
 */
export function sourceOrderSql(
  code: string,
  rows: string,
  { overrides, providerPriorities }: SourceRanks = ALL_RANKS,
): string[] {
  const provider = `intDiv(${code}, ${TYPE_STEPS})`
  return [
    ...(overrides.length > 0 ? [`{providerOverrides:Array(UInt32)}[${provider}]`] : []),
    `${code} % ${TYPE_STEPS}`,
    ...(providerPriorities.size > 0 ? [`{providerPriorities:Array(Int64)}[${provider}] desc`] : []),
    `${rows} desc`,
    code,
  ]
}
