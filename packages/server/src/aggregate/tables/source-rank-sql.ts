import { SOURCE_TYPES_BY_RANK } from '../../series/index.ts'

/**
 * Which of several sources counts (contract 09, section 8). A source is a number: the place of its
 * source type in the lowest bits, and a hash of the provider above. A number is grouped by in a third
 * of the time of two texts, and is made once for each distinct text of a block.
 */
const TYPE_STEPS = 32
const HASH_MASK = 2 ** 27 - 1

const quoted = (texts: readonly string[]): string => texts.map((text) => `'${text}'`).join(', ')

/** From 0, the best; unknown types come last. */
const TYPE_PLACE = `transform(source_type, [${quoted(SOURCE_TYPES_BY_RANK)}],
  range(${SOURCE_TYPES_BY_RANK.length}), ${TYPE_STEPS - 1})`

export const hashOf = (slug: string): string => `bitAnd(cityHash64(${slug}), ${HASH_MASK})`

/** Over columns provider and source_type: UInt32. */
export const SOURCE_CODE = `toUInt32(${hashOf('provider')} * ${TYPE_STEPS} + ${TYPE_PLACE})`

/** Place of a provider, from 1, in a parameter that lists slugs; 0 when it is not there. */
const placeIn = (parameter: string, hash: string): string =>
  `indexOf(arrayMap(slug -> ${hashOf('slug')}, {${parameter}:Array(String)}), ${hash})`

/**
 * What to order sources by so that the one that counts comes first. Parameters overrides,
 * priorityProviders, priorityValues and knownProviders (compile/source-parameters.ts).
 * @param code Column with a SOURCE_CODE.
 * @param rows Column with the number of rows of the source.
 */
export function sourceOrderSql(code: string, rows: string): string[] {
  const hash = `intDiv(${code}, ${TYPE_STEPS})`
  const override = placeIn('overrides', hash)
  return [
    `if(${override} = 0, 1000000, ${override})`,
    `${code} % ${TYPE_STEPS}`,
    `{priorityValues:Array(Int64)}[${placeIn('priorityProviders', hash)}] desc`,
    `${rows} desc`,
    `{knownProviders:Array(String)}[${placeIn('knownProviders', hash)}]`,
    code,
  ]
}
