import type { AgeSpan } from './age-spans.ts'
import { type Group, namesGroup } from './reference-groups.ts'

/** Known facts about the person of a report. */
export interface Person {
  sex: 'male' | 'female' | null
  /** Smallest and largest age in years by the header of the report. */
  age: { least: number; most: number } | null
}

export const UNKNOWN_PERSON: Person = { sex: null, age: null }

/**
 * Which sex the letters stand for: `M` is a man beside `F` or `W`, and a woman (mujer) beside `H`.
 */
function readLetters(groups: readonly Group[]): Map<string, 'male' | 'female'> {
  const letters = new Set(groups.map(({ letter }) => letter))
  const pairs: [male: string, female: string][] = [
    ['m', 'f'],
    ['h', 'f'],
    ['m', 'w'],
    ['h', 'm'],
    ['u', 'd'],
  ]
  const pair = pairs.find(([male, female]) => letters.has(male) && letters.has(female))
  if (pair)
    return new Map([
      [pair[0], 'male'],
      [pair[1], 'female'],
    ])
  return letters.has('v') || letters.has('h')
    ? new Map()
    : new Map([
        ['m', 'male'],
        ['f', 'female'],
        ['w', 'female'],
      ])
}

type Verdict = 'yes' | 'maybe' | 'no'

function judgeGroup(group: Group, person: Person, letters: ReadonlyMap<string, string>): Verdict {
  if (group.category === 'other') return 'no'
  const verdicts: Verdict[] = []
  const sex = group.sex ?? (group.letter === null ? null : (letters.get(group.letter) ?? 'unclear'))
  if (sex !== null)
    verdicts.push(
      sex === 'unclear' || person.sex === null ? 'maybe' : sex === person.sex ? 'yes' : 'no',
    )
  if (group.state !== null)
    verdicts.push(group.state === 'of women' && person.sex === 'male' ? 'no' : 'maybe')
  if (group.ages !== null) verdicts.push(judgeAge(group.ages, person.age))
  if (verdicts.includes('no')) return 'no'
  return verdicts.includes('maybe') ? 'maybe' : 'yes'
}

function judgeAge(ages: AgeSpan, age: Person['age']): Verdict {
  if (age === null) return 'maybe'
  if (age.most < ages.from || age.least >= ages.to) return 'no'
  return age.least >= ages.from && age.most < ages.to ? 'yes' : 'maybe'
}

/**
 * Returns the interval of a report for this person; undefined if the report leaves it open: sex or
 * age are unknown, or the interval is for a state, such as a phase of the cycle, that reports do
 * not contain.
 */
export function chooseAlternative<T extends { group: Group }>(
  alternatives: readonly T[],
  person: Person,
): T | undefined {
  const groups = alternatives.map(({ group }) => group)
  const letters = readLetters(groups)
  const rate = ({ sex, letter, ages }: Group) =>
    Number((sex ?? letter) !== null) + Number(ages !== null)
  const [only] = alternatives
  if (only && alternatives.length === 1) {
    const { ages } = only.group
    // What the report prints alone for an adult is for its patient, unless the head says that it is
    // a child.
    const isAdult = ages?.from === 18 && ages.to === Number.POSITIVE_INFINITY && person.age === null
    const group = isAdult ? { ...only.group, ages: null } : only.group
    return judgeGroup(group, person, letters) === 'yes' ? only : undefined
  }
  const judged = alternatives.map((alternative, at) => {
    const { group } = alternative
    const isBare = !namesGroup(group)
    // What stands unexplained behind others, or beside a word that is not understood, may be for
    // anyone.
    const isOpen = isBare && (at > 0 || group.otherLetters > 2)
    return {
      alternative,
      isBare,
      rate: rate(group),
      verdict: isOpen ? 'maybe' : judgeGroup(group, person, letters),
    }
  })
  const fitting = judged.filter(({ verdict }) => verdict === 'yes')
  const most = Math.max(...fitting.map((each) => each.rate))
  const best = fitting.filter((each) => each.rate === most)
  // What stands without a label in the row itself comes before the words of any list.
  const first = best.find(({ isBare }) => isBare) ?? best[0]
  if (!first || (best.length > 1 && !first.isBare)) {
    const healthy = best.filter(({ alternative }) => alternative.group.category === 'healthy')
    return healthy.length === 1 && !judged.some(({ verdict }) => verdict === 'maybe')
      ? healthy[0]?.alternative
      : undefined
  }
  const mayBeOther = judged.some(({ verdict }) => verdict === 'maybe')
  return mayBeOther && !first.isBare ? undefined : first.alternative
}
